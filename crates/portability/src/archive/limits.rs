//! How much of an import is read.

use recalld_memory::record::RecordKind;

/// Gives the most bytes of a record's value: more for the state of an agent.
pub(super) fn value_bytes_max(kind: RecordKind) -> usize {
    match kind.is_opaque() {
        true => 6 << 20,
        false => 1 << 20,
    }
}

/// How much of an import is read.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of all files together, unpacked.
    pub bytes_max: u64,
    /// The most lines and entries of all files together.
    pub rows_max: usize,
    /// The most faults that are listed.
    pub faults_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes_max: 2 << 30,
            rows_max: 20_000_000,
            faults_max: 1000,
        }
    }
}
