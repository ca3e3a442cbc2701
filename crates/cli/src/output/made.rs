//! What a command says that has written a file.

use std::path::Path;

use serde::Serialize;

use super::{FAINT, GOOD, Page, Show, escaped};

/// A file that was made.
#[derive(Debug, Serialize)]
pub(crate) struct MadeFile {
    /// What was done, as the first words of the answer.
    #[serde(skip)]
    deed: &'static str,
    file: String,
    bytes: u64,
    /// What else should be known.
    #[serde(skip)]
    advice: Option<&'static str>,
}

impl MadeFile {
    pub(crate) fn new(deed: &'static str, file: &Path, bytes: u64) -> MadeFile {
        MadeFile {
            deed,
            file: file.display().to_string(),
            bytes,
            advice: None,
        }
    }

    /// Says something more in a second line.
    pub(crate) fn advising(self, advice: &'static str) -> MadeFile {
        MadeFile {
            advice: Some(advice),
            ..self
        }
    }
}

impl Show for MadeFile {
    fn show(&self, page: &mut Page) {
        let MadeFile { deed, bytes, .. } = self;
        let file = escaped(&self.file);
        page.line(format_args!("{GOOD}{deed}{GOOD:#} to {file}, {bytes} bytes"));
        if let Some(advice) = self.advice {
            page.line(format_args!("{FAINT}{advice}{FAINT:#}"));
        }
    }

    fn bare(&self) -> String {
        format!("{}\n", self.file)
    }
}
