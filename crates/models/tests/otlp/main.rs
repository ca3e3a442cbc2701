//! Traces on their way to a collector, as a collector sees them.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use parking_lot::Mutex;
use recalld_memory::trace::{Span, SpanContext, SpanKind, SpanSink, SpanValue};
use recalld_models::otlp::{OtlpConfig, OtlpSink};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// What the official Python package `opentelemetry-proto` 1.45.2 makes of the spans of [`spans`],
/// with version 0.2.0. `crates/server/tests/clients/sdks/otlp_traces.py` decodes a real run with
/// the same package.
const PUBLISHED: &str = "\
0a86040a370a190a0c736572766963652e6e616d6512090a07726563616c6c640a1a0a0f736572766963652e76657273696f\
6e12070a05302e322e3012ca030a100a07726563616c6c641205302e322e3012d3020a10000102030405060708090a0b0c0d\
0e0f12080102030405060708220809090909090909092a0d7365617263685f6d656d6f727930013901002a36fe9c9717412c\
012a36fe9c97174a210a1a67656e5f61692e6d656d6f72792e7265636f72642e636f756e74120318ac024ada010a0a657272\
6f722e7479706512cb010ac80178787878787878787878787878787878787878787878787878787878787878787878787878\
7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878\
7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878\
7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878\
787878787878787878787878787a02180285010100000012600a10000102030405060708090a0b0c0d0e0f12080909090909\
0909092a0a474554202f76312fc3a9300239080706050403020141ffffffffffffffff4a100a016e120b18ffffffffffffff\
ffff014a0a0a047a65726f12021800850101000000\
";

fn spans() -> Vec<Span> {
    let context = SpanContext {
        trace_id: std::array::from_fn(|at| at as u8),
        span_id: [1, 2, 3, 4, 5, 6, 7, 8],
        is_sampled: true,
    };
    let inner = Span {
        context,
        parent: Some([9; 8]),
        name: "search_memory".to_owned(),
        kind: SpanKind::Internal,
        start_nanos: 1_700_000_000_000_000_001,
        end_nanos: 1_700_000_000_000_000_300,
        attributes: vec![
            ("gen_ai.memory.record.count", SpanValue::Number(300)),
            ("error.type", "x".repeat(200).into()),
        ],
        failed: true,
    };
    let outer = Span {
        context: SpanContext {
            span_id: [9; 8],
            ..context
        },
        parent: None,
        name: "GET /v1/é".to_owned(),
        kind: SpanKind::Server,
        start_nanos: 0x0102_0304_0506_0708,
        end_nanos: u64::MAX,
        attributes: vec![("n", SpanValue::Number(-1)), ("zero", SpanValue::Number(0))],
        failed: false,
    };
    vec![inner, outer]
}

/// A collector that answers with these, one after another, and keeps what it was sent.
async fn collector(answers: &'static [&'static str]) -> (String, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let kept = Arc::new(Mutex::new(Vec::new()));
    let received = kept.clone();
    tokio::spawn(async move {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            loop {
                let read = stream.read(&mut chunk).await.unwrap();
                request.extend_from_slice(&chunk[..read]);
                if is_whole(&request) || read == 0 {
                    break;
                }
            }
            received.lock().push(request);
            let head = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
        }
    });
    (address, kept)
}

fn body(request: &[u8]) -> &[u8] {
    let start = request.windows(4).position(|four| four == b"\r\n\r\n");
    &request[start.unwrap() + 4..]
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, _)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .split("content-length: ")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
    let start = request.windows(4).position(|four| four == b"\r\n\r\n");
    start.is_some_and(|start| start + 4 + length <= request.len())
}

fn config(endpoint: String) -> OtlpConfig {
    OtlpConfig {
        endpoint,
        headers: vec![("x-team".to_owned(), "s3cret".to_owned())],
        service: "recalld".to_owned(),
        sampled_share: 1.0,
        shows_content: false,
        shows_users: false,
    }
}

async fn sent_to(answers: &'static [&'static str]) -> Vec<Vec<u8>> {
    let (address, kept) = collector(answers).await;
    let sink = OtlpSink::start(&config(address)).unwrap();
    spans().into_iter().for_each(|span| sink.record(span));
    sink.flush(Duration::from_secs(20)).await;
    std::mem::take(&mut *kept.lock())
}

#[tokio::test]
async fn a_batch_is_sent_once_as_the_official_definitions_have_it() {
    let [request] = sent_to(&["200 OK"]).await.try_into().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        version.len(),
        "0.2.0".len(),
        "make the constant anew for this version"
    );
    let hex = |text: &str| HEXLOWER.encode(text.as_bytes());
    let sent = HEXLOWER
        .encode(body(&request))
        .replace(&hex(version), &hex("0.2.0"));
    assert_eq!(sent, PUBLISHED);
    let text = String::from_utf8_lossy(&request).to_lowercase();
    for expected in [
        "post /v1/traces http/1.1",
        "content-type: application/x-protobuf",
        "x-team: s3cret",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn a_busy_collector_is_asked_again_and_a_refusal_is_final() {
    let again = sent_to(&["503 Service Unavailable", "200 OK"]).await;
    assert_eq!(again.len(), 2);
    assert_eq!(sent_to(&["400 Bad Request", "200 OK"]).await.len(), 1);
}

#[tokio::test]
async fn a_collector_that_is_away_delays_nobody() {
    let sink = OtlpSink::start(&config("http://127.0.0.1:9".to_owned())).unwrap();
    let began = Instant::now();
    for span in spans().into_iter().cycle().take(20_000) {
        sink.record(span);
    }
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(!format!("{sink:?}").contains("s3cret"));
}

#[tokio::test]
async fn the_share_of_sampled_traces_is_as_set() {
    let share = |share: f64| {
        let mut config = config("http://127.0.0.1:9".to_owned());
        config.sampled_share = share;
        let sink = OtlpSink::start(&config).unwrap();
        (0..1000).filter(|_| sink.fresh_trace().is_sampled).count()
    };
    assert_eq!((share(0.0), share(1.0)), (0, 1000));
    assert!((50..450).contains(&share(0.25)));
}

#[tokio::test]
async fn the_path_is_added_where_it_is_missing() {
    for (given, used) in [
        ("", "/v1/traces"),
        ("/", "/v1/traces"),
        ("/otlp", "/otlp/v1/traces"),
        ("/otlp/v1/traces", "/otlp/v1/traces"),
    ] {
        let (address, kept) = collector(&["200 OK"]).await;
        let sink = OtlpSink::start(&config(format!("{address}{given}"))).unwrap();
        sink.record(spans().remove(0));
        sink.flush(Duration::from_secs(20)).await;
        let request = kept.lock().remove(0);
        assert!(String::from_utf8_lossy(&request).starts_with(&format!("POST {used} ")));
    }
    assert!(OtlpSink::start(&config("http://u:p@c".to_owned())).is_err());
}
