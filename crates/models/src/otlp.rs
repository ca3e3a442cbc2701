//! Sends traces to a collector: OTLP over HTTP, as protobuf.
//!
//! Spans wait in a bounded queue and leave in batches from a task of its own. When the collector
//! is slow or away, spans are dropped and counted; no request waits for it.

mod encode;

use std::time::{Duration, SystemTime};

use recalld_memory::trace::{Span, SpanContext, SpanSink};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, StatusCode, Url};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::http::{self, InvalidEndpoint, Redirects};
use crate::remote::retry;

/// How many spans may wait.
const WAITING_MAX: usize = 8_192;
/// How many spans are sent at once.
const BATCH_MAX: usize = 512;
/// How long a span waits for others.
const BATCH_PAUSE: Duration = Duration::from_secs(1);
/// How long a collector may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a batch is sent.
const ATTEMPTS_MAX: u32 = 4;

/// Where traces go, and what they hold.
#[derive(Clone, Debug)]
pub struct OtlpConfig {
    /// The address of the collector; `/v1/traces` is added unless it is there.
    pub endpoint: String,
    /// What the collector wants to see, such as a key.
    pub headers: Vec<(String, String)>,
    pub service: String,
    /// The share of traces that begin here and are recorded, from 0 to 1.
    pub sampled_share: f64,
    pub shows_content: bool,
    pub shows_users: bool,
}

/// The sink of a server's spans.
#[derive(Debug)]
pub struct OtlpSink {
    waiting: mpsc::Sender<Command>,
    sampled_share: f64,
    shows_content: bool,
    shows_users: bool,
}

#[derive(Debug)]
enum Command {
    Send(Span),
    /// Sends what waits, and says so.
    Flush(oneshot::Sender<()>),
}

impl OtlpSink {
    /// Starts sending. Nothing is sent before the first span.
    pub fn start(config: &OtlpConfig) -> Result<OtlpSink, InvalidEndpoint> {
        let (waiting, commands) = mpsc::channel(WAITING_MAX);
        let sender = Sender {
            client: http::client(Duration::from_secs(5), Redirects::Refused)?,
            url: traces_url(&config.endpoint)?,
            headers: headers(&config.headers)?,
            service: config.service.clone(),
            failing: false,
        };
        tokio::spawn(sender.run(commands));
        Ok(OtlpSink {
            waiting,
            sampled_share: config.sampled_share,
            shows_content: config.shows_content,
            shows_users: config.shows_users,
        })
    }

    /// Waits until everything is sent, at most for `patience`.
    pub async fn flush(&self, patience: Duration) {
        let (done, sent) = oneshot::channel();
        let deadline = Instant::now() + patience;
        if let Ok(Ok(())) = timeout_at(deadline, self.waiting.send(Command::Flush(done))).await {
            let _ = timeout_at(deadline, sent).await;
        }
    }
}

impl SpanSink for OtlpSink {
    fn now_nanos(&self) -> u64 {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
    }

    fn fresh_span_id(&self) -> [u8; 8] {
        random()
    }

    fn fresh_trace(&self) -> SpanContext {
        let trace_id: [u8; 16] = random();
        // The last bytes are the random ones, as the specification has it.
        let [.., a, b, c, d] = trace_id;
        let draw = f64::from(u32::from_be_bytes([a, b, c, d])) / f64::from(u32::MAX);
        SpanContext {
            trace_id,
            span_id: random(),
            is_sampled: draw < self.sampled_share || 1.0 <= self.sampled_share,
        }
    }

    fn shows_content(&self) -> bool {
        self.shows_content
    }

    fn shows_users(&self) -> bool {
        self.shows_users
    }

    fn record(&self, span: Span) {
        if self.waiting.try_send(Command::Send(span)).is_err() {
            metrics::counter!("recalld_spans_dropped_total").increment(1);
        }
    }
}

