//! What one write costs: how often it waits for the database, and what the database does for it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use recalld_memory::change::Revision;
use recalld_memory::ports::{Store, StoreError};
use recalld_memory::settings::Settings as MemorySettings;
use recalld_store::PostgresStore;
use recalld_store::postgres::Settings;
use recalld_testing::postgres_database::{Database, administrator, settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::servers::{on, say};
use crate::world::{apply, everything, remember, space};

/// After a few writes, so that connections are open and statements are prepared.
const WARM_UP: usize = 4;

fn one_connection(prepares: bool) -> Settings {
    Settings {
        connections_max: 1,
        prepares,
        ..settings()
    }
}

#[tokio::test]
async fn one_add_is_two_round_trips() {
    let database = Database::new().await;
    // One connection: each has statements of its own to prepare.
    let store = PostgresStore::open(&database.address(), &one_connection(true))
        .await
        .unwrap();
    let store = Arc::new(store);
    let ports = on(Arc::clone(&store), 1, &MemorySettings::default());
    for number in 0..WARM_UP {
        say(&ports, "ana", &format!("has {number} goats")).await;
    }
    let (trips, statements) = store.round_trips();
    say(&ports, "ana", "keeps bees").await;
    let (trips_after, statements_after) = store.round_trips();
    // Where the space is; then everything else.
    assert_eq!(trips_after - trips, 2);
    assert!(
        statements_after - statements <= 8,
        "{} statements",
        statements_after - statements
    );
}

#[tokio::test]
async fn a_first_add_and_one_that_comes_late_are_told_apart() {
    let database = Database::new().await;
    let store = database.open().await;
    let ana = space("ana");
    let first = store
        .apply(&ana, Revision(0), &[remember(1, "keeps bees")])
        .await
        .unwrap();
    // Another server takes the space for new: what it decided is not written, not even in part.
    let late = store
        .apply(
            &ana,
            Revision(0),
            &[remember(2, "keeps goats"), remember(3, "keeps hens")],
        )
        .await;
    assert!(
        matches!(late, Err(StoreError::Conflict { expected: Revision(0), at }) if at == first),
        "{late:?}"
    );
    let second = store
        .apply(&ana, first, &[remember(4, "sells honey")])
        .await
        .unwrap();
    let late = store.apply(&ana, first, &[remember(5, "keeps goats")]).await;
    assert!(
        matches!(late, Err(StoreError::Conflict { at, .. }) if at == second),
        "{late:?}"
    );
    let kept = store.changed_since(&ana, Revision(0)).await.unwrap().memories;
    assert_eq!(kept.len(), 2);
    // A space that is not there is at no revision.
    let gone = store.apply(&space("ben"), first, &[remember(1, "x")]).await;
    assert!(
        matches!(gone, Err(StoreError::Conflict { at: Revision(0), .. })),
        "{gone:?}"
    );
}

#[tokio::test]
async fn prepared_statements_answer_as_others_do() {
    let database = Database::new().await;
    let mut answers = Vec::new();
    for prepares in [false, true] {
        let store = PostgresStore::open(&database.address(), &one_connection(prepares))
            .await
            .unwrap();
        for user in ["ana", "ben"] {
            if answers.is_empty() {
                apply(&store, &space(user), &crate::world::all_of(user)).await;
            }
        }
        // Users take turns on one connection: a plan made for one serves the other only what is
        // theirs.
        for _ in 0..8 {
            let mut told = String::new();
            for user in ["ana", "ben"] {
                let own = everything(&store, &space(user)).await;
                let other = if user == "ana" { "of ben" } else { "of ana" };
                assert!(own.contains(&format!("of {user}")) && !own.contains(other));
                told += &own;
            }
            answers.push(told);
        }
        assert_eq!(store.prepared_statements() == 0, !prepares);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

/// Stands between like a pooler that does not pass on what a client asks of its connection.
async fn pooler(place: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (mut from_client, mut to_client) = client.into_split();
            let server = TcpStream::connect(&place).await.unwrap();
            let (mut from_server, mut to_server) = server.into_split();
            tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
            tokio::spawn(async move {
                let mut buffer = vec![0; 1 << 16];
                while let Ok(count @ 1..) = from_client.read(&mut buffer).await {
                    let sent = &mut buffer[..count];
                    let name = b"recalld.connection=";
                    if let Some(at) = sent.windows(name.len()).position(|part| part == name) {
                        // The value, of 32 digits.
                        sent[at + name.len()..][..32].fill(b'0');
                    }
                    if to_server.write_all(sent).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    port
}

#[tokio::test]
async fn nothing_is_prepared_behind_a_pooler() {
    let database = Database::new().await;
    let address = database.address();
    let place = address.split('@').next_back().unwrap().split('/').next().unwrap();
    let port = pooler(place.to_owned()).await;
    for (address, is_direct) in [
        (address.clone(), true),
        (address.replace(place, &format!("127.0.0.1:{port}")), false),
    ] {
        let store = PostgresStore::open(&address, &one_connection(true))
            .await
            .unwrap();
        for number in 0..4 {
            let at = store.revision(&space("ana")).await.unwrap();
            let id = 10 + number + 100 * u128::from(is_direct);
            store
                .apply(&space("ana"), at, &[remember(id, "keeps bees")])
                .await
                .unwrap();
        }
        assert_eq!(0 < store.prepared_statements(), is_direct);
    }
}

/// Counts what a write costs the database, if `RECALLD_TEST_COSTS` is set.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_add_costs() {
    if std::env::var_os("RECALLD_TEST_COSTS").is_none() {
        println!("skipped: RECALLD_TEST_COSTS is not set");
        return;
    }
    let database = Database::new().await;
    for prepares in [false, true, false, true] {
        let store = Arc::new(
            PostgresStore::open(&database.address(), &one_connection(prepares))
                .await
                .unwrap(),
        );
        let ports = on(Arc::clone(&store), 1, &MemorySettings::default());
        say(&ports, "ana", "is warm").await;
        let backend = backend_of(&database).await;
        let (trips, statements) = store.round_trips();
        let (cpu, began) = (ticks(backend), Instant::now());
        const ADDS: u32 = 2_000;
        let user = |number: u32| format!("user {}", number % 50);
        for number in 0..ADDS {
            say(
                &ports,
                &user(number),
                &format!("{prepares} has seen zebra{number} at {:?}", began),
            )
            .await;
        }
        let took = began.elapsed() / ADDS;
        let cpu = Duration::from_millis(10) * u32::try_from(ticks(backend) - cpu).unwrap() / ADDS;
        let (trips_after, statements_after) = store.round_trips();
        println!(
            "prepares {prepares}: {:.2} round trips, {:.2} statements, {took:?} and {cpu:?} of the database's CPU an add",
            (trips_after - trips) as f64 / f64::from(ADDS),
            (statements_after - statements) as f64 / f64::from(ADDS),
        );
    }
}

async fn backend_of(database: &Database) -> i32 {
    let sql =
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
               AND application_name = 'recalld' ORDER BY backend_start DESC LIMIT 1";
    administrator(&database.name)
        .await
        .query_one(sql, &[])
        .await
        .unwrap()
        .get(0)
}

/// The time that a process has used, in hundredths of a second.
fn ticks(pid: i32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}
