//! A process that is killed loses nothing that it acknowledged, and invents nothing.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::collections::BTreeSet;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use recalld_memory::change::Revision;
use recalld_memory::ports::{Administration, EventPage, Store};
use recalld_store::SqliteStore;
use recalld_testing::memory_changes::{remember, revise, space};

/// Tells a copy of this program to be the one that is killed, and where to write.
const VICTIM: &str = "RECALLD_TEST_CRASH_VICTIM";

/// How many writers the victim has, each with a space of its own.
const WRITERS: u64 = 4;

/// Starts this program again, for the one test of the given name.
fn start_victim(test: &str, directory: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(VICTIM, directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Writes to its spaces for as long as it lives, and says what it attempts and what was
/// acknowledged.
fn be_the_victim(directory: &str) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Arc::new(SqliteStore::open(Path::new(directory)).unwrap());
        let say = |line: String| {
            // One write a line: a kill leaves no half of one behind, and no lock is held over it.
            std::io::stdout()
                .write_all(format!("\n{line}\n").as_bytes())
                .unwrap();
        };
        say("open".to_owned());
        let mut writers = tokio::task::JoinSet::new();
        for writer in 0..WRITERS {
            let store = store.clone();
            writers.spawn(async move {
                let own = space(&format!("writer {writer}"));
                // Bounded, should nobody come to kill.
                for _ in 0..20_000 {
                    let at = store.revision(&own).await.unwrap();
                    let number = u128::from(at.0);
                    say(format!("attempt {writer} {}", at.next().0));
                    let changes = [
                        remember(number, "new fact"),
                        revise(0, &format!("fact {number}"), 2),
                    ];
                    let written = store.apply(&own, at, &changes).await.unwrap();
                    say(format!("acknowledged {writer} {}", written.0));
                }
            });
        }
        writers.join_all().await;
    });
}

/// What the victim said: the highest revision of each writer after the given word.
fn highest(lines: &BTreeSet<(String, u64, u64)>, word: &str, writer: u64) -> u64 {
    let of_writer = lines.iter().filter(|line| line.0 == word && line.1 == writer);
    of_writer.map(|line| line.2).max().unwrap_or(0)
}

/// When a victim is killed.
enum Moment {
    /// So long after it was started, perhaps before its database is open.
    Started(Duration),
    /// So long after this many of its writes were acknowledged.
    Acknowledged(usize, Duration),
}

/// How long a victim may take to have a write acknowledged.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lets a victim work until the moment has come, kills it, and gathers what it said.
fn kill_at(moment: Moment, mut victim: Child, said: &mut BTreeSet<(String, u64, u64)>) {
    let output = victim.stdout.take().unwrap();
    let (tell, told) = mpsc::channel();
    let listener = thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        let words = lines.filter_map(|line| {
            let mut words = line.split(' ');
            Some((
                words.next()?.to_owned(),
                words.next()?.parse().ok()?,
                words.next()?.parse().ok()?,
            ))
        });
        let words = words.inspect(|line: &(String, u64, u64)| {
            if line.0 == "acknowledged" {
                // Nobody waits for it any more when enough was acknowledged.
                let _ = tell.send(());
            }
        });
        words.collect::<Vec<_>>()
    });
    let (writes, pause) = match moment {
        Moment::Started(pause) => (0, pause),
        Moment::Acknowledged(writes, pause) => (writes, pause),
    };
    let written = (0..writes).take_while(|_| told.recv_timeout(PATIENCE).is_ok());
    let written = written.count();
    thread::sleep(pause);
    victim.kill().unwrap();
    victim.wait().unwrap();
    said.extend(listener.join().unwrap());
    assert_eq!(written, writes, "writes were acknowledged in time");
}

#[test]
fn acknowledged_writes_survive_being_killed() {
    if let Ok(directory) = env::var(VICTIM) {
        return be_the_victim(&directory);
    }
    let directory = tempfile::tempdir().unwrap();
    let mut said = BTreeSet::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for round in 0..30 {
        let victim = start_victim("acknowledged_writes_survive_being_killed", directory.path());
        // From before the database is open to the middle of the stream, never at the same point.
        let pause = Duration::from_micros(round * 370);
        let moment = match round % 5 {
            0 => Moment::Started(pause * 10),
            _ => Moment::Acknowledged(round as usize, pause),
        };
        kill_at(moment, victim, &mut said);
        runtime.block_on(async {
            let store = SqliteStore::open(directory.path()).unwrap();
            for writer in 0..WRITERS {
                check(&store, writer, &said).await;
            }
            assert_eq!(store.faults().await.unwrap(), Vec::<String>::new());
        });
    }
}

/// Acknowledged ⊆ found ⊆ attempted, each write whole: its rows, its history and its events.
async fn check(store: &SqliteStore, writer: u64, said: &BTreeSet<(String, u64, u64)>) {
    let own = space(&format!("writer {writer}"));
    let found = store.changed_since(&own, Revision(0)).await.unwrap();
    let at = found.revision.0;
    assert!(
        highest(said, "acknowledged", writer) <= at,
        "an acknowledged write is lost"
    );
    assert!(at <= highest(said, "attempt", writer), "a write nobody attempted");
    assert_eq!(found.memories.len() as u64, at);
    let page = EventPage {
        limit: usize::MAX,
        ..EventPage::default()
    };
    assert_eq!(store.events(&own, &page).await.unwrap().len() as u64, 2 * at);
    if let Some(first) = found.memories.first() {
        assert_eq!(first.content.as_str(), format!("fact {}", at - 1));
        assert_eq!(store.history(&own, first.id).await.unwrap().len() as u64, at + 1);
    }
}

/// A first start that is killed at any point is made good by the next one.
#[test]
fn a_first_start_can_be_killed_at_any_point() {
    if let Ok(directory) = env::var(VICTIM) {
        return be_the_victim(&directory);
    }
    for round in 0..20 {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("data");
        let victim = start_victim("a_first_start_can_be_killed_at_any_point", &place);
        let moment = Moment::Started(Duration::from_micros(round * 900));
        kill_at(moment, victim, &mut BTreeSet::new());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let store = SqliteStore::open(&place).unwrap();
            assert_eq!(
                store.faults().await.unwrap(),
                Vec::<String>::new(),
                "round {round}"
            );
        });
    }
}
