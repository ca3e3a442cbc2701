//! Extraction without a model: what people plainly say of themselves, in English and Chinese.
//!
//! A rule is a pattern at the start of a clause, and a test of what the pattern took for a name, a
//! place, a taste. What it finds is kept in the user's own words, which are its evidence. What is
//! not plain is left alone: a missed fact can be said again, a wrong one is believed.

mod chinese;
mod english;
mod plausible;

use jiff::Timestamp;
use regex::Regex;

use super::dates::dated;
use super::sentences::{Clause, clauses, parts};
use plausible::Test;

/// Something found in what the user said.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It holds from now on. With a key it takes the place of what was known under it.
    Holds(Fact),
    /// It no longer holds.
    Ended(Ended),
}

/// A statement of the user about themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub content: String,
    /// What the statement is about: a part of its content, or nothing.
    pub about: String,
    pub key: Option<String>,
    pub category: &'static str,
    pub confidence: f64,
    /// The words of the user that say so, as they stand in the message.
    pub quote: String,
    /// Statements that cannot hold beside it: it takes the place of whichever is known.
    pub instead_of: Vec<String>,
}

/// What the user takes back.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Under this key, if it mentions `about`.
    pub key: Option<String>,
    pub about: String,
    /// Or what says one of these.
    pub statements: Vec<String>,
    pub quote: String,
}

/// A pattern and what it means. Its group 1 is what the statement is about, and must pass the test.
struct Rule {
    pattern: Regex,
    meaning: Meaning,
    test: Test,
}

#[derive(Clone, Copy)]
enum Meaning {
    /// The user asks to remember what group 1 says.
    Remember,
    /// A fact under a key.
    Keyed(&'static str, &'static str),
    /// "My favourite colour is blue": group 1 names the thing, and the key.
    Favourite,
    /// "My dog is called Rex": group 1 names the thing, and the key.
    Possession,
    /// A fact of that category.
    Plain(&'static str),
    /// A taste; the opposite ones, in which `{}` stands for what it is about, cannot hold beside
    /// it.
    Taste(&'static [&'static str]),
    /// What is known under the key no longer holds.
    Ends(&'static str),
    /// These statements, in which `{}` stands for what they are about, no longer hold.
    Unsays(&'static [&'static str]),
    /// The user asks to forget what group 1 says.
    Forget,
}

/// How sure is what somebody plainly says of themselves.
const SAID: f64 = 0.9;

/// The most characters of what is kept.
const CONTENT_CHARS_MAX: usize = 400;

/// The most characters of what a keyed statement is about.
const ABOUT_CHARS_MAX: usize = 80;

/// Finds what the user plainly says in a message that was sent at `said_at`.
pub fn find(message: &str, said_at: Timestamp) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    // "Remember that …" takes the whole sentence, however many clauses it has.
    let mut remembered: Option<&str> = None;
    let mut spoke_of_self: Option<&str> = None;
    for clause in clauses(message) {
        if remembered == Some(clause.sentence) {
            continue;
        }
        // "…, live in Rome" speaks of whoever the clause before it spoke of.
        let subject = if spoke_of_self == Some(clause.sentence) {
            Subject::May
        } else {
            Subject::Must
        };
        let (findings, reach) = in_clause(&clause, subject, said_at);
        spoke_of_self = (!findings.is_empty()).then_some(clause.sentence);
        if reach == Reach::Sentence && !findings.is_empty() {
            remembered = Some(clause.sentence);
        }
        for finding in findings {
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
    }
    found
}

/// Whether a clause has to name whom it speaks of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Must,
    May,
}

/// How much of the message a finding is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Clause,
    Sentence,
}

fn in_clause(clause: &Clause<'_>, subject: Subject, said_at: Timestamp) -> (Vec<Finding>, Reach) {
    let (text, sentence) = (clause.text, clause.sentence);
    let begins_sentence = sentence.starts_with(text);
    for rule in english::rules().iter().chain(chinese::rules()) {
        let takes_sentence = matches!(rule.meaning, Meaning::Remember | Meaning::Forget);
        let read = match takes_sentence && begins_sentence {
            true => sentence,
            false => text,
        };
        let Some(groups) = rule.pattern.captures(read) else {
            continue;
        };
        let said = groups.get(0).map_or(read, |said| said.as_str()).trim();
        let about = groups.get(1).map_or("", |group| group.as_str()).trim();
        let content = without_lead(said);
        let added = missing_subject(&content);
        if added.is_some() && subject == Subject::Must {
            continue;
        }
        let said = Said {
            content: format!("{}{content}", added.unwrap_or("")),
            quote: said,
            about,
            at: said_at,
        };
        if about.is_empty() || CONTENT_CHARS_MAX < said.quote.chars().count() || !(rule.test)(about, read) {
            continue;
        }
        let findings = meant(rule.meaning, &said);
        if !findings.is_empty() {
            let reach = if takes_sentence {
                Reach::Sentence
            } else {
                Reach::Clause
            };
            return (findings, reach);
        }
    }
    (Vec::new(), Reach::Clause)
}

