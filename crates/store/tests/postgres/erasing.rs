//! Erasing a space while others write to it, and what a request may do about eras.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use recalld_memory::change::Revision;
use recalld_memory::ports::{Administration, Store, StoreError};
use recalld_store::PostgresStore;
use recalld_store::postgres::Settings;
use recalld_testing::postgres_database::{Database, administrator, settings};

use crate::sabotage::column;
use crate::world::{all_of, apply, remember, space};

const WRITES: u128 = 200;
const ERASURES: u64 = 20;

/// Writes until everything is written, wherever the space is. Gives the revisions it came to.
async fn write(store: Arc<PostgresStore>, numbers: Range<u128>) -> Vec<Revision> {
    let ana = space("ana");
    let mut reached = Vec::new();
    for number in numbers {
        loop {
            let at = store.revision(&ana).await.unwrap();
            let said = remember(number, "likes tea");
            match store.apply(&ana, at, &[said]).await {
                Ok(revision) => break reached.push(revision),
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
    reached
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_space_erased_under_its_writers_never_meets_its_former_life() {
    let database = Database::new().await;
    let (one, two) = (Arc::new(database.open().await), Arc::new(database.open().await));
    let writers = [
        tokio::spawn(write(one.clone(), 0..WRITES)),
        tokio::spawn(write(two.clone(), WRITES..2 * WRITES)),
    ];
    let ana = space("ana");
    for era in 1..=ERASURES {
        one.erase_space(&ana, era).await.unwrap();
    }
    let mut reached = Vec::new();
    for writer in writers {
        reached.extend(writer.await.unwrap());
    }
    // The writers may be done before the last erasure, and leave nothing to look at.
    reached.extend(write(one.clone(), 2 * WRITES..2 * WRITES + 1).await);
    let count = reached.len();
    reached.sort_unstable();
    reached.dedup();
    assert_eq!(reached.len(), count, "no revision came twice");
    let now = two.revision(&ana).await.unwrap();
    assert_eq!(reached.last(), Some(&now));
    assert_eq!(one.faults().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn who_held_an_empty_space_begins_it_in_the_era_of_now() {
    let database = Database::new().await;
    let (one, two) = (database.open().await, database.open().await);
    let ana = space("ana");
    one.apply(&ana, Revision(0), &[remember(1, "likes tea")])
        .await
        .unwrap();
    one.erase_space(&ana, 7).await.unwrap();
    let began = two.apply(&ana, Revision(0), &[remember(2, "likes coffee")]).await;
    assert_eq!(began.unwrap(), Revision::first(7));
    let late = one.apply(&ana, Revision(0), &[remember(3, "is late")]).await;
    assert!(
        matches!(late, Err(StoreError::Conflict { at, .. }) if at == Revision::first(7)),
        "{late:?}"
    );
}

#[tokio::test]
async fn a_request_reads_the_era_and_cannot_change_it() {
    let database = Database::new().await;
    let client = administrator(&database.name).await;
    for (role, sql) in [
        ("recalld_user", "UPDATE recalld.eras SET era = 9"),
        ("recalld_shared", "DELETE FROM recalld.eras"),
        (
            "recalld_upkeep",
            "UPDATE recalld.eras SET mark = gen_random_uuid()",
        ),
        (
            "recalld_upkeep",
            "INSERT INTO recalld.eras SELECT 2, 9, mark FROM recalld.eras",
        ),
        ("recalld_gate", "SELECT era FROM recalld.eras"),
        ("recalld_reader", "SELECT era FROM recalld.eras"),
    ] {
        client
            .batch_execute(&format!("BEGIN; SET LOCAL ROLE {role}"))
            .await
            .unwrap();
        let tried = column(&client, sql).await;
        client.batch_execute("ROLLBACK").await.unwrap();
        assert!(tried.is_err(), "{role}: {sql}");
    }
    let store = database.open().await;
    assert_eq!(store.era().await.unwrap(), 0);
}

#[tokio::test]
async fn a_database_keeps_its_mark() {
    let database = Database::new().await;
    let mark = database.open().await.database_id().await.unwrap();
    assert_eq!(mark.len(), 36, "{mark}");
    assert_eq!(database.open().await.database_id().await.unwrap(), mark);
}

/// What the page on erasure says of PostgreSQL: the rows are gone for every reader at once, and
/// their bytes when the tables are rewritten.
#[tokio::test]
async fn the_bytes_of_an_erased_space_go_with_a_full_vacuum() {
    let database = Database::new().await;
    let store = database.open().await;
    for (number, user) in (1..).zip(["ana", "bo"]) {
        let said = remember(number, &format!("sings like canary-of-{user}"));
        store.apply(&space(user), Revision(0), &[said]).await.unwrap();
    }
    let client = administrator(&database.name).await;
    client.batch_execute("CHECKPOINT").await.unwrap();
    assert_ne!(
        in_tables(&client, "canary-of-ana").await,
        0,
        "the search finds what is there"
    );
    store.erase_space(&space("ana"), 1).await.unwrap();
    drop(store);
    // A transaction that began before the erasure, wherever it comes from, keeps the rows from
    // being let go: then it is done again.
    for _ in 0..VACUUMS_MAX {
        for statement in ["ANALYZE", "VACUUM FULL", "CHECKPOINT"] {
            client.batch_execute(statement).await.unwrap();
        }
        if in_tables(&client, "canary-of-ana").await == 0 {
            break;
        }
    }
    assert_eq!(in_tables(&client, "canary-of-ana").await, 0);
    assert_ne!(in_tables(&client, "canary-of-bo").await, 0);
}

/// How often it is done again at the most.
const VACUUMS_MAX: usize = 20;

/// Counts in how many files of the database's tables and indexes a word is.
async fn in_tables(client: &tokio_postgres::Client, word: &str) -> i64 {
    let sql = "SELECT count(*) FROM pg_class c
               WHERE c.relkind IN ('r', 'i', 't') AND c.relfilenode <> 0
                 AND position($1::bytea IN pg_read_binary_file(pg_relation_filepath(c.oid))) > 0";
    let row = client.query_one(sql, &[&word.as_bytes()]).await.unwrap();
    row.get(0)
}

/// All of a user goes in one transaction, however long that takes; other writes may not take so
/// long.
#[tokio::test]
async fn erasing_may_take_longer_than_other_writes() {
    let database = Database::new().await;
    let store = database.open().await;
    apply(&store, &space("ana"), &all_of("ana")).await;
    database
        .sabotage(
            "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN PERFORM pg_sleep(0.6); RETURN coalesce(OLD, NEW); END $$;
             CREATE TRIGGER dawdle BEFORE DELETE OR UPDATE ON recalld.spaces
                 FOR EACH ROW EXECUTE FUNCTION dawdle()",
        )
        .await;
    let at = store.revision(&space("ana")).await.unwrap();
    // Only for what is looked at: on a busy machine everything else may take longer than that too.
    let hasty = database.reach(&Settings {
        transaction_max: Duration::from_millis(300),
        ..settings()
    });
    let refused = hasty.apply(&space("ana"), at, &[remember(9, "too slow")]).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable { .. })),
        "{refused:?}"
    );
    let erased = hasty.erase_space(&space("ana"), 1).await.unwrap();
    assert!(erased.contains(&("spaces", 1)), "{erased:?}");
    assert_eq!(store.revision(&space("ana")).await.unwrap(), Revision(0));
}
