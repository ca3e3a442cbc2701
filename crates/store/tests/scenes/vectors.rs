//! A model that takes its time: writes do not wait for it, search goes on without it, and what it
//! makes is kept.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use recalld_index::model::EmbeddingModel;
use recalld_memory::embedding::{self, EmbeddingError, Refused, Step};
use recalld_memory::memory::{Content, Origin};
use recalld_memory::ports::{EmbedError, Embedder, RerankError, Reranker, Store, TextRole};
use recalld_memory::recall::{self, Question};
use recalld_memory::remember::{self, Statement};
use recalld_memory::revise::{self, Edit};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use recalld_testing::script::verbs;
use recalld_testing::script::{in_this_process, ports, scope, stores};

/// How a model behaves.
const WELL: u8 = 0;
const DOWN: u8 = 1;
const NOT_A_NUMBER: u8 = 2;
const TOO_SHORT: u8 = 3;
const TOO_FEW: u8 = 4;
const FOREVER: u8 = 5;

/// Knows three topics, one component each, and counts what it was asked.
#[derive(Debug)]
struct Topics {
    model: EmbeddingModel,
    manner: AtomicU8,
    asked: AtomicUsize,
    passages: Mutex<Vec<String>>,
}

impl Topics {
    fn named(name: &str, dimension: usize) -> Arc<Topics> {
        Arc::new(Topics {
            model: EmbeddingModel {
                name: name.to_owned(),
                dimension,
            },
            manner: AtomicU8::new(WELL),
            asked: AtomicUsize::new(0),
            passages: Mutex::default(),
        })
    }

    fn behaves(&self, manner: u8) {
        self.manner.store(manner, Ordering::Relaxed);
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        const TOPICS: [&[&str]; 3] = [
            &["peanuts", "fair", "eat", "nuts"],
            &["bicycle", "commute", "ride"],
            &["piano", "music", "play"],
        ];
        let mut vector = vec![0.0; self.model.dimension];
        for (component, words) in vector.iter_mut().zip(TOPICS) {
            *component = words.iter().filter(|word| text.contains(**word)).count() as f32;
        }
        let length = vector.iter().map(|c| c * c).sum::<f32>().sqrt().max(1e-9);
        vector.iter_mut().for_each(|c| *c /= length);
        vector
    }
}

#[async_trait]
impl Embedder for Topics {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.asked.fetch_add(texts.len(), Ordering::Relaxed);
        if role == TextRole::Passage {
            let mut passages = self.passages.lock().unwrap();
            passages.extend(texts.iter().map(ToString::to_string));
        }
        let mut vectors: Vec<Vec<f32>> = texts.iter().map(|text| self.vector(text)).collect();
        match self.manner.load(Ordering::Relaxed) {
            DOWN => {
                return Err(EmbedError::Unavailable {
                    model: self.model.name.clone(),
                    reason: "nobody listens".to_owned(),
                });
            }
            NOT_A_NUMBER => vectors.iter_mut().for_each(|vector| vector[0] = f32::NAN),
            TOO_SHORT => vectors.iter_mut().for_each(|vector| vector.truncate(2)),
            TOO_FEW => drop(vectors.pop()),
            FOREVER => std::future::pending().await,
            _ => {}
        }
        Ok(vectors)
    }
}

const STATEMENTS: [&str; 3] = [
    "Gets a rash from peanuts",
    "Goes to work by bicycle",
    "Has an old piano",
];

fn with(store: &Arc<dyn Store>, model: &Arc<Topics>) -> Ports {
    ports(Arc::clone(store), Settings::default()).with_embedder(model.clone())
}

async fn remember_all(ports: &Ports, scope: &Scope) {
    for statement in STATEMENTS {
        let content = Content::new(statement).unwrap();
        remember::remember(ports, scope, Statement::plain(content))
            .await
            .unwrap();
    }
}

async fn found(ports: &Ports, scope: &Scope, text: &str) -> Vec<String> {
    let found = recall::recall(ports, scope, &Question::new(text, 3))
        .await
        .unwrap();
    found.iter().map(|found| found.item.content.to_string()).collect()
}

async fn settle(ports: &Ports, scope: &Scope) -> Result<(), EmbeddingError> {
    embedding::settle(ports, scope.space(), Duration::from_secs(60)).await
}

