//! A PostgreSQL database of its own for each test: a copy of a template that the first to come
//! makes.
//!
//! The server is named in the environment. There is no test without it: one that is skipped shows
//! nothing.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

use recalld_store::PostgresStore;
use recalld_store::postgres::{MigrateOptions, OpenError, Settings};
use tokio::sync::OnceCell;
use tokio_postgres::{Client, Config, NoTls};

use crate::citus_database;

const ADDRESS: &str = "RECALLD_TEST_POSTGRES";

/// Where a pooler stands before it, if servers are to go through one: `host:port`.
const POOLER: &str = "RECALLD_TEST_POOLER";

/// The role that serves in the tests. It owns nothing, and every policy applies to it.
const SERVER: &str = "recalld_test_server";

/// The role that owns the databases and migrates them.
const OWNER: &str = "recalld_test_owner";

/// How many partitions the tables of [`Database::partitioned`] have.
const PARTITIONS: u32 = 3;

/// Two processes of tests do not make the same template at once.
const LOCK: &str = "SELECT pg_advisory_lock(1)";

static TEMPLATE: OnceCell<String> = OnceCell::const_new();
static PARTITIONED_TEMPLATE: OnceCell<String> = OnceCell::const_new();
static NUMBER: AtomicU32 = AtomicU32::new(1);

/// Finds the server, or says how to start one.
pub fn server() -> Config {
    if let Some(coordinator) = citus_database::coordinator() {
        return coordinator;
    }
    let Ok(address) = std::env::var(ADDRESS) else {
        panic!(
            "{ADDRESS} names no server. Run the tests with one of their own: \
             cargo xtask postgres -- cargo test --workspace"
        );
    };
    address.parse().unwrap()
}

/// Connects to a database of the server as its administrator.
pub async fn administrator(database: &str) -> Client {
    let (client, connection) = server().dbname(database).connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// A database that is gone when this is dropped.
pub struct Database {
    pub name: String,
}

impl Database {
    /// Makes a copy of the template.
    pub async fn new() -> Database {
        if let Some(coordinator) = citus_database::coordinator() {
            return Database::on_nodes(&coordinator).await;
        }
        Database::copy_of(TEMPLATE.get_or_init(|| template(None)).await).await
    }

    /// Makes a copy of the template whose tables are hash-partitioned.
    pub async fn partitioned() -> Database {
        let template = PARTITIONED_TEMPLATE.get_or_init(|| template(Some(PARTITIONS)));
        Database::copy_of(template.await).await
    }

    async fn on_nodes(coordinator: &Config) -> Database {
        create_roles(&administrator("postgres").await).await;
        let database = Database::named("test");
        citus_database::create(coordinator, &database.name, SERVER, &settings()).await;
        database
    }

    async fn copy_of(template: &str) -> Database {
        let database = Database::named("test");
        let client = administrator("postgres").await;
        let create = format!(
            "CREATE DATABASE {} TEMPLATE {template} OWNER {OWNER}",
            database.name
        );
        client.batch_execute(&create).await.unwrap();
        database
    }

    fn named(what: &str) -> Database {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Database {
            name: format!("recalld_{what}_{}_{number}", std::process::id()),
        }
    }

    /// Gives the address by which a server reaches it.
    pub fn address(&self) -> String {
        address_of(SERVER, &self.name)
    }

    /// Gives the address by which its owner migrates it.
    pub fn owner_address(&self) -> String {
        address_of(OWNER, &self.name)
    }

    /// Migrates it as its owner, for the role that serves.
    pub async fn migrate(&self) -> Vec<&'static str> {
        PostgresStore::migrate(&self.owner_address(), &settings(), &migrate_options(None))
            .await
            .unwrap()
    }

    /// Opens a store on it, as a server does.
    pub async fn open(&self) -> PostgresStore {
        PostgresStore::open(&self.address(), &settings()).await.unwrap()
    }

    /// Makes a database with nothing in it.
    pub async fn empty() -> Database {
        // The role of the server comes with the template.
        TEMPLATE.get_or_init(|| template(None)).await;
        let database = Database::named("test");
        let create = format!("CREATE DATABASE {} OWNER {OWNER}", database.name);
        administrator("postgres")
            .await
            .batch_execute(&create)
            .await
            .unwrap();
        database
    }

    /// Does something to it that no server may.
    pub async fn sabotage(&self, sql: &str) {
        administrator(&self.name).await.batch_execute(sql).await.unwrap();
    }

    /// Tries to open a store on it.
    pub async fn try_open(&self) -> Result<PostgresStore, OpenError> {
        PostgresStore::open(&self.address(), &settings()).await
    }

    /// Opens a store without any checks.
    pub fn reach(&self, settings: &Settings) -> PostgresStore {
        PostgresStore::reach(&self.address(), settings).unwrap()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let name = std::mem::take(&mut self.name);
        let drop = async move {
            if let Some(coordinator) = citus_database::coordinator() {
                return citus_database::drop(&coordinator, &name).await;
            }
            let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
            let _ = administrator("postgres").await.batch_execute(&sql).await;
        };
        // On a thread of its own: the runtime of the test may be ending.
        let thread = std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(drop);
        });
        let _ = thread.join();
    }
}

