//! Adds the fields of a row to one number.

use crc32fast::Hasher;
use jiff::Timestamp;
use recalld_memory::validity::Period;

/// A CRC-32 over fields. Each is preceded by its length, or by whether it is there, so that no two
/// rows of different fields are summed up from the same bytes.
pub(super) struct Sum(Hasher);

impl Sum {
    pub(super) fn of(space: &str) -> Sum {
        Sum(Hasher::new()).text(space)
    }

    pub(super) fn bytes(mut self, bytes: &[u8]) -> Sum {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a text as PostgreSQL stores it: it has no NUL, and a replacement character in its
    /// place.
    pub(super) fn text(self, text: &str) -> Sum {
        match text.contains('\0') {
            true => self.bytes(text.replace('\0', "\u{fffd}").as_bytes()),
            false => self.bytes(text.as_bytes()),
        }
    }

    pub(super) fn number(mut self, number: u64) -> Sum {
        self.0.update(&number.to_le_bytes());
        self
    }

    pub(super) fn optional(self, text: Option<&str>) -> Sum {
        match text {
            Some(text) => self.number(1).text(text),
            None => self.number(0),
        }
    }

    pub(super) fn time(self, at: Timestamp) -> Sum {
        self.number(at.as_microsecond() as u64)
    }

    /// Adds when a memory holds. Rows without it keep the sums that they had before.
    pub(super) fn period(self, period: &Period) -> Sum {
        if *period == Period::default() {
            return self;
        }
        let newer = period.superseded_by.map(|id| id.as_uuid());
        let newer = newer.as_ref().map_or([0; 16], |id| *id.as_bytes());
        let sum = self.optional_time(period.from).optional_time(period.until);
        sum.bytes(&newer)
    }

    pub(super) fn optional_time(self, at: Option<Timestamp>) -> Sum {
        match at {
            Some(at) => self.number(1).time(at),
            None => self.number(0),
        }
    }

    pub(super) fn finish(self) -> i64 {
        i64::from(self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_run_together_are_told_apart() {
        let sum = |a: &str, b: Option<&str>| Sum::of("user:ana").text(a).optional(b).finish();
        let sums = [
            sum("ab", None),
            sum("a", Some("b")),
            sum("a", None),
            sum("", Some("ab")),
            sum("ab", Some("")),
        ];
        for (at, one) in sums.iter().enumerate() {
            assert!(!sums[..at].contains(one), "{at}");
        }
        assert_ne!(
            Sum::of("user:ana").text("ab").finish(),
            Sum::of("user:bo").text("ab").finish()
        );
    }
}
