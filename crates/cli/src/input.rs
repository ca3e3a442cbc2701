//! Text input: from the arguments or, for `-`, from standard input, up to a limit.

use std::io::{self, IsTerminal, Read};

use jiff::Timestamp;
use recalld_index::text::plain;
use recalld_memory::as_of;
use recalld_memory::memory::Content;

use crate::failure::{Failure, shortened};

/// The most bytes of standard input that are read as text. Anything acceptable is far shorter.
const TEXT_BYTES_MAX: usize = 4 * Content::BYTES_MAX;

/// The most bytes of standard input that are read as JSON.
const JSON_BYTES_MAX: usize = 1024 * 1024;

/// Returns the argument, or standard input for `-`.
pub(crate) fn text(argument: String) -> Result<String, Failure> {
    match argument.as_str() {
        "-" => standard_input(TEXT_BYTES_MAX),
        _ => Ok(argument),
    }
}

/// Returns the argument, or standard input for `-`, with the limit for JSON.
pub(crate) fn json(argument: String) -> Result<String, Failure> {
    match argument.as_str() {
        "-" => standard_input(JSON_BYTES_MAX),
        _ => Ok(argument),
    }
}

tokio::task_local! {
    /// The standard input of a command that another process forwarded.
    pub(crate) static FORWARDED: String;
}

fn standard_input(limit: usize) -> Result<String, Failure> {
    if let Ok(sent) = FORWARDED.try_with(Clone::clone) {
        return bounded(sent.as_bytes(), limit);
    }
    if io::stdin().is_terminal() {
        anstream::eprintln!("reading from the terminal; press Ctrl-D to finish");
    }
    bounded(io::stdin().lock(), limit)
}

/// Reads standard input for a command that another process will run.
pub(crate) fn to_forward() -> Result<String, Failure> {
    standard_input(JSON_BYTES_MAX)
}

fn bounded(reader: impl Read, limit: usize) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let bound = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = reader.take(bound).read_to_end(&mut bytes);
    read.map_err(|error| Failure::failed("input", format!("cannot read standard input: {error}")))?;
    if limit < bytes.len() {
        return Err(Failure::bad_input(
            "too_long",
            format!("standard input is over the limit of {limit} bytes"),
        )
        .hint("nothing was changed"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::bad_input(
            "invalid_utf8",
            format!("standard input is not valid UTF-8 at byte {at}"),
        )
    })
}

/// Reads a time: a date (its end, UTC), or a date and time.
pub(crate) fn time(raw: &str) -> Result<Timestamp, Failure> {
    as_of::moment(raw).ok_or_else(|| {
        let message = format!("{:?} is not a date or time", shortened(raw));
        Failure::bad_input("time", message).hint("for example 2026-03-01 or 2026-03-01T10:00:00Z")
    })
}

/// Checks a query or a topic: not blank, not too long, without invisible control characters.
pub(crate) fn question(what: &str, argument: String) -> Result<String, Failure> {
    let question = text(argument)?;
    let refused = |message: String| Failure::bad_input("invalid_query", message);
    if question.trim().is_empty() {
        return Err(refused(format!("the {what} is blank")).hint("state what to look for"));
    }
    if Content::BYTES_MAX < question.len() {
        let (bytes, limit) = (question.len(), Content::BYTES_MAX);
        return Err(refused(format!(
            "the {what} is {bytes} bytes, over the limit of {limit}"
        )));
    }
    let hides = |c: char| (c.is_control() && !c.is_whitespace()) || plain::is_bidi_control(c);
    match question.char_indices().find(|&(_, c)| hides(c)) {
        Some((at, c)) => Err(refused(format!(
            "the {what} contains {} at byte {at}, which is not allowed",
            plain::name_character(c)
        ))),
        None => Ok(question),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_read_up_to_its_limit() {
        assert_eq!(bounded("four".as_bytes(), 4).unwrap(), "four");
        assert_eq!(bounded("fives".as_bytes(), 4).unwrap_err().code, "too_long");
        assert_eq!(bounded(io::repeat(b'x'), 1_000).unwrap_err().code, "too_long");
        assert_eq!(bounded(&b"a\xff"[..], 4).unwrap_err().code, "invalid_utf8");
    }

    #[test]
    fn a_query_must_be_readable() {
        for bad in ["", " \n", "a\0b", "a\u{202e}b", &"x".repeat(20_000)] {
            assert_eq!(
                question("query", bad.to_owned()).unwrap_err().code,
                "invalid_query"
            );
        }
        assert_eq!(question("query", "座席\nseat".to_owned()).unwrap(), "座席\nseat");
    }
}
