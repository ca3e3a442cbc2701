//! Whether the database keeps its promises: the walls between users as they were built, and writes
//! that reach the disk.
//!
//! It is examined at every start and by `doctor`. Whatever is found names the statement that mends
//! it.

mod expected;

use std::sync::Arc;

use recalld_memory::ports::StoreError;
use tokio_postgres::Row;

use super::error::DbResult;
use super::identity::Identity;
use super::pool::Pool;
use super::rows::{each, get};
use super::settings::Storage;
use super::statement::Statement;
use super::transaction;
use super::violation::Violation;
use expected::{
    POLICIES_OF_ERAS, POLICIES_OF_KEYS, POLICIES_OF_SPACES, POLICY_OF_CLAIMS, POLICY_OF_REVISIONS, Policy,
    ROLES, SETTINGS, TABLES_OF_SPACES,
};

/// Examines everything.
pub(super) async fn violations(pool: &Arc<Pool>) -> Result<Vec<Violation>, StoreError> {
    let statements = [LOGIN, OWN_ROLES, TABLES, POLICIES, CODE, SETTINGS_NOW].map(Statement::new);
    let found = transaction::read_as_login(pool, statements.into()).await?;
    let mut all = check_login(&found[0])?;
    all.extend(check_roles(&found[1])?);
    let tables = each(&found[2], Table::read)?;
    let policies = each(&found[3], FoundPolicy::read)?;
    for (name, wanted) in known_tables() {
        all.extend(check_table(name, &tables));
        all.extend(check_policies(name, &wanted, &policies));
    }
    all.extend(check_code(&found[4])?);
    all.extend(check_settings(&found[5], pool.storage)?);
    all.extend(check_own_space(pool).await?);
    Ok(all)
}

/// Every table, with the policies that it must have.
fn known_tables() -> Vec<(&'static str, Vec<Policy>)> {
    let of_space = |name: &&'static str| match *name {
        "spaces" => (*name, [&POLICIES_OF_SPACES[..], &[POLICY_OF_REVISIONS]].concat()),
        name => (name, POLICIES_OF_SPACES.to_vec()),
    };
    let mut known: Vec<_> = TABLES_OF_SPACES.iter().map(of_space).collect();
    known.push(("keys", POLICIES_OF_KEYS.to_vec()));
    known.push(("eras", POLICIES_OF_ERAS.to_vec()));
    known.push(("claims", vec![POLICY_OF_CLAIMS]));
    known
}

/// Asks the function that every policy statements. What it says counts, not how it is written.
async fn check_own_space(pool: &Arc<Pool>) -> Result<Option<Violation>, StoreError> {
    for (claims, wanted) in PROBES {
        let identity = Identity {
            role: "recalld_user".into(),
            claims: claims.to_owned(),
        };
        let found =
            transaction::read(pool, identity, vec![Statement::new("SELECT recalld.own_space()")]).await;
        let said: Option<String> = match found {
            Ok(found) => get(&found[0][0], 0)?,
            Err(failure) if failure.is_lost() => return Err(failure.into()),
            Err(_) => Some("nothing at all".to_owned()),
        };
        if said.as_deref() != wanted {
            let what = "the function recalld.own_space() does not name the space of the request";
            return Ok(Some(Violation::new(what, own_space_restored())));
        }
    }
    Ok(None)
}

fn own_space_restored() -> String {
    let (_, from) = OWN_SPACE
        .split_once("CREATE OR REPLACE FUNCTION recalld.own_space()")
        .unwrap_or_default();
    let (body, _) = from.split_once("END;\n").unwrap_or_default();
    format!("CREATE OR REPLACE FUNCTION recalld.own_space(){body}END;")
}

fn check_login(rows: &[Row]) -> DbResult<Vec<Violation>> {
    let mut all = Vec::new();
    for row in rows {
        let (name, is_superuser, bypasses): (String, bool, bool) = (get(row, 0)?, get(row, 1)?, get(row, 2)?);
        let quoted = quoted(&name);
        if is_superuser {
            all.push(Violation::new(
                format!("the role {name} is a superuser, for whom no policy holds"),
                format!("ALTER ROLE {quoted} NOSUPERUSER; (or connect as a role that is none)"),
            ));
        }
        if bypasses {
            all.push(Violation::new(
                format!("the role {name} bypasses row-level security"),
                format!("ALTER ROLE {quoted} NOBYPASSRLS; (or connect as a role that does not)"),
            ));
        }
    }
    Ok(all)
}

fn check_roles(rows: &[Row]) -> DbResult<Vec<Violation>> {
    let mut all = Vec::new();
    let found = each(rows, |row| {
        Ok((
            get::<String>(row, 0)?,
            get::<bool>(row, 1)?,
            get::<bool>(row, 2)?,
            get::<i64>(row, 3)?,
        ))
    })?;
    for role in ROLES {
        let Some((_, is_ours, passes, owns)) = found.iter().find(|(name, ..)| name == role) else {
            all.push(Violation::new(
                format!("the role {role} does not exist"),
                format!("CREATE ROLE {role} NOLOGIN; GRANT {role} TO CURRENT_USER;"),
            ));
            continue;
        };
        if !is_ours && role != "recalld_reader" {
            all.push(Violation::new(
                format!("we may not take on the role {role}"),
                format!("GRANT {role} TO CURRENT_USER;"),
            ));
        }
        if *passes {
            all.push(Violation::new(
                format!("the role {role} can log in, or passes by the walls"),
                format!("ALTER ROLE {role} NOLOGIN NOSUPERUSER NOBYPASSRLS;"),
            ));
        }
        if 0 < *owns {
            all.push(Violation::new(
                format!("the role {role} owns {owns} tables of recalld"),
                format!("REASSIGN OWNED BY {role} TO CURRENT_USER;"),
            ));
        }
    }
    Ok(all)
}

