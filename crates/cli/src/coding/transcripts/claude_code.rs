//! Claude Code keeps a file of JSON lines for each session.

use serde_json::Value;

use super::{Said, text_of, time_of};

pub(super) fn said(lines: &[Value]) -> Vec<Said> {
    let by_user = lines.iter().filter(|line| {
        let is_own = |name: &str| line[name].as_bool() != Some(true);
        line["type"] == "user" && is_own("isMeta") && is_own("isSidechain")
    });
    let said = by_user.filter(|line| line["message"]["role"] == "user");
    said.map(|line| Said {
        text: text_of(&line["message"]["content"]),
        folder: line["cwd"].as_str().unwrap_or_default().into(),
        at: time_of(&line["timestamp"]),
    })
    .collect()
}
