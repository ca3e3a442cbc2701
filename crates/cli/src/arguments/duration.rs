//! Spans of time as people write them: a number and a unit.

use jiff::SignedDuration;

/// The units and their seconds.
const UNITS: [(&str, i64); 5] = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800)];

/// Ten years, beyond which a number is a mistake.
const SECONDS_MAX: i64 = 10 * 366 * 86_400;

/// Reads a time such as `30m`, `24h` or `90d`.
pub(crate) fn parse(text: &str) -> Result<SignedDuration, String> {
    let problem = || "must be a number with a unit, such as 30m, 24h, 90d or 52w".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (_, unit) = text.split_at(digits.len());
    let (_, seconds) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(problem)?;
    let number: u32 = digits.parse().map_err(|_| problem())?;
    match i64::from(number).checked_mul(*seconds) {
        Some(seconds) if seconds <= SECONDS_MAX => Ok(SignedDuration::from_secs(seconds)),
        _ => Err("must be at most ten years".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_unit_are_a_time() {
        assert_eq!(parse("90d"), Ok(SignedDuration::from_hours(90 * 24)));
        assert_eq!(parse("0s"), Ok(SignedDuration::ZERO));
        for text in [
            "",
            "90",
            "d",
            "-1d",
            "1.5h",
            "9 d",
            "1y",
            "4294967295w",
            "99999999999d",
            "\u{663}d",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
