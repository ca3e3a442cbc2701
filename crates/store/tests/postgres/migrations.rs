//! The steps from an empty database to the present schema.

use recalld_store::PostgresStore;
use recalld_store::postgres::{MigrateOptions, OpenError};
use recalld_testing::postgres_database::{Database, administrator, settings};

use crate::sabotage::column;
use crate::world::{all_of, apply, everything, remember, space};

async fn migrate(address: &str) -> Result<Vec<&'static str>, OpenError> {
    PostgresStore::migrate(address, &settings(), &MigrateOptions::default()).await
}

#[tokio::test]
async fn servers_that_start_together_take_each_step_once() {
    let database = Database::empty().await;
    let address = database.owner_address();
    let mut starting = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let address = address.clone();
        starting.spawn(async move { migrate(&address).await.unwrap().len() });
    }
    let taken: usize = starting.join_all().await.into_iter().sum();
    let client = administrator(&database.name).await;
    let noted = column(&client, "SELECT name FROM recalld.migrations ORDER BY number").await;
    assert_eq!(noted.unwrap().len(), taken);
    assert_eq!(database.migrate().await, [""; 0]);
    let store = database.open().await;
    apply(&store, &space("ana"), &[remember(1, "likes tea")]).await;
    assert!(everything(&store, &space("ana")).await.contains("likes tea"));
}

#[tokio::test]
async fn without_pgvector_all_works_but_the_two_functions_which_come_later() {
    let database = Database::empty().await;
    database.migrate().await;
    let client = administrator(&database.name).await;
    let functions = "SELECT DISTINCT proname FROM pg_proc WHERE proname LIKE 'match\\_%' ORDER BY 1";
    assert_eq!(column(&client, functions).await.unwrap(), [""; 0]);
    let store = database.open().await;
    apply(&store, &space("ana"), &all_of("ana")).await;
    database
        .sabotage(
            "CREATE SCHEMA ext; GRANT USAGE ON SCHEMA ext TO PUBLIC; CREATE EXTENSION vector SCHEMA ext",
        )
        .await;
    database.migrate().await;
    assert_eq!(
        column(&client, functions).await.unwrap(),
        ["match_knowledge", "match_memories"]
    );
    let found = "SELECT content FROM match_memories('[0.6,0.8]')";
    assert_eq!(column(&client, found).await.unwrap(), ["second of ana"]);
}

#[tokio::test]
async fn a_schema_that_is_behind_or_ahead_is_refused() {
    let database = Database::empty().await;
    let refused = database.try_open().await.unwrap_err();
    assert!(matches!(refused, OpenError::Behind { found: 0, .. }), "{refused}");
    assert!(
        refused
            .hint()
            .unwrap()
            .starts_with("run `recalld migrate --serving-role ROLE`")
    );
    let pending = PostgresStore::pending(&database.owner_address(), &settings())
        .await
        .unwrap();
    assert_eq!(pending[0].name, "0001_walls");
    database.migrate().await;
    database
        .sabotage("INSERT INTO recalld.migrations (number, name) VALUES (999, 'later')")
        .await;
    let refused = database.try_open().await.unwrap_err();
    assert!(
        matches!(refused, OpenError::Newer { found: 999, .. }),
        "{refused}"
    );
}
