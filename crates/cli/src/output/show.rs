//! How an answer is shown.

use super::Page;

/// An answer that can be shown to a person.
pub(crate) trait Show {
    /// Writes the answer on the page.
    fn show(&self, page: &mut Page);

    /// Returns what `--quiet` prints: what a script needs, one item per line.
    fn quiet(&self) -> String {
        String::new()
    }
}
