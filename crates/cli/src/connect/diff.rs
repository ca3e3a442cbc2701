//! A change of a file, as lines.

/// How many unchanged lines are shown on either side.
const CONTEXT: usize = 3;

/// One line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Same(String),
    Removed(String),
    Added(String),
}

/// Compares two texts. All that lies between the first and the last difference is shown, which is
/// one place for what this program changes.
pub(crate) fn lines(before: &str, after: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let shared = old.len().min(new.len());
    let start = (0..shared).take_while(|&at| old[at] == new[at]).count();
    let tail = (0..shared - start)
        .take_while(|&at| old[old.len() - 1 - at] == new[new.len() - 1 - at])
        .count();
    let same = |line: &&str| Line::Same((*line).to_owned());
    let mut lines: Vec<Line> = old[start.saturating_sub(CONTEXT)..start]
        .iter()
        .map(same)
        .collect();
    let removed = old[start..old.len() - tail].iter();
    lines.extend(removed.map(|line| Line::Removed((*line).to_owned())));
    let added = new[start..new.len() - tail].iter();
    lines.extend(added.map(|line| Line::Added((*line).to_owned())));
    lines.extend(old[old.len() - tail..].iter().take(CONTEXT).map(same));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_a_few_lines_around_it() {
        let shown: Vec<String> = lines("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nx\ny\n6\n")
            .into_iter()
            .map(|line| match line {
                Line::Same(text) => format!(" {text}"),
                Line::Removed(text) => format!("-{text}"),
                Line::Added(text) => format!("+{text}"),
            })
            .collect();
        assert_eq!(shown, [" 2", " 3", " 4", "-5", "+x", "+y", " 6"]);
        assert_eq!(lines("", "a\n"), [Line::Added("a".to_owned())]);
        assert_eq!(lines("a\n", "a\n").len(), 1);
    }
}
