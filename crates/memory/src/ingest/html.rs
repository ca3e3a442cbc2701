//! Reads HTML as a stream of tags: what a reader sees, under its headings. Nothing is nested, so no
//! page is too deep.

use html5gum::{DefaultEmitter, Token, Tokenizer};

use super::outline::{Outline, ParsedDocument};

/// What no reader sees, or what is the same on every page.
const HIDDEN: [&str; 9] = [
    "script", "style", "noscript", "template", "svg", "nav", "iframe", "object", "select",
];

/// Tags that begin and end a block of text.
const BLOCKS: [&str; 26] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "main",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tbody",
    "thead",
    "ul",
    "details",
];

/// Reads a page.
pub(super) fn read(html: &str) -> ParsedDocument {
    let mut emitter = DefaultEmitter::default();
    // The content of scripts is no markup.
    emitter.naively_switch_states(true);
    let mut page = Page::default();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => page.start(&String::from_utf8_lossy(&tag.name), tag.self_closing),
            Token::EndTag(tag) => page.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => page.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    page.finish()
}

#[derive(Default)]
struct Page {
    outline: Outline,
    /// The hidden tag that is open, and how often.
    hidden: Option<(String, usize)>,
    /// The heading or title that is open, and its text so far.
    caught: Option<(Caught, String)>,
    /// How many `pre` are open.
    pre: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Caught {
    Title,
    Heading(u8),
}

impl Page {
    fn start(&mut self, name: &str, self_closing: bool) {
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth += usize::from(hidden == name && !self_closing);
            return;
        }
        if HIDDEN.contains(&name) && !self_closing {
            self.hidden = Some((name.to_owned(), 1));
            return;
        }
        match (caught_by(name), name) {
            (Some(caught), _) => {
                self.release();
                self.caught = Some((caught, String::new()));
            }
            (None, "br") => self.line("\n"),
            (None, "li") => self.line("\n- "),
            (None, "tr") => self.line("\n"),
            (None, "td" | "th") => self.between(" | "),
            (None, "pre") => {
                self.pre += 1;
                self.line("\n\n");
            }
            (None, name) if BLOCKS.contains(&name) => self.line("\n\n"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth -= usize::from(hidden == name);
            if *depth == 0 {
                self.hidden = None;
            }
            return;
        }
        if caught_by(name).is_some() {
            self.release();
        } else if BLOCKS.contains(&name) {
            self.pre -= usize::from(name == "pre" && 0 < self.pre);
            self.line("\n\n");
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        if let Some((_, caught)) = &mut self.caught {
            caught.push_str(text);
        } else if 0 < self.pre {
            self.outline.text(text);
        } else {
            self.flowing(text);
        }
    }

    /// Adds text whose white space means nothing but a space.
    fn flowing(&mut self, text: &str) {
        let gap = |c: Option<char>| c.is_some_and(char::is_whitespace);
        let words: Vec<&str> = text.split_whitespace().collect();
        let ended = self.outline.so_far().chars().next_back();
        if gap(text.chars().next()) && ended.is_some() && !gap(ended) {
            self.outline.text(" ");
        }
        self.outline.text(&words.join(" "));
        if !words.is_empty() && gap(text.chars().next_back()) {
            self.outline.text(" ");
        }
    }

    /// Starts a new line or block with `start`, less the line ends that are there already.
    fn line(&mut self, start: &str) {
        if let Some((_, caught)) = &mut self.caught {
            return caught.push(' ');
        }
        let so_far = self.outline.so_far();
        let there = match so_far.is_empty() {
            true => start.len(),
            false => so_far.len() - so_far.trim_end_matches('\n').len(),
        };
        let rest = start.trim_start_matches('\n');
        let ends = (start.len() - rest.len()).saturating_sub(there);
        self.outline.text(&"\n".repeat(ends));
        self.outline.text(rest);
    }

    /// Puts a mark between two cells of a row.
    fn between(&mut self, mark: &str) {
        if !self.outline.so_far().is_empty() && !self.outline.so_far().ends_with('\n') {
            self.outline.text(mark);
        }
    }

    /// Closes the heading or title that is open.
    fn release(&mut self) {
        match self.caught.take() {
            Some((Caught::Title, text)) => self.outline.title(&text),
            Some((Caught::Heading(level), text)) => self.outline.heading(level, &text),
            None => {}
        }
    }

    fn finish(mut self) -> ParsedDocument {
        self.release();
        self.outline.finish()
    }
}

fn caught_by(name: &str) -> Option<Caught> {
    match name.as_bytes() {
        b"title" => Some(Caught::Title),
        [b'h', level @ b'1'..=b'6'] => Some(Caught::Heading(level - b'0')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> Vec<String> {
        let parsed = read(html);
        let sections = parsed.sections.iter();
        let line = |s: &super::super::outline::Section| {
            format!("[{}] {}", s.heading.as_deref().unwrap_or("-"), s.text.trim())
        };
        let title = parsed.title.iter().map(|title| format!("title {title}"));
        title.chain(sections.map(line)).collect()
    }

    #[test]
    fn a_page_is_what_a_reader_sees_of_it() {
        let html = "<html><head><title>Shop &amp; more</title><style>p{color:red}</style></head><body>\
            <nav><a href=/>Home</a></nav><h1>Refunds</h1><p>Within <b>one</b>\n week.</p>\
            <script>if (a<b) document.write('<p>ad</p>')</script><ul><li>with receipt<li>in store</ul>\
            <table><tr><th>Item<th>Days<tr><td>Book<td>7</table><h2>Gifts</h2>Never<br>ever.";
        assert_eq!(
            shown(html),
            [
                "title Shop & more",
                "[Refunds] Within one week.\n\n- with receipt\n- in store\n\nItem | Days\nBook | 7",
                "[Refunds > Gifts] Never\never.",
            ]
        );
    }

    #[test]
    fn white_space_counts_where_the_page_says_so() {
        assert_eq!(shown("<pre>a\n  b</pre> c   d"), ["[-] a\n  b\n\nc d"]);
    }

    #[test]
    fn broken_and_deep_pages_are_read_as_far_as_they_go() {
        assert_eq!(shown("<p>a<h2>b</b></p"), ["[-] a", "[b] b"]);
        let deep = format!("{}x{}", "<div>".repeat(50_000), "</span>".repeat(50_000));
        assert_eq!(shown(&deep), ["[-] x"]);
        assert_eq!(shown(""), Vec::<String>::new());
    }
}
