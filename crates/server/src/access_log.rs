//! The access log: one JSON object a line for each request.
//!
//! A thread of its own writes it, so that a slow disk delays no request. When it falls behind by
//! too much, lines are dropped and counted.

use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use jiff::Timestamp;
use serde::Serialize;

/// How many lines may wait to be written.
const LINES_WAITING_MAX: usize = 8_192;

/// Whether the log names the user of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggedUsers {
    /// The log names keys alone.
    Omitted,
    Named,
}

/// Where requests are logged.
#[derive(Debug)]
pub struct AccessLog {
    lines: SyncSender<Vec<u8>>,
    users: LoggedUsers,
}

/// Who made a request, as far as the log may know.
#[derive(Clone, Debug)]
pub(crate) struct LoggedCaller {
    /// The id of the key, never the key.
    pub(crate) key: String,
    pub(crate) user: Option<String>,
}

/// A request that was answered.
#[derive(Debug)]
pub(crate) struct Served<'a> {
    pub(crate) request: &'a str,
    pub(crate) method: &'a Method,
    pub(crate) route: &'a str,
    pub(crate) status: StatusCode,
    pub(crate) took: Duration,
    pub(crate) caller: Option<LoggedCaller>,
}

impl Served<'_> {
    /// Gives the request one line in the log, and one in `access_log` if there is one. Neither
    /// holds content or a query.
    pub(crate) fn log(&self, access_log: Option<&AccessLog>) {
        let key = self.caller.as_ref().map(|caller| caller.key.as_str());
        tracing::info!(target: "recalld::http", request = self.request, method = %self.method, route = self.route,
            status = self.status.as_u16(), micros = self.took.as_micros() as u64, key, "request served");
        if let Some(log) = access_log {
            log.note(self);
        }
    }
}

/// A line of the log.
#[derive(Serialize)]
struct Line<'a> {
    time: String,
    request: &'a str,
    method: &'a str,
    route: &'a str,
    status: u16,
    duration_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a str>,
}

impl AccessLog {
    /// Logs to `file`.
    pub fn new(file: impl Write + Send + 'static, users: LoggedUsers) -> std::io::Result<AccessLog> {
        let (lines, waiting) = sync_channel(LINES_WAITING_MAX);
        std::thread::Builder::new()
            .name("access log".to_owned())
            .spawn(move || write_all(file, &waiting))?;
        Ok(AccessLog { lines, users })
    }

    /// Logs a request.
    fn note(&self, served: &Served<'_>) {
        let caller = served.caller.as_ref();
        let user = caller.and_then(|caller| caller.user.as_deref());
        let line = Line {
            time: Timestamp::now().to_string(),
            request: served.request,
            method: served.method.as_str(),
            route: served.route,
            status: served.status.as_u16(),
            duration_ms: (served.took.as_micros() as f64) / 1000.0,
            key: caller.map(|caller| caller.key.as_str()),
            user: user.filter(|_| self.users == LoggedUsers::Named),
        };
        let Ok(mut line) = serde_json::to_vec(&line) else {
            return;
        };
        line.push(b'\n');
        if let Err(TrySendError::Full(_)) = self.lines.try_send(line) {
            metrics::counter!("recalld_access_log_dropped_total").increment(1);
        }
    }
}

/// Writes what arrives, and flushes when nothing waits.
fn write_all(mut file: impl Write, waiting: &Receiver<Vec<u8>>) {
    let mut has_failed = false;
    while let Ok(line) = waiting.recv() {
        let written = file.write_all(&line).and_then(|()| file.flush());
        if let Err(error) = &written
            && !has_failed
        {
            tracing::error!(%error, "the access log cannot be written");
        }
        has_failed = written.is_err();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A file that a test reads.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Logs one request and gives the line without its time.
    fn logged(users: LoggedUsers) -> serde_json::Value {
        let file = Shared::default();
        let log = AccessLog::new(file.clone(), users).unwrap();
        let caller = LoggedCaller {
            key: "key_1".to_owned(),
            user: Some("ana\n\"".to_owned()),
        };
        log.note(&Served {
            request: "r1",
            method: &Method::GET,
            route: "/v1/memories/{id}",
            status: StatusCode::OK,
            took: Duration::from_micros(1500),
            caller: Some(caller),
        });
        loop {
            let text = String::from_utf8(file.0.lock().unwrap().clone()).unwrap();
            if let Some((line, rest)) = text.split_once('\n') {
                assert_eq!(rest, "", "a line is a line, whatever is in it");
                let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(line.as_object_mut().unwrap().remove("time").is_some());
                return line;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_line_names_the_key_and_the_user_only_when_asked_for() {
        let mut expected = serde_json::json!({"request": "r1", "method": "GET", "route": "/v1/memories/{id}",
            "status": 200, "duration_ms": 1.5, "key": "key_1"});
        assert_eq!(logged(LoggedUsers::Omitted), expected);
        expected["user"] = serde_json::json!("ana\n\"");
        assert_eq!(logged(LoggedUsers::Named), expected);
    }
}