/// What a rule read.
struct Said<'t> {
    content: String,
    quote: &'t str,
    about: &'t str,
    at: Timestamp,
}

impl Said<'_> {
    fn fact(&self, key: Option<String>, category: &'static str) -> Fact {
        Fact {
            content: dated(&self.content, self.at),
            about: self.about.to_owned(),
            key,
            category,
            confidence: SAID,
            quote: self.quote.to_owned(),
            instead_of: Vec::new(),
        }
    }

    fn ended(&self, key: Option<&str>, statements: Vec<String>) -> Finding {
        Finding::Ended(Ended {
            key: key.map(str::to_owned),
            about: self.about.to_owned(),
            statements,
            quote: self.quote.to_owned(),
        })
    }

    fn filled(&self, statements: &[&str]) -> Vec<String> {
        let filled = |statement: &&str| statement.replace("{}", self.about);
        statements.iter().map(filled).collect()
    }
}

fn meant(meaning: Meaning, said: &Said<'_>) -> Vec<Finding> {
    let short = said.about.chars().count() <= ABOUT_CHARS_MAX;
    let keyed = |key: Option<String>, category| {
        let key = key.filter(|_| short);
        key.map(|key| Finding::Holds(said.fact(Some(key), category)))
    };
    let finding = match meaning {
        Meaning::Remember => return remembered(said),
        Meaning::Forget => Some(forgotten(said)),
        Meaning::Keyed(key, category) => keyed(Some(key.to_owned()), category),
        Meaning::Favourite => keyed(
            key_of(said.about).map(|thing| format!("favourite_{thing}")),
            "preference",
        ),
        Meaning::Possession => keyed(key_of(said.about), "personal_context"),
        Meaning::Plain(category) => Some(Finding::Holds(said.fact(None, category))),
        Meaning::Taste(opposites) => Some(Finding::Holds(Fact {
            instead_of: said.filled(opposites),
            ..said.fact(None, "preference")
        })),
        Meaning::Ends(key) => short.then(|| said.ended(Some(key), Vec::new())),
        Meaning::Unsays(statements) => short.then(|| said.ended(None, said.filled(statements))),
    };
    finding.into_iter().collect()
}

/// What the user asks to remember: facts of their own kinds if every part of it is one, and
/// whatever they said otherwise.
fn remembered(said: &Said<'_>) -> Vec<Finding> {
    let own = parts(said.about).into_iter().map(|part| {
        let clause = Clause {
            text: part,
            sentence: part,
        };
        match in_clause(&clause, Subject::Must, said.at) {
            (findings, Reach::Clause) => findings.into_iter().next(),
            _ => None,
        }
    });
    let asked = |fact: Fact| {
        Finding::Holds(Fact {
            confidence: 1.0,
            quote: said.quote.to_owned(),
            ..fact
        })
    };
    let own: Option<Vec<Finding>> = own
        .map(|finding| match finding {
            Some(Finding::Holds(fact)) => Some(asked(fact)),
            _ => None,
        })
        .collect();
    own.unwrap_or_else(|| {
        vec![asked(Fact {
            content: dated(said.about, said.at),
            ..said.fact(None, "personal_context")
        })]
    })
}

fn forgotten(said: &Said<'_>) -> Finding {
    let inner = Clause {
        text: said.about,
        sentence: said.about,
    };
    let known = match in_clause(&inner, Subject::Must, said.at).0.into_iter().next() {
        Some(Finding::Holds(fact)) => Some(fact),
        _ => None,
    };
    let inner_about = known.as_ref().map(|fact| fact.about.clone());
    Finding::Ended(Ended {
        key: known.and_then(|fact| fact.key),
        about: inner_about.unwrap_or_else(|| said.about.to_owned()),
        statements: vec![said.about.to_owned()],
        quote: said.quote.to_owned(),
    })
}

/// Takes off the words with which people begin, so that what is kept begins with the statement.
fn without_lead(said: &str) -> String {
    let rest = english::lead()
        .find(said)
        .map_or(said, |lead| &said[lead.end()..]);
    let rest = chinese::lead()
        .find(rest)
        .map_or(rest, |lead| &rest[lead.end()..]);
    if rest.is_empty() {
        said.to_owned()
    } else {
        rest.to_owned()
    }
}

/// The subject that a clause leaves to the one before it.
fn missing_subject(content: &str) -> Option<&'static str> {
    if english::subjectless().is_match(content) {
        return Some("I ");
    }
    chinese::subjectless().is_match(content).then_some("我")
}

/// Makes a key of the name of a thing: `ice cream` becomes `ice_cream`.
fn key_of(thing: &str) -> Option<String> {
    let words: Vec<String> = thing
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    ((1..=3).contains(&words.len())).then(|| words.join("_"))
}

#[cfg(test)]
mod tests;
