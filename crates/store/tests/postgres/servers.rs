//! Several servers on one database.

use std::collections::HashSet;
use std::sync::Arc;

use recalld_memory::browse;
use recalld_memory::change::{Actor, Revision};
use recalld_memory::id::UserId;
use recalld_memory::memory::Content;
use recalld_memory::ports::{Keyring, Store};
use recalld_memory::recall::{Question, recall, search};
use recalld_memory::remember::{Remembered, Statement, remember};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_store::PostgresStore;
use recalld_testing::clock::{CountingIds, FixedClock};
use recalld_testing::postgres_database::Database;

use crate::world::{now, space};

async fn server(database: &Database, number: u64, settings: &Settings) -> Ports {
    on(Arc::new(database.open().await), number, settings)
}

pub fn on(store: Arc<PostgresStore>, number: u64, settings: &Settings) -> Ports {
    let ids = Arc::new(CountingIds::after(number << 32));
    Ports::new(store, Arc::new(FixedClock(now())), ids, settings.clone())
}

pub fn scope(user: &str) -> Scope {
    Scope::of_user(UserId::new(user).unwrap(), Actor::new("test"), now())
}

pub async fn say(ports: &Ports, user: &str, fact: &str) -> Remembered {
    let statement = Statement::plain(Content::new(fact).unwrap());
    remember(ports, &scope(user), statement).await.unwrap()
}

#[tokio::test]
async fn each_server_reads_the_others_write_at_once() {
    let database = Database::new().await;
    let (one, two) = (
        server(&database, 1, &Settings::default()).await,
        server(&database, 2, &Settings::default()).await,
    );
    for number in 0..20 {
        let (writer, reader) = if number % 2 == 0 {
            (&one, &two)
        } else {
            (&two, &one)
        };
        let word = format!("zebra{number}");
        say(writer, "ana", &format!("has seen {word}")).await;
        let found = recall(reader, &scope("ana"), &Question::new(&word, 3))
            .await
            .unwrap();
        assert!(found[0].item.content.as_str().contains(&word));
    }
}

/// It looks at memories, messages, entities, profile and knowledge, of the user and of all.
#[tokio::test]
async fn a_search_on_a_warm_space_asks_the_database_once() {
    let database = Database::new().await;
    let store = Arc::new(database.open().await);
    let ports = on(Arc::clone(&store), 1, &Settings::default());
    // Another server writes: what it tells others is no transaction of this one.
    let writer = server(&database, 2, &Settings::default()).await;
    say(&writer, "ana", "keeps bees").await;
    let everywhere = Question::new("bees", 10);
    let ana = scope("ana");
    search(&ports, &ana, &everywhere).await.unwrap();
    for _ in 0..10 {
        let before = store.transactions();
        assert_eq!(search(&ports, &ana, &everywhere).await.unwrap().len(), 1);
        assert_eq!(store.transactions() - before, 1);
    }
}

/// Many ask together, and some of them go away: each is told of a space what is true, and of no
/// other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_ask_together_are_each_told_of_their_own() {
    let database = Database::new().await;
    let store = Arc::new(database.open().await);
    for user in 0..8_u64 {
        for number in 0..=user {
            let own = space(&format!("o'user \\{user}"));
            let at = store.revision(&own).await.unwrap();
            let change = crate::world::remember(u128::from(number + 1), "said");
            store.apply(&own, at, &[change]).await.unwrap();
        }
    }
    let mut running = tokio::task::JoinSet::new();
    for number in 0..4_000_u64 {
        let store = Arc::clone(&store);
        running.spawn(async move {
            let user = number % 9;
            let own = space(&format!("o'user \\{user}"));
            let asked = async { store.revision(&own).await.unwrap() };
            if number.is_multiple_of(7) {
                let patience = std::time::Duration::from_micros(number % 900);
                let _ = tokio::time::timeout(patience, asked).await;
            } else {
                let wanted = if user < 8 { user + 1 } else { 0 };
                assert_eq!(asked.await, Revision(wanted));
            }
        });
    }
    running.join_all().await;
    assert!(store.transactions() < 2_000, "{}", store.transactions());
}

