//! A language as data: the words, patterns and dates of one folder of `crates/agent/languages`.
//!
//! Patterns are written plainly and made ready here: `{name}` stands for a macro, a space for any
//! white space, an apostrophe for both of its forms, and an accented letter also for the plain one
//! that people type.

mod folders;
mod gate;
mod needed;
mod pattern;
mod source;

use recalld_memory::slots::{Attribute, Subject};

pub(super) use folders::all;
pub(super) use gate::{Gate, Open};
pub(super) use pattern::{Groups, Pattern};
use source::{RuleLine, Words, ready};
pub(super) use source::{Script, Unit};

/// What a rule does with what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// It holds from now on.
    Holds,
    /// It held until now.
    Ends,
    /// It was never so: the user asks to forget it.
    Forget,
    /// The user asks to remember what the rest says.
    Remember,
    /// What was said last is about somebody else.
    NotMe,
    /// What was said last has another value.
    Corrects,
    /// It says more of whom was spoken of last: *his name is Rex*.
    Adds,
}

/// A pattern at the start of a clause, and what it means.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) does: Does,
    pub(super) attribute: Option<Attribute>,
    pub(super) subject: Option<Subject>,
    pub(super) pattern: Pattern,
    /// What the clause must not hold.
    pub(super) not: Option<Pattern>,
    /// Whether words of passing time are no objection: *we married today*.
    pub(super) any_time: bool,
    pub(super) opposite: Option<Attribute>,
}

/// A fragment that goes on where the clause before it stopped, and what it leaves out.
#[derive(Debug)]
pub(super) struct Continuation {
    pub(super) pattern: Pattern,
    pub(super) with: String,
}

/// Another order of words for the same, and the plain one that rules read.
#[derive(Debug)]
pub(super) struct Rewrite {
    pub(super) pattern: Pattern,
    /// The plain clause, with `{name}` for what a group of the pattern holds.
    pub(super) to: String,
}

/// A phrase for a time that is told from the day of speaking.
#[derive(Debug)]
pub(super) struct DatePhrase {
    pub(super) pattern: Pattern,
    pub(super) unit: Unit,
    pub(super) plus: i64,
}

/// Where a pattern must match.
const START: &str = "^";
const ANYWHERE: &str = "";

/// One language, ready to read with.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) code: String,
    pub(super) script: Script,
    pub(super) markers: Vec<String>,
    pub(super) abbreviations: Vec<String>,
    /// Whether a full stop after a small number belongs to it: *am 3. Mai*.
    pub(super) ordinal_stop: bool,
    /// Words with which a clause begins and which say nothing.
    pub(super) lead: Pattern,
    /// Words with which a clause ends and which say nothing.
    pub(super) tail: Pattern,
    /// Where a sentence is cut; the group `n` begins the next clause.
    pub(super) joint: Pattern,
    /// What stands before a joint and must not be cut off: *my wife and I*.
    pub(super) uncut: Pattern,
    /// From here on the rest of the message is somebody else's text.
    pub(super) scene: Pattern,
    pub(super) supposed: Pattern,
    pub(super) asked: Pattern,
    /// A question that asks whether what was said is so: *right?*
    pub(super) tag: Pattern,
    pub(super) reported: Pattern,
    pub(super) takes_back: Pattern,
    pub(super) kidding: Pattern,
    pub(super) passing: Pattern,
    pub(super) hedged: Pattern,
    pub(super) continues: Vec<Continuation>,
    pub(super) rewrites: Vec<Rewrite>,
    /// What stands before a list of what the user is: *about me:*
    pub(super) profile: Pattern,
    pub(super) rules: Vec<Rule>,
    /// Which of all these patterns may match a text.
    pub(super) gate: Gate,
    pub(super) dates: Vec<DatePhrase>,
    pub(super) numbers: Vec<(String, i64)>,
    pub(super) weekdays: Vec<String>,
}

