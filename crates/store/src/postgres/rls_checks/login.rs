//! The role that the server logs in as: no policy may fail to apply to it, and it owns nothing.

use tokio_postgres::Row;

use crate::postgres::error::DbResult;
use crate::postgres::rows::{each, get};
use crate::postgres::statement::{Statement, identifier};
use crate::postgres::violation::Violation;

/// Returns the query for the login role and all roles that it can become.
pub(super) fn statement() -> Statement {
    Statement::new(REACHABLE)
}

/// Decodes the result of [`statement`].
pub(super) fn violations(rows: &[Row]) -> DbResult<Vec<Violation>> {
    let all = each(rows, |row| {
        let found = Reachable {
            login: get(row, "login")?,
            role: get(row, "role")?,
            member: get(row, "member")?,
            grantor: get(row, "grantor")?,
        };
        let problems: Vec<String> = get(row, "problems")?;
        Ok(problems
            .into_iter()
            .map(|problem| found.violation(&problem))
            .collect::<Vec<_>>())
    })?;
    Ok(all.into_iter().flatten().collect())
}

/// The login role, or a role that it can become.
struct Reachable {
    login: String,
    role: String,
    /// The direct member of the role; none for the login role itself.
    member: Option<String>,
    /// Who granted that, if a revocation has to name it: since version 16.
    grantor: Option<String>,
}

impl Reachable {
    fn violation(&self, problem: &str) -> Violation {
        let Reachable {
            login,
            role,
            member,
            grantor,
        } = self;
        let Some(member) = member else {
            // Never a change to the role itself: it may be the operator's own.
            return Violation::new(
                format!("the login role {login} {problem}"),
                "serve as another role: CREATE ROLE recalld_server LOGIN NOINHERIT PASSWORD '…'; then run \
                 `recalld migrate --serving-role recalld_server` with the address of an administrator",
            );
        };
        let message = match member == login {
            true => format!("the login role {login} is a member of {role}, which {problem}"),
            false => format!(
                "the role {member} is a member of {role}, which {problem}, and the login role {login} can become {member}"
            ),
        };
        let (role, member) = (identifier(role), identifier(member));
        let fix = match grantor {
            Some(grantor) => format!("REVOKE {role} FROM {member} GRANTED BY {};", identifier(grantor)),
            None => format!("REVOKE {role} FROM {member};"),
        };
        Violation::new(message, fix)
    }
}

// Whether a membership can be used at once, by SET ROLE or after a further GRANT makes no
// difference. The roles that transactions switch to are checked apart.
const REACHABLE: &str = "
    WITH RECURSIVE reachable (oid, member, grantor) AS (
        SELECT oid, NULL::oid, NULL::oid FROM pg_catalog.pg_roles WHERE rolname = session_user
        UNION
        SELECT m.roleid, m.member, m.grantor FROM reachable r JOIN pg_catalog.pg_auth_members m ON m.member = r.oid),
    owners (oid, what) AS (
        SELECT nspowner, 'the schema recalld' FROM pg_catalog.pg_namespace WHERE nspname = 'recalld'
        UNION
        SELECT c.relowner, 'recalld.' || c.relname FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'recalld' AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        UNION
        SELECT datdba, 'the database ' || datname FROM pg_catalog.pg_database WHERE datname = current_database())
    SELECT session_user::text AS login, p.rolname::text AS role, pg_get_userbyid(r.member)::text AS member,
        CASE WHEN 160000 <= current_setting('server_version_num')::int THEN pg_get_userbyid(r.grantor)::text END AS grantor,
        array_remove(ARRAY[
        CASE WHEN p.rolsuper THEN 'is a superuser, to whom no policy applies' END,
        CASE WHEN p.rolbypassrls THEN 'bypasses row-level security' END,
        CASE WHEN p.rolcreaterole THEN 'may create roles' END,
        CASE WHEN p.rolreplication THEN 'may replicate, past all policies' END,
        CASE WHEN p.rolname IN ('pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files',
                                'pg_execute_server_program', 'pg_maintain')
             THEN 'grants access to the whole server' END,
        'owns ' || (SELECT min(o.what) FROM owners o WHERE o.oid = p.oid)
            || (SELECT CASE WHEN 1 < count(*) THEN format(' and %s more objects', count(*) - 1) ELSE '' END
                FROM owners o WHERE o.oid = p.oid)], NULL) AS problems
    FROM reachable r JOIN pg_catalog.pg_roles p ON p.oid = r.oid
    WHERE p.rolname NOT IN ('recalld_user', 'recalld_shared', 'recalld_upkeep', 'recalld_gate', 'recalld_reader',
                            'recalld_revisions')
    ORDER BY p.rolname <> session_user, p.rolname";
