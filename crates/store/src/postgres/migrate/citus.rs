//! Spreads the tables over the nodes of a Citus cluster.
//!
//! Citus connects to a worker as the role that a transaction has taken. So the roles can log in at
//! the workers, where only the other nodes of the cluster are let in, and nowhere else. Citus takes
//! that away again whenever it copies roles to a worker: it is given last, and again by every
//! migration.

mod distribution;

use std::sync::Arc;

use recalld_memory::ports::StoreError;
use tokio_postgres::Client;

use super::{Options, SERVING_ROLES, read_one};
use crate::postgres::error::describe;
use crate::postgres::open_error::OpenError;
use crate::postgres::pool::Pool;
use crate::postgres::rows::{each, get};
use crate::postgres::statement::{Statement, identifier, literal};
use crate::postgres::transaction;
use distribution::distribution;

/// How many shards each table gets unless told otherwise.
const SHARDS: u32 = 32;

/// The nodes of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    /// The worker nodes, as `host:port`.
    pub workers: Vec<String>,
    /// Whether our tables are spread over them.
    pub is_distributed: bool,
    database: String,
    hosts: Vec<String>,
}

impl Cluster {
    /// Returns the lines that `pg_hba.conf` of every node needs, so that nodes reach each other.
    pub fn access_lines(&self) -> Vec<String> {
        let roles = [&SERVING_ROLES[..], &["recalld_owner"]].concat().join(",");
        let database = &self.database;
        let line = |host: &String| {
            let place = match host.parse::<std::net::IpAddr>() {
                Ok(address) if address.is_ipv4() => format!("{host}/32"),
                Ok(_) => format!("{host}/128"),
                Err(_) => host.clone(),
            };
            format!("host {database} {roles} {place} trust")
        };
        self.hosts.iter().map(line).collect()
    }
}

/// Finds the cluster; none if the database has no Citus.
pub(in crate::postgres) async fn find(pool: &Arc<Pool>) -> Result<Option<Cluster>, OpenError> {
    let has_citus = transaction::read_as_login(pool, vec![Statement::new(HAS_CITUS)]).await;
    if !read_one::<bool>(has_citus)? {
        return Ok(None);
    }
    let statements = vec![
        Statement::new(NODES),
        Statement::new("SELECT current_database()::text"),
        Statement::new(IS_DISTRIBUTED),
    ];
    let found = transaction::read_as_login(pool, statements)
        .await
        .map_err(StoreError::from)?;
    let nodes: Vec<(String, i64, bool)> =
        each(&found[0], |row| Ok((get(row, 0)?, get(row, 1)?, get(row, 2)?))).map_err(StoreError::from)?;
    let mut hosts: Vec<String> = nodes.iter().map(|(host, ..)| host.clone()).collect();
    hosts.sort();
    hosts.dedup();
    let workers = nodes.iter().filter(|(.., is_worker)| *is_worker);
    let name = |row: &tokio_postgres::Row| get(row, 0);
    let is_distributed: bool = get(&found[2][0], 0).map_err(StoreError::from)?;
    Ok(Some(Cluster {
        workers: workers.map(|(host, port, _)| format!("{host}:{port}")).collect(),
        is_distributed,
        database: name(&found[1][0]).map_err(StoreError::from)?,
        hosts,
    }))
}

/// Refuses what could not be completed.
pub(super) fn check(
    options: &Options,
    cluster: Option<&Cluster>,
    is_superuser: bool,
) -> Result<(), OpenError> {
    let refused = |reason: &str, hint: &str| {
        Err(OpenError::Refused {
            reason: reason.to_owned(),
            hint: hint.to_owned(),
        })
    };
    match cluster {
        None if options.citus.is_none() => return Ok(()),
        None => {
            return refused(
                "the database has no Citus",
                "install Citus on every node, run CREATE EXTENSION citus in this database on each, and add the \
                 workers with citus_add_node; docs/scale.md describes it",
            );
        }
        Some(cluster) if options.citus.is_none() && !cluster.is_distributed => return Ok(()),
        Some(cluster) if cluster.workers.is_empty() => {
            return refused(
                "the Citus cluster has no worker that is active and may have shards",
                "add one: SELECT citus_add_node('host', 5432);",
            );
        }
        Some(_) => {}
    }
    if options.partitions.is_some() {
        return refused(
            "tables cannot have partitions and shards",
            "choose --partitions for one node or --citus for several",
        );
    }
    if !is_superuser {
        return refused(
            "on a Citus cluster only a superuser can let roles log in at the workers",
            "migrate with the address of a superuser of all nodes",
        );
    }
    Ok(())
}

