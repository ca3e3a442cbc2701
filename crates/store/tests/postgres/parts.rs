//! A database of several nodes, of which one may be away: what keeps statements on one node, and
//! whom an outage of a part affects.

use std::fs;
use std::path::Path;

use recalld_memory::ports::{Store, StoreError};
use recalld_testing::postgres_database::{Database, administrator};

use crate::servers::{on, say};
use crate::world::space;

/// Stands in for a node that is away: reading the row of one space fails, reading others does not.
const BEN_IS_AWAY: &str = "
    ALTER POLICY revisions ON recalld.spaces USING (
        space = ANY (string_to_array(NULLIF(current_setting('recalld.spaces', true), ''), chr(10)))
        AND 0 < 1 / (CASE space WHEN 'user:ben' THEN 0 ELSE 1 END))";

#[tokio::test]
async fn a_part_that_is_away_fails_only_for_its_own_users() {
    let database = Database::new().await;
    let store = std::sync::Arc::new(database.open().await);
    let ports = on(std::sync::Arc::clone(&store), 1, &Default::default());
    for user in ["ana", "ben", "cleo"] {
        say(&ports, user, "keeps bees").await;
    }
    database.sabotage(BEN_IS_AWAY).await;
    let (ana, ben, cleo) = (space("ana"), space("ben"), space("cleo"));
    // Asked at the same time, so that one query asks for all of them.
    let found = tokio::join!(store.revision(&ana), store.revision(&ben), store.revision(&cleo));
    assert_eq!(found.0.unwrap().0, 1);
    assert!(matches!(found.1, Err(StoreError::Failed(_))), "{:?}", found.1);
    assert_eq!(found.2.unwrap().0, 1);
}

/// Citus sends a statement to one node only if no policy has a subquery.
#[tokio::test]
async fn no_policy_has_a_subquery() {
    let database = Database::new().await;
    let name = database.address().rsplit('/').next().unwrap().to_owned();
    let rows = administrator(&name)
        .await
        .query(
            "SELECT tablename::text FROM pg_policies WHERE schemaname = 'recalld'
             AND (qual ILIKE '%select%' OR with_check ILIKE '%select%')",
            &[],
        )
        .await
        .unwrap();
    let tables: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(tables, [""; 0]);
}

/// Positions of rows repeat between partitions and nodes, and rows of many spaces cannot be locked
/// in one statement there.
#[test]
fn no_statement_uses_positions_of_rows_or_skips_locks() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/postgres");
    let mut folders = vec![sources];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                let line = line.to_lowercase();
                assert!(!line.contains("ctid"), "{}: {line}", path.display());
                assert!(!line.contains("skip locked"), "{}: {line}", path.display());
            }
        }
    }
    assert!(20 < files, "read only {files} files");
}
