//! What was worked out of a space is used by the next process, changes no answer, and never holds
//! what was erased.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use recalld_memory::change::{Act, Change};
use recalld_memory::embedding;
use recalld_memory::memory::{Memory, Standing};
use recalld_memory::ports::Administration;
use recalld_memory::recall::{Question, recall};
use recalld_memory::settings::Settings;
use recalld_memory::space::Decision;
use recalld_memory::wiring::Ports;
use recalld_store::SqliteStore;
use recalld_testing::memory_changes::{at, erase, memory, put, revise};
use recalld_testing::script::{ports, scope};
use recalld_testing::words;

use crate::letters::Letters;
use crate::reopened::opened;

const MEMORIES: u128 = 260;

/// One process on a data directory.
struct Process {
    store: Arc<SqliteStore>,
    ports: Ports,
}

impl Process {
    fn start(directory: &Path, model: Option<&Arc<Letters>>) -> Process {
        let process = Process::start_without(directory, model);
        let snapshots = process.store.snapshots().unwrap();
        Process {
            ports: process.ports.with_snapshots(snapshots),
            ..process
        }
    }

    /// Starts one that works out everything.
    fn start_without(directory: &Path, model: Option<&Arc<Letters>>) -> Process {
        let store = Arc::new(opened(directory));
        let mut ports = ports(Arc::<SqliteStore>::clone(&store), Settings::default());
        if let Some(model) = model {
            ports = ports.with_embedder(Arc::<Letters>::clone(model));
        }
        Process { store, ports }
    }

    async fn write(&self, user: &str, changes: Vec<Change>) {
        let decide = move |_: &_| Decision {
            changes: changes.clone(),
            outcome: (),
        };
        let scope = scope(user);
        self.ports.spaces.write(scope.space(), decide).await.unwrap();
        embedding::settle(&self.ports, scope.space(), Duration::from_secs(60))
            .await
            .unwrap();
    }

    /// Gives all that a user can see of it, scores to the last bit.
    async fn answers(&self, user: &str) -> String {
        let mut all = String::new();
        let asked = (0..12)
            .map(words::question)
            .chain(["where do I live?".to_owned()]);
        for question in asked {
            let found = recall(&self.ports, &scope(user), &Question::new(&question, 30)).await;
            all.push_str(&format!("{question}\n{:?}\n", found.unwrap()));
        }
        all
    }

    async fn keep(&self) {
        self.ports.spaces.keep_snapshots().await;
    }
}

fn said(number: u128) -> Memory {
    let content = match number % 20 {
        7 => format!("I live in {}", ["Lisbon", "Porto", "Turin"][number as usize % 3]),
        13 => format!("We switched the garden of house {number} to roses"),
        _ => words::statement(0, number as usize),
    };
    let key = memory(number, &content).key.filter(|_| number.is_multiple_of(3));
    Memory {
        key,
        learned_at: at(number as i64),
        ..memory(number, &content)
    }
}

fn all() -> Vec<Change> {
    (0..MEMORIES)
        .map(|number| put(Act::Remember, said(number)))
        .collect()
}

fn models() -> Vec<Option<Arc<Letters>>> {
    vec![None, Some(Letters::new(true)), Some(Letters::new(false))]
}

