//! A document as sections under headings.

use recalld_index::text::plain::shorten;

use crate::screening::secrets;

/// A stretch of text under the same headings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    /// The headings above it, the outermost first, joined by ` > `.
    pub(super) heading: Option<String>,
    pub(super) text: String,
}

/// What was read of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedDocument {
    pub(super) title: Option<String>,
    pub(super) sections: Vec<Section>,
}

impl ParsedDocument {
    /// Replaces the secrets in it, before it is cut: a cut may go through one.
    pub(super) fn redact(&mut self) {
        let redact = |text: &mut String| *text = secrets::redact(text).into_owned();
        self.title.iter_mut().for_each(redact);
        for section in &mut self.sections {
            section.heading.iter_mut().for_each(redact);
            redact(&mut section.text);
        }
    }
}

/// Headings are cut to so many characters: they are shown with every chunk.
const HEADING_CHARS_MAX: usize = 160;

/// Puts a document together as its headings and texts are met.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// What stands above all headings, such as the title of an item.
    above: Vec<String>,
    /// The headings that are open, with their levels.
    open: Vec<(u8, String)>,
    /// Whether anything was said under the last heading.
    bare: bool,
    text: String,
    parsed: ParsedDocument,
}

impl Outline {
    /// An outline below headings that are given.
    pub(super) fn below(above: Vec<String>) -> Outline {
        Outline {
            above: above.iter().map(|heading| tidy(heading)).collect(),
            ..Outline::default()
        }
    }

    /// Opens a heading; it closes those of its level and deeper ones.
    pub(super) fn heading(&mut self, level: u8, text: &str) {
        let text = tidy(text);
        if text.is_empty() {
            return;
        }
        self.close(level);
        if self.parsed.title.is_none() && level == 1 {
            self.parsed.title = Some(text.clone());
        }
        self.open.retain(|(open, _)| *open < level);
        self.open.push((level, text));
        self.bare = true;
    }

    /// Names the document, whatever its headings say.
    pub(super) fn title(&mut self, text: &str) {
        let text = tidy(text);
        if !text.is_empty() {
            self.parsed.title = Some(text);
        }
    }

    /// Adds text under the headings that are open.
    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Tells how the text so far ends.
    pub(super) fn so_far(&self) -> &str {
        &self.text
    }

    /// Gives what was put together.
    pub(super) fn finish(mut self) -> ParsedDocument {
        self.close(0);
        self.parsed
    }

    /// Ends a section before a heading of `next` level (0: the end of the document).
    fn close(&mut self, next: u8) {
        let mut text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            // A heading with nothing under it, not even a deeper heading, is all there is to find.
            match self.open.last() {
                Some((level, heading)) if self.bare && next <= *level => text = heading.clone(),
                _ => return,
            }
        }
        self.bare = false;
        let path = self
            .above
            .iter()
            .chain(self.open.iter().map(|(_, heading)| heading));
        let path: Vec<&str> = path.map(String::as_str).filter(|step| !step.is_empty()).collect();
        self.parsed.sections.push(Section {
            heading: (!path.is_empty()).then(|| path.join(" > ")),
            text,
        });
    }
}

fn tidy(heading: &str) -> String {
    let words: Vec<&str> = heading.split_whitespace().collect();
    shorten(&words.join(" "), HEADING_CHARS_MAX)
}
