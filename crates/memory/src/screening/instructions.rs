//! Tells what reads like an instruction to an assistant from what is a fact about somebody.
//!
//! A statement that did not come from the user's own words may have been planted: by a web page
//! that an agent read, a document, an import. A fact does little harm. An instruction, a claim
//! about permissions, a command or a link to follow does, as soon as it stands in a prompt. Such a
//! statement is quarantined: stored and found when searched for, never injected until a person
//! confirms it.

mod disguise;
mod phrases;
mod phrases_east;
mod phrases_west;

use std::sync::LazyLock;

use regex::Regex;
use regex::bytes::RegexSet;

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
    disguise::hides_text(content).or_else(|| {
        let keyed = label.map(|label| label.replace(['_', '-'], " "));
        let readings = disguise::readings(content);
        let labels = keyed.as_deref().map(disguise::readings).unwrap_or_default();
        readings
            .iter()
            .chain(&labels)
            .filter_map(|reading| by_phrase(reading))
            .min()
    })
}

fn by_phrase(folded: &str) -> Option<Suspicion> {
    let reasons = TABLES
        .iter()
        .flat_map(|table| table.iter().map(|(reason, _)| *reason));
    let reasons: Vec<Suspicion> = reasons.collect();
    let found = PATTERNS.matches(folded.as_bytes());
    found.into_iter().map(|number| reasons[number]).min()
}
