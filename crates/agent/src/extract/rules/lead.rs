//! The words before a statement: "well", "by the way", "oh and".

use crate::extract::language::Language;
use crate::extract::sentences::trimmed;

/// Takes off the words with which people begin, so that what is kept begins with the statement.
pub(super) fn without_lead<'t>(text: &'t str, language: &Language) -> &'t str {
    let end = language.lead.end(text).unwrap_or(0);
    let rest = trimmed(&text[end..]);
    if rest.is_empty() { text } else { rest }
}