#[tokio::test]
async fn what_was_written_is_found_by_words_at_once_and_by_meaning_later() {
    for (name, store, _keep) in stores().await {
        let (model, ana) = (Topics::named("topics", 3), scope("ana"));
        let ports = with(&store, &model);
        remember_all(&ports, &ana).await;
        assert!(
            model.passages.lock().unwrap().is_empty(),
            "{name}: a write waits for no model"
        );
        assert_eq!(found(&ports, &ana, "piano").await, [STATEMENTS[2]], "{name}");
        assert!(
            found(&ports, &ana, "what can I eat at the fair?")
                .await
                .is_empty(),
            "{name}"
        );
        settle(&ports, &ana).await.unwrap();
        let answer = found(&ports, &ana, "what can I eat at the fair?").await;
        assert_eq!(answer, [STATEMENTS[0]], "{name}");
        // What is stored is not made again, not even by a process that starts.
        let asked = model.passages.lock().unwrap().len();
        let again = with(&store, &model);
        settle(&again, &ana).await.unwrap();
        assert_eq!(found(&again, &ana, "music").await, [STATEMENTS[2]], "{name}");
        assert_eq!(model.passages.lock().unwrap().len(), asked, "{name}");
    }
}

#[tokio::test]
async fn a_model_out_of_order_fails_no_write_and_heals_by_itself() {
    for manner in [DOWN, NOT_A_NUMBER, TOO_SHORT, TOO_FEW] {
        for (name, store, _keep) in stores().await {
            let (model, ana) = (Topics::named("topics", 3), scope("ana"));
            let ports = with(&store, &model);
            model.behaves(manner);
            remember_all(&ports, &ana).await;
            let settled = settle(&ports, &ana).await;
            assert!(
                matches!(settled, Err(EmbeddingError::Model(_))),
                "{name} {manner}: {settled:?}"
            );
            assert_eq!(
                found(&ports, &ana, "piano").await,
                [STATEMENTS[2]],
                "{name} {manner}"
            );
            model.behaves(WELL);
            settle(&ports, &ana).await.unwrap();
            assert_eq!(
                found(&ports, &ana, "ride to commute").await,
                [STATEMENTS[1]],
                "{name} {manner}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_answers_holds_nobody_up() {
    for (name, store, _keep) in in_this_process() {
        let (model, ana) = (Topics::named("topics", 3), scope("ana"));
        let ports = with(&store, &model);
        remember_all(&ports, &ana).await;
        model.behaves(FOREVER);
        assert_eq!(found(&ports, &ana, "piano").await, [STATEMENTS[2]], "{name}");
        settle(&ports, &ana).await.unwrap();
        let background = embedding::step(&ports, ana.space(), &mut Refused::default()).await;
        assert!(
            matches!(background, Err(EmbeddingError::Model(_))),
            "{name}: {background:?}"
        );
    }
}

#[tokio::test]
async fn a_change_of_model_ends_where_a_fresh_import_would() {
    for (name, store, _keep) in stores().await {
        let (old, new, ana) = (Topics::named("old", 3), Topics::named("new", 4), scope("ana"));
        let before = with(&store, &old);
        remember_all(&before, &ana).await;
        settle(&before, &ana).await.unwrap();
        let after = with(&store, &new);
        // Until its own vectors are there, words decide, and nothing of the other model is
        // compared.
        assert!(
            found(&after, &ana, "what can I eat at the fair?")
                .await
                .is_empty(),
            "{name}"
        );
        assert_eq!(found(&after, &ana, "piano").await, [STATEMENTS[2]], "{name}");
        let mut refused = Refused::default();
        while embedding::step(&after, ana.space(), &mut refused).await.unwrap() == Step::More {}
        let texts = ["ride", "eat at the fair", "music"];
        for ((_, fresh, _keep), text) in stores().await.into_iter().zip(texts) {
            let import = with(&fresh, &new);
            remember_all(&import, &ana).await;
            settle(&import, &ana).await.unwrap();
            let answers = (found(&after, &ana, text).await, found(&import, &ana, text).await);
            assert_eq!(answers.0, answers.1, "{name} {text}");
            assert!(!answers.0.is_empty(), "{name} {text}");
        }
    }
}

#[tokio::test]
async fn what_says_something_else_is_embedded_again_and_what_does_not_is_not() {
    for (name, store, _keep) in stores().await {
        let (model, ana) = (Topics::named("topics", 3), scope("ana"));
        let ports = with(&store, &model);
        remember_all(&ports, &ana).await;
        settle(&ports, &ana).await.unwrap();
        let first = recall::recall(&ports, &ana, &Question::new("piano", 1))
            .await
            .unwrap();
        let edit = Edit {
            content: Some(Content::new("Sold what one could play").unwrap()),
            ..Edit::by(Origin::User)
        };
        let target = Target::Id(first[0].item.id);
        revise::revise(&ports, &ana, target, edit).await.unwrap();
        let asked = model.passages.lock().unwrap().len();
        settle(&ports, &ana).await.unwrap();
        assert_eq!(
            model.passages.lock().unwrap()[asked..],
            ["Sold what one could play"],
            "{name}"
        );
        assert_eq!(
            found(&ports, &ana, "music").await,
            ["Sold what one could play"],
            "{name}"
        );
    }
}

#[tokio::test]
async fn messages_are_found_by_meaning_too() {
    for (name, store, _keep) in stores().await {
        let (model, ana) = (Topics::named("topics", 3), scope("ana"));
        let ports = with(&store, &model);
        verbs::say(&ports, &ana, "c1 user Which nuts do you mean?").await;
        verbs::say(&ports, &ana, "c1 user The small ones").await;
        verbs::say(&ports, &ana, "c1 user I practise the piano at night").await;
        let search = async || {
            let found = recall::search_messages(&ports, &ana, &recall::Question::new("music", 1))
                .await
                .unwrap();
            found
                .iter()
                .map(|found| found.item.content.as_str().to_owned())
                .collect::<Vec<_>>()
        };
        assert!(search().await.is_empty(), "{name}");
        settle(&ports, &ana).await.unwrap();
        assert_eq!(search().await, ["I practise the piano at night"], "{name}");
    }
}

/// Likes what holds a word, or is out of order.
#[derive(Debug)]
struct Taste(&'static str, f32);

#[async_trait]
impl Reranker for Taste {
    fn name(&self) -> &str {
        "taste"
    }

    async fn rerank(&self, _: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        Ok(passages
            .iter()
            .map(|passage| f32::from(u8::from(passage.contains(self.0))) * self.1)
            .collect())
    }
}

#[tokio::test]
async fn a_second_look_may_turn_the_order_and_one_that_fails_does_not() {
    for (name, store, _keep) in stores().await {
        let ana = scope("ana");
        let plain = ports(Arc::clone(&store), Settings::default());
        for statement in [
            "Drinks green tea, green tea only",
            "Green is the colour of the door",
        ] {
            let content = Content::new(statement).unwrap();
            remember::remember(&plain, &ana, Statement::plain(content))
                .await
                .unwrap();
        }
        let first = found(&plain, &ana, "green tea").await;
        assert!(first[0].starts_with("Drinks"), "{name}: {first:?}");
        let turned = plain.clone().with_reranker(Arc::new(Taste("door", 1.0)));
        assert!(
            found(&turned, &ana, "green tea").await[0].contains("door"),
            "{name}"
        );
        let broken = plain.clone().with_reranker(Arc::new(Taste("door", f32::NAN)));
        assert_eq!(found(&broken, &ana, "green tea").await, first, "{name}");
    }
}

#[tokio::test]
async fn every_kind_that_is_ranked_gets_the_second_look() {
    for (name, store, _keep) in stores().await {
        let mut ana = scope("ana");
        let ports = ports(store, Settings::default()).with_reranker(Arc::new(Taste("green", 1.0)));
        let content = Content::new("Drinks green tea").unwrap();
        remember::remember(&ports, &ana, Statement::plain(content))
            .await
            .unwrap();
        verbs::say(&ports, &ana, "c1 user Is green tea good?").await;
        verbs::play(&ports, &mut ana, "ingest", "teas.md Only green tea is steamed.").await;
        let question = recall::Question::new("green tea", 9);
        let found = recall::search(&ports, &ana, &question).await.unwrap();
        let judged: Vec<_> = found.iter().filter_map(|ranked| ranked.parts?.reranked).collect();
        assert_eq!(judged, [1.0; 3], "{name}: {found:?}");
    }
}
