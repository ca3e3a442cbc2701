//! Embeddings over HTTP: what is sent, what is believed, and what happens when the endpoint is
//! unwell.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::time::Duration;

use recalld_memory::ports::{EmbedError, Embedder, TextRole};
use recalld_models::remote::{
    ApiKey, BreakerLimits, Dimension, RemoteConfig, RemoteEmbedder, RemoteLimits, RetryLimits,
};
use recalld_models::transformer::Prefixes;

mod endpoint;

use endpoint::{Act, Endpoint};

const KEY: &str = "sk-very-secret";

/// Limits that keep a test short: the pauses are real.
fn limits() -> RemoteLimits {
    RemoteLimits {
        attempt_timeout: Duration::from_secs(5),
        total_timeout: Duration::from_secs(10),
        retry: RetryLimits {
            pause_first: Duration::from_millis(1),
            ..RetryLimits::default()
        },
        ..RemoteLimits::default()
    }
}

fn config(url: &str, limits: RemoteLimits) -> RemoteConfig {
    RemoteConfig {
        base_url: url.to_string(),
        key: Some(ApiKey::new(KEY).unwrap()),
        model: "tiny".to_string(),
        dimension: Dimension::Native(2),
        prefixes: Prefixes::default(),
        limits,
    }
}

fn embedder(endpoint: &Endpoint, limits: RemoteLimits) -> RemoteEmbedder {
    RemoteEmbedder::new(config(&endpoint.url, limits)).unwrap()
}

/// The vector that the endpoint gives a text, at unit length.
fn expected(text: &str) -> Vec<f32> {
    let length = text.len() as f32;
    vec![length / length.hypot(1.0), 1.0 / length.hypot(1.0)]
}

fn assert_close(found: &[f32], expected: &[f32]) {
    let far = found.iter().zip(expected).any(|(a, b)| 1e-6 < (a - b).abs());
    assert!(
        found.len() == expected.len() && !far,
        "{found:?} is not {expected:?}"
    );
}

/// Asks once for one text of an endpoint that plays `acts`, and gives the error and the number of
/// requests.
async fn failure(acts: impl IntoIterator<Item = Act>) -> (EmbedError, usize) {
    let endpoint = Endpoint::playing(acts).await;
    let error = embedder(&endpoint, limits())
        .embed(&["text"], TextRole::Query)
        .await
        .unwrap_err();
    (error, endpoint.asked().len())
}

#[tokio::test]
async fn texts_get_their_own_vectors_and_blank_ones_get_zeros_unasked() {
    let endpoint = Endpoint::playing([]).await;
    let vectors = embedder(&endpoint, limits())
        .embed(&["a", " ", "four"], TextRole::Passage)
        .await
        .unwrap();
    assert_close(&vectors[0], &expected("a"));
    assert_eq!(vectors[1], [0.0, 0.0]);
    assert_close(&vectors[2], &expected("four"));
    let asked = endpoint.asked();
    assert_eq!(asked[0].body["input"], serde_json::json!(["a", "four"]));
    assert_eq!(asked[0].body["model"], "tiny");
    assert_eq!(asked[0].body.get("dimensions"), None);
    assert!(asked[0].head.starts_with("post /v1/embeddings "));
    assert!(asked[0].head.contains(&format!("authorization: bearer {KEY}")));
}

#[tokio::test]
async fn requests_are_bounded_by_texts_and_by_tokens() {
    let endpoint = Endpoint::playing([]).await;
    let limits = RemoteLimits {
        texts_max: 3,
        tokens_max: 10,
        requests_at_once: 2,
        ..limits()
    };
    let long = "x".repeat(27);
    let texts = ["1", "22", "333", "4444", &long, "666666"];
    let vectors = embedder(&endpoint, limits)
        .embed(&texts, TextRole::Passage)
        .await
        .unwrap();
    for (text, vector) in texts.iter().zip(&vectors) {
        assert_close(vector, &expected(text));
    }
    let mut sizes: Vec<usize> = endpoint
        .asked()
        .iter()
        .map(|asked| asked.body["input"].as_array().unwrap().len())
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 1, 1, 3]);
}

#[tokio::test]
async fn a_dimension_may_be_asked_for_and_prefixes_are_sent() {
    let endpoint = Endpoint::playing([]).await;
    let config = RemoteConfig {
        dimension: Dimension::Asked(2),
        prefixes: Prefixes::e5(),
        ..config(&endpoint.url, limits())
    };
    let embedder = RemoteEmbedder::new(config).unwrap();
    embedder.embed(&["a"], TextRole::Query).await.unwrap();
    let body = &endpoint.asked()[0].body;
    assert_eq!(
        (&body["dimensions"], &body["input"][0]),
        (&2.into(), &"query: a".into())
    );
    assert_ne!(embedder.model().name, "tiny", "other prefixes give other vectors");
}

#[tokio::test]
async fn the_dimension_can_be_measured() {
    let endpoint = Endpoint::playing([]).await;
    let config = RemoteConfig {
        dimension: Dimension::Native(0),
        ..config(&endpoint.url, limits())
    };
    assert!(RemoteEmbedder::new(config.clone()).is_err());
    assert_eq!(RemoteEmbedder::measure(config).await.unwrap(), 2);
}

