//! Categories that are read from tables which the deployment already has.

use std::sync::Arc;

use recalld_memory::catalogue::TableSource;
use recalld_memory::ports::{StoreError, Tables};
use recalld_store::PostgresStore;
use recalld_testing::postgres_database::Database;
use serde_json::{Value, json};

use crate::world::space;

const SET_UP: &str = "
    CREATE TABLE icp_profiles (
        id integer, user_id text, title text, score numeric, enabled boolean, tags text[]);
    ALTER TABLE icp_profiles ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON icp_profiles USING (
        user_id = NULLIF(current_setting('request.jwt.claims', true), '')::json ->> 'sub');
    INSERT INTO icp_profiles VALUES
        (1, 'ana', 'CTO', 0.5, true, '{a,b}'), (2, 'ana', 'CEO', 0.9, true, NULL), (3, 'ana', 'COO', 0.7, false, NULL),
        (4, 'bob', 'CFO', 1.0, true, NULL);
    GRANT ALL ON icp_profiles TO recalld_reader;
    CREATE VIEW invoked WITH (security_invoker = true) AS SELECT * FROM icp_profiles;
    CREATE VIEW defined AS SELECT * FROM icp_profiles;
    CREATE TABLE unwalled AS SELECT * FROM icp_profiles;
    CREATE TABLE walled (LIKE icp_profiles);
    ALTER TABLE walled ENABLE ROW LEVEL SECURITY;
    CREATE VIEW half_walled WITH (security_invoker = true) AS SELECT u.* FROM unwalled u, walled w;
    CREATE VIEW slow WITH (security_invoker = true) AS SELECT p.*, pg_sleep(60)::text AS nap FROM icp_profiles p;
    GRANT ALL ON invoked, defined, unwalled, walled, half_walled, slow TO recalld_reader;";

async fn set_up() -> (Arc<PostgresStore>, Database) {
    let database = Database::new().await;
    database.sabotage(SET_UP).await;
    (Arc::new(database.open().await), database)
}

async fn read(store: &PostgresStore, user: &str, source: Value) -> Result<Value, StoreError> {
    let source: TableSource = serde_json::from_value(source).unwrap();
    let rows = store.rows(&space(user), &source).await?;
    Ok(Value::Array(rows.into_iter().map(Value::Object).collect()))
}

#[tokio::test]
async fn a_user_reads_own_rows_chosen_filtered_and_ordered() {
    let (store, _database) = set_up().await;
    let source = |name: &str| {
        json!({
            "name": name, "columns": ["title", "score"], "filter": { "enabled": true }, "order": ["score desc", "id"],
        })
    };
    let ana = json!([{ "title": "CEO", "score": 0.9 }, { "title": "CTO", "score": 0.5 }]);
    for table in ["icp_profiles", "public.icp_profiles", "invoked"] {
        assert_eq!(read(&store, "ana", source(table)).await.unwrap(), ana);
        assert_eq!(read(&store, "cy", source(table)).await.unwrap(), json!([]));
    }
    let odd = json!({ "name": "invoked", "columns": ["tags"], "filter": { "tags": null }, "rows_max": 1 });
    assert_eq!(read(&store, "bob", odd).await.unwrap(), json!([{ "tags": null }]));
}

#[tokio::test]
async fn what_no_policy_guards_is_not_read() {
    let (store, _database) = set_up().await;
    for name in ["unwalled", "defined", "half_walled", "nowhere"] {
        let refused = read(&store, "ana", json!({ "name": name, "columns": ["title"] })).await;
        assert!(
            matches!(refused, Err(StoreError::Failed(_))),
            "{name}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn a_slow_table_is_given_up() {
    let (store, _database) = set_up().await;
    let refused = read(&store, "ana", json!({ "name": "slow", "columns": ["nap"] })).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable { .. })),
        "{refused:?}"
    );
}
