//! Tells what reads like an instruction to an assistant from what is a fact about somebody.
//!
//! A statement that did not come from the user's own words may have been planted: by a web page
//! that an agent read, a document, an import. A fact does little harm. An instruction, a claim
//! about permissions, a command or a link to follow does, as soon as it stands in a prompt. Such a
//! statement is quarantined: stored and found when searched for, never injected until a person
//! confirms it.

pub mod classifier;
mod disguise;
mod examples;
mod ideas;
mod moods;
mod phrases;
mod phrases_east;
mod phrases_west;
mod segments;
mod verdict;

use std::sync::LazyLock;

use regex::Regex;
use regex::bytes::RegexSet;
use serde_json::Value;

use self::classifier::Resemblance;
pub(crate) use self::verdict::Verdict;

/// Why a statement is quarantined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suspicion {
    /// It tells an assistant what to do.
    Instruction,
    /// It states a policy or grants a permission.
    Permission,
    /// It asks for a command to be run or data to be sent.
    Command,
    /// It asks to follow a link.
    Link,
    /// It imitates the frame of a prompt: a role, a tag, a delimiter.
    Markup,
    /// It hides or encodes text.
    Disguise,
}

impl Suspicion {
    /// Names the reason.
    pub fn as_str(self) -> &'static str {
        match self {
            Suspicion::Instruction => "instruction",
            Suspicion::Permission => "permission",
            Suspicion::Command => "command",
            Suspicion::Link => "link",
            Suspicion::Markup => "markup",
            Suspicion::Disguise => "disguise",
        }
    }
}

/// A reason and a pattern over folded text.
type Phrase = (Suspicion, &'static str);

static TABLES: [&[Phrase]; 3] = [phrases::PHRASES, phrases_west::PHRASES, phrases_east::PHRASES];

static PATTERNS: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = TABLES
        .iter()
        .flat_map(|table| table.iter().map(|(_, pattern)| expand(pattern)));
    RegexSet::new(patterns).expect("the phrases are constants and compile")
});

/// Writes the shorthands of a phrase out: `~` is white space, `…` a few words of the same sentence,
/// `¦` the edge of a word. Classes are of bytes, which keeps the set small.
fn expand(pattern: &str) -> String {
    static GAP: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\.\{0,([0-9]+)\}").expect("the pattern is a constant and compiles"));
    // A character of the scripts that gaps are for takes three bytes.
    let in_bytes = |gap: &regex::Captures<'_>| {
        let characters: usize = gap[1].parse().unwrap_or(0);
        format!(r"(?-u:[^.!?\n]){{0,{}}}", 3 * characters)
    };
    let pattern = disguise::without_accents(&GAP.replace_all(pattern, in_bytes));
    pattern
        .replace('~', r"(?:(?-u:[\s,:_-])+)")
        .replace('…', r"(?-u:[^.!?\n]){0,80}?")
        .replace('¦', r"(?-u:\b)")
        .replace(r"\w", r"(?-u:[a-z0-9_\x80-\xff])")
        .replace(r"\d", "[0-9]")
}

/// Tells why a statement reads like an instruction, if it does. `label` is its key.
pub fn suspicion(label: Option<&str>, content: &str) -> Option<Suspicion> {
    graver(of_content(content), label.and_then(of_label))
}

/// Tells why the rules alone would hold a statement back.
pub fn suspicion_by_rules(content: &str) -> Option<Suspicion> {
    by_rules(content)
}

fn of_content(content: &str) -> Option<Suspicion> {
    verdict::remembered(content, || with_resemblance(content, by_rules(content)))
}

/// What the rules find. The classifier is asked later, if the text is to be shown.
fn by_rules(content: &str) -> Option<Suspicion> {
    disguise::hides_text(content).or_else(|| by_readings(content))
}

/// Lets the classifier add to what the rules find, and take back what they take for an instruction
/// by its form. What hides text or imitates a prompt stays.
fn with_resemblance(content: &str, by_rules: Option<Suspicion>) -> Option<Suspicion> {
    if matches!(by_rules, Some(Suspicion::Disguise | Suspicion::Markup)) {
        return by_rules;
    }
    match classifier::judge(content) {
        Some(Resemblance::Instruction) => by_rules.or(Some(Suspicion::Instruction)),
        Some(Resemblance::Fact) => None,
        Some(Resemblance::Unclear) | None => by_rules,
    }
}

