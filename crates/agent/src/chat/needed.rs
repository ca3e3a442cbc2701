//! Whether a look-up was needed: whether something of its result that the model did not know before
//! reached the reply.

use std::collections::HashSet;

use recalld_index::text::{TermKind, analyse};
use recalld_memory::ports::chat::Turn;

use crate::agent_loop::Outcome;

/// A look-up that found something.
#[derive(Debug)]
pub(super) struct LookUp {
    pub(super) result: String,
    /// Whether something new of the result reached the reply.
    pub(super) is_used: bool,
}

/// Gives each look-up of a run that found something, in their order.
pub(super) fn look_ups(outcome: &Outcome, reply: &str) -> Vec<LookUp> {
    let turns: Vec<&Turn> = outcome.state.messages().iter().map(|entry| &entry.turn).collect();
    let found = outcome.calls.iter().filter(|call| call.found == Some(true));
    let is_result = |turn: &&Turn, id: &str| matches!(turn, Turn::Tool { call, .. } if call == id);
    let judged = found.filter_map(|call| {
        // The same id may have been used before, in what a caller brought along.
        let place = turns.iter().rposition(|turn| is_result(turn, &call.id))?;
        let before: Vec<String> = turns[..place].iter().map(|turn| turn.text()).collect();
        let result = turns[place].text();
        let is_used = is_used(&result, &before, reply);
        Some(LookUp { result, is_used })
    });
    judged.collect()
}

/// Whether the reply has a word of the result that nothing before it had.
fn is_used(result: &str, before: &[String], reply: &str) -> bool {
    let known: HashSet<String> = before.iter().flat_map(|text| words(text)).collect();
    let said: HashSet<String> = words(reply).collect();
    words(result).any(|word| said.contains(&word) && !known.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let terms = analyse(text).into_iter();
    terms
        .filter(|term| term.kind != TermKind::Stop)
        .map(|term| term.text)
}

#[cfg(test)]
mod tests {
    use super::is_used;

    #[test]
    fn a_result_is_used_if_something_new_of_it_is_said() {
        let result = "- target_titles: [\"CISO\"]";
        let asked = ["does this match my target titles?".to_owned()];
        assert!(is_used(result, &asked, "Yes: you look for a CISO."));
        assert!(!is_used(result, &asked, "Yes, it matches your target titles."));
        let told = [asked[0].clone(), "You look for a CISO.".to_owned()];
        assert!(!is_used(result, &told, "You look for a CISO."), "known before");
        assert!(is_used("budget: 5000", &asked, "Up to 5000."));
        assert!(!is_used("", &asked, "Yes."));
    }
}
