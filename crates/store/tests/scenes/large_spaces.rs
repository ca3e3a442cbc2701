//! Large spaces: the document's cap holds at every moment, and nobody else waits.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Act, Actor, Change, Effect, Revision, Stamp};
use recalld_memory::memory::{Content, Key, Memory};
use recalld_memory::ports::{EmbedError, Embedder, Store, TextRole};
use recalld_memory::remember::{Statement, remember};
use recalld_memory::settings::Settings;
use recalld_memory::space::{Decision, SpaceView};
use recalld_store::SqliteStore;
use recalld_testing::memory_changes::{at, memory};
use recalld_testing::script::{ports, scope, stores};

fn fact(number: u128) -> Change {
    let memory = Memory {
        key: Some(Key::new(&format!("key_{number}")).unwrap()),
        learned_at: at(number as i64),
        revised_at: at(number as i64),
        ..memory(number, &format!("Fact number {number} about the user"))
    };
    let stamp = Stamp {
        at: at(number as i64),
        actor: Actor::new("test"),
        conversation: None,
        message: None,
        source: None,
    };
    Change {
        stamp,
        effect: Effect::Memory {
            act: Act::Remember,
            memory,
        },
    }
}

fn facts(count: u128) -> Vec<Change> {
    (1..=count).map(fact).collect()
}

#[tokio::test]
async fn the_cap_holds_after_many_changes_in_one_write() {
    for (name, store, _keep) in stores().await {
        let (settings, scope) = (Settings::default(), scope("ana"));
        let ports = ports(store, settings.clone());
        let decide = |_: &SpaceView| Decision {
            changes: facts(3_000),
            outcome: (),
        };
        ports.spaces.write(scope.space(), decide).await.unwrap();
        let look = |view: &SpaceView| {
            let stored = view.memories().filter(|memory| memory.in_document).count();
            (view.document(scope.lens()), stored, view.memories().count())
        };
        let (document, stored, all) = ports.spaces.read(scope.space(), look).await.unwrap();
        assert!(document.tokens().fits(settings.document_tokens_max), "{name}");
        assert_eq!((stored, all), (document.facts.len(), 3_000), "{name}");
        assert_eq!(
            document.facts.last().unwrap().learned_at,
            at(3_000),
            "the newest stays"
        );
        assert!(20 < document.facts.len(), "{name}");
    }
}

/// An import that was broken off, or a cap that was lowered, leaves more in the store.
#[tokio::test]
async fn a_document_that_is_stored_over_its_cap_is_within_it_when_it_is_read() {
    for (name, store, _keep) in stores().await {
        let (settings, scope) = (Settings::default(), scope("ana"));
        store
            .apply(scope.space(), Revision(0), &facts(2_500))
            .await
            .unwrap();
        let ports = ports(store, settings.clone());
        let read = async || {
            ports
                .spaces
                .read(scope.space(), |view| view.document(scope.lens()))
                .await
                .unwrap()
        };
        let before = read().await;
        assert!(before.tokens().fits(settings.document_tokens_max), "{name}");
        assert_eq!(before.facts.last().unwrap().learned_at, at(2_500), "{name}");
        // Each write stores some of the evictions that reading could not.
        for number in 0..3 {
            let content = Content::new(&format!("The user said something else {number}")).unwrap();
            remember(&ports, &scope, Statement::plain(content)).await.unwrap();
            assert!(read().await.tokens().fits(settings.document_tokens_max), "{name}");
        }
        let look = |view: &SpaceView| view.memories().filter(|memory| memory.in_document).count();
        let stored = ports.spaces.read(scope.space(), look).await.unwrap();
        assert_eq!(stored, read().await.facts.len(), "{name}");
    }
}

/// A model that stops at a marked text until it is let go on.
#[derive(Debug)]
struct Stopping {
    model: EmbeddingModel,
    reached: Mutex<Option<tokio::sync::oneshot::Sender<()>>>,
    go_on: Mutex<std::sync::mpsc::Receiver<()>>,
}

#[async_trait]
impl Embedder for Stopping {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], _: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|_| vec![1.0, 0.0]).collect())
    }

    fn embed_now(&self, text: &str, _: TextRole) -> Option<Vec<f32>> {
        if text == "Fact number 7 about the user"
            && let Some(reached) = self.reached.lock().take()
        {
            reached.send(()).unwrap();
            self.go_on.lock().recv().unwrap();
        }
        Some(vec![1.0, 0.0])
    }

    fn answers_at_once(&self) -> bool {
        true
    }
}

/// One thread serves everybody, and one user's large space is being loaded: others are served, and
/// so is whoever waits for that space without holding the thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn loading_a_large_space_stops_nobody_else() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ana, bob) = (scope("ana"), scope("bob"));
    store
        .apply(ana.space(), Revision(0), &facts(2_500))
        .await
        .unwrap();
    store.apply(bob.space(), Revision(0), &facts(5)).await.unwrap();
    let (reached, is_reached) = tokio::sync::oneshot::channel();
    let (release, go_on) = std::sync::mpsc::channel();
    let model = Stopping {
        model: EmbeddingModel {
            name: "stopping".to_owned(),
            dimension: 2,
        },
        reached: Mutex::new(Some(reached)),
        go_on: Mutex::new(go_on),
    };
    let ports = ports(store, Settings::default()).with_embedder(Arc::new(model));
    let count = |user: &recalld_memory::scope::Scope| {
        let (ports, space) = (ports.clone(), user.space().clone());
        tokio::spawn(async move {
            ports
                .spaces
                .read(&space, |view| view.memories().count())
                .await
                .unwrap()
        })
    };
    let loading = count(&ana);
    is_reached.await.unwrap();
    // Several requests for the same space, each of which must not hold the thread either.
    let waiting: Vec<_> = (0..4).map(|_| count(&ana)).collect();
    // The guard is for a failure only: without it the test would never end.
    let served = tokio::time::timeout(Duration::from_secs(60), count(&bob)).await;
    release.send(()).unwrap();
    assert_eq!(served.expect("others wait for one user's space").unwrap(), 5);
    assert_eq!(loading.await.unwrap(), 2_500);
    for waited in waiting {
        assert_eq!(waited.await.unwrap(), 2_500);
    }
}
