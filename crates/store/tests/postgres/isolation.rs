//! Two mechanisms isolate users, our own filter and the database's policies, and each suffices
//! alone.

use recalld_memory::id::{Namespace, SpaceId, UserId};
use recalld_memory::ports::Store;
use recalld_store::postgres::{Filter, Settings};
use recalld_testing::postgres_database::{Database, administrator, settings};
use tokio_postgres::Client;

use crate::sabotage::{TABLES, column};
use crate::world::{all_of, apply, erase_all, everything, remember, space};

/// Spaces that are easily confused.
fn spaces() -> Vec<(SpaceId, &'static str)> {
    let tenant = Namespace::new("acme").unwrap();
    let ana = UserId::new("ana").unwrap();
    vec![
        (space("ana"), "ana"),
        (space("bob"), "bob"),
        (space("acme:ana"), "mimic"),
        (SpaceId::of_user_in(&tenant, &ana), "tenant"),
        (SpaceId::shared(), "everybody"),
    ]
}

/// Everybody writes and erases; each finds what a store of their own would hold.
async fn nobody_meets_anybody(store: &dyn Store) {
    for (space, owner) in spaces() {
        apply(store, &space, &all_of(owner)).await;
    }
    for (space, owner) in spaces() {
        let told = everything(store, &space).await;
        for (_, other) in spaces().iter().filter(|(other, _)| *other != space) {
            assert!(
                !told.contains(&format!("of {other}")),
                "{owner} reads of {other}: {told}"
            );
        }
        // As it stands, in its own history, and among the histories of all.
        assert_eq!(told.matches(&format!("second of {owner}")).count(), 3, "{told}");
    }
    let before = everything(store, &space("ana")).await;
    apply(store, &space("bob"), &erase_all()).await;
    apply(store, &space("bob"), &all_of("bob")).await;
    assert_eq!(everything(store, &space("ana")).await, before);
}

#[tokio::test]
async fn both_walls_hold() {
    let database = Database::new().await;
    nobody_meets_anybody(&database.open().await).await;
}

#[tokio::test]
async fn the_policies_hold_without_our_own_filter() {
    let database = Database::new().await;
    let unfiltered = Settings {
        filter: Filter::Off,
        ..settings()
    };
    nobody_meets_anybody(&database.reach(&unfiltered)).await;
}

#[tokio::test]
async fn our_own_filter_holds_without_the_policies() {
    let database = Database::new().await;
    for table in TABLES {
        let open = format!("ALTER TABLE recalld.{table} DISABLE ROW LEVEL SECURITY");
        database.sabotage(&open).await;
    }
    nobody_meets_anybody(&database.reach(&settings())).await;
}

/// Without either of them everybody reads everything: so the tests above do look at what they say.
#[tokio::test]
async fn without_any_wall_foreign_rows_come_back() {
    let database = Database::new().await;
    for table in TABLES {
        let open = format!("ALTER TABLE recalld.{table} DISABLE ROW LEVEL SECURITY");
        database.sabotage(&open).await;
    }
    let walled = database.reach(&settings());
    apply(&walled, &space("ana"), &all_of("ana")).await;
    let unfiltered = Settings {
        filter: Filter::Off,
        ..settings()
    };
    let told = everything(&database.reach(&unfiltered), &space("bob")).await;
    assert!(told.contains("second of ana"));
}

/// Begins a transaction of somebody who got hold of a connection, as a user's request has it.
async fn as_user(client: &Client, role: &str, claims: &str) {
    let begin = format!("BEGIN; SET LOCAL ROLE {role}; SET LOCAL request.jwt.claims = '{claims}'");
    client.batch_execute(&begin).await.unwrap();
}

