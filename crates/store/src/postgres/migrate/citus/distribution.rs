//! The statements that spread the tables.
//!
//! A shard that is written to while it moves is filled by logical replication, which acts as the
//! owner of the table and refuses a table whose policies apply to its owner. So the policies of
//! spread tables do not: `recalld_owner` never serves, and a start checks that no server can become
//! it.

/// The tables that are divided by space, in the order of their references.
const DIVIDED: [&str; 13] = [
    "spaces",
    "events",
    "memories",
    "memory_versions",
    "entities",
    "mentions",
    "records",
    "conversations",
    "messages",
    "documents",
    "chunks",
    "vectors",
    "claims",
];

/// The tables of which each node has a copy, so that they can be read while any other is away.
const COPIED: [&str; 2] = ["keys", "eras"];

/// Returns the statements that spread the tables, as one transaction.
pub(super) fn distribution(shards: u32) -> String {
    let missing = |table: &str, create: String| {
        format!(
            "IF NOT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'recalld.{table}'::regclass)
             THEN PERFORM {create}; END IF;\n"
        )
    };
    let divided: String = DIVIDED
        .iter()
        .map(|table| {
            let like = match *table {
                "spaces" => format!("shard_count => {shards}, colocate_with => 'none'"),
                _ => "colocate_with => 'recalld.spaces'".to_owned(),
            };
            missing(
                table,
                format!("create_distributed_table('recalld.{table}', 'space', {like})"),
            )
        })
        .collect();
    let copied: String = COPIED
        .iter()
        .map(|table| missing(table, format!("create_reference_table('recalld.{table}')")))
        .collect();
    let released: String = DIVIDED
        .iter()
        .chain(&COPIED)
        .map(|table| release(table))
        .collect();
    format!(
        "BEGIN;
         SET LOCAL citus.enable_ddl_propagation = on;
         SET LOCAL citus.multi_shard_modify_mode = 'sequential';
         DO $$ DECLARE routine regprocedure; BEGIN
            FOR routine IN
                SELECT p.oid::regprocedure FROM pg_catalog.pg_proc p
                WHERE p.pronamespace = 'recalld'::regnamespace AND p.prokind = 'f'
                  AND p.proname NOT IN ('match_memories', 'match_knowledge')
                ORDER BY p.oid
            LOOP
                PERFORM create_distributed_function(routine);
            END LOOP;
            {divided}{copied}{released}
         END $$;
         COMMIT"
    )
}

/// Returns what lets the shards of a table move while they are written to.
fn release(table: &str) -> String {
    format!(
        "IF EXISTS (SELECT FROM pg_catalog.pg_class WHERE oid = 'recalld.{table}'::regclass AND relforcerowsecurity)
         THEN ALTER TABLE recalld.{table} NO FORCE ROW LEVEL SECURITY; END IF;\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::migrate::STEPS;

    #[test]
    fn every_table_has_its_place() {
        let sql = distribution(8);
        let all: String = STEPS.iter().map(|step| step.sql).collect();
        for table in all.split("CREATE TABLE recalld.").skip(1) {
            let name = table.split_whitespace().next().unwrap();
            assert!(sql.contains(&format!("('recalld.{name}'")), "{name}");
            assert!(
                sql.contains(&format!("ALTER TABLE recalld.{name} NO FORCE")),
                "{name}"
            );
        }
        assert!(sql.contains("shard_count => 8"));
    }
}
