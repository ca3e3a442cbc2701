//! The labels of a memory: key, category, tier, confidence, origin and source.

use std::fmt;
use std::sync::{Arc, LazyLock};

use recalld_index::text::plain;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::screening::instructions::{Suspicion, Verdict};

/// Why a label of a memory is not acceptable.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidLabel {
    /// Nothing but white space.
    #[error("the {what} is blank")]
    Blank { what: &'static str },
    /// Longer than such a label may be.
    #[error("the {what} is {bytes} bytes, over the limit of {limit}")]
    TooLong {
        what: &'static str,
        bytes: usize,
        limit: usize,
    },
    /// A character that does not belong there.
    #[error("the {what} holds {character}, which is not allowed there")]
    Character { what: &'static str, character: String },
    /// Not a number from 0 to 1.
    #[error("the confidence is {given}, which is not between 0 and 1")]
    Confidence { given: f64 },
    /// A word that is not in the list.
    #[error("there is no {what} {given:?}; known are {known}")]
    Unknown {
        what: &'static str,
        given: String,
        known: &'static str,
    },
}

pub(super) fn checked<'a>(what: &'static str, limit: usize, raw: &'a str) -> Result<&'a str, InvalidLabel> {
    let text = raw.trim();
    if text.is_empty() {
        return Err(InvalidLabel::Blank { what });
    }
    if limit < raw.len() {
        return Err(InvalidLabel::TooLong {
            what,
            bytes: raw.len(),
            limit,
        });
    }
    match text
        .chars()
        .find(|&c| c.is_control() || plain::is_bidi_control(c))
    {
        Some(c) => Err(InvalidLabel::Character {
            what,
            character: plain::name_character(c),
        }),
        None => Ok(text),
    }
}

/// A short name of a memory, such as `role` or `opinion_on_crypto`. Case, outer white space and the
/// way in which Unicode writes a letter do not tell two apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    text: Arc<str>,
    verdict: Verdict,
}

impl Key {
    /// The most bytes a key may have.
    pub const BYTES_MAX: usize = 128;

    /// Checks and wraps `raw`.
    pub fn new(raw: &str) -> Result<Key, InvalidLabel> {
        checked("key", Self::BYTES_MAX, raw).map(|text| Key {
            text: text.into(),
            verdict: Verdict::default(),
        })
    }

    /// Gives the key as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Tells why it reads like an instruction, if it does.
    pub(super) fn suspicion(&self) -> Option<Suspicion> {
        self.verdict.on_label(&self.text)
    }

    /// Gives the form by which keys are compared.
    pub fn folded(&self) -> String {
        Key::fold(&self.text)
    }

    /// Gives the form by which keys are compared, of one that somebody typed.
    pub fn fold(raw: &str) -> String {
        let composed: String = raw.trim().nfc().collect();
        composed.to_lowercase()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a memory is about: a lower-case word such as `preference`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Category(Arc<str>);

impl Category {
    /// The categories that the tools name to a model. A deployment may use others.
    pub const KNOWN: [&str; 4] = [
        "preference",
        "work_context",
        "personal_context",
        "reading_history",
    ];

    /// The most bytes a category may have.
    pub const BYTES_MAX: usize = 64;

    /// Checks and wraps `raw`: letters, digits, `_` and `-`, in lower case.
    pub fn new(raw: &str) -> Result<Category, InvalidLabel> {
        let text = checked("category", Self::BYTES_MAX, raw)?.to_lowercase();
        match text
            .chars()
            .find(|&c| !(c.is_alphanumeric() || c == '_' || c == '-'))
        {
            Some(c) => Err(InvalidLabel::Character {
                what: "category",
                character: format!("{c:?}"),
            }),
            None => Ok(Category::shared_if_known(&text)),
        }
    }

    /// Wraps a category that is in order. Nearly all memories have a known one, whose name they
    /// share.
    fn shared_if_known(text: &str) -> Category {
        static NAMES: LazyLock<[Arc<str>; Category::KNOWN.len()]> =
            LazyLock::new(|| Category::KNOWN.map(Arc::from));
        let known = NAMES.iter().find(|name| ***name == *text);
        Category(known.map_or_else(|| text.into(), Arc::clone))
    }

    /// The category of what nobody sorted.
    pub fn unsorted() -> Category {
        Category::shared_if_known("personal_context")
    }

    /// Gives the category as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the text, shared.
    pub fn shared(&self) -> Arc<str> {
        self.0.clone()
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How long a memory lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Until somebody changes it (`MEMORY.md`).
    Durable,
    /// A note of its day that expires (`memory/YYYY-MM-DD.md`).
    Daily,
}

impl Tier {
    /// Gives the tier's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Durable => "durable",
            Tier::Daily => "daily",
        }
    }

    /// Reads a tier's name.
    pub fn parse(raw: &str) -> Result<Tier, InvalidLabel> {
        match raw {
            "durable" => Ok(Tier::Durable),
            "daily" => Ok(Tier::Daily),
            _ => Err(InvalidLabel::Unknown {
                what: "tier",
                given: plain::shorten(raw, 40),
                known: "durable, daily",
            }),
        }
    }
}

/// How sure the writer is, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// What is plainly stated.
    pub const CERTAIN: Confidence = Confidence(1.0);

    /// Checks and wraps `value`.
    pub fn new(value: f64) -> Result<Confidence, InvalidLabel> {
        match (0.0..=1.0).contains(&value) {
            true => Ok(Confidence(value)),
            false => Err(InvalidLabel::Confidence { given: value }),
        }
    }

