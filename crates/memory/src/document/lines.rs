//! The lines of one part of a document by age. They are few, and every write to a space tries its
//! changes on a copy of them: one piece of memory is copied much faster than a tree.

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;

use super::text;

/// The cost of one line: when another follows it, and when it is the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) followed: TokenCount,
    pub(super) last: TokenCount,
    pub(super) active: bool,
    /// When the fact or place last changed.
    pub(super) touched: Timestamp,
}

impl Line {
    /// Counts a line that is written as `line`.
    pub(super) fn of(line: &str, active: bool, touched: Timestamp) -> Line {
        // A line ends in a letter and signs, between which no token reaches: what comes before the
        // signs is counted once.
        let said = line.trim_end_matches(['"', '}']);
        let signs = &line[said.len()..];
        let said = text::line_tokens(said);
        Line {
            followed: said + TokenCount::of(&format!("{signs},\n")),
            last: said + TokenCount::of(&format!("{signs}\n")),
            active,
            touched,
        }
    }
}

/// The lines of facts or of places, the oldest first.
#[derive(Clone, Debug)]
pub(super) struct Lines<Id>(Vec<(Timestamp, Id, Line)>);

impl<Id> Default for Lines<Id> {
    fn default() -> Lines<Id> {
        Lines(Vec::new())
    }
}

impl<Id: Ord> Lines<Id> {
    /// Enters a line, in the place of the one that is there.
    pub(super) fn put(&mut self, at: Timestamp, id: Id, line: Line) {
        match self.find(at, &id) {
            Ok(place) => self.0[place] = (at, id, line),
            Err(place) => self.0.insert(place, (at, id, line)),
        }
    }

    /// Strikes a line, if it is there.
    pub(super) fn remove(&mut self, at: Timestamp, id: &Id) -> Option<Line> {
        let place = self.find(at, id).ok()?;
        Some(self.0.remove(place).2)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (Timestamp, &Id, &Line)> {
        self.0.iter().map(|(at, id, line)| (*at, id, line))
    }

    pub(super) fn last(&self) -> Option<&Line> {
        self.0.last().map(|(_, _, line)| line)
    }

    fn find(&self, at: Timestamp, id: &Id) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(known_at, known, _)| (*known_at, known).cmp(&(at, id)))
    }
}
