//! Codex keeps a file of JSON lines for each session, which begins with where it takes place.

use serde_json::Value;

use super::{Said, time_of};

pub(super) fn said(lines: &[Value]) -> Vec<Said> {
    let begun = lines.iter().find(|line| line["type"] == "session_meta");
    let folder = begun.and_then(|line| line["payload"]["cwd"].as_str());
    let is_typed = |line: &&Value| line["type"] == "event_msg" && line["payload"]["type"] == "user_message";
    let said = lines.iter().filter(is_typed).map(|line| Said {
        text: line["payload"]["message"].as_str().unwrap_or_default().to_owned(),
        folder: folder.unwrap_or_default().into(),
        at: time_of(&line["timestamp"]),
    });
    said.collect()
}
