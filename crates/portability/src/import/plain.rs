//! Plain text, a statement a line.

use super::draft::{Draft, Foreign};
use crate::archive::ArchiveError;

/// Reads the lines of a text.
pub(super) fn lines(text: &str, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    for (text, number) in text.lines().zip(1..) {
        draft.count_row()?;
        line(number, text, draft)?;
    }
    Ok(())
}

/// Reads one line. Marks of lists are left out, headings too.
pub(super) fn line(number: usize, line: &str, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let line = line.trim();
    let said = ["- ", "* ", "+ ", "• "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line);
    let is_bold = line.len() > 4 && line.starts_with("**") && line.ends_with("**");
    let is_heading = is_bold || line.starts_with('#') || line.chars().all(|c| "-=*_ ".contains(c));
    match is_heading {
        true => Ok(()),
        false => draft.statement(&Foreign {
            place: format!("line {number}"),
            content: said.trim(),
            ..Foreign::default()
        }),
    }
}
