//! Finds secrets: keys, tokens, passwords, card, account and identity numbers.
//!
//! A memory that holds a secret is refused; in what is stored as it was said (messages, titles,
//! documents, interactions) the secret is replaced by `[redacted: …]`. Each detector is one file;
//! all of them read a [`Normalised`] copy, so that invisible characters, full-width digits and
//! unusual spaces hide nothing.

mod accounts;
mod cards;
mod codes;
mod digits;
mod identity;
mod json;
mod named;
mod normalised;
mod password_words;
mod passwords;
mod pattern;
mod private_keys;
mod seed_phrases;
mod token_formats;
mod tokens;
mod urls;

use std::borrow::Cow;
use std::ops::Range;

pub use json::{find_in_json, redact_json};
use normalised::Normalised;

/// What kind of secret a text seems to hold. The secret itself is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Secret {
    kind: &'static str,
}

impl Secret {
    /// Names the kind, such as `github token`.
    pub fn as_str(self) -> &'static str {
        self.kind
    }
}

/// A secret and where it stands, in bytes of the normalised text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    kind: &'static str,
    range: Range<usize>,
}

impl Finding {
    fn new(kind: &'static str, range: Range<usize>) -> Finding {
        Finding { kind, range }
    }
}

/// Appends what one detector finds in a normalised text.
type Detector = fn(&str, &mut Vec<Finding>);

/// The specific detectors come first: where two find the same text, the first names it.
const DETECTORS: [Detector; 11] = [
    private_keys::find,
    tokens::find,
    urls::find,
    seed_phrases::find,
    cards::find,
    accounts::find,
    identity::find,
    codes::find,
    named::find,
    passwords::find,
    tokens::find_split,
];

/// Kinds that are named where they are found and not in a table.
const OTHER_KINDS: [&str; 11] = [
    "access key or token",
    "bank account",
    "card number",
    "credentials",
    "iban",
    "password",
    "password in a url",
    "private key",
    "seed phrase",
    "token in a url",
    "wallet key",
];

/// Tells whether `name` is a kind of secret.
fn is_kind(name: &str) -> bool {
    let mut kinds = tokens::kinds()
        .chain(identity::kinds())
        .chain(codes::kinds())
        .chain(OTHER_KINDS);
    kinds.any(|kind| kind == name)
}

/// Gives `text` as the detectors read it: nothing invisible, look-alikes in ASCII.
pub(super) fn folded(text: &str) -> String {
    Normalised::of(text).text().to_owned()
}

/// Finds the first kind of secret in `text`.
pub fn find(text: &str) -> Option<Secret> {
    let normalised = Normalised::of(text);
    let mut findings = Vec::new();
    for detect in DETECTORS {
        detect(normalised.text(), &mut findings);
        if let Some(Finding { kind, .. }) = findings.first() {
            return Some(Secret { kind });
        }
    }
    None
}

/// Finds a secret in `value`, which stands under `name`: a field, a key or a category. A value
/// such as `hunter2` is a secret only because its name is `wifi_password`.
pub fn find_named(name: &str, value: &str) -> Option<Secret> {
    find(value).or_else(|| find(&format!("{}: {value}", name.replace(['_', '-'], " "))))
}

/// Replaces each secret in `text` by `[redacted: KIND]`; borrows the text when it holds none.
pub fn redact(text: &str) -> Cow<'_, str> {
    let normalised = Normalised::of(text);
    let mut findings = Vec::new();
    for detect in DETECTORS {
        detect(normalised.text(), &mut findings);
    }
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut redacted = String::with_capacity(text.len());
    let mut copied = 0;
    for Finding { kind, range } in disjoint(findings) {
        let original = normalised.original(range);
        redacted.push_str(&text[copied..original.start]);
        redacted.push_str(&format!("[redacted: {kind}]"));
        copied = original.end;
    }
    redacted.push_str(&text[copied..]);
    Cow::Owned(redacted)
}

/// Sorts findings by place and joins those that overlap under the name of the earlier detector.
fn disjoint(findings: Vec<Finding>) -> Vec<Finding> {
    let mut ranked: Vec<(usize, Finding)> = findings.into_iter().enumerate().collect();
    ranked.sort_by_key(|(rank, finding)| (finding.range.start, *rank));
    let mut joined: Vec<(usize, Finding)> = Vec::new();
    for (rank, finding) in ranked {
        match joined.last_mut() {
            Some((first, last)) if finding.range.start < last.range.end => {
                last.range.end = last.range.end.max(finding.range.end);
                if rank < *first {
                    (*first, last.kind) = (rank, finding.kind);
                }
            }
            _ => joined.push((rank, finding)),
        }
    }
    joined.into_iter().map(|(_, finding)| finding).collect()
}
