//! Tables whose columns align in any script.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{FAINT, Page, one_line, painted};

/// One cell: escaped text and its style.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// Plain text.
    pub(crate) fn plain(text: &str) -> Cell {
        Cell::styled(Style::new(), text)
    }

    /// Text in a style.
    pub(crate) fn styled(style: Style, text: &str) -> Cell {
        Cell {
            text: one_line(text),
            style,
        }
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

/// The greatest width on a terminal of a column other than the last.
const COLUMN_WIDTH_MAX: usize = 36;

/// The smallest width of the last column on a terminal.
const LAST_WIDTH_MIN: usize = 20;

/// Rows under a heading. The last column takes the remaining width.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    heading: [&'static str; N],
    rows: Vec<[Cell; N]>,
}

impl<const N: usize> Table<N> {
    /// Starts a table.
    pub(crate) fn new(heading: [&'static str; N]) -> Table<N> {
        Table {
            heading,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, row: [Cell; N]) {
        self.rows.push(row);
    }

    /// Writes the table on the page, without its empty columns.
    pub(crate) fn write(&self, page: &mut Page) {
        let shown: Vec<usize> = (0..N)
            .filter(|&column| self.rows.iter().any(|row| !row[column].text.is_empty()))
            .collect();
        let Some((&last, before)) = shown.split_last() else {
            return;
        };
        let widths: Vec<usize> = before
            .iter()
            .map(|&column| self.column_width(column, page.width))
            .collect();
        let taken: usize = widths.iter().map(|width| width + 2).sum();
        let room = page.width.map_or(usize::MAX, |width| {
            width.saturating_sub(taken).max(LAST_WIDTH_MIN)
        });
        let heading = self.heading.map(|title| Cell::styled(FAINT, title));
        for row in std::iter::once(&heading).chain(&self.rows) {
            let mut line = String::new();
            for (&column, &width) in before.iter().zip(&widths) {
                let text = cut(&row[column].text, width);
                let padding = width.saturating_sub(text.width()) + 2;
                line += &painted(row[column].style, &text);
                line.extend(std::iter::repeat_n(' ', padding));
            }
            line += &painted(row[last].style, &cut(&row[last].text, room));
            page.line(line.trim_end());
        }
    }

    fn column_width(&self, column: usize, terminal: Option<usize>) -> usize {
        let cells = self.rows.iter().map(|row| row[column].width());
        cells
            .chain([self.heading[column].width()])
            .max()
            .unwrap_or(0)
            .min(terminal.map_or(usize::MAX, |_| COLUMN_WIDTH_MAX))
    }
}

/// Cuts text to `width` columns and marks the cut with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_its_displayed_width() {
        assert_eq!(cut("window seats", 12), "window seats");
        assert_eq!(cut("window seats", 8), "window…");
        assert_eq!(cut("我喜欢靠窗的座位", 9), "我喜欢靠…");
        assert_eq!(cut("anything", 0), "…");
    }
}
