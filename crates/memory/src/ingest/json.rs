//! Reads JSON and JSON Lines: items with `content` or `text`, and perhaps a title and a source.

use serde_json::Value;

use super::decode::ReadError;
use super::markdown;
use super::outline::ParsedDocument;

/// The fields that an item's text, title and source may be in, the first that is there.
const CONTENT: [&str; 4] = ["content", "text", "body", "answer"];
const TITLE: [&str; 4] = ["title", "heading", "name", "question"];
const SOURCE: [&str; 3] = ["source", "url", "path"];

/// The most values in a document. Each may take hundreds of bytes of memory, however short it is.
const VALUES_MAX: usize = 100_000;

/// How deep values may be nested.
const DEPTH_MAX: usize = 64;

/// Refuses JSON that would take far more memory than its length. This counts values as if the text
/// were valid; whether it is, the parser finds out.
fn check_size(text: &str) -> Result<(), ReadError> {
    let (mut depth, mut values, mut in_text, mut is_escaped) = (0_usize, 0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => (depth, values) = (depth + 1, values + 1),
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if DEPTH_MAX < depth {
            let what = "nested too deep";
            return Err(ReadError::TooRich {
                what,
                limit: DEPTH_MAX,
            });
        }
    }
    match VALUES_MAX < values {
        true => Err(ReadError::TooRich {
            what: "JSON of too many values",
            limit: VALUES_MAX,
        }),
        false => Ok(()),
    }
}

/// Reads one JSON value: an item, or a list of items.
pub(super) fn read(text: &str) -> Result<ParsedDocument, ReadError> {
    check_size(text)?;
    let value: Value = serde_json::from_str(text).map_err(|e| ReadError::Json {
        reason: e.to_string(),
    })?;
    let items = match value {
        Value::Array(items) => items,
        item => vec![item],
    };
    gather(
        items
            .iter()
            .enumerate()
            .map(|(number, item)| (format!("item {}", number + 1), item)),
    )
}

/// Reads one item a line.
pub(super) fn read_lines(text: &str) -> Result<ParsedDocument, ReadError> {
    check_size(text)?;
    let mut items = Vec::new();
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let item: Value = serde_json::from_str(line).map_err(|e| ReadError::Json {
            reason: format!("line {}: {e}", number + 1),
        })?;
        items.push((format!("line {}", number + 1), item));
    }
    gather(items.iter().map(|(place, item)| (place.clone(), item)))
}

fn gather<'i>(items: impl Iterator<Item = (String, &'i Value)>) -> Result<ParsedDocument, ReadError> {
    let mut all = ParsedDocument::default();
    for (place, item) in items {
        let content = match item {
            Value::String(text) => text,
            item => first(item, &CONTENT).ok_or(ReadError::Item { place })?,
        };
        let above = [first(item, &SOURCE), first(item, &TITLE)];
        let above = above.into_iter().flatten().map(str::to_owned).collect();
        all.sections.extend(markdown::read(content, above).sections);
    }
    Ok(all)
}

fn first<'i>(item: &'i Value, names: &[&str]) -> Option<&'i str> {
    names.iter().find_map(|name| item.get(name)?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parsed: Result<ParsedDocument, ReadError>) -> Vec<String> {
        match parsed {
            Ok(parsed) => {
                let line = |s: &super::super::outline::Section| {
                    format!("[{}] {}", s.heading.as_deref().unwrap_or("-"), s.text.trim())
                };
                parsed.sections.iter().map(line).collect()
            }
            Err(error) => vec![error.to_string()],
        }
    }

    #[test]
    fn items_are_read_under_their_source_and_title() {
        let list = r##"[{"source": "faq", "title": "Refunds", "content": "# Time\na week"}, "plain"]"##;
        assert_eq!(shown(read(list)), ["[faq > Refunds > Time] a week", "[-] plain"]);
        assert_eq!(
            shown(read(r#"{"question": "Who?", "answer": "We"}"#)),
            ["[Who?] We"]
        );
        let lines = "{\"text\": \"one\"}\n\n{\"text\": \"two\"}\n";
        assert_eq!(shown(read_lines(lines)), ["[-] one", "[-] two"]);
    }

    #[test]
    fn what_is_no_item_is_named() {
        assert_eq!(
            shown(read(r#"[{"content": "a"}, {"port": 80}]"#)),
            ["item 2 has neither \"content\" nor \"text\""]
        );
        assert!(shown(read_lines("{\"text\": \"a\"}\n{"))[0].contains("line 2"));
        assert!(shown(read(&"[".repeat(100_000)))[0].contains("over the limit of 64"));
        let rich = format!("[{}0]", "{},".repeat(VALUES_MAX));
        assert!(shown(read(&rich))[0].contains("over the limit of 100000"));
        let brackets = format!("[\"{}\"]", "[,".repeat(VALUES_MAX));
        assert_eq!(shown(read(&brackets)).len(), 1);
    }
}