    /// Raises it to `least`, if it is lower.
    pub fn max_of(self, least: f64) -> Confidence {
        match self.0 < least {
            true => Confidence(least.clamp(0.0, 1.0)),
            false => self,
        }
    }

    /// Gives the number.
    pub fn value(self) -> f64 {
        self.0
    }
}

/// Who a statement comes from. The order is that of trust, the most trusted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The user's own words.
    User,
    /// A model's finding in the user's own words, with its quotation.
    Inferred,
    /// What an agent noted.
    Assistant,
    /// What came from elsewhere in an import.
    Import,
    Tool,
    Document,
}

impl Origin {
    /// All origins, the most trusted first.
    pub const ALL: [Origin; 6] = [
        Origin::User,
        Origin::Inferred,
        Origin::Assistant,
        Origin::Import,
        Origin::Tool,
        Origin::Document,
    ];

    /// Gives the origin's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Origin::User => "user",
            Origin::Import => "import",
            Origin::Assistant => "assistant",
            Origin::Inferred => "inferred",
            Origin::Tool => "tool",
            Origin::Document => "document",
        }
    }

    /// Reads an origin's name.
    pub fn parse(raw: &str) -> Result<Origin, InvalidLabel> {
        let unknown = || InvalidLabel::Unknown {
            what: "origin",
            given: plain::shorten(raw, 40),
            known: "user, inferred, assistant, import, tool, document",
        };
        Origin::ALL
            .into_iter()
            .find(|origin| origin.as_str() == raw)
            .ok_or_else(unknown)
    }

    /// Gives the less trusted of two origins.
    pub fn least_trusted(self, other: Origin) -> Origin {
        self.max(other)
    }

    /// Tells whether these are the user's own words or what was inferred from them.
    pub fn is_users_own(self) -> bool {
        self <= Origin::Inferred
    }

    /// Tells whether a statement of this origin may take the place of one of `other`. Lower trust
    /// never replaces higher; what was inferred counts as the user's own.
    pub fn may_replace(self, other: Origin) -> bool {
        self.is_users_own() || self <= other
    }

    /// Reads from a source such as `document:42` or `https://…` that somebody else is speaking.
    /// A source can lower trust and never raise it.
    pub fn named_by(source: &str) -> Option<Origin> {
        const DOCUMENTS: [&str; 12] = [
            "document",
            "doc",
            "file",
            "page",
            "web",
            "url",
            "http",
            "https",
            "pdf",
            "email",
            "knowledge",
            "website",
        ];
        const TOOLS: [&str; 5] = ["tool", "function", "plugin", "api", "mcp"];
        let (kind, _) = source.split_once([':', '/', '='])?;
        let kind = kind.trim().to_lowercase();
        let is = |kinds: &[&str]| kinds.contains(&kind.as_str());
        match (is(&DOCUMENTS), is(&TOOLS)) {
            (true, _) => Some(Origin::Document),
            (_, true) => Some(Origin::Tool),
            _ => None,
        }
    }

    /// Tells whether such a statement may ever be shown to a model without being asked for. What
    /// documents and tools say may be recalled, but never enters the always-injected block by
    /// itself.
    pub fn may_be_injected(self) -> bool {
        self < Origin::Tool
    }
}

/// Where a memory came from, in the writer's words, such as `discussion:42`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source(Arc<str>);

impl Source {
    /// The most bytes a source may have.
    pub const BYTES_MAX: usize = 512;

    /// Checks and wraps `raw`.
    pub fn new(raw: &str) -> Result<Source, InvalidLabel> {
        checked("source", Self::BYTES_MAX, raw).map(|text| Source(text.into()))
    }

    /// Gives the source as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_is_a_share() {
        assert!(Confidence::new(0.0).is_ok() && Confidence::new(1.0).is_ok());
        for given in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Confidence::new(given).is_err(), "{given}");
        }
    }

    #[test]
    fn names_of_origins_and_tiers_read_back() {
        for origin in Origin::ALL {
            assert_eq!(Origin::parse(origin.as_str()), Ok(origin));
        }
        assert_eq!(Tier::parse("daily"), Ok(Tier::Daily));
        assert!(Tier::parse("weekly").is_err());
    }

    #[test]
    fn trust_falls_along_a_lineage() {
        assert_eq!(Origin::User.least_trusted(Origin::Document), Origin::Document);
        assert!(Origin::Inferred.may_be_injected() && !Origin::Tool.may_be_injected());
        assert_eq!(Origin::Assistant.least_trusted(Origin::Import), Origin::Import);
    }

    #[test]
    fn lower_trust_never_replaces_higher() {
        let may = [
            (Origin::User, Origin::Document),
            (Origin::Inferred, Origin::User),
            (Origin::Assistant, Origin::Assistant),
            (Origin::Assistant, Origin::Import),
        ];
        let may_not = [
            (Origin::Assistant, Origin::User),
            (Origin::Assistant, Origin::Inferred),
            (Origin::Document, Origin::Assistant),
        ];
        assert!(may.iter().all(|(new, was)| new.may_replace(*was)));
        assert!(!may_not.iter().any(|(new, was)| new.may_replace(*was)));
    }

    #[test]
    fn a_source_can_only_lower_trust() {
        for (source, origin) in [
            ("document:42", Some(Origin::Document)),
            ("https://example.com/a", Some(Origin::Document)),
            ("tool:web_search", Some(Origin::Tool)),
            ("discussion:42", None),
            ("user:ana", None),
            ("chat", None),
        ] {
            assert_eq!(Origin::named_by(source), origin, "{source}");
        }
    }
}
