//! Checks that the database isolates users and does not lose acknowledged writes.
//!
//! They run at every start and in `doctor`. Only the catalogue is read, and nothing is changed.
//! Each violation comes with what fixes it.

mod expected;
mod grants;
mod login;
mod objects;
mod own_space;
mod policies;
mod roles;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use recalld_memory::ports::StoreError;
use tokio_postgres::Row;

use super::error::DbResult;
use super::pool::Pool;
use super::rows::{each, get};
use super::settings::Storage;
use super::statement::Statement;
use super::transaction;
use super::violation::Violation;
use expected::SETTINGS;

/// Checks that the role we log in as may serve at all. It needs no schema.
pub(super) async fn check_login(pool: &Arc<Pool>) -> Result<Vec<Violation>, StoreError> {
    let found = transaction::read_as_login(pool, vec![login::statement()]).await?;
    Ok(login::violations(&found[0])?)
}

/// Checks that the role we log in as can switch to the roles of a schema that exists.
pub(super) async fn check_access(pool: &Arc<Pool>) -> Result<Vec<Violation>, StoreError> {
    let found = transaction::read_as_login(pool, vec![roles::access()]).await?;
    Ok(listed(&found[0])?)
}

/// Checks everything.
pub(super) async fn check(pool: &Arc<Pool>) -> Result<Vec<Violation>, StoreError> {
    let mut statements = vec![
        login::statement(),
        roles::statement(),
        policies::tables(pool.has_nodes.load(Ordering::Relaxed)),
        policies::policies(),
        grants::statement(),
        Statement::new(SETTINGS_NOW),
        roles::access(),
        roles::memberships(),
    ];
    let first_listed = statements.len() - 2;
    statements.extend(objects::statements());
    let found = transaction::read_as_login(pool, statements).await?;
    let mut all = login::violations(&found[0])?;
    all.extend(roles::violations(&found[1])?);
    all.extend(policies::violations(&found[2], &found[3])?);
    all.extend(grants::violations(&found[4])?);
    all.extend(check_settings(&found[5], pool.storage)?);
    for rows in &found[first_listed..] {
        all.extend(listed(rows)?);
    }
    all.extend(own_space::violation(pool).await?);
    Ok(all)
}

/// Decodes violations that a statement has found and worded itself.
fn listed(rows: &[Row]) -> DbResult<Vec<Violation>> {
    each(rows, |row| {
        Ok(Violation::new(get::<String>(row, 0)?, get::<String>(row, 1)?))
    })
}

fn check_settings(rows: &[Row], storage: Storage) -> DbResult<Vec<Violation>> {
    let found = each(rows, |row| Ok((get::<String>(row, 0)?, get::<String>(row, 1)?)))?;
    let is_unsafe = |name: &str, unsafe_value: &str| {
        found
            .iter()
            .any(|(setting, value)| setting == name && value == unsafe_value)
    };
    let checked = SETTINGS
        .iter()
        .filter(|setting| storage == Storage::Checked || !setting.is_of_storage);
    Ok(checked
        .filter(|setting| is_unsafe(setting.name, setting.unsafe_value))
        .map(|setting| {
            Violation::new(
                format!("{} is {}: {}", setting.name, setting.unsafe_value, setting.danger),
                setting.fix,
            )
        })
        .collect())
}

const SETTINGS_NOW: &str = "
    SELECT name, setting FROM pg_catalog.pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'row_security', 'session_replication_role')";
