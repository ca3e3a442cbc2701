//! Ids and times as JSON text. They are formatted on the stack: an answer holds many of them, and
//! `Display` would allocate a `String` or take many small steps for each.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recalld_memory::id::MemoryId;
use serde::{Serialize, Serializer};

/// The id of a memory.
#[derive(Clone, Copy, Debug)]
pub struct IdText(pub MemoryId);

impl Serialize for IdText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut buffer = [0; uuid::fmt::Hyphenated::LENGTH];
        let text = self.0.as_uuid().hyphenated().encode_lower(&mut buffer);
        serializer.serialize_str(text)
    }
}

/// A moment in RFC 3339: in UTC, with as many digits of the second as it has.
#[derive(Clone, Copy, Debug)]
pub struct TimeText(pub Timestamp);

impl Serialize for TimeText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = Text::default();
        match text.put_time(self.0) {
            Some(()) => serializer.serialize_str(text.as_str()),
            // A year before the first, or one of five digits.
            None => serializer.collect_str(&self.0),
        }
    }
}

/// The longest: `2026-11-16T05:28:55.123456789Z`.
const BYTES_MAX: usize = 30;

#[derive(Default)]
struct Text {
    bytes: [u8; BYTES_MAX],
    length: usize,
}

impl Text {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).expect("digits and signs are text")
    }

    /// None for a year that is not written in four digits.
    fn put_time(&mut self, time: Timestamp) -> Option<()> {
        let time = TimeZone::UTC.to_datetime(time);
        let year = u32::try_from(time.year()).ok().filter(|year| *year > 0)?;
        let small = |number: i8| u32::from(number.unsigned_abs());
        self.put::<4>(year);
        self.put_sign(b'-');
        self.put::<2>(small(time.month()));
        self.put_sign(b'-');
        self.put::<2>(small(time.day()));
        self.put_sign(b'T');
        self.put::<2>(small(time.hour()));
        self.put_sign(b':');
        self.put::<2>(small(time.minute()));
        self.put_sign(b':');
        self.put::<2>(small(time.second()));
        let nanoseconds = time.subsec_nanosecond().unsigned_abs();
        if nanoseconds > 0 {
            self.put_sign(b'.');
            self.put::<9>(nanoseconds);
            while self.bytes[self.length - 1] == b'0' {
                self.length -= 1;
            }
        }
        self.put_sign(b'Z');
        Some(())
    }

    fn put_sign(&mut self, sign: u8) {
        self.bytes[self.length] = sign;
        self.length += 1;
    }

    fn put<const DIGITS: usize>(&mut self, mut number: u32) {
        for place in (self.length..self.length + DIGITS).rev() {
            self.bytes[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.length += DIGITS;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(time: Timestamp) {
        let written = serde_json::to_string(&TimeText(time)).unwrap();
        assert_eq!(written, format!("\"{time}\""));
    }

    #[test]
    fn the_first_and_last_timestamps_equal_their_display() {
        for time in [Timestamp::MIN, Timestamp::MAX, Timestamp::UNIX_EPOCH] {
            check(time);
        }
        check("2026-11-16T05:28:55.12Z".parse().unwrap());
        check("0001-01-01T00:00:00Z".parse().unwrap());
        check("0000-12-31T23:59:59Z".parse().unwrap());
    }

    proptest! {
        #[test]
        fn a_time_equals_its_display(
            second in Timestamp::MIN.as_second() + 1..Timestamp::MAX.as_second(),
            nanosecond in 0..1_000_000_000i32,
            unit in prop::sample::select(vec![1, 1_000, 1_000_000, 1_000_000_000]),
        ) {
            check(Timestamp::new(second, nanosecond / unit * unit).unwrap());
        }
    }
}
