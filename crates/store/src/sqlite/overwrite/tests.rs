//! Overwriting leaves nothing of deleted rows, by either method.

use std::fs;
use std::path::Path;

use rusqlite::params;

use super::super::connection::open_writer;
use super::super::log;
use super::*;

fn count(directory: &Path, word: &[u8]) -> usize {
    let files = fs::read_dir(directory).unwrap();
    let bytes = files.map(|file| fs::read(file.unwrap().path()).unwrap());
    bytes
        .map(|bytes| bytes.windows(word.len()).filter(|window| *window == word).count())
        .sum()
}

fn leaves_nothing(method: Method) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recalld.db");
    fs::write(&path, "").unwrap();
    let connection = open_writer(&path, None).unwrap();
    connection
        .execute_batch("CREATE TABLE songs (number INTEGER, song TEXT); CREATE INDEX by_song ON songs (song)")
        .unwrap();
    for number in 0..600 {
        let bird = ["canary", "sparrow"][number % 2];
        let song = format!("{} {bird} {}", number * 7919 % 1009, "la ".repeat(number % 70));
        connection
            .execute("INSERT INTO songs VALUES (?1, ?2)", params![number, song])
            .unwrap();
    }
    let mut overwriter = Overwriter {
        files: Some(Files {
            log: log::path(&path),
            readers: ReadLock::default(),
            method,
        }),
        due: None,
        log_moved_at: 0,
    };
    for part in 0..3 {
        let erased = connection.execute(
            "DELETE FROM songs WHERE song LIKE '%canary%' AND number % 3 = ?1",
            [part],
        );
        assert_eq!(erased.unwrap(), 100);
        assert_ne!(
            count(directory.path(), b"canary"),
            0,
            "deleting alone leaves traces"
        );
        overwriter.note_erasure();
        let steps = (0..10).map(|_| overwriter.step(&connection));
        assert!(steps.into_iter().any(|step| step == Step::Done));
        assert_eq!(overwriter.pause(), None);
    }
    assert_eq!(count(directory.path(), b"canary"), 0);
    assert_ne!(count(directory.path(), b"sparrow"), 0);
    let verdict: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(verdict, "ok");
}

#[test]
fn pages_are_overwritten() {
    leaves_nothing(Method::Pages(Examined::NOTHING));
}

#[test]
fn without_access_to_pages_the_database_is_rewritten() {
    leaves_nothing(Method::Vacuum);
}

#[test]
fn this_build_has_access_to_pages() {
    let connection = Connection::open_in_memory().unwrap();
    assert!(pages::can_be_written(&connection).unwrap());
    let vacuumed = Connection::open_in_memory().unwrap();
    vacuumed
        .execute_batch("PRAGMA auto_vacuum = full; CREATE TABLE t (a)")
        .unwrap();
    assert!(!pages::can_be_written(&vacuumed).unwrap());
}
