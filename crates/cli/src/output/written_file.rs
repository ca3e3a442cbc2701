//! The answer of a command that has written a file.

use std::path::Path;

use serde::Serialize;

use super::{FAINT, GOOD, Page, Show, escaped};

/// A file that a command wrote.
#[derive(Debug, Serialize)]
pub(crate) struct WrittenFile {
    /// What was done, such as `Exported`.
    #[serde(skip)]
    action: &'static str,
    file: String,
    bytes: u64,
    /// What else the reader should know.
    #[serde(skip)]
    advice: Option<&'static str>,
}

impl WrittenFile {
    /// Describes the file.
    pub(crate) fn new(action: &'static str, file: &Path, bytes: u64) -> WrittenFile {
        WrittenFile {
            action,
            file: file.display().to_string(),
            bytes,
            advice: None,
        }
    }

    /// Adds advice in a second line.
    pub(crate) fn with_advice(self, advice: &'static str) -> WrittenFile {
        WrittenFile {
            advice: Some(advice),
            ..self
        }
    }
}

impl Show for WrittenFile {
    fn show(&self, page: &mut Page) {
        let WrittenFile { action, bytes, .. } = self;
        let file = escaped(&self.file);
        page.line(format_args!("{GOOD}{action}{GOOD:#} to {file} ({bytes} bytes)"));
        if let Some(advice) = self.advice {
            page.line(format_args!("{FAINT}{advice}{FAINT:#}"));
        }
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.file)
    }
}
