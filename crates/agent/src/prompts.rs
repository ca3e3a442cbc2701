//! The system prompts: templates that a deployment can replace, within a token budget.

use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;

/// The templates. `{{context}}` stands for what memory adds.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompts {
    pub task: Arc<str>,
    pub conversation: Arc<str>,
}

/// Where what memory adds goes.
const PLACE: &str = "{{context}}";

impl Default for Prompts {
    fn default() -> Prompts {
        Prompts {
            task: include_str!("prompts/task.md").into(),
            conversation: include_str!("prompts/conversation.md").into(),
        }
    }
}

/// Where a model reads what time it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeIn {
    /// At the end of each message of the user. What comes before stays the same from request to
    /// request, so that providers' prompt caches serve it.
    #[default]
    Message,
    /// In the system prompt, which then changes with every request.
    System,
}

impl TimeIn {
    /// Both.
    pub const ALL: [TimeIn; 2] = [TimeIn::Message, TimeIn::System];

    /// The name in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            TimeIn::Message => "message",
            TimeIn::System => "system",
        }
    }
}

/// The sentence of the templates that says where the time stands.
const TIME_IN_MESSAGES: &str =
    "Each message of the user ends with the time at which it was sent; do not repeat it.";

/// So many tokens the time needs at the most in a system prompt.
const TIME_TOKENS_MAX: usize = 32;

/// Puts the time into a system prompt: instead of the sentence that says it is in the messages, or
/// at the end of a template that has no such sentence.
pub(crate) fn with_time(prompt: &str, now: Timestamp) -> String {
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let time = format!("Current date and time: {now}");
    match prompt.contains(TIME_IN_MESSAGES) {
        true => prompt.replacen(TIME_IN_MESSAGES, &time, 1),
        false => format!("{prompt}\n\n{time}"),
    }
}

/// How many tokens are left of `budget` for what memory adds.
pub(crate) fn room(template: &str, budget: usize, time_in: TimeIn) -> usize {
    let time = match time_in {
        TimeIn::Message => 0,
        TimeIn::System => TIME_TOKENS_MAX,
    };
    budget.saturating_sub(TokenCount::of(&filled(template, "")).most() + 2 + time)
}

/// Fills a template. One that has no place for the context gets it at its end, so that nothing
/// before it changes.
pub(crate) fn filled(template: &str, context: &str) -> String {
    let text = match template.contains(PLACE) {
        true => template.replace(PLACE, context.trim_end()),
        false => format!("{}\n\n{}", template.trim_end(), context.trim_end()),
    };
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_light_prompt_leaves_room() {
        let prompts = Prompts::default();
        assert!(
            150 <= room(&prompts.conversation, 300, TimeIn::Message),
            "{}",
            room(&prompts.conversation, 300, TimeIn::Message)
        );
        assert_eq!(filled("a {{context}} b", "x\n"), "a x b");
        assert_eq!(filled("a", "x"), "a\n\nx");
        assert_eq!(filled("a\n{{context}}\n", ""), "a");
    }

    #[test]
    fn the_time_takes_the_place_of_its_sentence() {
        let now: Timestamp = "2026-11-17T12:00:00.5Z".parse().unwrap();
        let prompts = Prompts::default();
        for template in [&prompts.task, &prompts.conversation] {
            let prompt = with_time(&filled(template, "known"), now);
            assert!(!prompt.contains("do not repeat it"), "{prompt}");
            assert!(
                prompt.contains("Current date and time: 2026-11-17T12:00:00Z"),
                "{prompt}"
            );
        }
        assert_eq!(
            with_time("Be brief.", now),
            "Be brief.\n\nCurrent date and time: 2026-11-17T12:00:00Z"
        );
    }
}
