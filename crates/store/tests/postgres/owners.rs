//! The role that owns the schema is not the one that serves, and `migrate` refuses what it could
//! not complete before it changes anything.

use recalld_store::PostgresStore;
use recalld_store::postgres::{MigrateOptions, OpenError};
use recalld_testing::postgres_database::{Database, administrator, settings};
use recalld_testing::postgres_server::PostgresServer;
use tokio_postgres::{Client, NoTls};

use crate::sabotage::column;
use crate::world::{remember, space};

const OWNERS: &str = "
    SELECT DISTINCT pg_get_userbyid(c.relowner) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' OR n.nspname = 'public' AND c.relkind = 'v'
    UNION SELECT pg_get_userbyid(p.proowner) FROM pg_proc p WHERE p.pronamespace = 'recalld'::regnamespace
    UNION SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'recalld'";

#[tokio::test]
async fn everything_belongs_to_the_owner_and_nothing_to_the_serving_role() {
    for database in [Database::new().await, Database::partitioned().await] {
        let client = administrator(&database.name).await;
        assert_eq!(column(&client, OWNERS).await.unwrap(), ["recalld_owner"]);
        let owned = "SELECT count(*) FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid
                     WHERE r.rolname = 'recalld_test_server' AND d.deptype = 'o'";
        assert_eq!(column(&client, owned).await.unwrap(), ["0"]);
    }
}

async fn connect(port: u16, role: &str, database: &str) -> Client {
    let address = format!("postgres://{role}@127.0.0.1:{port}/{database}");
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Applies the steps from before the schema had an owner of its own, as earlier versions did: as
/// the role that also served.
async fn earlier_layout(client: &Client, address: &str) {
    client
        .batch_execute(
            "CREATE SCHEMA recalld; CREATE TABLE recalld.migrations (
                 number integer NOT NULL PRIMARY KEY, name text NOT NULL, taken_at timestamptz NOT NULL DEFAULT now())",
        )
        .await
        .unwrap();
    let steps = PostgresStore::pending(address, &settings()).await.unwrap();
    for (number, step) in (1..).zip(steps).take_while(|(_, step)| step.name != "0015_owner") {
        client.batch_execute(step.sql).await.unwrap();
        let record = format!(
            "INSERT INTO recalld.migrations VALUES ({number}, '{}')",
            step.name
        );
        client.batch_execute(&record).await.unwrap();
    }
}

/// The role that served until now keeps its address: an administrator migrates, and takes from it
/// what a serving role must not have.
#[tokio::test]
async fn an_administrator_moves_a_database_whose_serving_role_owned_everything() {
    let server = PostgresServer::start("");
    server.administer("CREATE ROLE old_server LOGIN NOINHERIT CREATEROLE");
    server.administer(
        "GRANT recalld_user, recalld_shared, recalld_upkeep, recalld_gate, recalld_reader, recalld_revisions
         TO old_server WITH ADMIN OPTION",
    );
    server.administer("CREATE DATABASE earlier OWNER old_server");
    let address = format!("postgres://old_server@127.0.0.1:{}/earlier", server.port);
    let client = connect(server.port, "old_server", "earlier").await;
    earlier_layout(&client, &address).await;
    let refused = PostgresStore::open(&address, &settings()).await.unwrap_err();
    let told = refused.to_string();
    assert!(told.contains("the login role old_server owns recalld."), "{told}");

    let administrator = format!("postgres://postgres@127.0.0.1:{}/earlier", server.port);
    let options = MigrateOptions {
        serving_role: Some("old_server".to_owned()),
        partitions: None,
        citus: None,
    };
    let refused = PostgresStore::migrate(&administrator, &settings(), &options).await;
    assert!(matches!(refused, Err(OpenError::Refused { .. })), "{refused:?}");
    let owner = "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'recalld'";
    assert_eq!(
        column(&client, owner).await.unwrap(),
        ["old_server"],
        "nothing changed"
    );

    server.administer("ALTER ROLE old_server NOCREATEROLE");
    let taken = PostgresStore::migrate(&administrator, &settings(), &options)
        .await
        .unwrap();
    assert_eq!(taken[0], "0015_owner");
    assert_eq!(column(&client, OWNERS).await.unwrap(), ["recalld_owner"]);
    let refused = PostgresStore::open(&address, &settings()).await.unwrap_err();
    assert!(
        refused.to_string().ends_with("owns the database earlier"),
        "{refused}"
    );
    server.administer("ALTER DATABASE earlier OWNER TO recalld_owner");
    let store = PostgresStore::open(&address, &settings()).await.unwrap();
    crate::world::apply(&store, &space("ana"), &[remember(1, "likes tea")]).await;
}

/// Or the role that served until now becomes the owner's login, and another role serves.
#[tokio::test]
async fn the_role_that_owned_everything_migrates_and_another_serves() {
    let server = PostgresServer::start("");
    server.administer("CREATE DATABASE earlier OWNER recalld_test_owner");
    let address = |role: &str| format!("postgres://{role}@127.0.0.1:{}/earlier", server.port);
    let (owner, serving) = (address("recalld_test_owner"), address("recalld_test_server"));
    let client = connect(server.port, "recalld_test_owner", "earlier").await;
    earlier_layout(&client, &owner).await;
    let refused = PostgresStore::open(&serving, &settings()).await.unwrap_err();
    assert!(matches!(refused, OpenError::Behind { .. }), "{refused:?}");
    let taken = PostgresStore::migrate(&owner, &settings(), &MigrateOptions::default()).await;
    assert_eq!(taken.unwrap()[0], "0015_owner");
    PostgresStore::open(&serving, &settings()).await.unwrap();
    let again = PostgresStore::migrate(&owner, &settings(), &MigrateOptions::default()).await;
    assert_eq!(again.unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_migration_that_cannot_be_completed_changes_nothing() {
    let database = Database::empty().await;
    let client = administrator(&database.name).await;
    let serving_role = |name: &str| MigrateOptions {
        serving_role: Some(name.to_owned()),
        partitions: None,
        citus: None,
    };
    for (address, options, message, hint) in [
        (
            database.address(),
            MigrateOptions::default(),
            "the role recalld_test_server may not create a schema in the database",
            "GRANT CREATE ON DATABASE",
        ),
        (
            database.owner_address(),
            serving_role("nobody_knows"),
            "the serving role nobody_knows does not exist",
            "CREATE ROLE \"nobody_knows\" LOGIN NOINHERIT PASSWORD",
        ),
        (
            database.owner_address(),
            serving_role("postgres"),
            "the role postgres is a superuser",
            "CREATE ROLE \"recalld_server\" LOGIN NOINHERIT PASSWORD",
        ),
    ] {
        let refused = PostgresStore::migrate(&address, &settings(), &options)
            .await
            .unwrap_err();
        assert!(refused.to_string().contains(message), "{refused}");
        assert!(refused.hint().unwrap().contains(hint), "{refused:?}");
        let schemas = column(&client, "SELECT 1 FROM pg_namespace WHERE nspname = 'recalld'").await;
        assert_eq!(schemas.unwrap(), [""; 0], "{message}");
    }
    database.migrate().await;
    let refused = PostgresStore::migrate(&database.address(), &settings(), &MigrateOptions::default()).await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("the schema recalld belongs to the role recalld_owner"),
        "{refused}"
    );
    let partitioned = MigrateOptions {
        serving_role: None,
        partitions: Some(8),
        citus: None,
    };
    let refused = PostgresStore::migrate(&database.owner_address(), &settings(), &partitioned).await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("the tables already exist without partitions"),
        "{refused}"
    );
}
