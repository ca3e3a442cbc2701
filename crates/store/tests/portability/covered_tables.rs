//! No kind of data is forgotten: whoever adds a table or a kind of record has to say here whether
//! it is erased and whether it is exported. These tests fail until that is said.

use std::collections::BTreeSet;

use recalld_memory::ports::Administration;
use recalld_memory::record::RecordKind;
use recalld_store::SqliteStore;
use recalld_store::sqlite::DATABASE_FILE;
use recalld_testing::postgres_database::{Database, administrator};

use crate::sample_user::scope;

/// The tables that hold something of a space, and the file of an archive in which it is.
const EXPORTED: [(&str, &str); 10] = [
    ("memories", "memories.jsonl"),
    ("memory_versions", "memories.jsonl"),
    ("entities", "entities.jsonl"),
    ("mentions", "entities.jsonl"),
    ("records", "records.jsonl"),
    ("conversations", "conversations.jsonl"),
    ("messages", "messages.jsonl"),
    ("documents", "documents.jsonl"),
    ("chunks", "documents.jsonl"),
    ("events", "events.jsonl"),
];

/// The tables that hold something of a space and are in no archive, and why.
const NOT_EXPORTED: [(&str, &str); 2] = [
    ("spaces", "the revision, which counts writes to this store"),
    ("vectors", "made anew where they are needed"),
];

/// The table of PostgreSQL that tells which server is at the work of a space. It is in no archive,
/// and goes with the row in `spaces`.
const CLAIMS: &str = "claims";

/// What recalld keeps for its own work, here and now, and what is worked out from other data.
const RECORDS_NOT_EXPORTED: [RecordKind; 5] = [
    RecordKind::Receipt,
    RecordKind::Task,
    RecordKind::FileBase,
    RecordKind::DocumentFigures,
    RecordKind::ModelTokens,
];

fn told() -> BTreeSet<String> {
    EXPORTED
        .iter()
        .chain(&NOT_EXPORTED)
        .map(|(table, _)| (*table).to_owned())
        .collect()
}

async fn erased(store: &dyn Administration) -> BTreeSet<String> {
    let counted = store.count_space(scope("ana", 1).space()).await.unwrap();
    let tables = counted.into_iter().map(|(table, _)| table.to_owned());
    // Keys are of a user, and no row of a space: they are erased as well, and never exported.
    tables.filter(|table| table != "keys").collect()
}

#[tokio::test]
async fn every_table_of_a_space_is_erased_and_exported_or_said_not_to_be() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let database = rusqlite::Connection::open(directory.path().join(DATABASE_FILE)).unwrap();
    let sql = "SELECT DISTINCT t.name FROM pragma_table_list t, pragma_table_info(t.name) c
               WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'space'";
    let mut asked = database.prepare(sql).unwrap();
    let tables: BTreeSet<String> = asked
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(tables, told(), "sqlite: exported");
    assert_eq!(tables, erased(&store).await, "sqlite: erased");

    let database = Database::new().await;
    let store = database.open().await;
    let sql = "SELECT c.table_name FROM information_schema.columns c
               JOIN information_schema.tables t USING (table_schema, table_name)
               WHERE c.table_schema = 'recalld' AND t.table_type = 'BASE TABLE' AND c.column_name = 'space'";
    let client = administrator(&database.name).await;
    let rows = client.query(sql, &[]).await.unwrap();
    let mut tables: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
    assert!(tables.remove(CLAIMS));
    assert_eq!(tables, told(), "postgres: exported");
    assert_eq!(tables, erased(&store).await, "postgres: erased");
    let goes_along = "SELECT confdeltype = 'c' FROM pg_constraint
                      WHERE conrelid = 'recalld.claims'::regclass AND confrelid = 'recalld.spaces'::regclass";
    let row = client.query_one(goes_along, &[]).await.unwrap();
    assert!(row.get::<_, bool>(0), "postgres: claims go with their space");
}

#[test]
fn every_kind_of_record_is_exported_or_said_not_to_be() {
    for kind in RecordKind::ALL {
        let is_told = RECORDS_NOT_EXPORTED.contains(&kind);
        assert_ne!(kind.is_portable(), is_told, "{kind:?}");
        assert_eq!(RecordKind::parse(kind.as_str()), Some(kind));
    }
}
