//! Requests that are cancelled wherever they happen to be.

use std::sync::Arc;
use std::time::{Duration, Instant};

use recalld_memory::change::Revision;
use recalld_memory::ports::{Store, StoreError};
use recalld_testing::postgres_database::{Database, administrator};
use tokio::sync::Semaphore;

use crate::sabotage::column;
use crate::world::{remember, space};

const REQUESTS: u64 = 10_000;
const USERS: u64 = 8;
const AT_ONCE: usize = 32;

/// When every connection is idle again. The database itself ends a transaction that was left open,
/// but later.
const SETTLED: Duration = Duration::from_secs(10);

/// Numbers without a pattern, the same in each run.
fn scattered(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 33
}

/// One request of a user; whatever comes back must be that user's.
async fn request(store: Arc<dyn Store>, number: u64) {
    let user = format!("user {}", scattered(number) % USERS);
    let own = space(&user);
    let at = store.revision(&own).await.unwrap();
    if number.is_multiple_of(3) {
        let change = remember(u128::from(number), &format!("said by {user}."));
        match store.apply(&own, at, &[change]).await {
            Ok(_) | Err(StoreError::Conflict { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
    let found = store.changed_since(&own, Revision(0)).await.unwrap();
    let mine = format!("said by {user}.");
    assert!(
        found
            .memories
            .iter()
            .all(|memory| memory.content.as_str() == mine)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_connection_comes_back_dirty_and_no_answer_reaches_another() {
    let database = Database::new().await;
    let store: Arc<dyn Store> = Arc::new(database.open().await);
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = tokio::task::JoinSet::new();
    for number in 0..REQUESTS {
        let turn = Arc::clone(&turns).acquire_owned().await.unwrap();
        let store = Arc::clone(&store);
        running.spawn(async move {
            let _turn = turn;
            let patience = Duration::from_micros(scattered(number + REQUESTS) % 60_000);
            tokio::time::timeout(patience, request(store, number))
                .await
                .is_ok()
        });
    }
    let answered = running
        .join_all()
        .await
        .into_iter()
        .filter(|answered| *answered)
        .count();
    assert!(
        (1..REQUESTS as usize).contains(&answered),
        "{answered} were answered in time"
    );
    // What was under way is carried to its end; then each connection serves again.
    for user in 0..USERS {
        request(Arc::clone(&store), user * 3).await;
    }
    let client = administrator(&database.name).await;
    let sql = format!(
        "SELECT state FROM pg_stat_activity
         WHERE datname = '{}' AND application_name = 'recalld' AND state <> 'idle'",
        database.name
    );
    // Something may still be on its way, but nothing stays.
    let until = Instant::now() + SETTLED;
    loop {
        let busy = column(&client, &sql).await.unwrap();
        if busy.is_empty() {
            break;
        }
        assert!(Instant::now() < until, "connections are still {busy:?}");
    }
}
