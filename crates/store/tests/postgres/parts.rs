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
    for (file, text) in sources() {
        for line in text.lines() {
            let line = line.to_lowercase();
            assert!(!line.contains("ctid"), "{file}: {line}");
            assert!(!line.contains("skip locked"), "{file}: {line}");
        }
    }
}

/// The tables that are divided by space.
const DIVIDED: &str = "spaces events memories memory_versions entities mentions records conversations messages \
                       documents chunks vectors claims";

/// What looks across spaces: maintenance, figures, and the list of work. No request waits for it.
const ACROSS: &str = "administration::SPACES administration::EXPIRED administration::WITH_RECORDS \
                      administration::AHEAD administration::FIGURES vectors::EMBEDDED vectors::DROP \
                      records::DROP_RECEIPTS claims::FIND claims::LIST_FREE";

/// A statement goes to one node if it says by equality which space it is about.
#[test]
fn every_statement_of_a_request_names_its_space() {
    let mut checked = 0;
    for (file, text) in sources() {
        for named in text.split("\nconst ").skip(1) {
            let Some((name, sql)) = named.split_once(": &str =") else {
                continue;
            };
            let sql = sql.split(";\n").next().unwrap();
            let about = |table: &str| {
                sql.contains(&format!("recalld.{table} ")) || sql.contains(&format!("recalld.{table}\n"))
            };
            let name = format!("{file}::{name}");
            if !DIVIDED.split_whitespace().any(about) || ACROSS.split_whitespace().any(|known| known == name)
            {
                continue;
            }
            checked += 1;
            let names = ["space = $1", "space = ANY ($1)", "VALUES ($1,"];
            let is_named = names.iter().any(|naming| sql.contains(naming));
            assert!(is_named, "{name} does not name its space:{sql}");
            // Rows that come from a list alone have no place: they are joined with the space's own.
            let is_listed = sql.contains("INSERT") && sql.contains("unnest(");
            assert!(
                !is_listed || sql.contains("recalld.spaces s"),
                "{name} is not routed:{sql}"
            );
        }
    }
    assert!(30 < checked, "read only {checked} statements");
}

/// The names and the code of all files of the store.
fn sources() -> Vec<(String, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/postgres")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            files.push((name, code.map(|line| format!("{line}\n")).collect()));
        }
    }
    assert!(20 < files.len(), "read only {} files", files.len());
    files
}

/// Stands in for a node that is away and has what all users may read.
const SHARED_IS_AWAY: &str = "
    CREATE FUNCTION public.away() RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the node is away' USING ERRCODE = '08006'; END $$;
    ALTER POLICY revisions ON recalld.spaces USING (
        space = ANY (string_to_array(NULLIF(current_setting('recalld.spaces', true), ''), chr(10)))
        AND CASE space WHEN 'shared' THEN public.away() ELSE true END)";

#[tokio::test]
async fn a_search_does_without_the_shared_space_while_it_is_away() {
    let database = Database::new().await;
    let store = std::sync::Arc::new(database.open().await);
    let ports = on(std::sync::Arc::clone(&store), 1, &Default::default());
    say(&ports, "ana", "keeps bees").await;
    let shared = recalld_memory::id::SpaceId::shared();
    crate::world::apply(&*store, &shared, &[crate::world::remember(9, "bees are insects")]).await;
    let ask = async || {
        let question = recalld_memory::recall::Question::new("bees", 10);
        let scope = crate::servers::scope("ana");
        recalld_memory::recall::search_what_is_there(&ports, &scope, &question)
            .await
            .unwrap()
    };
    let whole = ask().await;
    assert_eq!((whole.hits.len(), whole.lacks_shared), (2, false));
    database.sabotage(SHARED_IS_AWAY).await;
    for _ in 0..3 {
        let part = ask().await;
        assert_eq!((part.hits.len(), part.lacks_shared), (1, true));
    }
}