struct Table {
    name: String,
    is_walled: bool,
    is_forced: bool,
}

impl Table {
    fn read(row: &Row) -> DbResult<Table> {
        Ok(Table {
            name: get(row, 0)?,
            is_walled: get(row, 1)?,
            is_forced: get(row, 2)?,
        })
    }
}

fn check_table(name: &str, tables: &[Table]) -> Vec<Violation> {
    let mut all = Vec::new();
    match tables.iter().find(|table| table.name == name) {
        None => all.push(Violation::new(
            format!("the table recalld.{name} is missing"),
            "restore the newest backup".to_owned(),
        )),
        Some(table) => {
            if !table.is_walled {
                all.push(Violation::new(
                    format!("the table recalld.{name} has no row-level security"),
                    format!("ALTER TABLE recalld.{name} ENABLE ROW LEVEL SECURITY;"),
                ));
            }
            if !table.is_forced {
                all.push(Violation::new(
                    format!("the owner of the table recalld.{name} passes by its policies"),
                    format!("ALTER TABLE recalld.{name} FORCE ROW LEVEL SECURITY;"),
                ));
            }
        }
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
    fn read(row: &Row) -> DbResult<FoundPolicy> {
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
}

/// What is left of an expression without the brackets, blanks and casts that versions of PostgreSQL
/// write differently.
fn bare(expression: &str) -> String {
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
    for other in here.iter().filter(|found| found.is_permissive) {
        if wanted.iter().all(|policy| policy.name != other.name) {
            all.push(Violation::new(
                format!(
                    "the policy {} on recalld.{table} is none of recalld's",
                    other.name
                ),
                format!("DROP POLICY {} ON recalld.{table};", quoted(&other.name)),
            ));
        }
    }
    all
}

/// Reads what is wrong with functions and views: the database itself has put it in words.
fn check_code(rows: &[Row]) -> DbResult<Vec<Violation>> {
    each(rows, |row| {
        Ok(Violation::new(get::<String>(row, 0)?, get::<String>(row, 1)?))
    })
}

fn check_settings(rows: &[Row], storage: Storage) -> DbResult<Vec<Violation>> {
    let found = each(rows, |row| Ok((get::<String>(row, 0)?, get::<String>(row, 1)?)))?;
    let is_off = |name: &str| {
        found
            .iter()
            .any(|(setting, value)| setting == name && value == "off")
    };
    let wanted = SETTINGS
        .iter()
        .filter(|setting| storage == Storage::Checked || !setting.is_of_storage);
    Ok(wanted
        .filter(|setting| is_off(setting.name))
        .map(|setting| {
            Violation::new(
                format!("{} is off: {}", setting.name, setting.danger),
                setting.fix.to_owned(),
            )
        })
        .collect())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The step of the schema that makes the function as it is now.
const OWN_SPACE: &str = include_str!("../migrations/postgres/0010_lookout.sql");

/// Claims, and the space that they name.
const PROBES: [(&str, Option<&str>); 4] = [
    ("", None),
    ("{}", None),
    (r#"{"sub":"a:b"}"#, Some("user:a:b")),
    (r#"{"sub":"a","recalld_namespace":"n"}"#, Some("user@n:a")),
];

const LOGIN: &str = "
    SELECT rolname::text, rolsuper, rolbypassrls FROM pg_catalog.pg_roles
    WHERE rolname = session_user OR rolname = current_user";

const OWN_ROLES: &str = "
    SELECT r.rolname::text, pg_has_role(
               session_user, r.oid,
               CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END),
           r.rolsuper OR r.rolbypassrls OR r.rolcanlogin,
           (SELECT count(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'recalld' AND c.relowner = r.oid)
    FROM pg_catalog.pg_roles r WHERE r.rolname LIKE 'recalld\\_%'";

const TABLES: &str = "
    SELECT c.relname::text, c.relrowsecurity, c.relforcerowsecurity
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND c.relkind IN ('r', 'p')";

const POLICIES: &str = "
    SELECT tablename::text, policyname::text, cmd, roles::text[], qual, with_check, permissive = 'PERMISSIVE'
    FROM pg_catalog.pg_policies WHERE schemaname = 'recalld' ORDER BY 1, 2";

// Functions that lend their owner's rights, views that do, and tables that nobody knows.
const CODE: &str = "
    SELECT format('the function %s runs with the rights of its owner', p.oid::regprocedure),
           format('ALTER ROUTINE %s SECURITY INVOKER;', p.oid::regprocedure)
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND (n.nspname = 'recalld' OR (
        p.proname IN ('match_memories', 'match_knowledge') AND p.prosqlbody IS NOT NULL))
    UNION ALL
    SELECT format('the view %s runs with the rights of its owner', c.oid::regclass),
           format('ALTER VIEW %s SET (security_invoker = true);', c.oid::regclass)
    FROM pg_catalog.pg_class c
    WHERE c.relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY (c.reloptions), false)
      AND EXISTS (
          SELECT FROM pg_catalog.pg_depend d
          JOIN pg_catalog.pg_rewrite w ON w.oid = d.objid AND w.ev_class = c.oid
          JOIN pg_catalog.pg_class t ON t.oid = d.refobjid
          JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
          WHERE n.nspname = 'recalld' AND t.oid <> c.oid)";

const SETTINGS_NOW: &str = "
    SELECT name, setting FROM pg_catalog.pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')";
