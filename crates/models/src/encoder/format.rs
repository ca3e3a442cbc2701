//! The format of the asset: its sizes, how it may be unusable, and how its numbers are read.

use thiserror::Error;

pub(super) const MAGIC: &[u8; 8] = b"RCLSENTE";
pub(super) const VERSION: u32 = 1;

/// The components of a token row.
pub(super) const ROW: usize = 512;
/// The components of one branch of convolutions.
pub(super) const BRANCH: usize = 256;
/// The components of a finished vector.
pub(super) const OUT: usize = 256;
/// How many tokens each branch sees at once.
pub(super) const WIDTHS: [usize; 3] = [2, 3, 5];
/// The features of a token before they are summed.
pub(super) const FEATURES: usize = ROW + 3 * BRANCH;

/// Why bytes are not a usable encoder.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum BadAsset {
    /// The bytes do not open as an encoder does.
    #[error("not a sentence encoder")]
    Magic,
    /// The asset is of another version of the layout.
    #[error("sentence encoder of version {0}, expected {VERSION}")]
    Version(u32),
    /// The bytes end early, or late.
    #[error("the sentence encoder ends early or late, at {0}")]
    Length(&'static str),
    /// The list of pieces is out of order or not UTF-8.
    #[error("the pieces of the sentence encoder are unusable")]
    Pieces,
}

/// The number at a place of a list of numbers.
pub(super) fn number(bytes: &[u8], place: usize) -> u32 {
    let four = bytes.get(4 * place..4 * place + 4);
    four.and_then(|four| four.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}
