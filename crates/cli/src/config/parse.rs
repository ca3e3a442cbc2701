//! Parses single values. Errors complete the sentence "the value of NAME …".

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use recalld_index::text::plain;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::platform;
use crate::failure::shortened;

/// The most bytes of a path: the limit of common systems.
const PATH_BYTES_MAX: usize = 4096;

/// Parses optional text: blank means not set.
pub(super) fn optional(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Parses the address of an API.
pub(super) fn web_address(text: &str) -> Result<String, String> {
    let url = text.trim().trim_end_matches('/');
    match url.starts_with("http://") || url.starts_with("https://") {
        true => Ok(url.to_owned()),
        false => Err(format!("is {:?}, which is not an http(s) URL", shortened(text))),
    }
}

/// Whether `directives` is a log level or a list of `TARGET=LEVEL`.
pub(super) fn is_log_level(directives: &str) -> bool {
    // A word alone could also be a target, but is more likely a mistyped level.
    let is_level = |directive: &str| {
        let level = directive.rsplit_once('=').map_or(directive, |(_, level)| level);
        !level.trim().is_empty() && level.trim().parse::<LevelFilter>().is_ok()
    };
    directives.split(',').all(is_level) && EnvFilter::builder().parse(directives).is_ok()
}

/// Parses the name of a model, which must be usable as the name of a directory.
pub(super) fn model_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    match !text.is_empty() && text.chars().all(fits) && !text.starts_with('.') {
        true => Ok(text.to_owned()),
        false => Err(format!("is {:?}, which is not a model name", shortened(text))),
    }
}

/// Parses a number from `least` to `most`.
pub(super) fn within<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let number = text.trim().replace('_', "").parse::<T>().ok();
    // A NaN is out of any range.
    let number = number.filter(|number| least <= *number && *number <= most);
    number.ok_or_else(|| {
        format!(
            "is {:?}, which is not a number from {least} to {most}",
            shortened(text)
        )
    })
}

/// Parses a number of bytes, with or without a unit.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    const LEAST: u64 = 1024 * 1024;
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '_'))
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let factor = match unit.trim().to_lowercase().as_str() {
        "" | "b" => Some(1),
        "kb" => Some(1_000),
        "kib" | "k" => Some(1 << 10),
        "mb" => Some(1_000_000),
        "mib" | "m" => Some(1 << 20),
        "gb" => Some(1_000_000_000),
        "gib" | "g" => Some(1_u64 << 30),
        _ => None,
    };
    let number = digits.replace('_', "").parse::<u64>().ok();
    let bytes = number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor));
    let bytes = bytes
        .filter(|bytes| LEAST <= *bytes)
        .and_then(|bytes| usize::try_from(bytes).ok());
    bytes.ok_or_else(|| {
        format!(
            "is {:?}, which is not a size of at least 1 MiB, such as 256 MiB",
            shortened(text)
        )
    })
}

/// Parses true or false.
pub(super) fn truth(text: &str) -> Result<bool, String> {
    match text.trim() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!(
            "is {:?}, which is neither true nor false",
            shortened(text)
        )),
    }
}

/// Parses a path; `~/` is the home directory.
pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    if text.trim().is_empty() {
        return Err("is blank".to_owned());
    }
    if PATH_BYTES_MAX < text.len() {
        return Err(format!(
            "is {} bytes, over the limit of {PATH_BYTES_MAX}",
            text.len()
        ));
    }
    if let Some(c) = text
        .chars()
        .find(|&c| c.is_control() || plain::is_bidi_control(c))
    {
        return Err(format!(
            "contains {}, which is not allowed",
            plain::name_character(c)
        ));
    }
    match (text.strip_prefix("~/"), platform::home()) {
        (Some(rest), Some(home)) => Ok(home.join(rest)),
        _ => Ok(PathBuf::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_level_is_distinguished_from_a_typo() {
        for good in ["warn", "INFO", "off", "recalld=debug", "warn,recalld_store=trace"] {
            assert!(is_log_level(good), "{good}");
        }
        for bad in ["", "loud", "recalld=loud", "warn,,", "recalld"] {
            assert!(!is_log_level(bad), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("256 MiB"), Ok(256 << 20));
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(bytes("1_048_576"), Ok(1 << 20));
        for bad in [
            "",
            "MiB",
            "12",
            "-5 MiB",
            "1.5 GiB",
            "99999999999999999999",
            "9 parsecs",
            "99999999999 GiB",
        ] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_within_bounds() {
        assert_eq!(within("10_000", 200, 20_000), Ok(10_000));
        assert_eq!(within("0.5", 0.0, 1.0), Ok(0.5));
        for bad in ["NaN", "inf", "1.5", "-0.1", "half", ""] {
            assert!(within(bad, 0.0, 1.0).is_err(), "{bad}");
        }
    }

    #[test]
    fn paths_that_deceive_are_refused() {
        for bad in ["", "  ", "a\0b", "a\u{202e}b", &"x/".repeat(3_000)] {
            assert!(path(bad).is_err(), "{bad:?}");
        }
    }
}
