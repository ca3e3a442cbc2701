//! Whether a sentence is an assertion of the user, and what its clauses say.

use jiff::Timestamp;
use recalld_memory::slots::Subject;

use super::clause::{ClauseRead, Context, adds, read_as, read_clause};
use super::lead::without_lead;
use super::request::read_request;
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
    after_others: bool,
) -> Outcome<'t> {
    let whole = sentence.text;
    let open = &language.gate.open(whole);
    let body = without_lead(whole, language, open);
    let at_either = |pattern| open.is_match(pattern, whole) || whole != body && open.is_match(pattern, body);
    if at_either(&language.takes_back) {
        return Outcome::TakesBack;
    }
    if open.is_match(&language.kidding, whole) {
        return Outcome::Skipped("a joke");
    }
    let context = Context {
        language,
        said_at,
        open,
        after_others,
    };
    // "Remember that …" takes the whole sentence, however many clauses it has, also as a request.
    if let Some(read) = read_request(&context, body) {
        return Outcome::Read(read);
    }
    if body.contains('@')
        && let Some(contact) = read_as(&context, body, "contact.email_label")
    {
        return Outcome::Read(vec![contact]);
    }
    if open.is_match(&language.scene, whole) {
        return Outcome::Scene;
    }
    if at_either(&language.supposed) {
        return Outcome::Skipped("supposed, or a request about a text");
    }
    if looks_like_code(whole) {
        return Outcome::Skipped("code");
    }
    let profile = Some(&language.profile).filter(|profile| open.lets(profile));
    if let Some(end) = profile.and_then(|profile| profile.end(whole)) {
        let list = &whole[end..];
        return read_clauses(&context, list, &listed(list, language), true);
    }
    let mut parts = clauses(body, language);
    if sentence.is_marked_as_question() || open.is_match(&language.asked, body) {
        let is_tag = parts
            .last()
            .is_some_and(|last| open.is_match(&language.tag, last.text));
        let wish = read_as(&context, body, "answer.").or_else(|| read_as(&context, body, "name.call"));
        if let Some(wish) = wish {
            return Outcome::Read(vec![wish]);
        }
        parts = said_beside(&context, body, &parts, sentence.is_marked_as_question());
        if is_tag || parts.is_empty() {
            return Outcome::Skipped("a question");
        }
    }
    if parts
        .first()
        .is_some_and(|first| open.is_match(&language.reported, first.text) && !says_more(&context, first))
    {
        return Outcome::Skipped("what somebody else says, or is");
    }
    read_clauses(&context, body, &parts, false)
}

/// The parts of a list of what the user is: *34, nurse, two kids*.
fn listed<'t>(list: &'t str, language: &Language) -> Vec<Clause<'t>> {
    let mut parts = Vec::new();
    for clause in clauses(list, language) {
        let mut at = clause.at;
        for text in clause.text.split([',', '，', '、', '/', '|', '·']) {
            let bare = trimmed(text);
            if !bare.is_empty() {
                parts.push(Clause { text: bare, at });
            }
            at += text.len() + 1;
        }
    }
    parts
}

/// What a sentence with a question says beside it: *my son is six, gift ideas?*
fn said_beside<'t>(
    context: &Context<'_>,
    body: &'t str,
    parts: &[Clause<'t>],
    marked: bool,
) -> Vec<Clause<'t>> {
    let Context { language, open, .. } = *context;
    let asks = |clause: &Clause<'_>| open.is_match(&language.asked, clause.text);
    let asks_at_once = parts.first().is_some_and(asks);
    let mut said = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let is_last = number + 1 == parts.len();
        let clause = match () {
            () if asks(part) => None,
            // A question stands at the end, and what is said before its last comma.
            () if is_last && marked && !asks_at_once => before_last_comma(part).filter(|left| !asks(left)),
            // "Where do I live and work" asks for both.
            () if asks_at_once && !is_set_apart(&body[..part.at]) => None,
            () => Some(*part),
        };
        said.extend(clause);
    }
    said
}

