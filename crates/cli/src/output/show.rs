//! What an answer must be able to do to be shown to a person.

use super::Page;

/// An answer that a person can read.
pub(crate) trait Show {
    /// Writes it on the page.
    fn show(&self, page: &mut Page);

    /// Gives what a script wants to have of it, each on a line of its own.
    fn bare(&self) -> String {
        String::new()
    }
}
