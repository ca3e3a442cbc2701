//! Row-level security of the tables, and their policies.

use tokio_postgres::Row;

use super::expected::{Policy, known_tables};
use crate::postgres::error::DbResult;
use crate::postgres::rows::{each, get};
use crate::postgres::statement::{Statement, identifier};
use crate::postgres::violation::Violation;

/// Returns the query for the tables in our schema.
pub(super) fn tables(has_nodes: bool) -> Statement {
    Statement::new(if has_nodes { TABLES_ON_NODES } else { TABLES })
}

/// Returns the query for the policies in our schema.
pub(super) fn policies() -> Statement {
    Statement::new(POLICIES)
}

/// Decodes the results of [`tables`] and [`policies`].
pub(super) fn violations(tables: &[Row], policies: &[Row]) -> DbResult<Vec<Violation>> {
    let tables = each(tables, Table::decode)?;
    let policies = each(policies, FoundPolicy::decode)?;
    let mut all = Vec::new();
    for (name, wanted) in known_tables() {
        all.extend(check_table(name, &tables));
        all.extend(check_policies(name, &wanted, &policies));
    }
    let is_known = |table: &str| known_tables().iter().any(|(name, _)| *name == table);
    for other in policies.iter().filter(|policy| !is_known(&policy.table)) {
        all.push(other.foreign());
    }
    Ok(all)
}

struct Table {
    name: String,
    is_enabled: bool,
    is_forced: bool,
    /// Whether it is spread over the nodes of a cluster. Its policies need not apply to its owner,
    /// whom no server can become: shards could not move otherwise.
    is_spread: bool,
}

impl Table {
    fn decode(row: &Row) -> DbResult<Table> {
        Ok(Table {
            name: get(row, 0)?,
            is_enabled: get(row, 1)?,
            is_forced: get(row, 2)?,
            is_spread: get(row, 3)?,
        })
    }
}

fn check_table(name: &str, tables: &[Table]) -> Vec<Violation> {
    let Some(table) = tables.iter().find(|table| table.name == name) else {
        let missing = format!("the table recalld.{name} is missing");
        return vec![Violation::new(missing, "restore the newest backup")];
    };
    let mut all = Vec::new();
    if !table.is_enabled {
        all.push(Violation::new(
            format!("the table recalld.{name} has no row-level security"),
            format!("ALTER TABLE recalld.{name} ENABLE ROW LEVEL SECURITY;"),
        ));
    }
    if !table.is_forced && !table.is_spread {
        all.push(Violation::new(
            format!("the policies of the table recalld.{name} do not apply to its owner"),
            format!("ALTER TABLE recalld.{name} FORCE ROW LEVEL SECURITY;"),
        ));
    }
    all
}

struct FoundPolicy {
    table: String,
    name: String,
    command: String,
    roles: Vec<String>,
    using: Option<String>,
    check: Option<String>,
    is_permissive: bool,
}

impl FoundPolicy {
    fn decode(row: &Row) -> DbResult<FoundPolicy> {
        Ok(FoundPolicy {
            table: get(row, 0)?,
            name: get(row, 1)?,
            command: get(row, 2)?,
            roles: get(row, 3)?,
            using: get(row, 4)?,
            check: get(row, 5)?,
            is_permissive: get(row, 6)?,
        })
    }

    fn is(&self, wanted: &Policy) -> bool {
        let same =
            |found: &Option<String>, wanted: Option<&str>| found.as_deref().map(bare) == wanted.map(bare);
        self.is_permissive
            && self.command == wanted.command
            && self.roles == wanted.roles
            && same(&self.using, Some(wanted.using))
            && same(&self.check, wanted.check)
    }

    fn foreign(&self) -> Violation {
        let (table, name) = (&self.table, &self.name);
        Violation::new(
            format!("the policy {name} on recalld.{table} is not one of recalld's"),
            format!(
                "DROP POLICY {} ON recalld.{};",
                identifier(name),
                identifier(table)
            ),
        )
    }
}

/// Removes the brackets, blanks and casts that versions of PostgreSQL write differently.
pub(super) fn bare(expression: &str) -> String {
    let text = expression.replace("AS own_space", "").replace("::text", "");
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '(' && *c != ')')
        .collect()
}

fn check_policies(table: &str, wanted: &[Policy], found: &[FoundPolicy]) -> Vec<Violation> {
    let here: Vec<&FoundPolicy> = found.iter().filter(|policy| policy.table == table).collect();
    let mut all = Vec::new();
    for policy in wanted {
        let what = match here.iter().find(|found| found.name == policy.name) {
            Some(found) if found.is(policy) => continue,
            Some(_) => "was altered",
            None => "is missing",
        };
        all.push(Violation::new(
            format!("the policy {} on recalld.{table} {what}", policy.name),
            policy.restored(table),
        ));
    }
    // Also a restrictive one: it hides rows, and its expression runs for every row.
    let is_ours = |found: &FoundPolicy| wanted.iter().any(|policy| policy.name == found.name);
    all.extend(
        here.into_iter()
            .filter(|found| !is_ours(found))
            .map(FoundPolicy::foreign),
    );
    all
}

const TABLES: &str = "
    SELECT c.relname::text, c.relrowsecurity, c.relforcerowsecurity, false
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND c.relkind IN ('r', 'p')";

// Only where the extension is: elsewhere the catalogue of distributed tables does not exist.
const TABLES_ON_NODES: &str = "
    SELECT c.relname::text, c.relrowsecurity, c.relforcerowsecurity,
           EXISTS (SELECT FROM pg_catalog.pg_dist_partition d WHERE d.logicalrelid = c.oid)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND c.relkind IN ('r', 'p')";

const POLICIES: &str = "
    SELECT tablename::text, policyname::text, cmd, roles::text[], qual, with_check, permissive = 'PERMISSIVE'
    FROM pg_catalog.pg_policies WHERE schemaname = 'recalld' ORDER BY 1, 2";
