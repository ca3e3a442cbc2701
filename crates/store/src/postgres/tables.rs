//! Tables of the deployment's own, read as the user: in a role that owns nothing, under the table's
//! policies, for a short time, and in a transaction that cannot write.

use std::fmt::Write;

use async_trait::async_trait;
use recalld_memory::catalogue::TableSource;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{StoreError, Tables};
use serde_json::{Map, Value};

use super::identity::Identity;
use super::rows::{each, get};
use super::statement::Statement;
use super::{PostgresStore, json, rows, transaction};

/// How long such a read may take, in milliseconds: somebody waits for an answer.
const TIMEOUT_MS: u32 = 2_000;

#[async_trait]
impl Tables for PostgresStore {
    async fn rows(
        &self,
        space: &SpaceId,
        source: &TableSource,
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        let identity = Identity::signed_in(space, &self.pool.tables_role)?;
        let (schema, table) = source.place();
        let quoted = format!("\"{schema}\".\"{table}\"");
        let timeout = TIMEOUT_MS.to_string();
        let statements = vec![
            Statement::new("SELECT set_config('statement_timeout', $1, true)").with(timeout.as_str()),
            Statement::new(IS_WALLED).with(quoted.as_str()),
            select(&quoted, source),
        ];
        let found = transaction::read(&self.pool, identity, statements).await?;
        let walled: Option<bool> = found[1].first().map_or(Ok(None), |row| get(row, 0))?;
        if walled != Some(true) {
            let reason = format!(
                "the table {:?} is read as the user, and has no policies that say what is the user's",
                source.name
            );
            return Err(StoreError::Failed(reason.into()));
        }
        Ok(each(&found[2], |row| {
            match json::read("a row of a table", get(row, 0)?)? {
                Value::Object(fields) => Ok(fields),
                _ => Err(rows::unreadable("a row of a table", &"it is no object")),
            }
        })?)
    }
}

/// Writes the question. Names have been checked when the category was declared, and are quoted all
/// the same.
fn select(table: &str, source: &TableSource) -> Statement {
    let mut sql = format!(
        "SELECT to_jsonb(each)::text FROM (SELECT {} FROM {table}",
        listed(&source.columns)
    );
    let mut values = Vec::new();
    for (column, value) in &source.filter {
        let border = if values.is_empty() { "WHERE" } else { "AND" };
        values.push(Some(value).filter(|value| !value.is_null()).map(Value::to_string));
        // Compared as JSON, so that a number is a number and a text a text.
        let place = values.len();
        let _ = write!(
            sql,
            " {border} to_jsonb(\"{column}\") IS NOT DISTINCT FROM ${place}::jsonb"
        );
    }
    let ordering: Vec<String> = source
        .ordering()
        .map(|(column, is_descending)| match is_descending {
            true => format!("\"{column}\" DESC"),
            false => format!("\"{column}\""),
        })
        .collect();
    if !ordering.is_empty() {
        let _ = write!(sql, " ORDER BY {}", ordering.join(", "));
    }
    let _ = write!(sql, " LIMIT {}) AS each", source.rows_max);
    values
        .iter()
        .fold(Statement::new(sql), |ask, value| ask.with(value.as_deref()))
}

fn listed(columns: &[String]) -> String {
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    quoted.join(", ")
}

// A view must run with the rights of whoever statements, and every table below it must have
// policies that hold for them.
const IS_WALLED: &str = "
    WITH RECURSIVE reached (oid) AS (
        SELECT to_regclass($1)::oid
        UNION
        SELECT d.refobjid FROM reached r
        JOIN pg_catalog.pg_rewrite w ON w.ev_class = r.oid
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
            AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid <> r.oid)
    SELECT bool_and(CASE
        WHEN c.relkind = 'v'
            THEN coalesce(c.reloptions && ARRAY['security_invoker=true', 'security_invoker=on'], false)
        WHEN c.relkind IN ('r', 'p') THEN row_security_active(c.oid)
        ELSE false END)
    FROM reached r JOIN pg_catalog.pg_class c ON c.oid = r.oid";
