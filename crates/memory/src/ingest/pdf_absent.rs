//! Stands for the reader of PDF in a build without the feature `pdf`.

use super::decode::ReadError;
use super::outline::ParsedDocument;

/// Refuses every document and says what to do.
pub(super) fn read(_bytes: &[u8]) -> Result<ParsedDocument, ReadError> {
    Err(ReadError::Pdf {
        reason: "this build does not read PDF; install a package, or build with `--features pdf`".to_owned(),
    })
}
