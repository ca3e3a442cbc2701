//! The state of a run: its messages, and the one way in which they change.

use recalld_memory::ports::chat::{ToolCall, Turn};

/// A message of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// A later entry with the same id replaces this one.
    pub id: String,
    pub turn: Turn,
}

/// All messages of a run, those it began with first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    messages: Vec<Entry>,
}

impl State {
    /// Begins with `messages`.
    pub fn new(messages: Vec<Entry>) -> State {
        let mut state = State::default();
        state.merge(messages);
        state
    }

    /// Takes over a delta: an entry whose id is known replaces the one that has it, where that one
    /// stands; others are appended.
    pub fn merge(&mut self, delta: Vec<Entry>) {
        for entry in delta {
            match self.messages.iter_mut().find(|known| known.id == entry.id) {
                Some(known) => *known = entry,
                None => self.messages.push(entry),
            }
        }
    }

    /// Gives the messages in their order.
    pub fn messages(&self) -> &[Entry] {
        &self.messages
    }

    /// Gives the turns as a model takes them.
    pub fn turns(&self) -> Vec<Turn> {
        self.messages.iter().map(|entry| entry.turn.clone()).collect()
    }

    /// Gives the text of the last answer; empty if there is none.
    pub fn reply(&self) -> &str {
        match self.messages.last().map(|entry| &entry.turn) {
            Some(Turn::Assistant { text, .. }) => text,
            _ => "",
        }
    }

    /// Lists the calls of the last answer that nobody has answered yet.
    pub fn unanswered(&self) -> Vec<&ToolCall> {
        let asking = self
            .messages
            .iter()
            .rposition(|entry| matches!(entry.turn, Turn::Assistant { .. }));
        let Some(at) = asking else {
            return Vec::new();
        };
        let Turn::Assistant { calls, .. } = &self.messages[at].turn else {
            return Vec::new();
        };
        let answered = |call: &ToolCall| {
            self.messages[at..]
                .iter()
                .any(|entry| matches!(&entry.turn, Turn::Tool { call: id, .. } if *id == call.id))
        };
        calls.iter().filter(|call| !answered(call)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, text: &str) -> Entry {
        Entry {
            id: id.to_owned(),
            turn: Turn::user(text),
        }
    }

    #[test]
    fn a_known_id_is_replaced_in_place_and_others_are_appended() {
        let mut state = State::new(vec![entry("a", "one"), entry("b", "two")]);
        state.merge(vec![entry("c", "three"), entry("a", "one, better")]);
        let texts: Vec<String> = state.turns().iter().map(Turn::text).collect();
        assert_eq!(texts, ["one, better", "two", "three"]);
    }

    #[test]
    fn merging_the_same_again_changes_nothing() {
        let delta = vec![entry("a", "one"), entry("b", "two")];
        let mut state = State::new(delta.clone());
        let before = state.clone();
        state.merge(delta);
        assert_eq!(state, before);
    }
}