impl Language {
    /// Reads a language from the texts of its folder.
    pub(super) fn read(words: &str, rules: &str) -> Result<Language, String> {
        let words: Words = toml::from_str(words).map_err(|error| error.to_string())?;
        let lines: source::Rules = toml::from_str(rules).map_err(|error| error.to_string())?;
        let mut gate = Gate::default();
        let mut make = |raw: &str, anchor: &str| {
            gate.admit(match raw {
                // An absent pattern matches nothing.
                "" => Pattern::new(r"(?-u)[^\x00-\xff]".to_owned()),
                raw => Pattern::new(ready(raw, &words.macros, anchor)),
            })
        };
        let mut made = Vec::new();
        for line in &lines.rule {
            made.push(rule(line, &words, &mut make)?);
        }
        let mut continues = Vec::new();
        for line in &words.continues {
            let pattern = make(&line.is, START);
            let with = line.with.clone();
            continues.push(Continuation { pattern, with });
        }
        let mut rewrites = Vec::new();
        for line in &words.rewrites {
            let pattern = make(&line.is, START);
            let to = line.to.clone();
            rewrites.push(Rewrite { pattern, to });
        }
        let mut dates = Vec::new();
        for line in &words.dates {
            let (unit, plus) = (line.unit, line.plus);
            let pattern = make(&line.is, ANYWHERE);
            dates.push(DatePhrase { pattern, unit, plus });
        }
        Ok(Language {
            script: words.script,
            markers: split(&words.markers),
            abbreviations: split(&words.abbreviations),
            ordinal_stop: words.ordinal_stop,
            lead: make(&format!("(?:{})+", words.lead), START),
            tail: make(&tail(&words.tail), ANYWHERE),
            joint: make(&words.joint, ANYWHERE),
            uncut: make(&words.uncut, ANYWHERE),
            scene: make(&words.scene, ANYWHERE),
            supposed: make(&words.supposed, START),
            asked: make(&words.asked, ANYWHERE),
            tag: make(&words.tag, START),
            reported: make(&words.reported, ANYWHERE),
            takes_back: make(&words.takes_back, START),
            kidding: make(&words.kidding, ANYWHERE),
            passing: make(&words.passing, ANYWHERE),
            hedged: make(&words.hedged, ANYWHERE),
            profile: make(&words.profile, START),
            continues,
            rewrites,
            dates,
            numbers: words.numbers.clone().into_iter().collect(),
            weekdays: words.weekdays.clone(),
            rules: made,
            gate,
            code: words.code,
        })
    }
}

impl Language {
    /// Whether its clauses name no subject that the one before named.
    pub(super) fn leaves_out_subjects(&self) -> bool {
        self.script != Script::Latin
    }

    /// Whether a clause names the speaker.
    pub(super) fn names_speaker(&self, clause: &str) -> bool {
        const SPEAKERS: [&str; 8] = ["我", "咱", "本人", "私", "僕", "俺", "わたし", "自分"];
        SPEAKERS.iter().any(|speaker| clause.contains(speaker))
    }
}

#[cfg(test)]
impl Language {
    /// Lists what is wrong with its patterns.
    pub(super) fn check(&self) -> Vec<String> {
        let own = [
            &self.lead,
            &self.tail,
            &self.joint,
            &self.uncut,
            &self.scene,
            &self.supposed,
            &self.asked,
            &self.tag,
            &self.reported,
            &self.takes_back,
            &self.kidding,
            &self.passing,
            &self.hedged,
            &self.profile,
        ];
        let rules = self
            .rules
            .iter()
            .flat_map(|rule| [Some(&rule.pattern), rule.not.as_ref()])
            .flatten();
        let rest = self
            .continues
            .iter()
            .map(|line| &line.pattern)
            .chain(self.rewrites.iter().map(|line| &line.pattern))
            .chain(self.dates.iter().map(|line| &line.pattern));
        own.into_iter()
            .chain(rules)
            .chain(rest)
            .filter_map(|pattern| pattern.check().err())
            .collect()
    }
}

/// The pattern of what a clause may end with; none if the language lists nothing.
fn tail(words: &str) -> String {
    match words.is_empty() {
        true => String::new(),
        false => format!("(?:[, ]+(?:{words}))+$"),
    }
}

fn split(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

fn rule(
    line: &RuleLine,
    words: &Words,
    make: &mut impl FnMut(&str, &str) -> Pattern,
) -> Result<Rule, String> {
    let fail = |error: &dyn std::fmt::Display| format!("{} {}: {error}", words.code, line.id);
    let pattern = make(&line.is, START);
    let not = line.not.as_ref().map(|not| make(not, ANYWHERE));
    let (subject, attribute) = match line.slot.split_once('.') {
        Some((subject, attribute)) => (Some(subject), attribute),
        None => (None, line.slot.as_str()),
    };
    let parse = |name: &str| Attribute::parse(name).ok_or_else(|| fail(&format!("no attribute {name:?}")));
    let attribute = (!attribute.is_empty()).then(|| parse(attribute)).transpose()?;
    let opposite = line.opposite.as_deref().map(parse).transpose()?;
    Ok(Rule {
        id: line.id.clone(),
        does: line.does.into(),
        attribute,
        subject: subject.and_then(Subject::of_word),
        pattern,
        not,
        any_time: line.any_time,
        opposite,
    })
}
