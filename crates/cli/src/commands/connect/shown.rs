//! Shows what changes in a file.

use crate::connect::{Client, FileChange, diff};
use crate::failure::Failure;
use crate::output::{BAD, FAINT, GOOD, NAME, Output, STRONG, escaped, painted};

/// Shows a change as a difference, for a reader.
pub(super) fn show(output: &Output, client: &Client, change: &FileChange) -> Result<(), Failure> {
    if !output.is_text() {
        return Ok(());
    }
    let path = change.path.display().to_string();
    let what = match (&change.before, &change.after) {
        (None, _) => " (new file)",
        (_, None) => " (removed)",
        _ => "",
    };
    let mut text = format!(
        "{} {}{}\n",
        painted(STRONG, client.name),
        painted(NAME, &escaped(&path)),
        painted(FAINT, what)
    );
    let (before, after) = (change.before.as_deref(), change.after.as_deref());
    for line in diff::lines(before.unwrap_or_default(), after.unwrap_or_default()) {
        let line = match line {
            diff::Line::Same(line) => format!("    {}", escaped(&line.replace('\t', "    "))),
            diff::Line::Removed(line) => {
                painted(BAD, &format!("  - {}", escaped(&line.replace('\t', "    "))))
            }
            diff::Line::Added(line) => {
                painted(GOOD, &format!("  + {}", escaped(&line.replace('\t', "    "))))
            }
        };
        text += &format!("{line}\n");
    }
    output.styled(&format!("{text}\n"))
}
