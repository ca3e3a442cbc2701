//! The place that changes are written to.

use super::statement::Statement;

/// The most rows that one statement writes.
pub(super) const ROWS_MAX: usize = 1000;

/// The space and the revision of a write.
#[derive(Clone, Copy)]
pub(super) struct Write<'a> {
    pub(super) space: &'a str,
    pub(super) revision: i64,
}

impl Write<'_> {
    /// Removes from the earlier events of something erased, other than a memory, where it was said.
    pub(super) fn forget_circumstances(self, ordinal: i64, kind: &str, subject: &str) -> Statement {
        Statement::new(FORGET_CIRCUMSTANCES)
            .with(self.space)
            .with(kind)
            .with(subject)
            .with(self.revision)
            .with(ordinal)
    }
}

const FORGET_CIRCUMSTANCES: &str = "
    UPDATE recalld.events SET conversation = NULL, message = NULL, source = NULL, checksum = NULL
    WHERE space = $1 AND kind = $2 AND subject = $3 AND (revision, ordinal) < ($4, $5)";
