//! The steps that lead from an empty file to the present schema.
//!
//! Each step and its number are written in one transaction, so a process killed at any point leaves
//! the database at the end of some step, and the next start goes on from there.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::error::OpenError;

/// One step of the schema. Once released it never changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

macro_rules! step {
    ($name:literal) => {
        Step {
            name: $name,
            sql: include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
        }
    };
}

/// All steps in their order. The number of a step is its place in this list, from 1.
pub(super) const STEPS: [Step; 12] = [
    step!("0001_memories_entities_events"),
    step!("0002_records"),
    step!("0003_conversations"),
    step!("0004_knowledge"),
    step!("0005_vectors"),
    step!("0006_keys"),
    step!("0007_records_by_kind"),
    step!("0008_vectors_of_messages"),
    step!("0009_eras"),
    step!("0010_checksums_and_validity"),
    step!("0011_key_scopes"),
    step!("0012_trust_of_entities"),
];

/// Marks a database as ours: "RCLD".
pub(super) const APPLICATION_ID: i64 = 0x5243_4c44;

/// Brings the database to the last of `steps`. Does nothing when it is there.
pub(super) fn migrate(connection: &mut Connection, path: &Path, steps: &[Step]) -> Result<(), OpenError> {
    recognise(connection, path, steps)?;
    for (index, step) in steps.iter().enumerate() {
        let number = index as i64 + 1;
        take(connection, number, step).map_err(|source| OpenError::Migration {
            step: step.name,
            source,
        })?;
    }
    Ok(())
}

/// Refuses a database that belongs to another program or to a later version of this one.
pub(super) fn recognise(connection: &Connection, path: &Path, steps: &[Step]) -> Result<(), OpenError> {
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let read = || -> rusqlite::Result<(i64, i64, i64)> {
        Ok((
            number("PRAGMA application_id")?,
            number("PRAGMA user_version")?,
            number("SELECT count(*) FROM sqlite_schema")?,
        ))
    };
    let (application, found, tables) = read().map_err(|source| OpenError::of(path, source))?;
    let is_new = application == 0 && found == 0 && tables == 0;
    if !is_new && application != APPLICATION_ID {
        return Err(OpenError::Foreign {
            path: path.to_owned(),
        });
    }
    let known = steps.len() as i64;
    match known < found && known < oldest_reader(connection) {
        true => Err(OpenError::Newer {
            path: path.to_owned(),
            found,
            known,
        }),
        false => Ok(()),
    }
}

/// The oldest schema whose programs can use the database. A step that leaves them able to says so:
/// it creates `schema_readers (oldest)`, or changes it; a step that does not drops the table.
fn oldest_reader(connection: &Connection) -> i64 {
    let stated = connection.query_row("SELECT max(oldest) FROM schema_readers", [], |row| row.get(0));
    stated.unwrap_or(i64::MAX)
}

fn take(connection: &mut Connection, number: i64, step: &Step) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let at: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if number <= at {
        return Ok(());
    }
    transaction.execute_batch(step.sql)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", number)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Step = Step {
        name: "second",
        sql: "CREATE TABLE second (a INTEGER) STRICT; INSERT INTO second VALUES (1);",
    };
    const BROKEN_HALF_WAY: Step = Step {
        name: "broken",
        sql: "CREATE TABLE second (a INTEGER) STRICT; INSERT INTO nowhere VALUES (1);",
    };

    fn schema(connection: &Connection) -> (i64, i64) {
        let number = |sql| connection.query_row(sql, [], |row| row.get(0)).unwrap();
        (
            number("PRAGMA user_version"),
            number("SELECT count(*) FROM sqlite_schema WHERE name = 'second'"),
        )
    }

    #[test]
    fn running_the_steps_twice_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps = [STEPS[0], SECOND];
        migrate(&mut connection, Path::new("x"), &steps).unwrap();
        migrate(&mut connection, Path::new("x"), &steps).unwrap();
        let rows: i64 = connection
            .query_row("SELECT count(*) FROM second", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
    }

    #[test]
    fn a_step_that_stops_half_way_leaves_nothing_and_can_be_taken_again() {
        let mut connection = Connection::open_in_memory().unwrap();
        let broken = migrate(&mut connection, Path::new("x"), &[STEPS[0], BROKEN_HALF_WAY]);
        assert!(matches!(broken, Err(OpenError::Migration { step: "broken", .. })));
        assert_eq!(schema(&connection), (1, 0));
        migrate(&mut connection, Path::new("x"), &[STEPS[0], SECOND]).unwrap();
        assert_eq!(schema(&connection), (2, 1));
    }

    #[test]
    fn a_later_schema_and_another_programs_file_are_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, Path::new("x"), &[STEPS[0], SECOND]).unwrap();
        let later = migrate(&mut connection, Path::new("x"), &STEPS[..1]).unwrap_err();
        assert_eq!(
            later.to_string(),
            "x has schema 2, and this version of recalld knows schemas up to 1"
        );
        // What says that earlier programs can use it is used by them.
        connection
            .execute_batch("CREATE TABLE schema_readers (oldest INTEGER NOT NULL) STRICT; INSERT INTO schema_readers VALUES (1)")
            .unwrap();
        migrate(&mut connection, Path::new("x"), &STEPS[..1]).unwrap();
        assert_eq!(schema(&connection), (2, 1), "and stays as it is");
        connection
            .execute_batch("UPDATE schema_readers SET oldest = 2")
            .unwrap();
        migrate(&mut connection, Path::new("x"), &STEPS[..1]).unwrap_err();
        let mut foreign = Connection::open_in_memory().unwrap();
        foreign.execute_batch("CREATE TABLE notes (text)").unwrap();
        let refused = migrate(&mut foreign, Path::new("x"), &STEPS).unwrap_err();
        assert_eq!(refused.to_string(), "x is not a database of recalld");
    }
}
