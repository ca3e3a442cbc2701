//! How much of a conversation a prompt shows as it was said. The rest is summarised.

use recalld_index::text::tokens::TokenCount;
use recalld_memory::conversation::Message;

use crate::settings::ChatSettings;

/// The most messages, and the most tokens of them, that a prompt shows as they were said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    messages: usize,
    tokens: usize,
}

/// How much of a window some messages fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fill {
    messages: usize,
    tokens: TokenCount,
}

impl Fill {
    /// Counts `messages`.
    pub fn of<'m>(messages: impl IntoIterator<Item = &'m Message>) -> Fill {
        let texts = messages.into_iter().map(|message| message.content.as_str());
        texts.fold(Fill::default(), Fill::and)
    }

    /// Adds one message.
    pub fn and(self, text: &str) -> Fill {
        Fill {
            messages: self.messages + 1,
            tokens: self.tokens + TokenCount::of(text),
        }
    }
}

impl Window {
    /// Reads it from the settings.
    pub fn of(settings: &ChatSettings) -> Window {
        Window {
            messages: settings.history_messages,
            tokens: settings.history_tokens_max,
        }
    }

    /// Half of it: what a summary leaves, so that between two summaries a prompt only grows at its
    /// end and providers find the rest in their caches.
    pub(super) fn half(self) -> Window {
        Window {
            messages: self.messages / 2,
            tokens: self.tokens / 2,
        }
    }

    /// Returns whether so much fits.
    pub fn holds(self, fill: Fill) -> bool {
        fill.messages <= self.messages && fill.tokens.fits(self.tokens)
    }

    /// Counts how many of the newest of `messages` fit.
    pub fn newest_that_fit(self, messages: &[Message]) -> usize {
        let mut fill = Fill::default();
        let fits = |message: &&Message| {
            fill = fill.and(message.content.as_str());
            self.holds(fill)
        };
        messages.iter().rev().take_while(fits).count()
    }

    /// The most messages that it may hold.
    pub(super) fn messages(self) -> usize {
        self.messages
    }
}
