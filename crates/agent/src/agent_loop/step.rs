//! What comes next, as a pure function of what was said and spent.

use std::time::Duration;

use recalld_memory::ports::chat::{ToolCall, Turn, Usage};

use super::state::State;

/// How far a run may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How often the model is asked. The last time it gets no tools, so that it answers.
    pub steps_max: u32,
    pub time_max: Duration,
    /// The most tokens in and out, as the provider counts them.
    pub tokens_max: u64,
    /// The most calls of one answer that are carried out.
    pub calls_max: usize,
    /// The most tokens of what a tool answers.
    pub result_tokens_max: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            steps_max: 8,
            time_max: Duration::from_secs(180),
            tokens_max: 200_000,
            calls_max: 16,
            result_tokens_max: 4_000,
        }
    }
}

/// What a run has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    pub steps: u32,
    pub time: Duration,
    pub usage: Usage,
    /// Whether the model was asked a last time, without tools.
    pub was_asked_to_answer: bool,
}

impl Spent {
    fn is_nearly_all(&self, bounds: &Bounds) -> bool {
        let tokens = self.usage.tokens_in + self.usage.tokens_out;
        bounds.steps_max <= self.steps + 1 || bounds.tokens_max <= tokens || bounds.time_max <= self.time
    }
}

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Ask the model, with its tools.
    Ask,
    /// Ask it a last time, without tools.
    AskForAnswer,
    /// Carry these calls out, all at the same time.
    Call(Vec<ToolCall>),
    Done(Ending),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// With an answer.
    Replied,
    /// With calls of tools that whoever asked carries out.
    CallsOfCaller(Vec<ToolCall>),
    /// A bound was reached before the model answered.
    Exhausted,
    /// The model failed.
    Failed,
    /// The receiver of the events was dropped.
    Abandoned,
}

/// Decides the next step. `is_own` tells the tools that are run here from those of the caller.
pub fn next(state: &State, spent: &Spent, bounds: &Bounds, is_own: impl Fn(&str) -> bool) -> Step {
    let answered_by_model = matches!(
        state.messages().last().map(|entry| &entry.turn),
        Some(Turn::Assistant { .. })
    );
    let unanswered = state.unanswered();
    let (own, callers): (Vec<&ToolCall>, Vec<&ToolCall>) =
        unanswered.into_iter().partition(|call| is_own(&call.name));
    if spent.was_asked_to_answer && !own.is_empty() {
        // It calls tools that it was not given: it would do so for ever.
        return Step::Done(Ending::Exhausted);
    }
    if !own.is_empty() {
        return Step::Call(own.into_iter().cloned().collect());
    }
    if !callers.is_empty() {
        return Step::Done(Ending::CallsOfCaller(callers.into_iter().cloned().collect()));
    }
    match (answered_by_model, spent.is_nearly_all(bounds)) {
        (true, _) => Step::Done(Ending::Replied),
        (false, _) if bounds.steps_max <= spent.steps => Step::Done(Ending::Exhausted),
        (false, true) => Step::AskForAnswer,
        (false, false) => Step::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::Entry;
    use super::*;

    fn call(id: &str, name: &str) -> ToolCall {
        ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: "{}".to_owned(),
        }
    }

    fn state(turns: Vec<Turn>) -> State {
        let entry = |(at, turn): (usize, Turn)| Entry {
            id: at.to_string(),
            turn,
        };
        State::new(turns.into_iter().enumerate().map(entry).collect())
    }

    fn answer(calls: Vec<ToolCall>) -> Turn {
        Turn::Assistant {
            text: String::new(),
            calls,
        }
    }

    fn result(call: &str) -> Turn {
        Turn::Tool {
            call: call.to_owned(),
            name: "own".to_owned(),
            text: "x".to_owned(),
            failed: false,
        }
    }

    fn decide(turns: Vec<Turn>, steps: u32) -> Step {
        let spent = Spent {
            steps,
            ..Spent::default()
        };
        next(&state(turns), &spent, &Bounds::default(), |name| name == "own")
    }

    #[test]
    fn the_model_is_asked_until_it_answers_without_calls() {
        assert_eq!(decide(vec![Turn::user("hi")], 0), Step::Ask);
        let asking = vec![Turn::user("hi"), answer(vec![call("1", "own"), call("2", "own")])];
        assert_eq!(
            decide(asking.clone(), 1),
            Step::Call(vec![call("1", "own"), call("2", "own")])
        );
        let half: Vec<Turn> = asking.iter().cloned().chain([result("2")]).collect();
        assert_eq!(decide(half.clone(), 1), Step::Call(vec![call("1", "own")]));
        let whole: Vec<Turn> = half.into_iter().chain([result("1")]).collect();
        assert_eq!(decide(whole, 1), Step::Ask);
        assert_eq!(
            decide(vec![Turn::user("hi"), Turn::assistant("hello")], 1),
            Step::Done(Ending::Replied)
        );
    }

    #[test]
    fn calls_of_the_caller_end_the_run_after_our_own() {
        let mixed = vec![
            Turn::user("hi"),
            answer(vec![call("1", "theirs"), call("2", "own")]),
        ];
        assert_eq!(decide(mixed.clone(), 1), Step::Call(vec![call("2", "own")]));
        let after: Vec<Turn> = mixed.into_iter().chain([result("2")]).collect();
        assert_eq!(
            decide(after, 1),
            Step::Done(Ending::CallsOfCaller(vec![call("1", "theirs")]))
        );
    }

    #[test]
    fn the_last_step_has_no_tools_and_after_it_nothing_comes() {
        let asked = vec![Turn::user("hi"), answer(vec![call("1", "own")]), result("1")];
        assert_eq!(decide(asked.clone(), 6), Step::Ask);
        assert_eq!(decide(asked.clone(), 7), Step::AskForAnswer);
        assert_eq!(decide(asked, 8), Step::Done(Ending::Exhausted));
    }

    #[test]
    fn time_and_tokens_bring_the_answer_forward() {
        let bounds = Bounds::default();
        let asked = state(vec![Turn::user("hi")]);
        let late = Spent {
            time: bounds.time_max,
            ..Spent::default()
        };
        let dear = Spent {
            usage: Usage {
                tokens_in: bounds.tokens_max,
                ..Usage::default()
            },
            ..Spent::default()
        };
        for spent in [late, dear] {
            assert_eq!(next(&asked, &spent, &bounds, |_| true), Step::AskForAnswer);
        }
    }
}