/// Tries one statement as Bob, and gives what it found or the message of its refusal.
async fn tried(client: &Client, sql: &str) -> Result<Vec<String>, String> {
    as_user(client, "recalld_user", r#"{"sub":"bob"}"#).await;
    let tried = column(client, sql).await;
    client.batch_execute("ROLLBACK").await.unwrap();
    tried.map_err(|error| error.as_db_error().unwrap().message().to_owned())
}

#[tokio::test]
async fn bob_cannot_count_guess_reference_or_write_what_is_alices() {
    let database = Database::new().await;
    let store = database.open().await;
    apply(&store, &space("alice"), &all_of("alice")).await;
    apply(&store, &space("bob"), &[remember(9, "of bob")]).await;
    let client = administrator(&database.name).await;
    for table in TABLES {
        let count = format!("SELECT count(*) FROM recalld.{table} WHERE space <> 'user:bob'");
        assert_eq!(tried(&client, &count).await.unwrap(), ["0"], "{table}");
        let gone = format!("DELETE FROM recalld.{table} WHERE space <> 'user:bob' RETURNING 1");
        assert_eq!(tried(&client, &gone).await.unwrap(), [""; 0], "{table}");
        let taken =
            format!("UPDATE recalld.{table} SET space = 'user:bob' WHERE space = 'user:alice' RETURNING 1");
        assert_eq!(tried(&client, &taken).await.unwrap(), [""; 0], "{table}");
    }
    let give = "UPDATE recalld.spaces SET space = 'user:alice' RETURNING 1";
    let refused = tried(&client, give).await.unwrap_err();
    assert!(refused.contains("row-level security"), "{refused}");

    // A name that is taken and one that is free are refused in the same words.
    let insert = |space: &str| format!("INSERT INTO recalld.spaces VALUES ('user:{space}', 1)");
    let (taken, free) = (insert("alice"), insert("nobody"));
    let refused = tried(&client, &taken).await.unwrap_err();
    assert_eq!(refused, tried(&client, &free).await.unwrap_err());
    assert!(refused.contains("row-level security"), "{refused}");

    // What exists for Alice can be no more referred to than what exists for nobody.
    let mention = |entity: &str| {
        format!("INSERT INTO recalld.mentions VALUES ('user:bob', '{entity}', 1, 0, 'c', 'm', 0)")
    };
    let refused = tried(&client, &mention("cafe")).await.unwrap_err();
    assert_eq!(refused, tried(&client, &mention("nowhere")).await.unwrap_err());
    assert!(refused.contains("foreign key"), "{refused}");
}

#[tokio::test]
async fn who_tells_nothing_or_nonsense_sees_nothing() {
    let database = Database::new().await;
    let store = database.open().await;
    for (space, owner) in spaces() {
        apply(&store, &space, &all_of(owner)).await;
    }
    let client = administrator(&database.name).await;
    for role in ["recalld_user", "recalld_gate"] {
        for claims in [
            "",
            "{}",
            r#"{"sub":""}"#,
            r#"{"sub":null}"#,
            r#"{"sub":"ana","recalld_namespace":"a:b"}"#,
        ] {
            as_user(&client, role, claims).await;
            let found = column(&client, "SELECT space FROM recalld.spaces").await;
            client.batch_execute("ROLLBACK").await.unwrap();
            assert_eq!(found.unwrap_or_default(), [""; 0], "{role} {claims}");
        }
    }
    // Keys are behind a wall of their own.
    as_user(&client, "recalld_user", r#"{"sub":"ana"}"#).await;
    assert!(column(&client, "SELECT id FROM recalld.keys").await.is_err());
}

#[tokio::test]
async fn the_revisions_role_sees_the_revisions_it_names_and_nothing_else() {
    let database = Database::new().await;
    let store = database.open().await;
    for (space, owner) in spaces() {
        apply(&store, &space, &all_of(owner)).await;
    }
    let client = administrator(&database.name).await;
    for (named, seen) in [
        ("", vec![]),
        ("user:bob", vec!["user:bob"]),
        ("shared\nuser:bob\nuser:nobody", vec!["shared", "user:bob"]),
    ] {
        let begin = format!("BEGIN; SET LOCAL ROLE recalld_revisions; SET LOCAL recalld.spaces = E'{named}'");
        client.batch_execute(&begin).await.unwrap();
        let found = column(&client, "SELECT space FROM recalld.spaces ORDER BY space").await;
        assert_eq!(found.unwrap(), seen, "{named:?}");
        for other in ["memories", "events", "keys", "records", "eras"] {
            client.batch_execute("SAVEPOINT before").await.unwrap();
            assert!(
                column(&client, &format!("SELECT count(*) FROM recalld.{other}"))
                    .await
                    .is_err()
            );
            client.batch_execute("ROLLBACK TO before").await.unwrap();
        }
        let write = "UPDATE recalld.spaces SET revision = 0";
        assert!(client.batch_execute(write).await.is_err());
        client.batch_execute("ROLLBACK").await.unwrap();
    }
}
