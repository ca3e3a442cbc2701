//! The system prompts: templates that a deployment can replace, within a token budget.

use std::sync::Arc;

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

/// How many tokens are left of `budget` for what memory adds.
pub(crate) fn room(template: &str, budget: usize) -> usize {
    budget.saturating_sub(TokenCount::of(&filled(template, "")).most() + 2)
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
            150 <= room(&prompts.conversation, 300),
            "{}",
            room(&prompts.conversation, 300)
        );
        assert_eq!(filled("a {{context}} b", "x\n"), "a x b");
        assert_eq!(filled("a", "x"), "a\n\nx");
        assert_eq!(filled("a\n{{context}}\n", ""), "a");
    }
}