fn texts_read(model: Option<&Arc<Letters>>) -> usize {
    model.map_or(0, |model| model.texts_read())
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let folder = directory.join("snapshots");
    let entries = fs::read_dir(folder).map(Iterator::collect::<Vec<_>>);
    let entries = entries.unwrap_or_default().into_iter();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Stores memories of a user, and keeps what was worked out of them.
async fn prepared(directory: &Path, user: &str, model: Option<&Arc<Letters>>) {
    let process = Process::start(directory, model);
    process.write(user, all()).await;
    process.keep().await;
    texts_read(model);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_process_answers_the_same_and_reads_no_text_again() {
    for model in models() {
        let directory = tempfile::tempdir().unwrap();
        prepared(directory.path(), "ana", model.as_ref()).await;
        assert_eq!(files(directory.path()).len(), 1);
        let process = Process::start(directory.path(), model.as_ref());
        let with = process.answers("ana").await;
        assert_eq!(texts_read(model.as_ref()), 0);
        drop(process);
        let without = Process::start_without(directory.path(), model.as_ref());
        assert_eq!(without.answers("ana").await, with);
    }
}

/// What changed since is read, and nothing else is.
#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_state_serves_as_far_as_it_goes() {
    for model in models() {
        let directory = tempfile::tempdir().unwrap();
        prepared(directory.path(), "ana", model.as_ref()).await;
        let process = Process::start(directory.path(), model.as_ref());
        let retired = |number| {
            let standing = Standing::Retired {
                at: at(500),
                why: recalld_memory::memory::Retirement::Forgotten,
            };
            let memory = Memory {
                standing,
                version: 2,
                ..said(number)
            };
            put(Act::Retire, memory)
        };
        let restored = Memory {
            version: 3,
            ..said(4)
        };
        let mut changes = vec![revise(1, "Ana sells wooden boats now", 2), retired(2), retired(4)];
        changes.push(put(Act::Restore, restored));
        changes.extend((MEMORIES..MEMORIES + 9).map(|number| put(Act::Remember, said(number))));
        process.write("ana", changes).await;
        drop(process);
        texts_read(model.as_ref());
        let process = Process::start(directory.path(), model.as_ref());
        let with = process.answers("ana").await;
        assert!(texts_read(model.as_ref()) <= 10, "what changed, and no more");
        drop(process);
        let without = Process::start_without(directory.path(), model.as_ref());
        assert_eq!(without.answers("ana").await, with);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_one_and_that_of_another_user_are_not_used() {
    let model = Letters::new(true);
    let directory = tempfile::tempdir().unwrap();
    prepared(directory.path(), "ana", Some(&model)).await;
    let path = files(directory.path()).pop().unwrap();
    let sound = fs::read(&path).unwrap();
    let expected = Process::start_without(directory.path(), Some(&model))
        .answers("ana")
        .await;
    for step in 0..40 {
        let mut bytes = sound.clone();
        bytes[step * (sound.len() - 1) / 39] ^= 1 << (step % 8);
        fs::write(&path, bytes).unwrap();
        texts_read(Some(&model));
        let answers = Process::start(directory.path(), Some(&model))
            .answers("ana")
            .await;
        assert_eq!(answers, expected);
        assert_eq!(texts_read(Some(&model)), MEMORIES as usize, "step {step}");
    }
    let other = tempfile::tempdir().unwrap();
    prepared(other.path(), "bo", Some(&model)).await;
    fs::copy(files(other.path()).pop().unwrap(), &path).unwrap();
    assert_eq!(
        Process::start(directory.path(), Some(&model))
            .answers("ana")
            .await,
        expected
    );
    assert_eq!(texts_read(Some(&model)), MEMORIES as usize);
}

fn holds(directory: &Path, word: &str) -> bool {
    let entries = fs::read_dir(directory).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.extend(files(directory));
    paths.iter().any(|path| {
        // One that is written at this moment may be gone by now.
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(word.len()).any(|part| part == word.as_bytes())
    })
}

async fn kept_again(directory: &Path) {
    let until = Instant::now() + Duration::from_secs(60);
    while files(directory).is_empty() {
        assert!(Instant::now() < until, "no snapshot is kept any more");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_erased_is_in_no_snapshot_whoever_keeps_one_meanwhile() {
    let directory = tempfile::tempdir().unwrap();
    let process = Process::start(directory.path(), None);
    let word = |number: u128| format!("canary{number:05}x");
    let canary = |number| put(Act::Remember, memory(number, &format!("{} sings", word(number))));
    process.write("ana", (0..MEMORIES).map(canary).collect()).await;
    process.keep().await;
    assert!(!files(directory.path()).is_empty() && holds(directory.path(), &word(7)));
    let is_over = Arc::new(AtomicBool::new(false));
    let keeper = tokio::spawn({
        let (ports, is_over) = (process.ports.clone(), Arc::clone(&is_over));
        async move {
            while !is_over.load(Ordering::Relaxed) {
                ports.spaces.keep_snapshots().await;
                tokio::task::yield_now().await;
            }
        }
    });
    for number in 0..40 {
        process.write("ana", vec![erase(number)]).await;
        assert!(!holds(directory.path(), &word(number)), "{number}");
        match number % 8 {
            // Another one is kept in between, without it.
            0 => kept_again(directory.path()).await,
            pause => tokio::time::sleep(Duration::from_millis(pause as u64)).await,
        }
        assert!(!holds(directory.path(), &word(number)), "{number}, later");
    }
    is_over.store(true, Ordering::Relaxed);
    keeper.await.unwrap();
    drop(process);
    let with = Process::start(directory.path(), None).answers("ana").await;
    assert_eq!(
        Process::start_without(directory.path(), None)
            .answers("ana")
            .await,
        with
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn that_of_an_erased_space_is_gone_with_it() {
    let model = Letters::new(true);
    let directory = tempfile::tempdir().unwrap();
    prepared(directory.path(), "ana", Some(&model)).await;
    let kept = files(directory.path()).pop().unwrap();
    let bytes = fs::read(&kept).unwrap();
    let process = Process::start(directory.path(), Some(&model));
    process.answers("ana").await;
    process.store.erase_space(scope("ana").space(), 1).await.unwrap();
    process.ports.spaces.forget(scope("ana").space());
    assert!(files(directory.path()).is_empty());
    process.keep().await;
    assert!(
        files(directory.path()).is_empty(),
        "nothing of it is held any more"
    );
    process.write("ana", all()).await;
    drop(process);
    // Should somebody put it back: it is of another era.
    fs::write(&kept, bytes).unwrap();
    texts_read(Some(&model));
    Process::start(directory.path(), Some(&model))
        .answers("ana")
        .await;
    assert_eq!(texts_read(Some(&model)), MEMORIES as usize);
}
