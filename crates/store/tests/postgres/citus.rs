//! A cluster of several nodes: shards that move and a worker that dies while users write. Skipped
//! unless `RECALLD_TEST_CITUS` names a coordinator; a worker is stopped and started by the command
//! in `RECALLD_TEST_CITUS_WORKER`, which is given `stop` or `start`.

use std::collections::HashMap;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use recalld_memory::change::Revision;
use recalld_memory::ports::{Administration, Store, StoreError};
use recalld_store::PostgresStore;
use recalld_testing::citus_database;
use recalld_testing::postgres_database::{Database, administrator};

use crate::world::{remember, space};

const USERS: u128 = 40;
const WRITES: u128 = 2_000;

/// What became of the writes of one user.
#[derive(Debug, Default)]
struct Fate {
    acknowledged: Vec<u128>,
    refused: usize,
}

/// Writes for all users in turn, several at a time, and calls `halfway` in between.
async fn write_all(
    store: &Arc<PostgresStore>,
    first: u128,
    halfway: impl AsyncFnOnce(),
) -> HashMap<u128, Fate> {
    let mut writers = tokio::task::JoinSet::new();
    for user in 0..USERS {
        let store = Arc::clone(store);
        writers.spawn(async move {
            let own = space(&format!("user {user}"));
            let mut fate = Fate::default();
            for number in 0..WRITES / USERS {
                let id = first + user * 10_000 + number;
                match write(&store, &own, id).await {
                    Ok(()) => fate.acknowledged.push(id),
                    Err(error) => {
                        assert!(
                            matches!(
                                error,
                                StoreError::Unavailable { .. } | StoreError::Conflict { .. }
                            ),
                            "not a clear refusal: {error:?}"
                        );
                        fate.refused += 1;
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                }
            }
            (user, fate)
        });
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    halfway().await;
    writers.join_all().await.into_iter().collect()
}

async fn write(store: &PostgresStore, own: &recalld_memory::id::SpaceId, id: u128) -> Result<(), StoreError> {
    let at = store.revision(own).await?;
    store.apply(own, at, &[remember(id, "said under load")]).await?;
    Ok(())
}

async fn lost(store: &PostgresStore, fates: &HashMap<u128, Fate>) -> usize {
    let mut lost = 0;
    for (user, fate) in fates {
        let found = store
            .changed_since(&space(&format!("user {user}")), Revision(0))
            .await
            .unwrap();
        let kept: Vec<u128> = found
            .memories
            .iter()
            .map(|memory| memory.id.as_uuid().as_u128())
            .collect();
        lost += fate.acknowledged.iter().filter(|id| !kept.contains(id)).count();
    }
    lost
}

/// Which users are on which worker, by its port.
async fn users_by_worker(database: &Database) -> HashMap<u128, i32> {
    let client = administrator(&database.name).await;
    let mut found = HashMap::new();
    for user in 0..USERS {
        let sql = format!(
            "SELECT p.nodeport FROM citus_shards p
             WHERE p.shardid = get_shard_id_for_distribution_column('recalld.spaces', 'user:user {user}')"
        );
        found.insert(user, client.query_one(&sql, &[]).await.unwrap().get(0));
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shard_moves_and_a_worker_dies_while_users_write() {
    if citus_database::coordinator().is_none() {
        println!("skipped: RECALLD_TEST_CITUS names no coordinator");
        return;
    }
    let database = Database::new().await;
    let store = Arc::new(database.open().await);
    let began = Instant::now();
    let fates = write_all(&store, 1, async || {
        let sql = "SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, o.nodename, o.nodeport,
                       shard_transfer_mode => 'force_logical')
                   FROM citus_shards s, pg_dist_node o
                   WHERE s.table_name = 'recalld.spaces'::regclass AND o.groupid <> 0 AND o.nodeport <> s.nodeport
                   ORDER BY s.shardid LIMIT 1";
        let began = Instant::now();
        administrator(&database.name).await.query(sql, &[]).await.unwrap();
        println!("a shard moved within {:?}", began.elapsed());
    })
    .await;
    let acknowledged: usize = fates.values().map(|fate| fate.acknowledged.len()).sum();
    let refused: usize = fates.values().map(|fate| fate.refused).sum();
    let lost_in_move = lost(&store, &fates).await;
    println!(
        "moving: {acknowledged} acknowledged, {refused} refused, {lost_in_move} lost, in {:?}",
        began.elapsed()
    );
    assert_eq!(lost_in_move, 0);
    worker_dies(&database, &store).await;
}

async fn worker_dies(database: &Database, store: &Arc<PostgresStore>) {
    let Ok(command) = std::env::var("RECALLD_TEST_CITUS_WORKER") else {
        println!("skipped: RECALLD_TEST_CITUS_WORKER names no command that stops a worker");
        return;
    };
    let tell = |what: &str| {
        let (program, first) = command.split_once(' ').unwrap_or((&command, ""));
        let arguments = first.split(' ').filter(|given| !given.is_empty());
        let status = Command::new(program).args(arguments).arg(what).status().unwrap();
        assert!(status.success());
    };
    let places = users_by_worker(database).await;
    let mut away = Vec::new();
    let fates = write_all(store, 1_000_000_000, async || {
        tell("stop");
        away = store.parts_away().await.unwrap();
        tokio::time::sleep(Duration::from_secs(3)).await;
    })
    .await;
    assert_eq!(away.len(), 1, "{away:?}");
    tell("start");
    let is_away = |user: &u128| away[0].ends_with(&format!(":{}", places[user]));
    let (mut others, mut answered) = (0, 0);
    for (_, fate) in fates.iter().filter(|(user, _)| !is_away(user)) {
        others += fate.acknowledged.len() + fate.refused;
        answered += fate.acknowledged.len();
    }
    let refused: usize = fates.values().map(|fate| fate.refused).sum();
    let acknowledged: usize = fates.values().map(|fate| fate.acknowledged.len()).sum();
    for _ in 0..60 {
        if store.parts_away().await.is_ok_and(|away| away.is_empty()) {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let lost = lost(store, &fates).await;
    println!(
        "{} away: {acknowledged} acknowledged, {refused} refused, {lost} lost; of others {answered} of {others} answered",
        away[0]
    );
    assert_eq!(lost, 0);
    assert!(others * 99 <= answered * 100, "{answered} of {others}");
}