#[tokio::test]
async fn what_passes_is_asked_again() {
    for act in [
        Act::Say(500, "", "oops"),
        Act::Say(408, "", ""),
        Act::Say(429, "retry-after: 0.01\r\n", "slow down"),
        Act::Say(503, "", "<html>"),
    ] {
        let endpoint = Endpoint::playing([act]).await;
        let vectors = embedder(&endpoint, limits())
            .embed(&["a"], TextRole::Query)
            .await
            .unwrap();
        assert_close(&vectors[0], &expected("a"));
        assert_eq!(endpoint.asked().len(), 2);
    }
}

#[tokio::test]
async fn a_pause_longer_than_our_patience_ends_the_call_at_once() {
    let (error, requests) = failure([Act::Say(429, "retry-after: 3600\r\n", "come back later")]).await;
    assert_eq!(requests, 1);
    assert!(
        error.to_string().contains("429") && error.to_string().contains("come back later"),
        "{error}"
    );
}

#[tokio::test]
async fn a_refusal_is_not_repeated_and_never_shows_the_key() {
    let (error, requests) = failure([Act::Say(401, "", "wrong key sk-very-secret, sorry")]).await;
    assert_eq!(requests, 1);
    let shown = format!("{error} {error:?}");
    assert!(shown.contains("401") && !shown.contains(KEY), "{shown}");
    let endpoint = Endpoint::playing([]).await;
    let embedder = embedder(&endpoint, limits());
    assert!(!format!("{embedder:?}").contains(KEY));
}

#[tokio::test]
async fn a_redirect_is_a_refusal() {
    let (error, requests) = failure([Act::Say(307, "location: http://127.0.0.1:1/\r\n", "")]).await;
    assert_eq!(requests, 1);
    assert!(error.to_string().contains("307"), "{error}");
}

#[tokio::test]
async fn nonsense_is_a_bad_answer() {
    for (body, reason) in [
        (
            r#"{"data":[{"index":0,"embedding":[1,2,3]}]}"#,
            "3 components where 2 are expected",
        ),
        (
            r#"{"data":[{"index":0,"embedding":[NaN,1]}]}"#,
            "not the JSON expected",
        ),
        (r#"{"data":[{"index":0,"embedding":[0,0]}]}"#, "a vector of zeros"),
        (r#"{"data":[]}"#, "0 vectors for 1 texts"),
        ("{\"data\":", "not the JSON expected"),
    ] {
        let (error, requests) = failure([Act::Say(200, "", body)]).await;
        assert_eq!(requests, 1, "{body}");
        assert!(matches!(error, EmbedError::BadAnswer { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let endless = Box::leak("1,".repeat(1 << 20).into_boxed_str());
    let (error, _) = failure([Act::Say(200, "", endless)]).await;
    assert!(error.to_string().contains("an answer of more than"), "{error}");
}

#[tokio::test]
async fn silence_ends_with_the_attempt_and_then_with_the_call() {
    // Long enough for the second attempt to be answered on a busy machine.
    let impatient = RemoteLimits {
        attempt_timeout: Duration::from_secs(1),
        ..limits()
    };
    let endpoint = Endpoint::playing([Act::Stall]).await;
    embedder(&endpoint, impatient)
        .embed(&["a"], TextRole::Query)
        .await
        .unwrap();
    assert_eq!(endpoint.asked().len(), 2);

    let brief = RemoteLimits {
        total_timeout: Duration::from_millis(20),
        ..limits()
    };
    let endpoint = Endpoint::playing([Act::Stall, Act::Stall]).await;
    let error = embedder(&endpoint, brief)
        .embed(&["a"], TextRole::Query)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("no answer within 20ms"), "{error}");
}

#[tokio::test]
async fn nobody_at_the_address_is_unavailable() {
    // Held without listening, so that nobody else can listen there either.
    let held = tokio::net::TcpSocket::new_v4().unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}/v1", held.local_addr().unwrap());
    let embedder = RemoteEmbedder::new(config(&url, limits())).unwrap();
    let error = embedder.embed(&["a"], TextRole::Query).await.unwrap_err();
    assert!(matches!(error, EmbedError::Unavailable { .. }), "{error}");
}

#[tokio::test]
async fn the_breaker_opens_spares_the_endpoint_and_heals() {
    let breaker = BreakerLimits {
        failures_max: 2,
        ..BreakerLimits::default()
    };
    let retry = RetryLimits {
        attempts_max: 1,
        ..limits().retry
    };
    let endpoint = Endpoint::playing([Act::Say(500, "", ""), Act::Say(500, "", "")]).await;
    let embedder = embedder(
        &endpoint,
        RemoteLimits {
            breaker,
            retry,
            ..limits()
        },
    );
    for requests in [1, 2, 2, 2] {
        assert!(embedder.embed(&["a"], TextRole::Query).await.is_err());
        assert_eq!(endpoint.asked().len(), requests);
    }
    tokio::time::pause();
    tokio::time::advance(breaker.cool_down).await;
    tokio::time::resume();
    assert_close(
        &embedder.embed(&["a"], TextRole::Query).await.unwrap()[0],
        &expected("a"),
    );
    assert!(embedder.embed(&["b"], TextRole::Query).await.is_ok());
}
