//! The roles that transactions switch to, and who is a member of whom.

use tokio_postgres::Row;

use super::expected::{OWNER, ROLES};
use crate::postgres::error::DbResult;
use crate::postgres::rows::{each, get};
use crate::postgres::statement::Statement;
use crate::postgres::violation::Violation;

/// Returns the query for the attributes of our roles.
pub(super) fn statement() -> Statement {
    Statement::new(ATTRIBUTES)
}

/// Decodes the result of [`statement`].
pub(super) fn violations(rows: &[Row]) -> DbResult<Vec<Violation>> {
    let found = each(rows, |row| {
        Ok((
            get::<String>(row, "role")?,
            get::<bool>(row, "has_power")?,
            get::<i64>(row, "owned")?,
        ))
    })?;
    let mut all = Vec::new();
    for role in ROLES.into_iter().chain([OWNER]) {
        let Some((_, has_power, owned)) = found.iter().find(|(name, ..)| name == role) else {
            all.push(Violation::new(
                format!("the role {role} does not exist"),
                format!("CREATE ROLE {role} NOLOGIN; and restore its grants, or the newest backup"),
            ));
            continue;
        };
        if *has_power {
            all.push(Violation::new(
                format!("the role {role} can log in, create roles, replicate or bypass row-level security"),
                format!("ALTER ROLE {role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOREPLICATION;"),
            ));
        }
        if 0 < *owned && role != OWNER {
            all.push(Violation::new(
                format!("the role {role} owns {owned} objects in this database"),
                format!("REASSIGN OWNED BY {role} TO {OWNER};"),
            ));
        }
    }
    Ok(all)
}

/// Returns the query for the roles that the login role cannot switch to.
pub(super) fn access() -> Statement {
    Statement::new(ACCESS)
}

/// Returns the query for memberships of and among our roles that nobody documented.
pub(super) fn memberships() -> Statement {
    Statement::new(MEMBERSHIPS)
}

const ATTRIBUTES: &str = "
    SELECT r.rolname::text AS role,
           r.rolsuper OR r.rolbypassrls OR r.rolcanlogin OR r.rolcreaterole OR r.rolreplication AS has_power,
           (SELECT count(*) FROM pg_catalog.pg_shdepend d
            WHERE d.refclassid = 'pg_catalog.pg_authid'::regclass AND d.refobjid = r.oid AND d.deptype = 'o'
              AND d.dbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())) AS owned
    FROM pg_catalog.pg_roles r WHERE r.rolname LIKE 'recalld\\_%'";

// A schema at an earlier step has other roles: whether they exist is asked when it is the present
// one.
const ACCESS: &str = "
    SELECT format('the login role %s cannot switch to the role %s', session_user, r.rolname),
           format('GRANT %s TO %I;', r.rolname, session_user)
    FROM pg_catalog.pg_roles r
    WHERE r.rolname IN ('recalld_user', 'recalld_shared', 'recalld_upkeep', 'recalld_gate', 'recalld_revisions')
      AND NOT pg_has_role(
          session_user, r.oid,
          CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END)
    ORDER BY r.rolname";

// Our roles are members of nothing. Only readers may be given to others: whoever is a member of
// another role is the login role, a server's login role beside it, which has all of them, or
// somebody who may create roles anyway.
const MEMBERSHIPS: &str = "
    WITH ours (name) AS (VALUES
        ('recalld_user'), ('recalld_shared'), ('recalld_upkeep'), ('recalld_gate'), ('recalld_reader'),
        ('recalld_revisions'), ('recalld_owner')),
    memberships AS (
        SELECT r.rolname AS role, m.rolname AS member, pg_get_userbyid(a.grantor) AS grantor, m.oid, m.rolsuper, m.rolcreaterole, m.rolcanlogin
        FROM pg_catalog.pg_auth_members a JOIN pg_catalog.pg_roles r ON r.oid = a.roleid
        JOIN pg_catalog.pg_roles m ON m.oid = a.member)
    SELECT format('the role %s is a member of %s', m.member, m.role), format(
        CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'REVOKE %I FROM %I;'
             ELSE 'REVOKE %I FROM %I GRANTED BY %I;' END, m.role, m.member, m.grantor)
    FROM memberships m
    WHERE m.member IN (SELECT name FROM ours)
       OR (m.role = session_user OR m.role IN (SELECT name FROM ours) AND m.role <> 'recalld_reader')
          AND m.member <> session_user AND NOT m.rolsuper AND NOT m.rolcreaterole
          AND NOT (m.rolcanlogin AND m.role <> 'recalld_owner' AND m.role <> session_user AND 5 = (
              SELECT count(DISTINCT o.role) FROM memberships o WHERE o.oid = m.oid
                AND o.role IN ('recalld_user', 'recalld_shared', 'recalld_upkeep', 'recalld_gate', 'recalld_revisions')))
    ORDER BY 1";
