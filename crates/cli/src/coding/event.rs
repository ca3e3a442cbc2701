//! What a coding agent tells its hooks.

use std::path::PathBuf;

use serde::Deserialize;

/// The input of a hook. Fields that are not needed are ignored, and missing ones are empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct HookInput {
    #[serde(alias = "conversation_id")]
    pub(crate) session_id: String,
    /// The working directory of the session.
    pub(crate) cwd: PathBuf,
    /// The same, as Cursor has it.
    workspace_roots: Vec<PathBuf>,
    /// The name of the event in the agent.
    pub(crate) hook_event_name: String,
    /// What the user typed.
    pub(crate) prompt: String,
    /// Why a session starts: `startup`, `resume`, `clear` or `compact`.
    pub(crate) source: String,
}

/// Takes away quotation marks around the whole of a prompt: opencode puts them around what it is
/// given on its command line, and what is quoted is nothing that the user says.
fn unquoted(prompt: &str) -> &str {
    let inner = prompt
        .trim()
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(prompt)
}

impl HookInput {
    /// Reads the input; `None` if it is something else.
    pub(crate) fn parse(text: &str) -> Option<HookInput> {
        let mut input: HookInput = serde_json::from_str(text).ok()?;
        if !input.cwd.is_absolute()
            && let Some(root) = input.workspace_roots.first()
        {
            input.cwd = root.clone();
        }
        input.prompt = unquoted(&input.prompt).to_owned();
        let is_usable = !input.session_id.is_empty() && input.cwd.is_absolute();
        is_usable.then_some(input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_around_the_whole_are_no_quotation() {
        assert_eq!(unquoted("\"Remember the port\"\n"), "Remember the port");
        for other in ["Say \"hello\"", "\"a\" and \"b\"", "\"", ""] {
            assert_eq!(unquoted(other), other);
        }
    }
}
