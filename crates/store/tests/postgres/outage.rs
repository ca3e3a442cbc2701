//! A database that is set up to lose what it acknowledged, one that is killed, and one that is
//! replaced.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use recalld_memory::change::Revision;
use recalld_memory::ports::{Store, StoreError};
use recalld_store::PostgresStore;
use recalld_store::postgres::{Settings, Storage};
use recalld_testing::postgres_database::settings;
use recalld_testing::postgres_server::PostgresServer;
use tokio::sync::mpsc;

use crate::world::{remember, space};

/// How long a server may take to find the database again.
const RECOVERY: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_database_that_does_not_keep_what_it_acknowledges_is_refused() {
    let server = PostgresServer::start("-c fsync=off -c full_page_writes=off");
    let refused = PostgresStore::open(&server.address(), &settings())
        .await
        .unwrap_err();
    let (told, hint) = (refused.to_string(), refused.hint().unwrap());
    for setting in ["fsync", "full_page_writes"] {
        assert!(told.contains(&format!("{setting} is off")), "{told}");
        assert!(
            hint.contains(&format!("ALTER SYSTEM SET {setting} = on;")),
            "{hint}"
        );
    }
    let vouched = Settings {
        storage: Storage::Vouched,
        ..settings()
    };
    PostgresStore::open(&server.address(), &vouched).await.unwrap();
}

/// Writes for one user until told to stop, and tells what was acknowledged. Nothing may fail but
/// for the outage.
async fn keep_writing(store: Arc<dyn Store>, user: u128, acknowledged: mpsc::UnboundedSender<u128>) {
    let own = space(&format!("user {user}"));
    for number in 0..u128::MAX {
        let mine = user * 1_000_000 + number;
        let written = match store.revision(&own).await {
            Ok(at) => store.apply(&own, at, &[remember(mine, "said under load")]).await,
            Err(error) => Err(error),
        };
        match written {
            Ok(_) if acknowledged.send(mine).is_err() => return,
            Ok(_) => {}
            Err(StoreError::Unavailable { .. } | StoreError::Conflict { .. }) => {
                if acknowledged.is_closed() {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("not a clear refusal: {error:?}"),
        }
    }
}

struct Load {
    heard: mpsc::UnboundedReceiver<u128>,
    acknowledged: HashSet<u128>,
}

impl Load {
    fn on(store: &Arc<dyn Store>) -> Load {
        let (say, heard) = mpsc::unbounded_channel();
        for user in 0..4 {
            tokio::spawn(keep_writing(Arc::clone(store), user, say.clone()));
        }
        Load {
            heard,
            acknowledged: HashSet::new(),
        }
    }

    /// Waits until so many more were acknowledged.
    async fn wait_for(&mut self, more: usize) {
        let until = Instant::now() + RECOVERY;
        for _ in 0..more {
            let left = until.saturating_duration_since(Instant::now());
            let heard = tokio::time::timeout(left, self.heard.recv()).await;
            self.acknowledged.extend(heard.unwrap());
        }
    }

    /// Ends it, and gives all that was acknowledged.
    fn end(mut self) -> HashSet<u128> {
        self.heard.close();
        while let Ok(heard) = self.heard.try_recv() {
            self.acknowledged.insert(heard);
        }
        self.acknowledged
    }
}

async fn kept(store: &dyn Store) -> HashSet<u128> {
    let mut kept = HashSet::new();
    for user in 0..4 {
        let found = store
            .changed_since(&space(&format!("user {user}")), Revision(0))
            .await;
        let ids = found
            .unwrap()
            .memories
            .into_iter()
            .map(|memory| memory.id.as_uuid().as_u128());
        kept.extend(ids);
    }
    kept
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_a_crash_under_load_and_servers_recover() {
    let server = PostgresServer::start("");
    let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&server.address(), &settings()).await.unwrap());
    let mut load = Load::on(&store);
    for _ in 0..3 {
        load.wait_for(50).await;
        server.kill();
        let refused = store.revision(&space("ana")).await.unwrap_err();
        assert!(matches!(refused, StoreError::Unavailable { .. }), "{refused:?}");
        server.launch("");
    }
    load.wait_for(50).await;
    let acknowledged = load.end();
    assert!(acknowledged.is_subset(&kept(&*store).await));
    assert!(200 <= acknowledged.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronous_standby_that_takes_over_has_what_was_acknowledged() {
    let primary = PostgresServer::start("");
    let standby = primary.follower();
    primary.wait_for_follower();
    let both = primary.address_with(&standby);
    let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&both, &settings()).await.unwrap());
    let mut load = Load::on(&store);
    load.wait_for(100).await;
    primary.kill();
    standby.promote();
    load.wait_for(50).await;
    let acknowledged = load.end();
    assert!(acknowledged.is_subset(&kept(&*store).await));
}
