//! A message of the protocol, as far as HTTP must know it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Where a message says which revision it belongs to, since 2026-07-28.
const REVISION: &str = "io.modelcontextprotocol/protocolVersion";

/// One message of the client.
#[derive(Debug)]
pub(super) struct Message(Value);

/// What the client expects of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It opens a session, in the revisions that have them.
    Opening,
    Request,
    /// No answer. The client's own answers are of this kind, too.
    Notification,
}

impl Message {
    /// Reads a line. None if it is blank; fails with what the client is to be told.
    pub(super) fn read(line: &[u8]) -> Result<Option<Message>, Vec<u8>> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            error_answer(&Value::Null, -32700, &format!("the message is not JSON: {error}"))
        })?;
        match value.is_object() {
            true => Ok(Some(Message(value))),
            false => Err(error_answer(&Value::Null, -32600, "a message is one JSON object")),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match (self.method(), self.0.get("id").is_some_and(|id| !id.is_null())) {
            (Some("initialize"), true) => Kind::Opening,
            (Some(_), true) => Kind::Request,
            _ => Kind::Notification,
        }
    }

    pub(super) fn method(&self) -> Option<&str> {
        self.0["method"].as_str()
    }

    pub(super) fn id_text(&self) -> String {
        self.0["id"].to_string()
    }

    /// Gives the revision that the message itself names.
    pub(super) fn revision(&self) -> Option<&str> {
        self.0["params"]["_meta"][REVISION].as_str()
    }

    /// Gives what the header `Mcp-Name` must repeat.
    pub(super) fn name(&self) -> Option<String> {
        let field = match self.method()? {
            "tools/call" | "prompts/get" => "name",
            "resources/read" => "uri",
            _ => return None,
        };
        self.0["params"][field].as_str().map(header_text)
    }

    /// Gives the id of the request that the client no longer wants.
    pub(super) fn cancels(&self) -> Option<String> {
        let cancels = self.method() == Some("notifications/cancelled");
        cancels.then(|| self.0["params"]["requestId"].to_string())
    }

    /// Tells whether its answer goes on for as long as the client listens.
    pub(super) fn listens(&self) -> bool {
        self.method() == Some("subscriptions/listen")
    }

    pub(super) fn body(&self) -> String {
        self.0.to_string()
    }

    /// Answers the message with an error, if it wants an answer.
    pub(super) fn refusal(&self, code: i64, reason: &str) -> Option<Vec<u8>> {
        (self.kind() != Kind::Notification).then(|| error_answer(&self.0["id"], code, reason))
    }

    /// Tells whether `data` is the answer, and not something said on the way to it.
    pub(super) fn is_answered_by(&self, data: &[u8]) -> bool {
        let said: Value = serde_json::from_slice(data).unwrap_or_default();
        said.get("method").is_none() && said["id"] == self.0["id"]
    }

    /// Makes one line of an answer. An error that could not say which message it is about gets this
    /// one's id.
    pub(super) fn answer(&self, body: &[u8]) -> Option<Vec<u8>> {
        let mut answer: Value = serde_json::from_slice(body).ok()?;
        answer.get("jsonrpc")?;
        if answer.get("error").is_some() && answer["id"].is_null() {
            answer["id"] = self.0["id"].clone();
        }
        Some(answer.to_string().into_bytes())
    }
}

/// Writes an answer that says what went wrong.
fn error_answer(id: &Value, code: i64, reason: &str) -> Vec<u8> {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": reason } })
        .to_string()
        .into_bytes()
}

/// What the client is told of a message that is not read to its end.
pub(super) fn too_long(bytes_max: u64) -> Vec<u8> {
    let reason = format!("the message is over the limit of {bytes_max} bytes");
    error_answer(&Value::Null, -32600, &reason)
}

/// Writes a text as a header can hold it.
fn header_text(text: &str) -> String {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && text.trim() == text;
    match plain && !text.starts_with("=?") {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message::read(text.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn a_message_says_what_it_wants() {
        let opening = message(r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#);
        assert_eq!(opening.kind(), Kind::Opening);
        assert_eq!(
            message(r#"{"id":"a","method":"tools/list"}"#).kind(),
            Kind::Request
        );
        assert_eq!(message(r#"{"id":1,"result":{}}"#).kind(), Kind::Notification);
        let cancel = message(r#"{"method":"notifications/cancelled","params":{"requestId":"a"}}"#);
        assert_eq!(
            (cancel.kind(), cancel.cancels()),
            (Kind::Notification, Some("\"a\"".to_owned()))
        );
        assert!(matches!(Message::read(b" \r\n"), Ok(None)));
        for bad in [&b"{"[..], b"[]", b"7", b"\xff"] {
            assert!(Message::read(bad).is_err());
        }
    }

    #[test]
    fn a_name_becomes_a_header() {
        let call = |name: &str| {
            let call = json!({"id": 1, "method": "tools/call", "params": {"name": name}});
            message(&call.to_string()).name()
        };
        assert_eq!(call("search_memory").as_deref(), Some("search_memory"));
        assert_eq!(call("größe").as_deref(), Some("=?base64?Z3LDtsOfZQ==?="));
        assert_eq!(call(" x").as_deref(), Some("=?base64?IHg=?="));
        assert_eq!(call("a\nb").as_deref(), Some("=?base64?YQpi?="));
        assert_eq!(message(r#"{"id":1,"method":"tools/list"}"#).name(), None);
    }

    #[test]
    fn an_answer_is_one_line_about_its_message() {
        let asked = message(r#"{"id":7,"method":"tools/list"}"#);
        let body = b"{\n \"jsonrpc\": \"2.0\", \"id\": null,\n \"error\": {\"code\": 1}}";
        let answer = String::from_utf8(asked.answer(body).unwrap()).unwrap();
        assert!(answer.contains("\"id\":7") && !answer.contains('\n'), "{answer}");
        assert_eq!(asked.answer(b"{\"title\":\"not found\"}"), None);
        assert_eq!(asked.answer(b"<html>"), None);
    }
}
