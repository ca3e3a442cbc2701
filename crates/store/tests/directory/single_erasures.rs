//! A single erasure is in no file when it is answered, however the pages were shuffled before, and
//! whoever reads meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use recalld_memory::change::Revision;
use recalld_memory::ports::{Administration, Store};
use recalld_store::SqliteStore;
use recalld_testing::memory_changes::{apply, erase, remember, revise, space};

use crate::scale;

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    /// The length of a text: most fit into a page many times, some take several pages.
    fn length(&mut self) -> usize {
        let longest = [20, 200, 900, 6000][self.below(4)];
        self.below(longest)
    }
}

/// A word that no other memory has, again and again.
fn song(number: u128, length: usize) -> String {
    let word = word(number);
    format!("{word} {}", format!("{word} la ").repeat(length / 12))
}

fn word(number: u128) -> String {
    format!("canary{number:05}x")
}

fn assert_gone(directory: &Path, number: u128) {
    let word = word(number);
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(!contains(&bytes, word.as_bytes()), "{word} in {}", path.display());
    }
}

/// Looks for the one byte that is rare in a text of words first.
fn contains(bytes: &[u8], word: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == b'c') {
        rest = &rest[at..];
        if rest.starts_with(word) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// Pages are split, emptied and joined; rows grow and shrink; indexes follow.
#[tokio::test]
async fn any_erasure_is_in_no_file_when_it_is_answered() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let ana = space("ana");
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut alive: BTreeMap<u128, u32> = BTreeMap::new();
    let mut erased = 0;
    for number in 0..400 * scale() as u128 {
        // Ids in no order, so that the index of memories is split everywhere.
        let id = number * 7919 % 99_991;
        apply(&store, &ana, &[remember(id, &song(id, dice.length()))]).await;
        alive.insert(id, 1);
        let some = *alive.keys().nth(dice.below(alive.len())).unwrap();
        match dice.below(3) {
            0 => {
                let version = alive[&some] + 1;
                apply(&store, &ana, &[revise(some, &song(some, dice.length()), version)]).await;
                alive.insert(some, version);
            }
            1 => {
                apply(&store, &ana, &[erase(some)]).await;
                alive.remove(&some);
                erased += 1;
                assert_gone(directory.path(), some);
            }
            _ => {}
        }
    }
    assert!(100 <= erased, "{erased}");
    assert!(!alive.is_empty());
    let left = *alive.keys().next().unwrap();
    let bytes = fs::read(store.path().unwrap()).unwrap();
    assert!(
        contains(&bytes, word(left).as_bytes()),
        "the search finds what is there"
    );
    assert_eq!(store.faults().await.unwrap(), Vec::<String>::new());
}

/// Others read, write and make backups all the time. The database stays sound.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn erasures_among_readers_writers_and_backups_leave_a_sound_database() {
    let directory = tempfile::tempdir().unwrap();
    let copies = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path()).unwrap());
    let is_over = Arc::new(AtomicBool::new(false));
    let reader = tokio::spawn({
        let (store, is_over) = (Arc::clone(&store), Arc::clone(&is_over));
        async move {
            while !is_over.load(Ordering::Relaxed) {
                store.changed_since(&space("ana"), Revision(0)).await.unwrap();
            }
        }
    });
    let writer = tokio::spawn({
        let (store, is_over) = (Arc::clone(&store), Arc::clone(&is_over));
        async move {
            // Erases as much as it writes, so that a long run does not outgrow the disk.
            let mut number = 200;
            while !is_over.load(Ordering::Relaxed) {
                number += 1;
                let content = format!("sparrow {}", "sings ".repeat(number % 300));
                let changes = [remember(number as u128, &content), erase(number as u128 - 200)];
                apply(&*store, &space("bo"), &changes).await;
            }
        }
    });
    let (ana, mut dice) = (space("ana"), Dice(7));
    for round in 0..25 * scale() as u128 {
        let numbers: Vec<u128> = (round * 10..round * 10 + 10).collect();
        let changes: Vec<_> = numbers
            .iter()
            .map(|&number| remember(number, &song(number, dice.length())))
            .collect();
        apply(&*store, &ana, &changes).await;
        let copy = copies.path().join(format!("{round}.db"));
        let doomed = numbers[dice.below(numbers.len())];
        let (backed_up, _) = tokio::join!(
            store.backup(&copy),
            apply(&*store, &ana, std::slice::from_ref(&changes[0]))
        );
        backed_up.unwrap();
        fs::remove_file(&copy).unwrap();
        apply(&*store, &ana, &[erase(doomed)]).await;
        assert_gone(directory.path(), doomed);
        // A copy that is made afterwards has nothing of it either.
        store.backup(&copy).await.unwrap();
        assert_gone(copies.path(), doomed);
        fs::remove_file(&copy).unwrap();
        assert_eq!(store.faults().await.unwrap(), Vec::<String>::new(), "{round}");
    }
    is_over.store(true, Ordering::Relaxed);
    reader.await.unwrap();
    writer.await.unwrap();
}

/// What a killed process left behind is overwritten by the next one that erases or closes.
#[tokio::test]
async fn what_was_written_by_an_earlier_process_is_overwritten_too() {
    let directory = tempfile::tempdir().unwrap();
    let ana = space("ana");
    let mut dice = Dice(11);
    for process in 0..4_u128 {
        let store = SqliteStore::open(directory.path()).unwrap();
        for number in process * 100..process * 100 + 100 {
            apply(
                &store,
                &ana,
                &[remember(number * 7919 % 99_991, &song(number, dice.length()))],
            )
            .await;
        }
        drop(store);
    }
    let store = SqliteStore::open(directory.path()).unwrap();
    for number in (0..400_u128).step_by(7) {
        apply(&store, &ana, &[erase(number * 7919 % 99_991)]).await;
        assert_gone(directory.path(), number);
    }
}