/// What stands before the last comma of a clause.
fn before_last_comma<'t>(clause: &Clause<'t>) -> Option<Clause<'t>> {
    let cut = clause.text.rfind([',', '，', '、', '–', '—', '¿', '(']);
    let cut = cut.or_else(|| clause.text.rfind(" - "))?;
    let text = trimmed(&clause.text[..cut]);
    (!text.is_empty()).then_some(Clause { text, at: clause.at })
}

/// Whether a comma, a dash or a reason parts what follows from the text `before` it.
fn is_set_apart(before: &str) -> bool {
    const REASONS: [&str; 12] = [
        "because",
        "since",
        "cuz",
        "cos",
        "weil",
        "denn",
        "da",
        "car",
        "porque",
        "pues",
        "pois",
        "puesto que",
    ];
    let words = before.trim_end();
    let last = words.rsplit(char::is_whitespace).next().unwrap_or("");
    words.ends_with([',', '，', '、', ';', '-', '–', '—', '('])
        || REASONS.contains(&last)
        || words
            .trim_end_matches(last)
            .trim_end()
            .ends_with([',', '-', '–', '—', '('])
}

/// Whether a sentence goes on about whom the one before it spoke of.
fn says_more(context: &Context<'_>, first: &Clause<'_>) -> bool {
    context.after_others
        && adds(
            context,
            trimmed(without_lead(first.text, context.language, context.open)),
        )
}

/// Reads the clauses of a sentence. `follows` says that they go on about the user.
fn read_clauses<'t>(
    context: &Context<'_>,
    body: &'t str,
    parts: &[Clause<'t>],
    mut follows: bool,
) -> Outcome<'t> {
    let language = context.language;
    let quoted = body.find(['"', '“', '”', '„', '「', '『', '«']);
    let mut read: Vec<ClauseRead<'t>> = Vec::new();
    let mut of_others = false;
    let mut after_others = context.after_others;
    for (number, part) in parts.iter().enumerate() {
        if quoted.is_some_and(|at| at <= part.at) {
            read.push(ClauseRead::skipped(part.text, "a quotation"));
            continue;
        }
        // What another clause needs lets nothing match in this one.
        let open = &language.gate.open(part.text);
        let context = &Context { open, ..*context };
        let text = trimmed(without_lead(part.text, language, open));
        if after_others && adds(context, text) {
            let done = added(&mut read, text);
            read.push(ClauseRead {
                adds: (!done).then(|| text.to_owned()),
                ..ClauseRead::skipped(part.text, ADDS)
            });
            continue;
        }
        if open.is_match(&language.reported, part.text) {
            read.push(ClauseRead::skipped(part.text, "what somebody else says, or is"));
            break;
        }
        let mut clause = read_clause(context, text, part.text, follows);
        after_others = after_others && clause.finding.is_none() || is_of_others(clause.finding.as_ref());
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

/// What is noted of a clause that says more of whom was spoken of last.
pub(super) const ADDS: &str = "says more of whom was spoken of last";

/// Adds to the last finding of a sentence what a clause says more of it.
fn added(read: &mut [ClauseRead<'_>], more: &str) -> bool {
    let last = read.iter_mut().rev().find_map(|clause| clause.finding.as_mut());
    last.is_some_and(|finding| add(finding, more))
}

/// Adds to a finding about somebody of the user what is said more of them.
pub(super) fn add(finding: &mut Finding, more: &str) -> bool {
    let is_theirs = is_of_others(Some(finding));
    if let Finding::Holds(fact) = finding
        && is_theirs
    {
        let is_spaced = fact.content.contains(' ');
        fact.content.push_str(if is_spaced { ", " } else { "，" });
        fact.content.push_str(more);
    }
    is_theirs
}

/// Whether a finding is about somebody or something of the user.
pub(super) fn is_of_others(finding: Option<&Finding>) -> bool {
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
