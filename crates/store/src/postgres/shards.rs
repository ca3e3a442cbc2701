//! Looks at the shards of a distributed database. Each is a table of its own on a worker, and must
//! have the row-level security of the table that it is a part of.

use tokio_postgres::Row;

use super::error::DbResult;
use super::rows::{each, get};
use super::statement::Statement;

/// What guards a table: whether policies are enforced, and all of them. From the catalogue as `c`.
macro_rules! wall {
    () => {
        "concat(c.relrowsecurity, c.relforcerowsecurity) || coalesce((
            SELECT string_agg(concat_ws(' ', p.polname, p.polcmd, p.polpermissive,
                (SELECT string_agg(r.rolname, ',' ORDER BY r.rolname) FROM pg_catalog.pg_roles r
                 WHERE r.oid = ANY (p.polroles)),
                pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), '; ' ORDER BY p.polname)
            FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid), '')"
    };
}

/// Returns the query for shards whose security differs from their table's, and for workers that
/// cannot be asked.
pub(super) fn statement() -> Statement {
    Statement::new(DIFFERING)
}

/// Words what [`statement`] found.
pub(super) fn faults(rows: &[Row]) -> DbResult<Vec<String>> {
    each(rows, |row| {
        let (node, shard): (String, Option<String>) = (get(row, 0)?, get(row, 1)?);
        Ok(match shard {
            Some(shard) => format!(
                "the shard recalld.{shard} on {node} has not the row-level security of its table; fix: move it to \
                 another node, or restore its policies"
            ),
            None => format!("the worker {node} cannot be asked for the security of its shards"),
        })
    })
}

const DIFFERING: &str = concat!(
    "WITH ours AS (
        SELECT c.relname, ",
    wall!(),
    " AS wall FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_dist_partition d ON d.logicalrelid = c.oid
        WHERE c.relnamespace = 'recalld'::regnamespace),
     workers AS (
        SELECT w.nodename || ':' || w.nodeport AS node, w.success, w.result
        FROM run_command_on_workers($command$
            SELECT coalesce(json_object_agg(c.relname, ",
    wall!(),
    "), '{}')::text
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'recalld' AND c.relkind = 'r' AND c.relname ~ '_[0-9]{4,}$' $command$) w)
     SELECT w.node, s.key FROM workers w
     CROSS JOIN LATERAL json_each_text(CASE WHEN w.success THEN w.result::json ELSE '{}'::json END) s
     JOIN ours o ON o.relname = regexp_replace(s.key, '_[0-9]+$', '') AND o.wall <> s.value
     UNION ALL
     SELECT w.node, NULL FROM workers w WHERE NOT w.success
     ORDER BY 1, 2"
);
