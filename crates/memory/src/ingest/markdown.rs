//! Reads Markdown: its headings tell what each part is about. The rest stays as it is written.

use super::outline::{Outline, ParsedDocument};

/// Reads a document; `above` are headings that stand above its own.
pub(super) fn read(text: &str, above: Vec<String>) -> ParsedDocument {
    let mut outline = Outline::below(above);
    let (front, body) = front_matter(text);
    if let Some(title) = front.and_then(title_of) {
        outline.title(title);
    }
    let lines: Vec<&str> = body.split_inclusive('\n').collect();
    let mut fence: Option<Fence> = None;
    let mut skip_next = false;
    for (number, line) in lines.iter().enumerate() {
        if std::mem::take(&mut skip_next) {
            continue;
        }
        let mark = Fence::of(line);
        if let Some(open) = fence {
            outline.text(line);
            if mark.is_some_and(|mark| mark.closes(open)) {
                fence = None;
            }
            continue;
        }
        if mark.is_some() {
            fence = mark;
            outline.text(line);
        } else if let Some((level, text)) = atx(line) {
            outline.heading(level, text);
        } else if let Some(level) = lines.get(number + 1).and_then(|next| setext(line, next)) {
            outline.heading(level, line);
            skip_next = true;
        } else {
            outline.text(line);
        }
    }
    outline.finish()
}

/// The marks that open or close a block of code.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Whether nothing follows the marks.
    bare: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Fence> {
        let line = indented(line)?;
        let mark = line.chars().next().filter(|c| *c == '`' || *c == '~')?;
        let length = line.chars().take_while(|c| *c == mark).count();
        let rest = &line[length..];
        // Three marks in the middle of a line are code within text.
        let opens = 3 <= length && !(mark == '`' && rest.contains('`'));
        opens.then(|| Fence {
            mark,
            length,
            bare: rest.trim().is_empty(),
        })
    }

    fn closes(self, open: Fence) -> bool {
        self.bare && self.mark == open.mark && open.length <= self.length
    }
}

/// A line without its indentation; none when it is indented so far that it is code.
fn indented(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3).then_some(text)
}

/// A heading such as `## Refunds`.
fn atx(line: &str) -> Option<(u8, &str)> {
    let line = indented(line)?.trim_end();
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let text = &line[level..];
    let fits = (1..=6).contains(&level) && text.starts_with([' ', '\t']);
    fits.then(|| (level as u8, text.trim().trim_end_matches('#').trim_end()))
}

/// A heading that the next line underlines.
fn setext(line: &str, next: &str) -> Option<u8> {
    let text = indented(line)?.trim();
    let under = indented(next)?.trim_end();
    let is_text = !text.is_empty() && !text.starts_with(['>', '|', '-', '*', '+']);
    let of = |mark: char| 2 <= under.len() && under.chars().all(|c| c == mark);
    match is_text {
        true if of('=') => Some(1),
        true if of('-') => Some(2),
        _ => None,
    }
}

/// The YAML between two `---` at the very top, and the rest.
fn front_matter(text: &str) -> (Option<&str>, &str) {
    let Some(rest) = text.strip_prefix("---\n") else {
        return (None, text);
    };
    match rest.split_once("\n---\n") {
        Some((front, body)) => (Some(front), body),
        None => (None, text),
    }
}

fn title_of(front: &str) -> Option<&str> {
    let title = front.lines().find_map(|line| line.strip_prefix("title:"))?;
    Some(title.trim().trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let parsed = read(text, vec![]);
        let mut shown = format!("title: {}\n", parsed.title.as_deref().unwrap_or("-"));
        for section in parsed.sections {
            let heading = section.heading.as_deref().unwrap_or("-");
            shown += &format!("[{heading}] {:?}\n", section.text.trim());
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn headings_make_a_path() {
        check(
            "intro\n# Shop\nWelcome.\n## Refunds ##\nWithin a week.\n### Receipts\nNeeded.\n## Delivery\nFree.\n",
            expect![[r#"
                title: Shop
                [-] "intro"
                [Shop] "Welcome."
                [Shop > Refunds] "Within a week."
                [Shop > Refunds > Receipts] "Needed."
                [Shop > Delivery] "Free."
            "#]],
        );
    }

    #[test]
    fn what_looks_like_a_heading_in_code_is_none() {
        check(
            "# Build\n```sh\n# not a heading\n```\n#hashtag\n    # code\n",
            expect![[r##"
                title: Build
                [Build] "```sh\n# not a heading\n```\n#hashtag\n    # code"
            "##]],
        );
    }

    #[test]
    fn underlined_headings_and_front_matter_are_read() {
        check(
            "---\ntitle: \"Guide\"\n---\nStart\n=====\none\n\nNext\n----\n- a\n---\n",
            expect![[r#"
                title: Guide
                [Start] "one"
                [Start > Next] "- a\n---"
            "#]],
        );
    }

    #[test]
    fn a_heading_with_nothing_under_it_can_still_be_found() {
        check(
            "# Price list\n## Apples\n## Pears\ncheap\n",
            expect![[r#"
                title: Price list
                [Price list > Apples] "Apples"
                [Price list > Pears] "cheap"
            "#]],
        );
    }
}