/// Random bytes that are not all zero, which would be no id.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if getrandom::fill(&mut bytes).is_err() || bytes == [0; N] {
        bytes = [1; N];
    }
    bytes
}

fn traces_url(endpoint: &str) -> Result<Url, InvalidEndpoint> {
    let mut url = http::address(endpoint)?;
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/v1/traces") {
        url.set_path(&format!("{path}/v1/traces"));
    }
    Ok(url)
}

fn headers(given: &[(String, String)]) -> Result<HeaderMap, InvalidEndpoint> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| InvalidEndpoint::Key)?;
        let mut value = HeaderValue::from_str(value).map_err(|_| InvalidEndpoint::Key)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
    Ok(headers)
}

/// The task that sends.
struct Sender {
    client: Client,
    url: Url,
    headers: HeaderMap,
    service: String,
    /// Whether the last batch could not be sent: a failure is logged when it begins, and its end.
    failing: bool,
}

impl Sender {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        let mut batch = Vec::new();
        while let Some(first) = commands.recv().await {
            let mut flushed = self.take(first, &mut batch);
            let deadline = Instant::now() + BATCH_PAUSE;
            while flushed.is_none() && batch.len() < BATCH_MAX {
                match timeout_at(deadline, commands.recv()).await {
                    Ok(Some(command)) => flushed = self.take(command, &mut batch),
                    Ok(None) | Err(_) => break,
                }
            }
            self.send(&std::mem::take(&mut batch)).await;
            if let Some(flushed) = flushed {
                let _ = flushed.send(());
            }
        }
    }

    fn take(&self, command: Command, batch: &mut Vec<Span>) -> Option<oneshot::Sender<()>> {
        match command {
            Command::Send(span) => {
                batch.push(span);
                None
            }
            Command::Flush(done) => Some(done),
        }
    }

    /// Sends a batch, again if the collector asks for that. What cannot be sent is dropped.
    async fn send(&mut self, batch: &[Span]) {
        if batch.is_empty() {
            return;
        }
        let body = encode::request(&self.service, batch);
        let mut pause = Duration::from_millis(200);
        let mut reason = String::new();
        for attempt in 1..=ATTEMPTS_MAX {
            match self.attempt(&body).await {
                Ok(()) => {
                    if std::mem::take(&mut self.failing) {
                        tracing::info!("traces can be sent again");
                    }
                    metrics::counter!("recalld_spans_sent_total").increment(batch.len() as u64);
                    return;
                }
                Err(Refusal::Final(why)) => {
                    reason = why;
                    break;
                }
                Err(Refusal::Passing(why, asked)) => {
                    reason = why;
                    if attempt < ATTEMPTS_MAX {
                        tokio::time::sleep(asked.unwrap_or(pause).min(Duration::from_secs(5))).await;
                        pause *= 2;
                    }
                }
            }
        }
        metrics::counter!("recalld_spans_dropped_total").increment(batch.len() as u64);
        if !std::mem::replace(&mut self.failing, true) {
            tracing::warn!(
                reason,
                "traces cannot be sent to the collector; spans are dropped"
            );
        }
    }

    async fn attempt(&self, body: &[u8]) -> Result<(), Refusal> {
        let request = self
            .client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .timeout(ANSWER_TIMEOUT)
            .body(body.to_vec());
        let response = request
            .send()
            .await
            .map_err(|error| Refusal::Passing(http::reason(error), None))?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let asked = retry::asked_pause(response.headers());
        let reason = format!("it answered {status}");
        // The specification names these four as worth another attempt.
        let is_passing = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::BAD_GATEWAY,
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::GATEWAY_TIMEOUT,
        ];
        match is_passing.contains(&status) {
            true => Err(Refusal::Passing(reason, asked)),
            false => Err(Refusal::Final(reason)),
        }
    }
}

/// Why a batch was not taken.
enum Refusal {
    Passing(String, Option<Duration>),
    Final(String),
}