/// The words of a short label make no sentence, so that only phrases count: `send_time` and
/// `allow_list` are no orders.
fn of_label(label: &str) -> Option<Suspicion> {
    const SHORT_WORDS_MAX: usize = 3;
    const SHORT_BYTES_MAX: usize = 32;
    let text = label.replace(['_', '-'], " ");
    match text.split_whitespace().count() {
        0..=SHORT_WORDS_MAX if text.len() <= SHORT_BYTES_MAX => disguise::readings(&text)
            .iter()
            .find_map(|reading| by_phrase(reading)),
        _ => verdict::remembered(&text, || with_resemblance(&text, by_readings(&text))),
    }
}

/// Tells which reason counts: what hides text is suspicious whatever its label says.
pub(crate) fn graver(content: Option<Suspicion>, label: Option<Suspicion>) -> Option<Suspicion> {
    match content {
        Some(Suspicion::Disguise) => content,
        _ => content.into_iter().chain(label).min(),
    }
}

fn by_readings(text: &str) -> Option<Suspicion> {
    let readings = disguise::readings(text);
    readings
        .iter()
        .filter_map(|reading| by_phrase(reading).or_else(|| by_ideas(reading)))
        .min()
}

/// Tells why a JSON value reads like an instruction, if it does: one of its names or texts, or all
/// of its texts in a row.
pub fn suspicion_in_json(name: &str, value: &Value) -> Option<Suspicion> {
    let mut texts = Vec::new();
    texts_of(value, &mut texts);
    let alone = || texts.iter().find_map(|text| suspicion(None, text));
    let in_a_row = || {
        (1 < texts.len())
            .then(|| suspicion(None, &texts.join(" ")))
            .flatten()
    };
    suspicion(Some(name), "").or_else(alone).or_else(in_a_row)
}

fn texts_of<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| texts_of(value, texts)),
        Value::Object(fields) => {
            for (name, value) in fields {
                texts.push(name);
                texts_of(value, texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The patterns of all ideas, and for each meeting the places of its ideas.
struct Ideas {
    patterns: RegexSet,
    meetings: Vec<(Suspicion, Vec<usize>, Option<usize>)>,
}

static IDEAS: LazyLock<Ideas> = LazyLock::new(|| {
    let mut known: Vec<&'static str> = Vec::new();
    let mut place = |idea: &'static str| match known.iter().position(|other| *other == idea) {
        Some(at) => at,
        None => {
            known.push(idea);
            known.len() - 1
        }
    };
    let mut meetings = Vec::new();
    for meeting in ideas::MEETINGS {
        let all = meeting.all.iter().map(|idea| place(idea)).collect();
        meetings.push((meeting.reason, all, meeting.unless.map(&mut place)));
    }
    let patterns = known.iter().map(|idea| expand(idea));
    Ideas {
        patterns: RegexSet::new(patterns).expect("the ideas are constants and compile"),
        meetings,
    }
});

/// Finds ideas that meet in one sentence.
fn by_ideas(folded: &str) -> Option<Suspicion> {
    sentences(folded).filter_map(meeting_in).min()
}

fn meeting_in(sentence: &str) -> Option<Suspicion> {
    let found = IDEAS.patterns.matches(sentence.as_bytes());
    let meets = |(_, all, unless): &&(Suspicion, Vec<usize>, Option<usize>)| {
        all.iter().all(|idea| found.matched(*idea)) && !unless.is_some_and(|idea| found.matched(idea))
    };
    let met = IDEAS.meetings.iter().filter(meets);
    met.map(|(reason, ..)| *reason).min()
}

/// Splits at the ends of sentences, and not at the dots of an address.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['!', '?', '\n', '。', '！', '？'])
        .flat_map(|part| part.split(". "))
        .map(|sentence| sentence.trim().trim_end_matches('.'))
        .filter(|sentence| !sentence.is_empty())
}

fn by_phrase(folded: &str) -> Option<Suspicion> {
    static REASONS: LazyLock<Vec<Suspicion>> = LazyLock::new(|| {
        let reasons = TABLES
            .iter()
            .flat_map(|table| table.iter().map(|(reason, _)| *reason));
        reasons.collect()
    });
    let found = PATTERNS.matches(folded.as_bytes());
    found.into_iter().map(|number| REASONS[number]).min()
}