#[tokio::test]
async fn what_another_server_wrote_is_read_before_anybody_asks() {
    let database = Database::new().await;
    let writer = server(&database, 1, &Settings::default()).await;
    let store = Arc::new(database.open().await);
    let reader = on(Arc::clone(&store), 2, &Settings::default());
    let mut listener = store.listener();
    assert!(listener.is_connected().await);
    for user in ["ana", "bob"] {
        say(&writer, user, "keeps bees").await;
    }
    let (question, ana) = (Question::new("goats bees", 5), scope("ana"));
    recall(&reader, &ana, &question).await.unwrap();
    while !listener.next().await.is_about(&space("bob")) {}
    say(&writer, "ana", "keeps goats").await;
    let notification = listener.next().await;
    assert!(notification.is_about(&space("ana")) && !notification.is_about(&space("bob")));
    reader.spaces.prefetch(|space| notification.is_about(space)).await;
    assert_eq!(reader.spaces.held().0, 1, "what was not held is not loaded");
    let before = store.transactions();
    assert_eq!(recall(&reader, &ana, &question).await.unwrap().len(), 2);
    assert_eq!(store.transactions() - before, 1, "only the revision is asked for");
}

/// Everybody who may connect can listen.
#[tokio::test]
async fn notifications_do_not_reveal_whose_space_it_is() {
    let database = Database::new().await;
    let (client, mut connection) = recalld_testing::postgres_database::server()
        .dbname(&database.name)
        .connect(tokio_postgres::NoTls)
        .await
        .unwrap();
    let (tell, mut heard) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) = std::future::poll_fn(|c| connection.poll_message(c)).await {
            if let tokio_postgres::AsyncMessage::Notification(told) = message {
                tell.send(told.payload().to_owned()).unwrap();
            }
        }
    });
    client.batch_execute("LISTEN recalld").await.unwrap();
    let ports = server(&database, 1, &Settings::default()).await;
    say(&ports, "ana", "keeps bees").await;
    let told = heard.recv().await.unwrap();
    assert!(!told.contains("ana") && told.len() == 32 + 1 + 16, "{told}");
}

#[tokio::test]
async fn a_key_that_one_server_revokes_is_revoked_for_all() {
    let database = Database::new().await;
    let (one, two) = (database.open().await, database.open().await);
    let key = recalld_memory::ports::KeyRecord {
        id: "k1".to_owned(),
        digest: [7; 32],
        kind: recalld_memory::ports::KeyKind::Admin,
        namespace: None,
        name: None,
        created_at: now(),
        last_used_at: None,
        revoked_at: None,
        scopes: recalld_memory::ports::KeyScopes::default(),
        expires_at: None,
    };
    one.put_key(&key).await.unwrap();
    assert_eq!(two.key(&[7; 32]).await.unwrap(), Some(key));
    assert!(one.revoke_key("k1", now()).await.unwrap());
    assert!(two.key(&[7; 32]).await.unwrap().unwrap().revoked_at.is_some());
}

const WRITES: usize = 10_000;
const WRITERS: usize = 16;
/// Everything is said twice, by different writers.
const FACTS: usize = WRITES / 2;

/// The user that a fact belongs to: half of them to one, the others to eight.
fn owner(fact: usize) -> String {
    match fact % 2 {
        0 => "everybody's".to_owned(),
        _ => format!("user {}", fact % 16 / 2),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_with_many_writers_lose_nothing_and_store_nothing_twice() {
    let database = Database::new().await;
    let settings = Settings {
        document_tokens_max: 2_000,
        ..Settings::default()
    };
    let servers = [
        server(&database, 1, &settings).await,
        server(&database, 2, &settings).await,
    ];
    let mut running = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let ports = servers[writer % 2].clone();
        running.spawn(async move {
            let mut stored = Vec::new();
            for write in (writer..WRITES).step_by(WRITERS) {
                let fact = write % FACTS;
                let said = say(&ports, &owner(fact), &format!("fact number {fact} is noted")).await;
                if let Remembered::Stored { .. } = said {
                    stored.push(fact);
                }
            }
            stored
        });
    }
    let stored: Vec<usize> = running.join_all().await.into_iter().flatten().collect();
    assert_eq!(stored.len(), FACTS, "each fact is acknowledged as new once");
    let mut kept = HashSet::new();
    for user in (0..16).map(owner).collect::<HashSet<_>>() {
        let found = servers[0]
            .store
            .changed_since(&space(&user), Revision(0))
            .await
            .unwrap();
        for memory in found.memories {
            assert!(kept.insert(memory.content.as_str().to_owned()), "stored twice");
        }
        let counted = browse::statistics(&servers[1], &scope(&user)).await.unwrap();
        assert!(
            counted.document_tokens.o200k <= 2_000,
            "{user}: the cap is exceeded"
        );
    }
    assert_eq!(kept.len(), FACTS, "nothing is lost");
}
