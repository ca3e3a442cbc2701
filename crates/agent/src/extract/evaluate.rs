//! Measures what rules learn from labelled messages.

use std::collections::BTreeMap;

use jiff::Timestamp;
use recalld_memory::memory::Origin;
use recalld_memory::remember;
use serde::Deserialize;

use super::finding::Finding;
use super::rules::find;
use super::statement::statement;

/// A message with the facts that should be learned from it. One without facts is a trap.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub lang: String,
    pub text: String,
    #[serde(default)]
    pub facts: Vec<Expected>,
    /// When it was said; [`SAID_AT`] if nothing is given.
    pub at: Option<Timestamp>,
}

/// A fact that should be learned.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub kind: String,
    /// The words that must stand in what is learned.
    pub says: Vec<String>,
    /// Whether something ends or is corrected.
    #[serde(default)]
    pub ends: bool,
}

/// When messages were said that do not tell.
const SAID_AT: &str = "2026-11-12T09:00:00Z";

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub part: usize,
    pub whole: usize,
}

impl Share {
    /// The part as a fraction; 1 of nothing.
    pub fn ratio(self) -> f64 {
        if self.whole == 0 {
            return 1.0;
        }
        self.part as f64 / self.whole as f64
    }

    fn add(&mut self, hit: bool) {
        self.whole += 1;
        self.part += usize::from(hit);
    }
}

/// How well messages were read.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    pub messages: usize,
    /// Learned facts of expected ones.
    pub recall: Share,
    /// Right findings of all.
    pub precision: Share,
    /// Traps from which something was learned, of all.
    pub traps: Share,
    pub recall_by_language: BTreeMap<String, Share>,
    pub precision_by_language: BTreeMap<String, Share>,
    pub recall_by_kind: BTreeMap<String, Share>,
    /// What was not learned: language, kind, words, message.
    pub missed: Vec<[String; 4]>,
    /// What was learned and should not have been: language, rule, what was learned, message.
    pub wrong: Vec<[String; 4]>,
}

/// Reads the messages by rules, and compares what is found with what is expected.
pub fn evaluate(cases: &[Case]) -> Evaluation {
    let mut evaluation = Evaluation {
        messages: cases.len(),
        ..Evaluation::default()
    };
    for case in cases {
        judge(case, &mut evaluation);
    }
    evaluation
}

fn judge(case: &Case, evaluation: &mut Evaluation) {
    let said_at = case.at.unwrap_or_else(|| SAID_AT.parse().expect("a fixed time"));
    let mut found = find(&case.text, said_at);
    found.retain(|finding| !is_secret(finding));
    if case.facts.is_empty() {
        evaluation.traps.add(!found.is_empty());
    }
    for expected in &case.facts {
        let hit = found.iter().any(|finding| fits(expected, finding));
        evaluation.recall.add(hit);
        evaluation
            .recall_by_kind
            .entry(expected.kind.clone())
            .or_default()
            .add(hit);
        evaluation
            .recall_by_language
            .entry(case.lang.clone())
            .or_default()
            .add(hit);
        if !hit {
            let words = expected.says.join(" + ");
            evaluation
                .missed
                .push([case.lang.clone(), expected.kind.clone(), words, case.text.clone()]);
        }
    }
    for finding in &found {
        let right = case.facts.iter().any(|expected| fits(expected, finding));
        evaluation.precision.add(right);
        evaluation
            .precision_by_language
            .entry(case.lang.clone())
            .or_default()
            .add(right);
        if !right {
            let rule = finding.rule().unwrap_or("").to_owned();
            evaluation
                .wrong
                .push([case.lang.clone(), rule, said(finding), case.text.clone()]);
        }
    }
}

fn said(finding: &Finding) -> String {
    match finding {
        Finding::Holds(fact) => fact.content.clone(),
        Finding::Ended(ended) => format!("{} {}", ended.statement, ended.about),
        Finding::Corrected(correction) => correction.quote.clone(),
    }
}

fn fits(expected: &Expected, finding: &Finding) -> bool {
    let same_direction = match finding {
        Finding::Holds(_) => !expected.ends,
        Finding::Ended(_) => expected.ends,
        Finding::Corrected(_) => true,
    };
    let said = said(finding).to_lowercase();
    same_direction
        && expected
            .says
            .iter()
            .all(|word| said.contains(&word.to_lowercase()))
}

/// Whether the engine would refuse it.
fn is_secret(finding: &Finding) -> bool {
    match finding {
        Finding::Holds(fact) => statement(fact, Origin::User)
            .is_none_or(|statement| remember::refuse_secrets(&statement).is_err()),
        Finding::Ended(_) | Finding::Corrected(_) => false,
    }
}
