//! The project that a memory belongs to.

use std::fmt;
use std::sync::Arc;

use super::labels::{InvalidLabel, checked};

/// The name of a project, such as `app-3fa9c1d2e4b50a17`: letters, digits, `-`, `_` and `.`, in
/// lower case. What belongs to one project is not seen in another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Project(Arc<str>);

impl Project {
    /// The most bytes a name may have.
    pub const BYTES_MAX: usize = 128;

    /// Checks and wraps `raw`.
    pub fn new(raw: &str) -> Result<Project, InvalidLabel> {
        let text = checked("project", Self::BYTES_MAX, raw)?.to_lowercase();
        let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        match text.chars().find(|&c| !is_allowed(c)) {
            Some(c) => Err(InvalidLabel::Character {
                what: "project",
                character: format!("{c:?}"),
            }),
            None => Ok(Project(text.into())),
        }
    }

    /// Gives the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the text, shared.
    pub fn shared(&self) -> Arc<str> {
        self.0.clone()
    }
}

impl fmt::Display for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_in_lower_case() {
        assert_eq!(Project::new(" My-App_2.0 ").unwrap().as_str(), "my-app_2.0");
        for bad in ["", " ", "a b", "a/b", "a:b", "a\nb", "a\"b", &"x".repeat(129)] {
            assert!(Project::new(bad).is_err(), "{bad:?}");
        }
    }
}
