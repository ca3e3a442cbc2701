//! One line of a memory document, counted.

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;

use super::text;

/// The cost of one line: when another follows it, and when it is the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) followed: TokenCount,
    pub(super) last: TokenCount,
    /// When the fact or place last changed.
    pub(super) touched: Timestamp,
}

impl Line {
    /// Counts a line that is written as `line`.
    pub(super) fn of(line: &str, touched: Timestamp) -> Line {
        // A line ends in a letter and signs, between which no token reaches: what comes before the
        // signs is counted once.
        let said = line.trim_end_matches(['"', '}']);
        let signs = &line[said.len()..];
        let said = text::line_tokens(said);
        Line {
            followed: said + TokenCount::of(&format!("{signs},\n")),
            last: said + TokenCount::of(&format!("{signs}\n")),
            touched,
        }
    }
}
