//! The data directory: one process at a time, for its owner alone, and nothing foreign in it. What
//! is erased is in none of its files, and what is damaged is noticed. `RECALLD_TEST_SCALE=10` plays
//! ten times as much.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use recalld_memory::change::Revision;
use recalld_memory::ports::{Store, StoreError};
use recalld_store::SqliteStore;
use recalld_store::sqlite::{BackupError, DATABASE_FILE, LOCK_FILE, OpenError, Settings};
use recalld_testing::memory_changes::{apply, erase, memory, remember, revise, space};

mod damaged_rows;
mod erased_bytes;
mod letters;
mod reopened;
mod single_erasures;
mod snapshots;

/// How much more is played than by default.
fn scale() -> usize {
    let scale = env::var("RECALLD_TEST_SCALE").ok();
    scale.and_then(|scale| scale.parse().ok()).unwrap_or(1)
}

/// Tells a copy of this program to hold a directory.
const HOLDER: &str = "RECALLD_TEST_HOLDER";

/// Holds the directory until its standard input ends.
fn be_the_holder(directory: &str) {
    let _store = SqliteStore::open(Path::new(directory)).unwrap();
    println!("\nheld");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn a_second_process_is_told_who_holds_the_directory() {
    if let Ok(directory) = env::var(HOLDER) {
        return be_the_holder(&directory);
    }
    let directory = tempfile::tempdir().unwrap();
    let mut holder = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "a_second_process_is_told_who_holds_the_directory",
            "--nocapture",
        ])
        .env(HOLDER, directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "held"));

    let refused = SqliteStore::open(directory.path()).unwrap_err();
    let message = format!(
        "the data directory {} is in use by process {}",
        directory.path().display(),
        holder.id()
    );
    assert_eq!(refused.to_string(), message);
    assert!(refused.hint().is_some());

    // Killed, not asked to leave: the hold ends with the process, however it ends.
    holder.kill().unwrap();
    holder.wait().unwrap();
    SqliteStore::open(directory.path()).unwrap();
}

#[test]
fn a_store_is_held_until_it_is_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let refused = SqliteStore::open(directory.path());
    assert!(matches!(refused, Err(OpenError::Locked { .. })), "{refused:?}");
    drop(store);
    SqliteStore::open(directory.path()).unwrap();
}

#[tokio::test]
async fn what_was_written_is_there_after_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let ana = space("ana");
    let store = SqliteStore::open(directory.path()).unwrap();
    apply(&store, &ana, &[remember(1, "likes tea")]).await;
    drop(store);
    let log = directory.path().join(format!("{DATABASE_FILE}-wal"));
    assert!(
        !log.exists(),
        "a clean end leaves the database alone in its directory"
    );
    let store = SqliteStore::open(directory.path()).unwrap();
    assert_eq!(store.revision(&ana).await.unwrap(), Revision(1));
    let found = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(found.memories, [memory(1, "likes tea")]);
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("a/b");
    let store = SqliteStore::open(&directory).unwrap();
    apply(&store, &space("ana"), &[remember(1, "likes tea")]).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    let names: Vec<_> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(names.len(), 4, "database, log, its index, lock: {names:?}");
    for name in names {
        assert_eq!(mode(&name), 0o600, "{name:?}");
    }
}

#[test]
fn what_is_not_ours_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(DATABASE_FILE);
    let other = {
        let file = directory.path().join("other");
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute_batch("CREATE TABLE notes (text)").unwrap();
        fs::read(&file).unwrap()
    };
    for foreign in [b"shopping list: tea, bread ".repeat(400), other] {
        fs::write(&path, &foreign).unwrap();
        let refused = SqliteStore::open(directory.path()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!("{} is not a database of recalld", path.display())
        );
        assert_eq!(fs::read(&path).unwrap(), foreign);
    }
}

#[tokio::test]
async fn a_damaged_database_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let changes: Vec<_> = (0..500).map(|number| remember(number, "likes tea")).collect();
    apply(&store, &space("ana"), &changes).await;
    drop(store);
    let path = directory.path().join(DATABASE_FILE);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let told = match SqliteStore::open(directory.path()) {
        Err(refused) => refused.to_string(),
        Ok(store) => store
            .changed_since(&space("ana"), Revision(0))
            .await
            .unwrap_err()
            .to_string(),
    };
    assert!(told.contains("damaged") || told.contains("unreadable"), "{told}");
}

#[test]
fn a_place_that_cannot_be_a_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = SqliteStore::open(&file).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("the data directory {} cannot be used", file.display())
    );
}

#[test]
fn a_lock_file_with_anything_in_it_is_taken_over() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(
        directory.path().join(LOCK_FILE),
        "not a number, and longer than any number",
    )
    .unwrap();
    SqliteStore::open(directory.path()).unwrap();
}

