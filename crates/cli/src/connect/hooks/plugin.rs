//! A plugin for opencode, which runs programs of its own at the turns of a session.

use serde_json::json;

use crate::connect::launch::Launch;

/// What our file starts with, and no other.
const FIRST_LINE: &str = "// Written by `recalld connect opencode --hooks`; `--remove` takes it back.";

/// Where the command goes.
const COMMAND: &str = "\"@COMMAND@\"";

/// The text of the file.
pub(super) fn text(launch: &Launch) -> String {
    let mut words = launch.words();
    // The last word is `mcp`.
    words.pop();
    let program = include_str!("opencode.js").replace(COMMAND, &json!(words).to_string());
    format!("{FIRST_LINE}\n{program}")
}

/// None: the whole file is ours. A file that is somebody else's is left alone.
pub(super) fn removed_from(text: &str) -> Result<Option<String>, String> {
    match text.starts_with(FIRST_LINE) {
        true => Ok(None),
        false => Err("it was not written by recalld".to_owned()),
    }
}
