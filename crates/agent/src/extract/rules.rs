//! Extraction without a model: what people plainly say of themselves and of what is theirs.
//!
//! The languages are data (`language.rs`); this is the one engine that reads with them. A sentence
//! counts only if it is the user's own assertion; each of its clauses is compared with the rules of
//! its language, and the first that fits says what it means. What is found is kept in the user's
//! own words, which are its evidence. What is not plain is left alone: a missed fact can be said
//! again, a wrong one is believed.

mod clause;
mod lead;
mod request;
mod sentence;

use jiff::Timestamp;

use super::detect::languages;
use super::finding::Finding;
use super::language::Language;
use super::sentences::{SENTENCE_BYTES_MAX, SENTENCES_MAX, own_lines, sentences};
use sentence::{ADDS, Outcome, add, is_of_others, read_sentence};

/// What a message says, and what became of each of its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub findings: Vec<Finding>,
    pub steps: Vec<Step>,
}

/// What became of a part of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub text: String,
    pub language: &'static str,
    pub verdict: Verdict,
}

/// Why a part of a message was learned, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This rule found something.
    Found(String),
    /// No rule fits.
    NoRule,
    /// It is no assertion of the user.
    Skipped(&'static str),
}

/// Finds what the user plainly says in a message that was sent at `said_at`.
pub fn find(message: &str, said_at: Timestamp) -> Vec<Finding> {
    read(message, said_at, Trace::No).findings
}

/// Finds the same as [`find`], and tells why.
pub fn explain(message: &str, said_at: Timestamp) -> Reading {
    read(message, said_at, Trace::Yes)
}

/// Whether steps are written down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trace {
    Yes,
    No,
}

fn read(message: &str, said_at: Timestamp, trace: Trace) -> Reading {
    let mut reading = Reading::default();
    let of_message = languages(message);
    let mut read = 0;
    // What the sentence before added, so that the next one can take it back.
    let mut last_added = 0;
    for line in own_lines(message) {
        for sentence in sentences(line, &of_message) {
            read += 1;
            if SENTENCES_MAX < read {
                return reading;
            }
            if SENTENCE_BYTES_MAX < sentence.text.len() {
                last_added = 0;
                continue;
            }
            let mut added = 0;
            for language in of_sentence(sentence.text, &of_message) {
                let last = reading.findings.last().filter(|_| 0 < last_added);
                let mut outcome = read_sentence(language, sentence, said_at, is_of_others(last));
                let grows = add_to_last(&mut reading.findings, &mut outcome);
                note(&mut reading, &outcome, language, sentence.text, trace);
                if grows {
                    added = last_added;
                    break;
                }
                match outcome {
                    Outcome::TakesBack => {
                        reading.findings.truncate(reading.findings.len() - last_added);
                        break;
                    }
                    // From here on it is somebody else's text.
                    Outcome::Scene => return reading,
                    Outcome::Skipped(_) => {}
                    Outcome::Read(clauses) => {
                        let before = reading.findings.len();
                        for finding in clauses.into_iter().filter_map(|clause| clause.finding) {
                            if !reading.findings.contains(&finding) {
                                reading.findings.push(finding);
                            }
                        }
                        added = reading.findings.len() - before;
                        if 0 < added {
                            break;
                        }
                    }
                }
            }
            last_added = added;
        }
    }
    reading
}

/// Adds what a sentence says more of whom the one before it spoke of: *His name is Rex*.
fn add_to_last(findings: &mut [Finding], outcome: &mut Outcome<'_>) -> bool {
    let (Some(last), Outcome::Read(clauses)) = (findings.last_mut(), outcome) else {
        return false;
    };
    let mut grows = false;
    for clause in clauses {
        if clause.adds.take_if(|more| add(last, more)).is_some() {
            clause.skipped = Some(ADDS);
            grows = true;
        }
    }
    grows
}

/// The languages of a sentence: its own, or those of the message if it does not tell.
fn of_sentence(text: &str, of_message: &[&'static Language]) -> Vec<&'static Language> {
    let own = languages(text);
    let shared: Vec<&'static Language> = own
        .iter()
        .copied()
        .filter(|language| of_message.iter().any(|known| known.code == language.code))
        .collect();
    if 1 < own.len() && !shared.is_empty() {
        shared
    } else {
        own
    }
}

fn note(reading: &mut Reading, outcome: &Outcome<'_>, language: &'static Language, text: &str, trace: Trace) {
    if trace == Trace::No {
        return;
    }
    let mut step = |text: &str, verdict: Verdict| {
        reading.steps.push(Step {
            text: text.to_owned(),
            language: &language.code,
            verdict,
        });
    };
    match outcome {
        Outcome::TakesBack => step(text, Verdict::Skipped("takes back the sentence before")),
        Outcome::Scene => step(text, Verdict::Skipped("introduces a text of somebody else")),
        Outcome::Skipped(why) => step(text, Verdict::Skipped(why)),
        Outcome::Read(clauses) => {
            for clause in clauses {
                let found = clause.finding.as_ref().and_then(Finding::rule);
                let verdict = match (found, clause.skipped) {
                    (Some(rule), _) => Verdict::Found(rule.to_owned()),
                    (None, Some(why)) => Verdict::Skipped(why),
                    (None, None) => Verdict::NoRule,
                };
                step(clause.text, verdict);
            }
        }
    }
}

#[cfg(test)]
mod tests;