#[tokio::test]
async fn a_full_store_says_so_and_keeps_what_it_has() {
    let directory = tempfile::tempdir().unwrap();
    let ana = space("ana");
    let settings = Settings {
        bytes_max: Some(256 * 1024),
        ..Settings::default()
    };
    let store = SqliteStore::open_with(directory.path(), &settings).unwrap();
    apply(&store, &ana, &[remember(0, "likes tea")]).await;
    let before = store.changed_since(&ana, Revision(0)).await.unwrap();

    let flood: Vec<_> = (1..40)
        .map(|number| remember(number, &"x".repeat(16_000)))
        .collect();
    // Together, so that the one that does not fit shares its commit with some that do.
    let others: Vec<_> = (0..20).map(|number| space(&format!("user {number}"))).collect();
    let small = [remember(1, "likes coffee")];
    let (refused, fitted) = tokio::join!(store.apply(&ana, Revision(1), &flood), async {
        let mut fitted = Vec::new();
        for other in &others {
            fitted.push(store.apply(other, Revision(0), &small).await);
        }
        fitted
    });
    assert!(matches!(refused, Err(StoreError::Full(_))), "{refused:?}");
    assert_eq!(store.changed_since(&ana, Revision(0)).await.unwrap(), before);
    assert!(fitted.iter().all(Result::is_ok), "{fitted:?}");
    drop(store);
    // With room again, it goes on.
    let store = SqliteStore::open(directory.path()).unwrap();
    assert_eq!(store.apply(&ana, Revision(1), &flood).await.unwrap(), Revision(2));
}

/// What is erased is in no file, wherever it was and however the pages were shuffled before.
#[tokio::test]
async fn erased_content_is_in_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let ana = space("ana");
    let doomed = |number: u128| number.is_multiple_of(3);
    let content = |number: u128| {
        let bird = if doomed(number) { "canary" } else { "sparrow" };
        format!("{bird}-{number:04}-{}", "sings ".repeat(number as usize % 90))
    };
    // In an order that splits pages again and again.
    for start in 0..7 {
        let numbers = (0..600).filter(|number| number * 5 % 7 == start);
        let changes: Vec<_> = numbers.map(|number| remember(number, &content(number))).collect();
        apply(&store, &ana, &changes).await;
    }
    // Some grow beyond a page, some shrink.
    let long = |number| revise(number, &content(number).repeat(20), 2);
    let short = |number| revise(number, &content(number)[..8], 2);
    apply(&store, &ana, &(200..300).map(long).collect::<Vec<_>>()).await;
    apply(&store, &ana, &(300..400).map(short).collect::<Vec<_>>()).await;
    for number in (0..600).filter(|&number| doomed(number)) {
        apply(&store, &ana, &[erase(number)]).await;
    }
    let count = |path: &Path, bird: &[u8]| {
        let bytes = fs::read(path).unwrap();
        bytes.windows(bird.len()).filter(|window| *window == bird).count()
    };
    for entry in fs::read_dir(directory.path()).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(count(&path, b"canary"), 0, "{}", path.display());
    }
    assert_ne!(count(&directory.path().join(DATABASE_FILE), b"sparrow"), 0);
}

#[tokio::test]
async fn a_backup_is_a_store_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let ana = space("ana");
    for store in [
        SqliteStore::open(&directory.path().join("data")).unwrap(),
        SqliteStore::in_memory().unwrap(),
    ] {
        apply(&store, &ana, &[remember(1, "likes tea")]).await;
        let copies = tempfile::tempdir().unwrap();
        let copy = copies.path().join(DATABASE_FILE);
        store.backup(&copy).await.unwrap();
        let again = store.backup(&copy).await;
        assert!(matches!(again, Err(BackupError::Exists { .. })), "{again:?}");
        apply(&store, &ana, &[remember(2, "after the backup")]).await;
        assert_eq!(
            fs::read_dir(copies.path()).unwrap().count(),
            1,
            "nothing is left beside it"
        );
        let restored = SqliteStore::open(copies.path()).unwrap();
        let found = restored.changed_since(&ana, Revision(0)).await.unwrap();
        assert_eq!(found.memories, [memory(1, "likes tea")]);
    }
}

#[tokio::test]
async fn a_backup_that_cannot_be_written_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::in_memory().unwrap();
    let refused = store.backup(&directory.path().join("missing/copy.db")).await;
    assert!(matches!(refused, Err(BackupError::File { .. })), "{refused:?}");
    let mut file = fs::File::create(directory.path().join("taken")).unwrap();
    file.write_all(b"precious").unwrap();
    let refused = store.backup(&directory.path().join("taken")).await;
    assert!(matches!(refused, Err(BackupError::Exists { .. })), "{refused:?}");
    assert_eq!(fs::read(directory.path().join("taken")).unwrap(), b"precious");
}
