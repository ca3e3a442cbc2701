//! A database on a Citus cluster for a test: made on every node and spread over the workers.
//!
//! The cluster is named in the environment, as `host:port` of its coordinator, where the role
//! `postgres` needs no password; its database `postgres` knows the nodes. Run such tests one at a
//! time: roles belong to the whole cluster.

use recalld_store::PostgresStore;
use recalld_store::postgres::{MigrateOptions, Settings};
use tokio_postgres::{Client, Config, NoTls};

const COORDINATOR: &str = "RECALLD_TEST_CITUS";

/// Few, so that a test begins soon; more than one on each worker.
const SHARDS: u32 = 4;

/// Returns the address of the coordinator, or nothing if there is no cluster.
pub fn coordinator() -> Option<Config> {
    let place = std::env::var(COORDINATOR).ok()?;
    Some(format!("postgres://postgres@{place}/postgres").parse().unwrap())
}

async fn connect(node: &Config, database: &str) -> Client {
    let (client, connection) = node.clone().dbname(database).connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The coordinator, and after it the workers.
async fn nodes(coordinator: &Config) -> Vec<Config> {
    let sql = "SELECT nodename::text, nodeport FROM pg_dist_node WHERE noderole = 'primary' AND groupid <> 0
               ORDER BY nodeid";
    let rows = connect(coordinator, "postgres")
        .await
        .query(sql, &[])
        .await
        .unwrap();
    let worker = |row: &tokio_postgres::Row| {
        let (host, port): (String, i32) = (row.get(0), row.get(1));
        format!("postgres://postgres@{host}:{port}/postgres")
            .parse()
            .unwrap()
    };
    [coordinator.clone()]
        .into_iter()
        .chain(rows.iter().map(worker))
        .collect()
}

/// Makes a database on every node and migrates it for the role `serving`.
pub async fn create(coordinator: &Config, name: &str, serving: &str, settings: &Settings) {
    let nodes = nodes(coordinator).await;
    for node in &nodes {
        let create = format!("CREATE DATABASE {name}");
        connect(node, "postgres")
            .await
            .batch_execute(&create)
            .await
            .unwrap();
        for extension in ["citus", "vector"] {
            let create = format!("CREATE EXTENSION {extension}");
            connect(node, name).await.batch_execute(&create).await.unwrap();
        }
    }
    let client = connect(coordinator, name).await;
    for (place, node) in nodes.iter().enumerate() {
        let tokio_postgres::config::Host::Tcp(host) = &node.get_hosts()[0] else {
            panic!("nodes are reached by TCP");
        };
        let add = match place {
            0 => "citus_set_coordinator_host",
            _ => "citus_add_node",
        };
        let sql = format!("SELECT {add}('{host}', {})", node.get_ports()[0]);
        client.batch_execute(&sql).await.unwrap();
    }
    let options = MigrateOptions {
        serving_role: Some(serving.to_owned()),
        partitions: None,
        citus: Some(Some(SHARDS)),
    };
    let address = format!(
        "postgres://postgres@{}/{name}",
        std::env::var(COORDINATOR).unwrap()
    );
    PostgresStore::migrate(&address, settings, &options)
        .await
        .unwrap();
}

/// Drops it on every node.
pub async fn drop(coordinator: &Config, name: &str) {
    for node in nodes(coordinator).await {
        let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        let _ = connect(&node, "postgres").await.batch_execute(&sql).await;
    }
}
