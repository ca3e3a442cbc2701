//! What must hold before anything is migrated, so that a refusal changes nothing.

use std::sync::Arc;

use recalld_memory::ports::StoreError;
use tokio_postgres::Row;

use super::Options;
use crate::postgres::error::DbResult;
use crate::postgres::open_error::OpenError;
use crate::postgres::pool::Pool;
use crate::postgres::rows::get;
use crate::postgres::statement::{Statement, identifier};
use crate::postgres::transaction;

/// The database as the migrating role finds it.
#[derive(Debug)]
pub(super) struct DatabaseState {
    login: String,
    database: String,
    pub(super) is_superuser: bool,
    may_create_roles: bool,
    may_create_schema: bool,
    /// The owner of the schema, if it exists.
    pub(super) owner: Option<String>,
    may_act_as_owner: bool,
    /// The roles that do not exist yet.
    missing_roles: Vec<String>,
    /// The roles that exist and that the login is not a member of.
    foreign_roles: Vec<String>,
    /// The partitions of each table; none if the tables are not partitioned.
    pub(super) partitions: Option<u32>,
    has_tables: bool,
    serving_role: Option<ServingRole>,
}

#[derive(Debug)]
struct ServingRole {
    is_above_policies: bool,
}

impl DatabaseState {
    /// Reads the catalogue, which every role may.
    pub(super) async fn read(pool: &Arc<Pool>, options: &Options) -> Result<DatabaseState, OpenError> {
        let statement = Statement::new(FIND).with(options.serving_role.as_deref());
        let found = transaction::read_as_login(pool, vec![statement]).await;
        let decoded = found.and_then(|found| DatabaseState::decode(&found[0][0]));
        Ok(decoded.map_err(StoreError::from)?)
    }

    fn decode(row: &Row) -> DbResult<DatabaseState> {
        let partitions: i64 = get(row, "partitions")?;
        let above: Option<bool> = get(row, "serving_is_above")?;
        Ok(DatabaseState {
            login: get(row, "login")?,
            database: get(row, "database")?,
            is_superuser: get(row, "is_superuser")?,
            may_create_roles: get(row, "may_create_roles")?,
            may_create_schema: get(row, "may_create_schema")?,
            owner: get(row, "owner")?,
            may_act_as_owner: get(row, "may_act_as_owner")?,
            missing_roles: get(row, "missing_roles")?,
            foreign_roles: get(row, "foreign_roles")?,
            partitions: u32::try_from(partitions).ok().filter(|count| 0 < *count),
            has_tables: get(row, "has_tables")?,
            serving_role: above.map(|is_above_policies| ServingRole { is_above_policies }),
        })
    }

    /// Refuses what could not be completed.
    pub(super) fn check(&self, options: &Options) -> Result<(), OpenError> {
        self.check_login()?;
        self.check_serving_role(options)?;
        match (options.partitions, self.partitions) {
            (None, _) => Ok(()),
            (Some(_), _) if !self.has_tables => Ok(()),
            (wanted, found) if wanted == found => Ok(()),
            (Some(_), found) => Err(refused(
                match found {
                    Some(count) => format!("the tables already have {count} partitions"),
                    None => "the tables already exist without partitions".to_owned(),
                },
                "migrate an empty database with --partitions and copy the rows into it, as docs/scale.md describes"
                    .to_owned(),
            )),
        }
    }

