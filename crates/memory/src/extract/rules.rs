//! Extraction without a model: what people plainly say of themselves, in English and Chinese.
//!
//! A rule is a pattern at the start of a clause. What it finds is kept in the user's own words, which are its evidence. What is not
//! plain is left alone: a missed fact can be said again, a wrong one is believed.

mod chinese;
mod english;

use jiff::Timestamp;
use regex::Regex;

use super::dates::dated;
use super::sentences::{Clause, clauses};

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

/// A pattern and what it means. Its group 1 is what the statement is about.
struct Rule {
    pattern: Regex,
    meaning: Meaning,
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
    /// A dislike, which ends that the user likes it.
    Dislike,
    /// What is known under the key no longer holds.
    Ends(&'static str),
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
    let mut remembered: Option<&str> = None;
    for clause in clauses(message) {
        // "Remember that …" takes the whole sentence, however many clauses it has.
        if remembered == Some(clause.sentence) {
            continue;
        }
        let finding = in_clause(&clause, said_at);
        if let Some((finding, Reach::Sentence)) = &finding
            && !found.contains(finding)
        {
            remembered = Some(clause.sentence);
        }
        found.extend(finding.map(|(finding, _)| finding));
    }
    found.dedup();
    found
}

/// How much of the message a finding is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Clause,
    Sentence,
}

fn in_clause(clause: &Clause<'_>, said_at: Timestamp) -> Option<(Finding, Reach)> {
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
        let about = groups.get(1).map_or("", |group| group.as_str()).trim();
        let finding = meant(rule.meaning, read, about, &groups, said_at);
        if let Some(finding) = finding {
            let reach = if takes_sentence {
                Reach::Sentence
            } else {
                Reach::Clause
            };
            return Some((finding, reach));
        }
    }
    None
}

fn meant(
    meaning: Meaning,
    read: &str,
    about: &str,
    groups: &regex::Captures<'_>,
    said_at: Timestamp,
) -> Option<Finding> {
    let said = groups.get(0).map_or(read, |said| said.as_str()).trim();
    let fact = |key: Option<String>, category: &'static str| {
        Some(Finding::Holds(Fact {
            content: dated(&without_lead(said), said_at),
            about: about.to_owned(),
            key,
            category,
            confidence: SAID,
            quote: said.to_owned(),
        }))
    };
    if about.is_empty() || is_empty_word(about) || CONTENT_CHARS_MAX < said.chars().count() {
        return None;
    }
    let short = about.chars().count() <= ABOUT_CHARS_MAX;
    match meaning {
        Meaning::Remember => remembered(about, read, said_at),
        Meaning::Keyed(key, category) if short => fact(Some(key.to_owned()), category),
        Meaning::Favourite if short => fact(Some(format!("favourite_{}", key_of(about)?)), "preference"),
        Meaning::Possession if short => fact(Some(key_of(about)?), "personal_context"),
        Meaning::Plain(category) => fact(None, category),
        Meaning::Dislike => fact(None, "preference"),
        Meaning::Ends(key) if short => Some(Finding::Ended(Ended {
            key: Some(key.to_owned()),
            about: about.to_owned(),
            statements: Vec::new(),
            quote: said.to_owned(),
        })),
        Meaning::Forget => Some(Finding::Ended(forgotten(about, said, said_at))),
        _ => None,
    }
}

/// What the user asks to remember: a fact of its own kind if it is one, and whatever they said otherwise.
fn remembered(about: &str, read: &str, said_at: Timestamp) -> Option<Finding> {
    let inner = Clause {
        text: about,
        sentence: about,
    };
    if let Some((Finding::Holds(fact), Reach::Clause)) = in_clause(&inner, said_at) {
        return Some(Finding::Holds(Fact {
            confidence: 1.0,
            quote: read.to_owned(),
            ..fact
        }));
    }
    Some(Finding::Holds(Fact {
        content: dated(about, said_at),
        about: about.to_owned(),
        key: None,
        category: "personal_context",
        confidence: 1.0,
        quote: read.to_owned(),
    }))
}

fn forgotten(about: &str, said: &str, said_at: Timestamp) -> Ended {
    let inner = Clause {
        text: about,
        sentence: about,
    };
    let known = match in_clause(&inner, said_at) {
        Some((Finding::Holds(fact), _)) => Some(fact),
        _ => None,
    };
    let inner_about = known.as_ref().map(|fact| fact.about.clone());
    Ended {
        key: known.and_then(|fact| fact.key),
        about: inner_about.unwrap_or_else(|| about.to_owned()),
        statements: vec![about.to_owned()],
        quote: said.to_owned(),
    }
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

/// Words that point at something outside the statement.
fn is_empty_word(about: &str) -> bool {
    matches!(
        about.to_lowercase().as_str(),
        "it" | "this"
            | "that"
            | "you"
            | "them"
            | "him"
            | "her"
            | "these"
            | "those"
            | "here"
            | "there"
            | "one"
            | "this one"
            | "that one"
            | "你"
            | "他"
            | "她"
            | "它"
            | "这"
            | "那"
            | "这个"
            | "那个"
            | "这里"
            | "那里"
    )
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
