//! What a check finds.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

/// A rule that files follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// File and folder names say what is inside, and no file is a `mod.rs`.
    Name,
    /// A source file opens with `//!`.
    Opening,
    /// Comments fit into 100 columns.
    CommentWidth,
    /// No `#[path]`: modules are where the compiler looks for them.
    PathAttribute,
    /// No ignored tests, no `todo!` or `unimplemented!`.
    Unfinished,
    /// A file is short, and a crate does not gain long ones.
    Size,
    /// Every path that a document mentions exists.
    DocumentPath,
}

/// One violation of a rule.
#[derive(Debug)]
pub struct Fault {
    pub rule: Rule,
    pub file: PathBuf,
    line: Option<usize>,
    message: String,
}

impl Fault {
    /// A fault of a whole file or folder.
    pub fn of_file(rule: Rule, file: &Path, message: impl Into<String>) -> Fault {
        Fault {
            rule,
            file: file.to_owned(),
            line: None,
            message: message.into(),
        }
    }

    /// A fault on one line, counted from 1.
    pub fn of_line(rule: Rule, file: &Path, line: usize, message: impl Into<String>) -> Fault {
        Fault {
            line: Some(line),
            ..Fault::of_file(rule, file, message)
        }
    }
}

impl Display for Fault {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(output, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(output, ":{line}")?;
        }
        write!(output, ": {}", self.message)
    }
}
