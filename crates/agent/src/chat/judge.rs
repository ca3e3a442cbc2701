//! A model judges which look-ups of a reply were needed. It is asked after the reply was sent, so
//! that nobody waits for it.

use std::sync::Arc;
use std::time::Duration;

use recalld_memory::ports::ChatModel;
use recalld_memory::ports::chat::{ChatRequest, Turn, ask};

use super::needed::LookUp;
use crate::rollout::RolloutMetrics;

/// How much of each text the judge reads.
const TEXT_CHARS_MAX: usize = 4_000;

/// After so long the rule about words decides.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the judge reads.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) arm: String,
    pub(super) message: String,
    pub(super) look_ups: Vec<LookUp>,
    pub(super) reply: String,
}

/// Asks the judge and counts what it says. If it cannot be asked or answers nonsense, the rule
/// about words counts.
pub(super) async fn count(judge: Arc<dyn ChatModel>, case: Case, rollout: Arc<RolloutMetrics>) {
    let request = request(&case);
    let answer = tokio::time::timeout(PATIENCE, ask(&*judge, &request)).await;
    let said = match &answer {
        Ok(Ok(whole)) => verdict(&whole.text, case.look_ups.len()),
        _ => None,
    };
    if said.is_none() {
        tracing::warn!(
            model = judge.name(),
            "the judge gave no verdict; using the words of the reply instead"
        );
    }
    let needed = said.unwrap_or_else(|| case.look_ups.iter().map(|look_up| look_up.is_used).collect());
    rollout.count_needed(&case.arm, &needed);
}

fn request(case: &Case) -> ChatRequest {
    let mut text = format!("The user's message:\n{}\n\n", cut(&case.message));
    for (index, look_up) in case.look_ups.iter().enumerate() {
        text.push_str(&format!(
            "Result of look-up {}:\n{}\n\n",
            index + 1,
            cut(&look_up.result)
        ));
    }
    text.push_str(&format!("The assistant's reply:\n{}", cut(&case.reply)));
    ChatRequest {
        turns: vec![
            Turn::System(include_str!("judge.md").to_owned()),
            Turn::user(text),
        ],
        // With room for models that think before they answer.
        tokens_max: Some(2_000),
        ..ChatRequest::default()
    }
}

fn cut(text: &str) -> &str {
    let end = text.char_indices().nth(TEXT_CHARS_MAX);
    end.map_or(text, |(end, _)| &text[..end])
}

/// Reads the answer: numbers from 1 to `count`, or the word none. Nothing else is a verdict.
fn verdict(answer: &str, count: usize) -> Option<Vec<bool>> {
    let answer = answer.trim().trim_end_matches('.');
    let mut needed = vec![false; count];
    if answer.eq_ignore_ascii_case("none") {
        return Some(needed);
    }
    for number in answer.split(',') {
        let number: usize = number.trim().parse().ok()?;
        *needed.get_mut(number.checked_sub(1)?)? = true;
    }
    Some(needed)
}

#[cfg(test)]
mod tests {
    use super::{cut, verdict};

    #[test]
    fn only_numbers_and_none_are_verdicts() {
        assert_eq!(verdict("1, 3", 3), Some(vec![true, false, true]));
        assert_eq!(verdict(" None. ", 2), Some(vec![false, false]));
        assert_eq!(verdict("2", 2), Some(vec![false, true]));
        for nonsense in ["", "yes", "0", "4", "1 and 2", "-1", "99999999999999999999999"] {
            assert_eq!(verdict(nonsense, 3), None, "{nonsense}");
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("short"), "short");
        assert_eq!(cut(&"茶".repeat(5_000)).chars().count(), 4_000);
    }
}