/// Few connections: many tests run at once.
pub fn settings() -> Settings {
    Settings {
        connections_max: 4,
        ..Settings::default()
    }
}

fn migrate_options(partitions: Option<u32>) -> MigrateOptions {
    MigrateOptions {
        serving_role: Some(SERVER.to_owned()),
        partitions,
        citus: None,
    }
}

fn address_of(role: &str, database: &str) -> String {
    let config = server();
    let tokio_postgres::config::Host::Tcp(host) = &config.get_hosts()[0] else {
        panic!("the server of the tests is reached by TCP");
    };
    let direct = format!("{host}:{}", config.get_ports()[0]);
    let place = std::env::var(POOLER).unwrap_or(direct);
    format!("postgres://{role}:{role}@{place}/{database}")
}

async fn create_roles(client: &Client) {
    for (role, attributes) in [(OWNER, "CREATEROLE"), (SERVER, "NOINHERIT")] {
        let create = format!(
            "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
                CREATE ROLE {role} LOGIN {attributes} PASSWORD '{role}'; END IF;
             EXCEPTION WHEN duplicate_object THEN NULL; END $$"
        );
        client.batch_execute(&create).await.unwrap();
    }
}

/// Leads to a database in which no step was taken.
fn address_as_administrator() -> String {
    std::env::var(ADDRESS).unwrap()
}

/// Makes the template, once for every process of tests that knows the same steps.
async fn template(partitions: Option<u32>) -> String {
    let steps = PostgresStore::pending(&address_as_administrator(), &settings())
        .await
        .unwrap();
    let mut hasher = DefaultHasher::new();
    steps.iter().for_each(|step| step.sql.hash(&mut hasher));
    partitions.hash(&mut hasher);
    let name = format!("recalld_template_v_{:x}", hasher.finish());
    let client = administrator("postgres").await;
    client.batch_execute(LOCK).await.unwrap();
    let sql = format!("SELECT 1 FROM pg_database WHERE datname = '{name}'");
    if client.simple_query(&sql).await.unwrap().len() < 3 {
        create_roles(&client).await;
        let partial = format!("{name}_partial");
        for sql in [
            format!("DROP DATABASE IF EXISTS {partial} WITH (FORCE)"),
            format!("CREATE DATABASE {partial} OWNER {OWNER}"),
        ] {
            client.batch_execute(&sql).await.unwrap();
        }
        // On most hosts the owner of a database may make this extension; here only the
        // administrator.
        let extension = administrator(&partial).await;
        extension.batch_execute("CREATE EXTENSION vector").await.unwrap();
        let address = address_of(OWNER, &partial);
        PostgresStore::migrate(&address, &settings(), &migrate_options(partitions))
            .await
            .unwrap();
        let end =
            format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{partial}'");
        client.batch_execute(&end).await.unwrap();
        let rename = format!("ALTER DATABASE {partial} RENAME TO {name}");
        client.batch_execute(&rename).await.unwrap();
    }
    name
}
