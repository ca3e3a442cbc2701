//! What a model is shown of files and directories.

use super::tree::{Entry, Tree};

/// How wide line numbers are.
const NUMBER_WIDTH: usize = 6;

/// The size that a directory is shown with: that of most file systems.
const DIRECTORY_BYTES: usize = 4096;

/// Writes lines with their numbers, from `first` on.
pub(super) fn numbered(lines: &[&str], first: usize) -> String {
    let line = |(place, line): (usize, &&str)| format!("{:>NUMBER_WIDTH$}\t{line}", place + first);
    let lines: Vec<String> = lines.iter().enumerate().map(line).collect();
    lines.join("\n")
}

/// Lists a directory, two levels deep. `called` is the path as the model wrote it.
pub(super) fn directory(tree: &Tree, path: &str, called: &str) -> String {
    let mut lines = vec![format!("{}\t{called}", size(DIRECTORY_BYTES))];
    let mut entries: Vec<(Vec<&str>, &Entry)> = tree
        .below(path)
        .map(|(path, entry)| (path.split('/').collect(), entry))
        .collect();
    // Names come in their order, and what is in a directory right behind it.
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (parts, entry) in entries {
        if 2 < parts.len() || parts.iter().any(|part| part.starts_with('.')) {
            continue;
        }
        let path = parts.join("/");
        lines.push(match entry {
            Entry::Directory => format!("{}\t{called}/{path}/", size(DIRECTORY_BYTES)),
            Entry::File(text) => format!("{}\t{called}/{path}", size(text.len())),
        });
    }
    let title =
        format!("Here're the files and directories up to 2 levels deep in {called}, excluding hidden items:");
    format!("{title}\n{}", lines.join("\n"))
}

/// Writes a size: `0B`, `12B`, `1.5K`.
fn size(bytes: usize) -> String {
    const UNITS: [&str; 4] = ["B", "K", "M", "G"];
    if bytes == 0 {
        return "0B".to_owned();
    }
    let unit = (bytes.ilog2() as usize / 10).min(UNITS.len() - 1);
    let size = bytes as f64 / 1024_f64.powi(unit as i32);
    match size.fract() == 0.0 {
        true => format!("{size:.0}{}", UNITS[unit]),
        false => format!("{size:.1}{}", UNITS[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let sizes = [0, 12, 1023, 1024, 1280, 1536, 4096, 1_048_576, 1_600_000].map(size);
        assert_eq!(
            sizes,
            ["0B", "12B", "1023B", "1K", "1.2K", "1.5K", "4K", "1M", "1.5M"]
        );
    }
}
