//! What was found in what the user said.

use jiff::civil::Date;
use recalld_memory::slots::{Attribute, Slot};

/// Something found in what the user said.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It holds from now on. In a slot of one value it takes the place of what was known there.
    Holds(Fact),
    /// It no longer holds.
    Ended(Ended),
    /// What was said just before needs correction.
    Corrected(Correction),
}

/// A statement of the user about themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub content: String,
    /// What the statement is about: a part of its content, or nothing.
    pub about: String,
    pub slot: Option<Slot>,
    pub key: Option<String>,
    pub category: &'static str,
    pub confidence: f64,
    /// The words of the user that say so, as they stand in the message.
    pub quote: String,
    /// The day from which it holds, if the words tell.
    pub since: Option<Date>,
    /// A statement of this attribute about the same cannot hold beside it.
    pub opposite: Option<Attribute>,
    /// Which rule found it; none for what a model found.
    pub rule: Option<String>,
}

/// What the user takes back, or what has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    pub slot: Option<Slot>,
    pub about: String,
    /// What the ended statement may have said.
    pub statement: String,
    pub how: Ending,
    pub quote: String,
    pub rule: String,
}

/// How something ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was true until that day; until now, if none is named.
    Until(Option<Date>),
    /// The user wants it forgotten.
    Forgotten,
}

/// What was said just before is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// It is true of somebody else: *that was my sister*.
    pub of: Option<String>,
    /// The value that is right, and the one that is not.
    pub value: Option<String>,
    pub instead_of: Option<String>,
    pub quote: String,
    pub rule: String,
}

impl Finding {
    /// The words of the user that say so.
    pub fn quote(&self) -> &str {
        match self {
            Finding::Holds(fact) => &fact.quote,
            Finding::Ended(ended) => &ended.quote,
            Finding::Corrected(correction) => &correction.quote,
        }
    }

    /// The rule that found it.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Finding::Holds(fact) => fact.rule.as_deref(),
            Finding::Ended(ended) => Some(&ended.rule),
            Finding::Corrected(correction) => Some(&correction.rule),
        }
    }
}

/// The category of what is known in a slot.
pub(super) fn category(attribute: Option<Attribute>) -> &'static str {
    use Attribute::*;
    match attribute {
        Some(
            Likes | Dislikes | Favourite | AnswerLanguage | AnswerLength | AnswerEmojis | AnswerStyle
            | FormOfAddress,
        ) => "preference",
        Some(Employer | Role | Workplace | Boss | Project) => "work_context",
        _ => "personal_context",
    }
}
