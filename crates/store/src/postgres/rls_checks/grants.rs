//! Privileges on the schema, its tables, views and columns: exactly those of the migrations.

use std::collections::BTreeSet;

use tokio_postgres::Row;

use super::expected::{ROLES, TABLES_OF_SPACES, VIEWS};
use crate::postgres::error::DbResult;
use crate::postgres::rows::{each, get};
use crate::postgres::statement::{Statement, identifier};
use crate::postgres::violation::Violation;

/// One privilege, in the words of `GRANT`: what on what to whom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Grant {
    privilege: String,
    /// The schema, or a table or view in it.
    object: String,
    grantee: String,
}

impl Grant {
    fn new(privilege: &str, object: &str, grantee: &str) -> Grant {
        Grant {
            privilege: privilege.to_owned(),
            object: object.to_owned(),
            grantee: grantee.to_owned(),
        }
    }

    fn foreign(&self) -> Violation {
        let Grant {
            privilege,
            object,
            grantee,
        } = self;
        let revoked = match privilege.strip_suffix(GRANT_OPTION) {
            Some(privilege) => format!("GRANT OPTION FOR {privilege}"),
            None => privilege.clone(),
        };
        Violation::new(
            format!("{privilege} on {object} is granted to {grantee}"),
            format!("REVOKE {revoked} ON {object} FROM {};", self.role()),
        )
    }

    fn missing(&self) -> Violation {
        let Grant {
            privilege,
            object,
            grantee,
        } = self;
        Violation::new(
            format!("{privilege} on {object} is not granted to {grantee}"),
            format!("GRANT {privilege} ON {object} TO {};", self.role()),
        )
    }

    fn role(&self) -> String {
        match self.grantee.as_str() {
            "PUBLIC" => self.grantee.clone(),
            name => identifier(name),
        }
    }
}

/// Returns the query for all privileges in our schema but those of owners.
pub(super) fn statement() -> Statement {
    Statement::new(GRANTS)
}

/// Decodes the result of [`statement`].
pub(super) fn violations(rows: &[Row]) -> DbResult<Vec<Violation>> {
    let found: BTreeSet<Grant> = each(rows, |row| {
        let (privilege, object, grantee): (String, String, String) =
            (get(row, 0)?, get(row, 1)?, get(row, 2)?);
        Ok(Grant {
            privilege,
            object,
            grantee,
        })
    })?
    .into_iter()
    .collect();
    let expected = expected();
    let missing = expected.iter().filter(|grant| {
        let grantable = Grant {
            privilege: format!("{}{GRANT_OPTION}", grant.privilege),
            ..(*grant).clone()
        };
        !found.contains(*grant) && !found.contains(&grantable)
    });
    let foreign = found.difference(&expected).map(Grant::foreign);
    Ok(foreign.chain(missing.map(Grant::missing)).collect())
}

const GRANT_OPTION: &str = " WITH GRANT OPTION";

/// The tables that readers do not see: the audit log and the history of memories.
const NOT_FOR_READERS: [&str; 2] = ["events", "memory_versions"];

fn expected() -> BTreeSet<Grant> {
    let mut all = BTreeSet::new();
    let mut grant = |privileges: &[&str], object: &str, grantees: &[&str]| {
        for privilege in privileges {
            for grantee in grantees {
                all.insert(Grant::new(privilege, object, grantee));
            }
        }
    };
    let everything = ["SELECT", "INSERT", "UPDATE", "DELETE"];
    grant(&["USAGE"], "SCHEMA recalld", &ROLES);
    for table in TABLES_OF_SPACES {
        let object = format!("recalld.{table}");
        grant(&everything, &object, &["recalld_user", "recalld_shared"]);
        grant(&["SELECT", "DELETE"], &object, &["recalld_upkeep"]);
        if !NOT_FOR_READERS.contains(&table) {
            grant(&["SELECT"], &object, &["recalld_reader"]);
        }
    }
    for view in VIEWS {
        let readers = ["recalld_reader", "recalld_user", "recalld_upkeep"];
        grant(&["SELECT"], &format!("recalld.{view}"), &readers);
    }
    grant(&["SELECT"], "recalld.migrations", &["recalld_upkeep"]);
    grant(&everything, "recalld.keys", &["recalld_gate"]);
    grant(&["SELECT", "DELETE"], "recalld.keys", &["recalld_upkeep"]);
    let beginners = ["recalld_user", "recalld_shared", "recalld_upkeep"];
    grant(&["SELECT"], "recalld.eras", &beginners);
    grant(&["UPDATE (era)"], "recalld.eras", &["recalld_upkeep"]);
    grant(&everything, "recalld.claims", &["recalld_upkeep"]);
    let columns = ["SELECT (space)", "SELECT (revision)"];
    grant(&columns, "recalld.spaces", &["recalld_revisions"]);
    all
}

const GRANTS: &str = "
    WITH granted AS (
        SELECT a.privilege_type AS privilege, 'SCHEMA recalld' AS object, a.grantee, a.is_grantable
        FROM pg_catalog.pg_namespace n, aclexplode(n.nspacl) a
        WHERE n.nspname = 'recalld' AND a.grantee <> n.nspowner
        UNION ALL
        SELECT a.privilege_type, format('recalld.%I', c.relname), a.grantee, a.is_grantable
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a
        WHERE n.nspname = 'recalld' AND a.grantee <> c.relowner
        UNION ALL
        SELECT format('%s (%I)', a.privilege_type, t.attname), format('recalld.%I', c.relname), a.grantee, a.is_grantable
        FROM pg_catalog.pg_attribute t JOIN pg_catalog.pg_class c ON c.oid = t.attrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace, aclexplode(t.attacl) a
        WHERE n.nspname = 'recalld' AND a.grantee <> c.relowner)
    SELECT g.privilege || CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END, g.object,
           coalesce(r.rolname::text, CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE 'the unknown role ' || g.grantee END)
    FROM granted g LEFT JOIN pg_catalog.pg_roles r ON r.oid = g.grantee";