    fn check_login(&self) -> Result<(), OpenError> {
        let login = identifier(&self.login);
        if self.is_superuser {
            return Ok(());
        }
        if let Some(owner) = self.owner.as_deref().filter(|_| !self.may_act_as_owner) {
            return Err(refused(
                format!(
                    "the schema recalld belongs to the role {owner}, and the role {} is not a member of it",
                    self.login
                ),
                format!(
                    "migrate as an administrator, or let one run: GRANT {} TO {login};",
                    identifier(owner)
                ),
            ));
        }
        if self.owner.is_none() && !self.may_create_schema {
            return Err(refused(
                format!(
                    "the role {} may not create a schema in the database {}",
                    self.login, self.database
                ),
                format!(
                    "let its owner run: GRANT CREATE ON DATABASE {} TO {login};",
                    identifier(&self.database)
                ),
            ));
        }
        if !self.missing_roles.is_empty() && !self.may_create_roles {
            let create: Vec<String> = self
                .missing_roles
                .iter()
                .map(|role| format!("CREATE ROLE {role} NOLOGIN;"))
                .collect();
            return Err(refused(
                format!(
                    "the role {} may not create the roles {}",
                    self.login,
                    self.missing_roles.join(", ")
                ),
                format!(
                    "migrate as a role with CREATEROLE, or let an administrator run: {} GRANT {} TO {login} WITH ADMIN OPTION;",
                    create.join(" "),
                    self.missing_roles.join(", "),
                ),
            ));
        }
        if !self.foreign_roles.is_empty() {
            return Err(refused(
                format!(
                    "the role {} is not a member of {}",
                    self.login,
                    self.foreign_roles.join(", ")
                ),
                format!(
                    "migrate as an administrator, or let one run: GRANT {} TO {login} WITH ADMIN OPTION;",
                    self.foreign_roles.join(", "),
                ),
            ));
        }
        Ok(())
    }

    fn check_serving_role(&self, options: &Options) -> Result<(), OpenError> {
        let Some(name) = options.serving_role.as_deref() else {
            return Ok(());
        };
        let create = |name: &str| format!("CREATE ROLE {} LOGIN NOINHERIT PASSWORD '…';", identifier(name));
        match &self.serving_role {
            None => Err(refused(
                format!("the serving role {name} does not exist"),
                format!("let an administrator run: {}", create(name)),
            )),
            Some(role) if role.is_above_policies => Err(refused(
                format!("the role {name} is a superuser, bypasses row-level security or may create roles"),
                format!("serve as a role of its own: {}", create("recalld_server")),
            )),
            Some(_) => Ok(()),
        }
    }
}

fn refused(reason: String, hint: String) -> OpenError {
    OpenError::Refused { reason, hint }
}

const FIND: &str = "
    WITH known (role) AS (VALUES
        ('recalld_user'), ('recalld_shared'), ('recalld_upkeep'), ('recalld_gate'), ('recalld_reader'),
        ('recalld_revisions'), ('recalld_owner'))
    SELECT l.rolname::text AS login, current_database()::text AS database, l.rolsuper AS is_superuser,
           l.rolcreaterole AS may_create_roles,
           has_database_privilege(session_user, current_database(), 'CREATE') AS may_create_schema,
           o.rolname::text AS owner, coalesce(pg_has_role(session_user, o.oid, 'MEMBER'), false) AS may_act_as_owner,
           ARRAY(SELECT k.role FROM known k WHERE NOT EXISTS (
               SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = k.role)) AS missing_roles,
           ARRAY(SELECT k.role FROM known k JOIN pg_catalog.pg_roles r ON r.rolname = k.role
                 WHERE NOT pg_has_role(session_user, r.oid, 'MEMBER')
                   AND NOT (l.rolcreaterole AND current_setting('server_version_num')::int < 160000)) AS foreign_roles,
           (SELECT count(*) FROM pg_catalog.pg_inherits i WHERE i.inhparent = t.oid) AS partitions,
           t.oid IS NOT NULL AS has_tables,
           (SELECT s.rolsuper OR s.rolbypassrls OR s.rolcreaterole FROM pg_catalog.pg_roles s WHERE s.rolname = $1)
               AS serving_is_above
    FROM pg_catalog.pg_roles l
    LEFT JOIN pg_catalog.pg_namespace n ON n.nspname = 'recalld'
    LEFT JOIN pg_catalog.pg_roles o ON o.oid = n.nspowner
    LEFT JOIN pg_catalog.pg_class t ON t.relnamespace = n.oid AND t.relname = 'spaces'
    WHERE l.rolname = session_user";
