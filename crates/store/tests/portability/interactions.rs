//! What users did, noted once.

use std::sync::Arc;

use recalld_agent::interactions::{Interaction, between, note};
use recalld_memory::scope::Scope;
use recalld_store::SqliteStore;
use serde_json::Value;

use crate::sample_user::{scope, wired};

/// A request that may be sent again, `seconds` after it all began.
fn request(seconds: i64, seed: u8) -> Scope {
    let mut scope = scope("ana", seconds);
    scope.once = Some([seed; 32]);
    scope
}

fn two_saves(scope: &Scope) -> Vec<Interaction> {
    let save = Interaction {
        kind: "save".to_owned(),
        at: scope.now,
        text: None,
        data: Value::Null,
    };
    vec![save.clone(), save]
}

/// The process may die between the write and the receipt; then the same request comes again, later.
#[tokio::test]
async fn a_request_that_is_sent_again_finds_what_it_noted() {
    let (ports, _) = wired(Arc::new(SqliteStore::in_memory().unwrap()), Arc::default());
    let mut answers = Vec::new();
    for (seconds, seed) in [(1, 7), (60, 7), (61, 8)] {
        let scope = request(seconds, seed);
        answers.push(note(&ports, &scope, two_saves(&scope)).await.unwrap());
    }
    assert_eq!(answers[0], answers[1]);
    assert_ne!(answers[1], answers[2]);
    let (first, last) = (scope("ana", 0), scope("ana", 100));
    let all = between(&ports, &first, first.now, last.now, 10).await.unwrap();
    assert_eq!(all.len(), 4);
}
