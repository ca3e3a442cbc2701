//! The commands of a conversation.

/// The commands, and what they do.
pub(super) const ALL: [(&str, &str); 6] = [
    ("/help", "lists these commands"),
    ("/memory", "shows the memories"),
    (
        "/why",
        "explains the last answer: mode, model, tokens, memories shown",
    ),
    ("/forget", "KEY hides a memory"),
    ("/new", "starts another conversation; memories stay"),
    (
        "/quit",
        "ends the conversation; so do Ctrl-C and Ctrl-D at the prompt",
    ),
];

/// Returns the commands that start with what was typed.
#[cfg(any(feature = "editing", test))]
pub(super) fn completions(typed: &str) -> Vec<&'static str> {
    let starts = |(name, _): &(&'static str, &str)| typed.starts_with('/') && name.starts_with(typed);
    ALL.into_iter().filter(starts).map(|(name, _)| name).collect()
}

/// Lists the names.
pub(super) fn names() -> String {
    ALL.map(|(name, _)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_and_the_first_letters_are_enough() {
        assert_eq!(completions("/me"), ["/memory"]);
        assert_eq!(completions("/").len(), ALL.len());
        assert!(completions("").is_empty() && completions("me").is_empty());
    }
}
