//! Identity numbers: some prove themselves by check digits, the others by what they are called.

mod checks;
mod named;

use std::sync::LazyLock;

use super::Finding;
use super::digits::has_digits;
use super::pattern::{Match, Pattern};

/// An identity number that stands by itself: its kind, its form, and the check that it passes.
struct Format {
    kind: &'static str,
    form: &'static str,
    check: fn(&str) -> bool,
}

const FORMATS: &[Format] = &[
    Format {
        kind: "us social security number",
        form: r"[0-9]{3}-[0-9]{2}-[0-9]{4}",
        check: checks::us_social_security,
    },
    Format {
        kind: "uk national insurance number",
        form: r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D]",
        check: |_| true,
    },
    Format {
        kind: "chinese identity number",
        form: r"[0-9]{6}[ -]?(?:19|20)[0-9]{2}[ -]?[0-9]{4}[ -]?[0-9]{3}[0-9Xx]",
        check: checks::chinese,
    },
    Format {
        kind: "spanish identity number",
        form: r"(?:[0-9]{8}|[XYZxyz]-?[0-9]{7})-?[A-HJ-NP-TV-Za-hj-np-tv-z]",
        check: checks::spanish,
    },
    Format {
        kind: "italian tax code",
        form: r"[A-Za-z]{6}[0-9]{2}[A-EHLMPRSTa-ehlmprst][0-9]{2}[A-Za-z][0-9]{3}[A-Za-z]",
        check: checks::italian,
    },
    Format {
        kind: "french social security number",
        form: r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
        check: checks::french,
    },
    Format {
        kind: "brazilian cpf",
        form: r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}",
        check: checks::brazilian,
    },
    Format {
        kind: "korean resident number",
        form: r"[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])-[1-8][0-9]{6}",
        check: |_| true,
    },
    Format {
        kind: "swedish personal number",
        form: r"(?:19|20)?[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[-+][0-9]{4}",
        check: checks::swedish,
    },
    Format {
        kind: "finnish personal code",
        form: r"(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}[-+A][0-9]{3}[0-9A-FHJ-NPR-Y]",
        check: checks::finnish,
    },
    Format {
        kind: "russian snils",
        form: r"[0-9]{3}-[0-9]{3}-[0-9]{3}[ -][0-9]{2}",
        check: checks::snils,
    },
    Format {
        kind: "mexican curp",
        form: r"[A-Z][AEIOUX][A-Z]{2}[0-9]{6}[HMX][A-Z]{5}[A-Z0-9][0-9]",
        check: |_| true,
    },
    Format {
        kind: "chilean rut",
        form: r"[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk]",
        check: checks::chilean,
    },
    Format {
        kind: "singapore nric",
        form: r"[STFG][0-9]{7}[A-Z]",
        check: checks::singapore,
    },
    Format {
        kind: "indian aadhaar number",
        form: r"[2-9][0-9]{3} [0-9]{4} [0-9]{4}",
        check: checks::aadhaar,
    },
];

static COMPILED: LazyLock<Vec<(&'static Format, Pattern)>> = LazyLock::new(|| {
    let compile = |format: &'static Format| {
        (
            format,
            Pattern::new(&format!(r"(?-u:\b)(?:{})(?-u:\b)", format.form)),
        )
    };
    FORMATS.iter().map(compile).collect()
});

/// Names the kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.kind).chain(named::kinds())
}

/// Finds identity numbers.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    if !has_digits(text, 4) {
        return;
    }
    for (format, form) in COMPILED.iter() {
        let proven = form
            .all(text)
            .filter(|found| stands_alone(found) && (format.check)(found.value()));
        findings.extend(proven.map(|found| Finding::new(format.kind, found.value)));
    }
    named::find(text, findings);
}

/// Tells whether it is no part of a longer number or code.
fn stands_alone(found: &Match<'_>) -> bool {
    let before = found.before().chars().next_back();
    let mut after = found.after().chars();
    let (after, next) = (after.next(), after.next());
    let joins = |c: Option<char>| matches!(c, Some('-' | '.' | '/' | '+' | '#' | '_'));
    let goes_on = joins(after) && next.is_some_and(|c| c.is_ascii_alphanumeric());
    !joins(before) && !goes_on
}
