//! Plain text, a statement a line, and tables.

use serde_json::json;

use super::draft::{Draft, Foreign, time};

/// Reads a statement a line. Marks of lists are left out, headings too.
pub(super) fn lines(text: &str, draft: &mut Draft) -> Result<(), &'static str> {
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        let said = ["- ", "* ", "+ ", "• "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
            .unwrap_or(line);
        let is_bold = line.len() > 4 && line.starts_with("**") && line.ends_with("**");
        let is_heading = is_bold || line.starts_with('#') || line.chars().all(|c| "-=*_ ".contains(c));
        if !is_heading {
            draft.statement(&Foreign {
                place: format!("line {number}"),
                content: said.trim(),
                ..Foreign::default()
            });
        }
    }
    Ok(())
}

/// The names that the column with the statement may have.
const CONTENTS: [&str; 6] = ["content", "memory", "statement", "text", "fact", "value"];

/// Reads a table whose first row names its columns.
pub(super) fn csv(text: &str, draft: &mut Draft) -> Result<(), &'static str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = rows(text, delimiter(text)).into_iter();
    let header = rows.next().ok_or("it is empty")?.1;
    let names: Vec<String> = header.iter().map(|name| name.trim().to_lowercase()).collect();
    let column = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
    let content = column(&CONTENTS).ok_or("no column is called content, memory, statement or text")?;
    let (id, key, category) = (
        column(&["id"]),
        column(&["key", "name"]),
        column(&["category", "tag"]),
    );
    let (confidence, at) = (
        column(&["confidence"]),
        column(&["created_at", "learned_at", "date", "time", "timestamp"]),
    );
    for (number, row) in rows {
        let field = |at: Option<usize>| {
            at.and_then(|at| row.get(at))
                .map(|text| text.trim())
                .filter(|text| !text.is_empty())
        };
        let place = format!("line {number}");
        let Some(said) = field(Some(content)) else {
            draft.fault(place, "it says nothing");
            continue;
        };
        let sure = field(confidence).map(str::parse::<f64>);
        if sure.as_ref().is_some_and(Result::is_err) {
            draft.fault(place, "its confidence is not a number");
            continue;
        }
        draft.statement(&Foreign {
            place,
            id: field(id).unwrap_or_default(),
            content: said,
            key: field(key),
            category: field(category),
            confidence: sure.and_then(Result::ok),
            at: field(at).and_then(|at| time(&json!(at))),
        });
    }
    Ok(())
}

/// What lies between the fields of the header: a tab or a semicolon if that is there more often
/// than a comma.
fn delimiter(text: &str) -> char {
    let header = text.lines().next().unwrap_or_default();
    let often = |c: &char| header.matches(*c).count();
    // Of equals the last is taken: the comma.
    [';', '\t', ','].into_iter().max_by_key(often).unwrap_or(',')
}

/// Splits a table into rows with the numbers of their first lines (RFC 4180).
fn rows(text: &str, delimiter: char) -> Vec<(usize, Vec<String>)> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut line, mut first) = (false, 1, 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            c if c == delimiter && !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                let whole = std::mem::take(&mut row);
                if whole.iter().any(|field| !field.trim().is_empty()) {
                    rows.push((first, whole));
                }
                first = line;
            }
            c => field.push(c),
        }
    }
    row.push(field);
    if row.iter().any(|field| !field.trim().is_empty()) {
        rows.push((first, row));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_apart_by_tabs_or_semicolons() {
        assert_eq!(delimiter("content\tcategory\nLikes tea, hot\tx"), '\t');
        assert_eq!(delimiter("content;category"), ';');
        assert_eq!(delimiter("content"), ',');
        assert_eq!(delimiter(""), ',');
    }

    #[test]
    fn quotes_commas_and_line_breaks_belong_to_a_field() {
        let found = rows("a,b\r\n\"x, \"\"y\"\"\nz\",2\n\n3,\"open", ',');
        let fields: Vec<(usize, Vec<&str>)> = found
            .iter()
            .map(|(line, row)| (*line, row.iter().map(|field| field.trim()).collect()))
            .collect();
        assert_eq!(
            fields,
            [
                (1, vec!["a", "b"]),
                (2, vec!["x, \"y\"\nz", "2"]),
                (5, vec!["3", "open"])
            ]
        );
    }
}
