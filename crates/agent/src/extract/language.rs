//! A language as data: the words, patterns and dates of one folder of `crates/agent/languages`.
//!
//! Patterns are written plainly and made ready here: `{name}` stands for a macro, a space for any
//! white space, an apostrophe for both of its forms, and an accented letter also for the plain one
//! that people type.

mod pattern;
mod source;

use std::sync::LazyLock;

use recalld_memory::slots::{Attribute, Subject};

pub(super) use pattern::{Groups, Pattern, PatternSet};
use source::{DateLine, RuleLine, Words, ready};
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

/// A phrase for a time that is told from the day of speaking.
#[derive(Debug)]
pub(super) struct DatePhrase {
    pub(super) pattern: Pattern,
    pub(super) unit: Unit,
    pub(super) plus: i64,
}

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
    pub(super) rules: Vec<Rule>,
    pub(super) set: PatternSet,
    pub(super) dates: Vec<DatePhrase>,
    pub(super) numbers: Vec<(String, i64)>,
    pub(super) weekdays: Vec<String>,
}

impl Language {
    /// Reads a language from the texts of its folder.
    pub(super) fn read(words: &str, rules: &str) -> Result<Language, String> {
        let words: Words = toml::from_str(words).map_err(|error| error.to_string())?;
        let lines: source::Rules = toml::from_str(rules).map_err(|error| error.to_string())?;
        let make = |raw: &str, anchor: &str| match raw {
            // An absent pattern matches nothing.
            "" => Pattern::new(r"(?-u)[^\x00-\xff]".to_owned()),
            raw => Pattern::new(ready(raw, &words.macros, anchor)),
        };
        let anywhere = |raw: &str| make(raw, "");
        let start = |raw: &str| make(raw, "^");
        let mut made = Vec::new();
        for line in &lines.rule {
            made.push(rule(line, &words)?);
        }
        let set = PatternSet::new(made.iter().map(|rule| &rule.pattern));
        let continues = words.continues.iter().map(|line| {
            let pattern = start(&line.is);
            let with = line.with.clone();
            Continuation { pattern, with }
        });
        let dates = words.dates.iter().map(|line: &DateLine| {
            let (unit, plus) = (line.unit, line.plus);
            let pattern = anywhere(&line.is);
            DatePhrase { pattern, unit, plus }
        });
        Ok(Language {
            script: words.script,
            markers: split(&words.markers),
            abbreviations: split(&words.abbreviations),
            ordinal_stop: words.ordinal_stop,
            lead: start(&format!("(?:{})*", words.lead)),
            joint: anywhere(&words.joint),
            uncut: anywhere(&words.uncut),
            scene: anywhere(&words.scene),
            supposed: start(&words.supposed),
            asked: anywhere(&words.asked),
            tag: start(&words.tag),
            reported: anywhere(&words.reported),
            takes_back: start(&words.takes_back),
            kidding: anywhere(&words.kidding),
            passing: anywhere(&words.passing),
            hedged: anywhere(&words.hedged),
            continues: continues.collect(),
            dates: dates.collect(),
            numbers: words.numbers.clone().into_iter().collect(),
            weekdays: words.weekdays.clone(),
            rules: made,
            set,
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
            .chain(self.dates.iter().map(|line| &line.pattern));
        own.into_iter()
            .chain(rules)
            .chain(rest)
            .filter_map(|pattern| pattern.check().err())
            .collect()
    }
}

fn split(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

fn rule(line: &RuleLine, words: &Words) -> Result<Rule, String> {
    let fail = |error: &dyn std::fmt::Display| format!("{} {}: {error}", words.code, line.id);
    let pattern = Pattern::new(ready(&line.is, &words.macros, "^"));
    let not = line
        .not
        .as_ref()
        .map(|not| Pattern::new(ready(not, &words.macros, "")));
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

/// Every language: one line each.
const FOLDERS: [(&str, &str); 7] = [
    (
        include_str!("../../languages/en/words.toml"),
        include_str!("../../languages/en/rules.toml"),
    ),
    (
        include_str!("../../languages/zh/words.toml"),
        include_str!("../../languages/zh/rules.toml"),
    ),
    (
        include_str!("../../languages/de/words.toml"),
        include_str!("../../languages/de/rules.toml"),
    ),
    (
        include_str!("../../languages/fr/words.toml"),
        include_str!("../../languages/fr/rules.toml"),
    ),
    (
        include_str!("../../languages/es/words.toml"),
        include_str!("../../languages/es/rules.toml"),
    ),
    (
        include_str!("../../languages/pt/words.toml"),
        include_str!("../../languages/pt/rules.toml"),
    ),
    (
        include_str!("../../languages/ja/words.toml"),
        include_str!("../../languages/ja/rules.toml"),
    ),
];

/// All languages, read on first use.
pub(super) fn all() -> &'static [Language] {
    static ALL: LazyLock<Vec<Language>> = LazyLock::new(|| {
        let read = |(words, rules): &(&str, &str)| {
            Language::read(words, rules).expect("a language that its tests read")
        };
        FOLDERS.iter().map(read).collect()
    });
    &ALL
}