/// Creates the roles on all nodes, before anything belongs to them.
pub(super) async fn create_roles(client: &Client) -> Result<(), tokio_postgres::Error> {
    for role in SERVING_ROLES.iter().chain(&["recalld_owner"]) {
        let create = format!(
            "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '{role}') THEN
                CREATE ROLE {role} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION; END IF; END $$"
        );
        client.batch_execute(&create).await?;
    }
    let_roles_in(client).await
}

/// Lets the roles log in at the workers. There it is a matter of each node alone.
async fn let_roles_in(client: &Client) -> Result<(), tokio_postgres::Error> {
    let roles = [&SERVING_ROLES[..], &["recalld_owner"]].concat();
    let alter: String = roles
        .iter()
        .map(|role| format!("ALTER ROLE {role} LOGIN; "))
        .collect();
    let command = format!(
        "DO $x$ BEGIN PERFORM set_config('citus.enable_ddl_propagation', 'off', true); {alter}END $x$"
    );
    let all = format!(
        "DO $$ DECLARE failed text; BEGIN
            SELECT string_agg(nodename || ':' || nodeport || ': ' || result, '; ') INTO failed
            FROM run_command_on_workers({}, parallel => false) WHERE NOT success;
            IF failed IS NOT NULL THEN RAISE EXCEPTION 'roles cannot be let in at workers: %', failed; END IF;
         END $$",
        literal(&command)
    );
    client.batch_execute(&all).await
}

/// Spreads the tables that are not spread yet. It can be repeated.
pub(super) async fn distribute(client: &Client, options: &Options) -> Result<(), OpenError> {
    let shards = options.citus.flatten().unwrap_or(SHARDS);
    let failed = |error: tokio_postgres::Error| OpenError::Refused {
        reason: format!("cannot distribute the tables: {}", describe(&error)),
        hint: "nothing was distributed; mend it and run the same command again".to_owned(),
    };
    client
        .batch_execute(&distribution(shards))
        .await
        .map_err(failed)?;
    let_roles_in(client).await.map_err(failed)?;
    if let Some(role) = &options.serving_role {
        let alter = format!(
            "ALTER ROLE {} SET citus.propagate_set_commands = 'local'",
            identifier(role)
        );
        client.batch_execute(&alter).await.map_err(failed)?;
    }
    Ok(())
}

const HAS_CITUS: &str = "SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus')";

const NODES: &str = "
    SELECT nodename::text, nodeport::bigint, groupid <> 0 AND isactive AND shouldhaveshards
    FROM pg_catalog.pg_dist_node WHERE noderole = 'primary' ORDER BY nodename, nodeport";

// From the catalogue, which every role may read: the login role may not use the schema.
const IS_DISTRIBUTED: &str = "
    SELECT EXISTS (
        SELECT FROM pg_catalog.pg_dist_partition d JOIN pg_catalog.pg_class c ON c.oid = d.logicalrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'recalld' AND c.relname = 'spaces')";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_let_each_other_in_and_nobody_else() {
        let cluster = Cluster {
            database: "memories".to_owned(),
            hosts: vec!["10.0.0.7".to_owned(), "worker-1.internal".to_owned()],
            ..Cluster::default()
        };
        let roles = "recalld_user,recalld_shared,recalld_upkeep,recalld_gate,recalld_reader,recalld_revisions,\
                     recalld_owner";
        assert_eq!(
            cluster.access_lines(),
            [
                format!("host memories {roles} 10.0.0.7/32 trust"),
                format!("host memories {roles} worker-1.internal trust"),
            ]
        );
    }
}
