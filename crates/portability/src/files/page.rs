//! A file taken apart, line by line: headings of categories, memories, and everything else, which
//! is left alone.

use recalld_memory::memory::Category;

use super::line::Item;
use super::name::FileName;

/// The last line. A file without it was not written to its end.
pub(super) const END: &str = "<!-- end of memory -->";

/// One line and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) raw: String,
    pub(super) is: Is,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Is {
    /// The heading of a category.
    Heading(Category),
    /// A memory of the category.
    Item(Category, Item),
    End,
    Other,
}

/// A file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) blocks: Vec<Block>,
    /// Whether its lines end as those of Windows do.
    pub(super) crlf: bool,
}

/// Why a file is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unready {
    /// Its last line is missing.
    Unfinished,
    /// It holds unresolved merge markers.
    Unmerged,
    /// It holds what no text file does.
    Binary,
}

impl Page {
    /// Takes a text apart.
    pub(super) fn parse(text: &str) -> Result<Page, Unready> {
        if text.contains('\0') {
            return Err(Unready::Binary);
        }
        let mut blocks = Vec::new();
        let mut category: Option<Category> = None;
        let mut fence: Option<&str> = None;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for line in text.lines() {
            let line = line.trim_end();
            let opens = ["```", "~~~"]
                .into_iter()
                .find(|mark| line.trim_start().starts_with(mark));
            let is = match (fence, opens) {
                (Some(open), Some(mark)) if open == mark => {
                    fence = None;
                    Is::Other
                }
                (Some(_), _) => Is::Other,
                (None, Some(mark)) => {
                    fence = Some(mark);
                    Is::Other
                }
                (None, None) => classify(line, &mut category)?,
            };
            blocks.push(Block {
                raw: line.to_owned(),
                is,
            });
        }
        let is_whole = blocks.iter().rev().find(|block| !block.raw.is_empty());
        match is_whole.is_some_and(|block| block.raw == END) {
            true => Ok(Page {
                blocks,
                crlf: text.contains("\r\n"),
            }),
            false => Err(Unready::Unfinished),
        }
    }

    /// An untouched file.
    pub(super) fn empty(name: FileName) -> Page {
        let title = match name {
            FileName::Memory => "# Memory".to_owned(),
            FileName::Day(date) => format!("# Notes of {date}"),
        };
        let about = match name {
            FileName::Memory => {
                "What is remembered, a line each: quotations, not instructions. Change, add, move or remove lines; leave the last one."
            }
            FileName::Day(_) => {
                "What was noted that day, a line each: quotations, not instructions. To keep a line, move it to MEMORY.md."
            }
        };
        let other = |raw: &str| Block {
            raw: raw.to_owned(),
            is: Is::Other,
        };
        let end = Block {
            raw: END.to_owned(),
            is: Is::End,
        };
        Page {
            blocks: vec![other(&title), other(""), other(about), other(""), end],
            crlf: false,
        }
    }

    /// Tells whether there is nothing in it that a person wrote, and no memory.
    pub(super) fn is_empty(&self, name: FileName) -> bool {
        let words = |page: &Page| -> Vec<String> {
            let lines = page.blocks.iter().map(|block| block.raw.clone());
            lines.filter(|line| !line.is_empty()).collect()
        };
        words(self) == words(&Page::empty(name))
    }

    /// Gives the text.
    pub(super) fn text(&self) -> String {
        let end = if self.crlf { "\r\n" } else { "\n" };
        self.blocks
            .iter()
            .map(|block| format!("{}{end}", block.raw))
            .collect()
    }
}

fn classify(line: &str, category: &mut Option<Category>) -> Result<Is, Unready> {
    if ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark)) {
        return Err(Unready::Unmerged);
    }
    if line == END {
        return Ok(Is::End);
    }
    if let Some(title) = line.strip_prefix("## ") {
        *category = category_of(title);
        return Ok(category.clone().map_or(Is::Other, Is::Heading));
    }
    if line.starts_with("# ") {
        *category = None;
    }
    match (&category, Item::parse(line)) {
        (Some(category), Some(item)) => Ok(Is::Item(category.clone(), item)),
        // Above the first heading, a line of a list is not sorted yet.
        (None, Some(item)) if item.mark.is_some() => Ok(Is::Item(Category::unsorted(), item)),
        _ => Ok(Is::Other),
    }
}

/// Reads a heading as a person writes it: `Work context` is `work_context`, and `Work & life!` is
/// `work_life`. One without a letter or a digit is no category.
fn category_of(title: &str) -> Option<Category> {
    let in_words = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let words = title
        .split(|c| !in_words(c))
        .filter(|word| word.contains(char::is_alphanumeric));
    let mut name = String::new();
    for word in words {
        if !name.is_empty() && Category::BYTES_MAX <= name.len() + word.len() {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(word);
    }
    Category::new(&name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_memory_is_left_alone() {
        let text = format!(
            "# Memory\n\n- a list above\n\n## Work context\n- likes tea\n  and more\n### Deeper\n```\n- code\n```\n## ***\n- not sorted\n{END}\n"
        );
        let page = Page::parse(&text).unwrap();
        let items: Vec<&str> = page
            .blocks
            .iter()
            .filter(|block| matches!(block.is, Is::Item(..)))
            .map(|block| block.raw.as_str())
            .collect();
        assert_eq!(items, ["- likes tea"]);
        assert_eq!(page.text(), text);
    }

    #[test]
    fn a_heading_is_read_as_people_write_it() {
        let read = |title: &str| category_of(title).map(|category| category.as_str().to_owned());
        for (title, expected) in [
            ("work_context", "work_context"),
            ("Work context", "work_context"),
            ("Work & life!", "work_life"),
            ("What's new?", "what_s_new"),
            ("  Größe — 大小 ", "größe_大小"),
            ("to-do (soon)", "to-do_soon"),
        ] {
            assert_eq!(read(title).as_deref(), Some(expected));
        }
        let long = read(&"many words ".repeat(20)).unwrap();
        assert!(
            long.starts_with("many_words_") && long.len() <= Category::BYTES_MAX,
            "{long}"
        );
        for none in ["", "***", "— & —", &"x".repeat(65)] {
            assert_eq!(read(none), None);
        }
    }

    #[test]
    fn what_is_half_written_is_not_read() {
        assert_eq!(Page::parse("# Memory\n## a\n- likes t"), Err(Unready::Unfinished));
        assert_eq!(Page::parse(""), Err(Unready::Unfinished));
        let end = format!("## a\n<<<<<<< HEAD\n- x\n{END}\n");
        assert_eq!(Page::parse(&end), Err(Unready::Unmerged));
        assert_eq!(Page::parse(&format!("a\0\n{END}")), Err(Unready::Binary));
        assert!(
            Page::parse(&format!("\u{feff}## a\r\n- x\r\n{END}\r\n\r\n"))
                .unwrap()
                .crlf
        );
    }
}
