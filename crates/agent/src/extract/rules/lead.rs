//! The words around a statement: "well", "by the way", "oh and".

use crate::extract::language::{Language, Open};
use crate::extract::sentences::trimmed;

/// Takes off the words with which people begin and end, so that what is kept is the statement.
/// `open` tells which patterns may match in the sentence.
pub(super) fn without_lead<'t>(text: &'t str, language: &Language, open: &Open) -> &'t str {
    let lead = Some(&language.lead).filter(|lead| open.lets(lead));
    let start = lead.and_then(|lead| lead.end(text)).unwrap_or(0);
    let rest = trimmed(&text[start..]);
    let tail = Some(&language.tail).filter(|tail| open.lets(tail));
    let end = tail.and_then(|tail| tail.start(rest)).unwrap_or(rest.len());
    match (trimmed(&rest[..end]), rest) {
        ("", "") => text,
        ("", rest) => rest,
        (bare, _) => bare,
    }
}
