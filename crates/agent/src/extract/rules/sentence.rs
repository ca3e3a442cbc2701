//! Whether a sentence is an assertion of the user, and what its clauses say.

use jiff::Timestamp;
use recalld_memory::slots::Subject;

use super::clause::{ClauseRead, Context, read_clause, read_request};
use super::lead::without_lead;
use crate::extract::finding::Finding;
use crate::extract::language::{Language, Script};
use crate::extract::sentences::{Clause, Sentence, clauses, trimmed};

/// What became of a sentence.
#[derive(Debug)]
pub(super) enum Outcome<'t> {
    /// It takes back the one before.
    TakesBack,
    /// What follows it is somebody else's text.
    Scene,
    Skipped(&'static str),
    Read(Vec<ClauseRead<'t>>),
}

/// Reads one sentence in one language.
pub(super) fn read_sentence<'t>(
    language: &Language,
    sentence: Sentence<'t>,
    said_at: Timestamp,
) -> Outcome<'t> {
    let whole = sentence.text;
    let body = without_lead(whole, language);
    if language.takes_back.is_match(body) || language.takes_back.is_match(whole) {
        return Outcome::TakesBack;
    }
    if language.kidding.is_match(whole) {
        return Outcome::Skipped("a joke");
    }
    let context = Context { language, said_at };
    // "Remember that …" takes the whole sentence, however many clauses it has, also as a request.
    if let Some(read) = read_request(&context, body) {
        return Outcome::Read(read);
    }
    if language.scene.is_match(whole) {
        return Outcome::Scene;
    }
    if language.supposed.is_match(whole) || language.supposed.is_match(body) {
        return Outcome::Skipped("supposed, or a request about a text");
    }
    if looks_like_code(whole) {
        return Outcome::Skipped("code");
    }
    let mut parts = clauses(body, language);
    if sentence.is_marked_as_question() || language.asked.is_match(body) {
        let asks_at_once = parts
            .first()
            .is_none_or(|first| language.asked.is_match(first.text));
        let last = parts.pop();
        let is_tag = last.is_some_and(|last| language.tag.is_match(last.text));
        if asks_at_once || is_tag || parts.is_empty() {
            return Outcome::Skipped("a question");
        }
        parts.retain(|part| !language.asked.is_match(part.text));
    }
    if parts
        .first()
        .is_some_and(|first| language.reported.is_match(first.text))
    {
        return Outcome::Skipped("what somebody else says, or is");
    }
    read_clauses(&context, body, &parts)
}

fn read_clauses<'t>(context: &Context<'_>, body: &'t str, parts: &[Clause<'t>]) -> Outcome<'t> {
    let language = context.language;
    let quoted = body.find(['"', '“', '”', '„', '「', '『', '«']);
    let mut read: Vec<ClauseRead<'t>> = Vec::new();
    let mut follows = false;
    let mut of_others = false;
    for (number, part) in parts.iter().enumerate() {
        if quoted.is_some_and(|at| at <= part.at) {
            read.push(ClauseRead::skipped(part.text, "a quotation"));
            continue;
        }
        if language.reported.is_match(part.text) {
            read.push(ClauseRead::skipped(part.text, "what somebody else says, or is"));
            break;
        }
        let text = trimmed(without_lead(part.text, language));
        let mut clause = read_clause(context, text, part.text, follows);
        if follows && let Some(finding) = &mut clause.finding {
            with_subject(finding, language);
        }
        // Where subjects are left out, a clause speaks of whoever the one before it spoke of.
        of_others = (of_others && !language.names_speaker(text)) || is_of_others(clause.finding.as_ref());
        if of_others && !is_of_others(clause.finding.as_ref()) && language.leaves_out_subjects() {
            clause = ClauseRead::skipped(part.text, "goes on about somebody else");
        }
        follows = clause.finding.is_some() || (follows && clause.skipped.is_none() && text.len() < 40);
        // "Title: I live in Rome" is said by whoever the title names.
        if number == 0 && clause.finding.is_none() && is_labelled(part.text, body) {
            return Outcome::Skipped("said under a heading");
        }
        read.push(clause);
    }
    Outcome::Read(read)
}

/// Adds the subject that a Chinese clause leaves to the one before it, so that it stands alone.
fn with_subject(finding: &mut Finding, language: &Language) {
    let Finding::Holds(fact) = finding else {
        return;
    };
    let is_statement = !matches!(fact.rule.as_deref(), Some(rule) if rule.starts_with("answer."));
    if language.script == Script::Han && is_statement && !language.names_speaker(&fact.content) {
        fact.content.insert(0, '我');
    }
}

/// Whether a finding is about somebody or something of the user.
fn is_of_others(finding: Option<&Finding>) -> bool {
    let Some(Finding::Holds(fact)) = finding else {
        return false;
    };
    let of_other = fact
        .slot
        .as_ref()
        .is_some_and(|slot| slot.subject != Subject::User);
    let kind = fact.rule.as_deref().and_then(|rule| rule.split('.').next());
    of_other || matches!(kind, Some("family" | "pet"))
}

/// Whether a sentence begins with a heading that is none of the user's leads.
fn is_labelled(first: &str, body: &str) -> bool {
    const HEADING_BYTES_MAX: usize = 90;
    let colon = body.find([':', '：']);
    colon.is_some_and(|at| {
        let after = body[at..].trim_start_matches([':', '：']);
        at <= HEADING_BYTES_MAX
            && (after.starts_with(char::is_whitespace) || body[at..].starts_with('：') || first.len() <= at)
    })
}

fn looks_like_code(text: &str) -> bool {
    ["=>", "==", "();", "</", "{{", "}}", "&&", "||", " = \""]
        .iter()
        .any(|sign| text.contains(sign))
}
