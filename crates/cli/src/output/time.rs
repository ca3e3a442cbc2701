//! Times as a person reads them, in the local time zone.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::plain::plural;

/// Formats a time to the minute.
pub(crate) fn moment(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// Formats the day of a time.
pub(crate) fn day(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string()
}

/// Formats how long ago a time was; the day, if it was long ago or lies in the future.
pub(crate) fn ago(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let count = |n: i64, unit: &str| format!("{n} {unit}{} ago", plural(n.unsigned_abs()));
    match now.as_second() - at.as_second() {
        -5..60 => "just now".to_owned(),
        seconds @ 60..3_600 => format!("{} min ago", seconds / 60),
        seconds @ 3_600..86_400 => count(seconds / 3_600, "hour"),
        seconds @ 86_400..1_209_600 => count(seconds / 86_400, "day"),
        _ => day(at, zone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_relative_up_to_two_weeks() {
        let now: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        let cases = [
            ("2026-11-15T11:59:30Z", "just now"),
            ("2026-11-15T11:45:00Z", "15 min ago"),
            ("2026-11-15T11:00:00Z", "1 hour ago"),
            ("2026-11-12T12:00:00Z", "3 days ago"),
            ("2026-01-02T03:04:05Z", "2026-01-02"),
            ("2027-01-02T03:04:05Z", "2027-01-02"),
        ];
        for (at, expected) in cases {
            assert_eq!(ago(at.parse().unwrap(), now, &TimeZone::UTC), expected);
        }
    }
}
