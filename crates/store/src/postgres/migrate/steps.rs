//! The steps of the schema, and how they are written for hash-partitioned tables.

use std::borrow::Cow;

/// One step of the schema. Once released it never changes.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub name: &'static str,
    pub sql: &'static str,
}

macro_rules! step {
    ($name:literal) => {
        Step {
            name: $name,
            sql: include_str!(concat!("../../migrations/postgres/", $name, ".sql")),
        }
    };
}

/// All steps in order. The number of a step is its place in this list, from 1. Those after
/// `0015_owner` run as the role `recalld_owner`, which cannot create roles.
pub(in crate::postgres) const STEPS: [Step; 20] = [
    step!("0001_walls"),
    step!("0002_memories_entities_events"),
    step!("0003_records"),
    step!("0004_conversations"),
    step!("0005_knowledge"),
    step!("0006_vectors"),
    step!("0007_keys"),
    step!("0008_views"),
    step!("0009_eras"),
    step!("0010_lookout"),
    step!("0011_claims"),
    step!("0012_documents"),
    step!("0013_revisions"),
    step!("0014_checksums_and_validity"),
    step!("0015_owner"),
    step!("0016_policies_for_routers"),
    step!("0017_clients"),
    step!("0018_key_scopes"),
    step!("0019_trust_of_entities"),
    step!("0020_nodes"),
];

/// What is created in addition if the server has pgvector.
pub(in crate::postgres) const WITH_VECTOR: &str = include_str!("../../migrations/postgres/with_vector.sql");

impl Step {
    /// Returns the SQL of the step with each table that is keyed by space divided into `count`
    /// partitions; as it is if that is `None`.
    pub(super) fn sql(&self, count: Option<u32>) -> Cow<'static, str> {
        let Some(count) = count else {
            return Cow::Borrowed(self.sql);
        };
        let mut written = String::new();
        let mut rest = self.sql;
        while let Some((before, table)) = rest.split_once(CREATE_TABLE) {
            let (name, _) = table.split_once(' ').unwrap_or((table, ""));
            let (columns, after) = table.split_once(END_OF_TABLE).unwrap_or((table, ""));
            written.push_str(before);
            written.push_str(CREATE_TABLE);
            written.push_str(columns);
            match IS_KEYED_BY_SPACE.iter().any(|start| columns.contains(start)) {
                true => written.push_str(&format!(
                    "\n) PARTITION BY HASH (space);\n{}",
                    partitions(name, count)
                )),
                false => written.push_str(END_OF_TABLE),
            }
            rest = after;
        }
        Cow::Owned(written + rest)
    }
}

const CREATE_TABLE: &str = "CREATE TABLE recalld.";
const END_OF_TABLE: &str = "\n);\n";

/// How the columns of such a table begin.
const IS_KEYED_BY_SPACE: [&str; 2] = ["(\n    space ", "(\n    LIKE recalld."];

/// Returns the statement that creates the partitions of a table.
fn partitions(table: &str, count: u32) -> String {
    format!(
        "DO $$ BEGIN FOR part IN 0 .. {last} LOOP EXECUTE format('CREATE TABLE recalld.%I PARTITION OF recalld.{table} \
         FOR VALUES WITH (MODULUS {count}, REMAINDER %s)', '{table}_p' || part, part); END LOOP; END $$;\n",
        last = count - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_that_is_keyed_by_space_is_partitioned_and_no_other() {
        let all: String = STEPS.iter().map(|step| step.sql(Some(8))).collect();
        let mut partitioned: Vec<&str> = all
            .split("PARTITION OF recalld.")
            .skip(1)
            .filter_map(|rest| rest.split_whitespace().next())
            .collect();
        partitioned.sort_unstable();
        let wanted = "chunks claims conversations documents entities events memories memory_versions mentions messages \
                      records spaces vectors";
        assert_eq!(partitioned.join(" "), wanted);
        assert_eq!(all.matches(") PARTITION BY HASH (space);").count(), 13);
    }

    #[test]
    fn nothing_else_of_a_step_changes() {
        for step in &STEPS {
            assert_eq!(step.sql(None), step.sql);
            let written = step
                .sql(Some(2))
                .replace("\n) PARTITION BY HASH (space);\n", "\n);\n");
            let kept: Vec<&str> = written
                .lines()
                .filter(|line| !line.contains("PARTITION OF"))
                .collect();
            assert_eq!(kept.join("\n"), step.sql.trim_end_matches('\n'), "{}", step.name);
        }
    }
}
