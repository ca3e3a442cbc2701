//! What is kept for others who read the same database: vectors of a model that answers at once, and
//! the size of the memory document.

use std::sync::Arc;

use async_trait::async_trait;
use recalld_index::model::EmbeddingModel;
use recalld_memory::embedding::backfill;
use recalld_memory::ports::{EmbedError, Embedder, TextRole};
use recalld_memory::remember::Remembered;
use recalld_memory::retire::erase;
use recalld_memory::settings::Settings;
use recalld_memory::target::Target;
use recalld_testing::postgres_database::{Database, administrator};

use crate::sabotage::column;
use crate::servers::{on, say, scope};
use crate::world::space;

/// Knows two things: bees, and everything else.
#[derive(Debug)]
struct Bees(EmbeddingModel);

impl Bees {
    fn new() -> Arc<Bees> {
        Arc::new(Bees(EmbeddingModel {
            name: "bees".to_owned(),
            dimension: 2,
        }))
    }
}

#[async_trait]
impl Embedder for Bees {
    fn model(&self) -> &EmbeddingModel {
        &self.0
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts
            .iter()
            .filter_map(|text| self.embed_now(text, role))
            .collect())
    }

    fn embed_now(&self, text: &str, _role: TextRole) -> Option<Vec<f32>> {
        Some(match text.contains("bees") {
            true => vec![1.0, 0.0],
            false => vec![0.0, 1.0],
        })
    }

    fn answers_at_once(&self) -> bool {
        true
    }
}

/// Asks as a client with Ana's token does.
async fn ask(database: &Database, sql: &str) -> Vec<String> {
    let client = administrator(&database.name).await;
    let begin = "BEGIN; SET LOCAL ROLE recalld_reader; SET LOCAL request.jwt.claims = '{\"sub\":\"ana\"}'";
    client.batch_execute(begin).await.unwrap();
    column(&client, sql).await.unwrap()
}

const NEAR_BEES: &str = "SELECT content FROM match_memories('[1,0]', 9) WHERE 0.5 < similarity ORDER BY 1";

#[tokio::test]
async fn what_is_written_can_be_matched_at_once_and_what_was_before_after_a_reindex() {
    let database = Database::new().await;
    let plain = on(Arc::new(database.open().await), 1, &Settings::default()).with_embedder(Bees::new());
    say(&plain, "ana", "once kept bees").await;
    let ports = plain.clone().storing_all_vectors();
    say(&ports, "bob", "sells bees").await;
    let kept = say(&ports, "ana", "keeps bees").await;
    say(&ports, "ana", "keeps goats").await;
    assert_eq!(ask(&database, NEAR_BEES).await, ["keeps bees"]);
    assert_eq!(backfill(&ports, &space("ana")).await.unwrap(), 1);
    assert_eq!(backfill(&ports, &space("ana")).await.unwrap(), 0);
    assert_eq!(ask(&database, NEAR_BEES).await, ["keeps bees", "once kept bees"]);
    let Remembered::Stored { memory, .. } = kept else {
        panic!("{kept:?}");
    };
    erase(&ports, &scope("ana"), Target::parse(&memory.id.to_string()))
        .await
        .unwrap();
    assert_eq!(ask(&database, NEAR_BEES).await, ["once kept bees"]);
}

#[tokio::test]
async fn the_document_in_the_database_is_the_document() {
    let database = Database::new().await;
    let store = Arc::new(database.open().await);
    let ports = on(store, 1, &Settings::default()).storing_all_vectors();
    for fact in ["keeps bees", "lives in Porto"] {
        say(&ports, "ana", fact).await;
    }
    let wanted = ports
        .spaces
        .read(&space("ana"), |view| view.document(scope("ana").lens()).to_json())
        .await
        .unwrap();
    let wanted: serde_json::Value = serde_json::from_str(&wanted).unwrap();
    let sql = "SELECT document #- '{metadata,revision}' FROM memory_documents";
    let found = ask(&database, sql).await;
    let mut found: serde_json::Value = serde_json::from_str(&found[0]).unwrap();
    let places = found.as_object_mut().unwrap().remove("placer_user_datapoints");
    assert_eq!(
        places.as_ref(),
        Some(&wanted["places_of_interest"]),
        "a second name"
    );
    assert_eq!(found, wanted);
    assert!(0 < wanted["metadata"]["token_count"].as_u64().unwrap());
}
