//! A write that takes longer than its client waits is carried out, and never reported as failed.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use recalld_memory::ports::Ids;
use recalld_server::{Limits, router};
use serde_json::{Value, json};
use tower::ServiceExt;
use uuid::Uuid;

use crate::stage::{Reply, Stage, request};

/// Ids that a write has to wait for.
#[derive(Debug)]
struct HeldIds {
    arrived: Mutex<Sender<()>>,
    release: Mutex<Receiver<()>>,
}

impl Ids for HeldIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        let _ = self.arrived.lock().send(());
        // Once the test is over, nobody holds it up any longer.
        let _ = self.release.lock().recv();
        Uuid::now_v7()
    }
}

/// A stage on which a write waits for `release`, and the news that it has begun.
async fn held(request_timeout: Duration) -> (Stage, Sender<()>, Receiver<()>) {
    let ((arrived, began), (release, released)) = (channel(), channel());
    let ids = HeldIds {
        arrived: Mutex::new(arrived),
        release: Mutex::new(released),
    };
    let limits = Limits {
        request_timeout,
        ..Limits::default()
    };
    (Stage::with_ids(limits, Arc::new(ids)).await, release, began)
}

/// Asks until the request is done, as a client would.
async fn outcome(stage: &Stage, key: &str) -> Value {
    let auth = stage.as_ana();
    let call = format!("GET /v1/requests/{key}");
    let ask = async || stage.ask(&call, &[("authorization", auth.as_str())], None).await;
    let done = async {
        loop {
            let reply = ask().await;
            if reply.body["state"] == "done" {
                return reply.body;
            }
            assert_eq!((reply.status, &reply.body["state"]), (200, &json!("in_progress")));
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), done).await.unwrap()
}

async fn add(stage: &Stage, key: Option<&str>) -> Reply {
    let auth = stage.as_ana();
    let mut headers = vec![("authorization", auth.as_str())];
    headers.extend(key.map(|key| ("idempotency-key", key)));
    let body = json!({"content": "Ana likes tea"});
    stage.ask("POST /v1/memories", &headers, Some(body)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_over_its_time_is_unknown_until_it_is_done() {
    let (stage, release, _began) = held(Duration::from_millis(50)).await;
    let reply = add(&stage, None).await;
    assert_eq!((reply.status, reply.code()), (504, "outcome_unknown"));
    let key = reply.header("idempotency-key").to_owned();
    assert_eq!(reply.header("location"), format!("/v1/requests/{key}"));
    release.send(()).unwrap();
    let done = outcome(&stage, &key).await;
    assert_eq!(done["status"], 201);
    assert_eq!(done["body"]["memory"]["content"], "Ana likes tea");
    // Whoever repeats it with the key gets the first answer.
    let again = add(&stage, Some(&key)).await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (201, "true")
    );
    assert_eq!(again.body["memory"]["id"], done["body"]["memory"]["id"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_goes_on_when_its_client_leaves() {
    let (stage, release, began) = held(Duration::from_secs(60)).await;
    let auth = stage.as_ana();
    let headers = [("authorization", auth.as_str())];
    let body = json!({"content": "Ana likes tea"});
    let sent = router(stage.app.clone()).oneshot(request("POST /v1/memories", &headers, Some(body)));
    let client = tokio::spawn(sent);
    tokio::task::spawn_blocking(move || began.recv().unwrap())
        .await
        .unwrap();
    client.abort();
    assert!(client.await.is_err(), "the client has left");
    release.send(()).unwrap();
    let stored = async {
        while stage.ask("GET /v1/memories", &headers, None).await.body["total"] != 1 {
            tokio::task::yield_now().await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(30), stored).await;
    assert!(in_time.is_ok(), "the memory was stored");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_in_time_is_answered_as_ever_and_others_outcomes_are_not_shown() {
    let (stage, release, _began) = held(Duration::from_secs(60)).await;
    release.send(()).unwrap();
    let reply = add(&stage, Some("own-2")).await;
    assert_eq!(reply.status, 201);
    assert_eq!(outcome(&stage, "own-2").await["status"], 201);
    let admin = format!("Bearer {}", stage.admin);
    let headers = [("authorization", admin.as_str()), ("recalld-user", "bob")];
    let other = stage.ask("GET /v1/requests/own-2", &headers, None).await;
    assert_eq!((other.status, other.code()), (404, "not_found"));
}
