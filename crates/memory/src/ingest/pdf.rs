//! Reads PDF: the text of its pages, as far as it has any.

mod bounds;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{ConvertToFmt, Document, PlainTextOutput, output_doc};

use super::decode::ReadError;
use super::outline::{ParsedDocument, Section};

/// Reads a document. The reader panics on some broken files; such a file is an error like any
/// other.
pub(super) fn read(bytes: &[u8]) -> Result<ParsedDocument, ReadError> {
    let broken = |reason: &str| ReadError::Pdf {
        reason: recalld_index::text::plain::shorten(reason, 200),
    };
    if !bytes.starts_with(b"%PDF-") {
        return Err(broken("it does not begin like one"));
    }
    bounds::check_bytes(bytes).map_err(|reason| broken(&reason))?;
    let read = catch_unwind(AssertUnwindSafe(|| text_of(bytes)));
    let text = read
        .map_err(|_| broken("its structure is damaged"))?
        .map_err(|reason| broken(&reason))?;
    let text = super::decode::clean(&text);
    let section = Section {
        heading: None,
        text: text.replace('\u{c}', "\n\n"),
    };
    Ok(ParsedDocument {
        title: None,
        sections: vec![section],
    })
}

/// The most bytes of text that are read.
const TEXT_BYTES_MAX: usize = 8 << 20;

/// Text that does not grow without end.
#[derive(Default)]
struct BoundedText {
    text: String,
    is_full: bool,
}

impl fmt::Write for &mut BoundedText {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.is_full |= TEXT_BYTES_MAX < self.text.len() + more.len();
        match self.is_full {
            true => Err(fmt::Error),
            false => {
                self.text.push_str(more);
                Ok(())
            }
        }
    }
}

impl<'a> ConvertToFmt for &'a mut BoundedText {
    type Writer = &'a mut BoundedText;

    fn convert(self) -> Self::Writer {
        self
    }
}

fn text_of(bytes: &[u8]) -> Result<String, String> {
    let document = Document::load_mem(bytes).map_err(|error| error.to_string())?;
    bounds::check_document(&document)?;
    let mut text = BoundedText::default();
    let read = output_doc(&document, &mut PlainTextOutput::new(&mut text));
    match read {
        _ if text.is_full => Err(format!("it holds more than {TEXT_BYTES_MAX} bytes of text")),
        Ok(()) => Ok(text.text),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    /// A one-page document that says `text`.
    fn page(text: &str) -> Vec<u8> {
        let stream = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        page_of(&[stream_object("", stream.as_bytes()), FONT.to_vec()])
    }

    const FONT: &[u8] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

    fn stream_object(entries: &str, content: &[u8]) -> Vec<u8> {
        let mut object = format!("<< /Length {} {entries} >>\nstream\n", content.len()).into_bytes();
        object.extend(content);
        object.extend(b"\nendstream");
        object
    }

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// A one-page document: object 4 is its content, 5 its font, 6 what it may draw as `X`.
    fn page_of(more: &[Vec<u8>]) -> Vec<u8> {
        let mut objects: Vec<Vec<u8>> = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
             /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>",
        ]
        .map(|object| object.as_bytes().to_vec())
        .to_vec();
        objects.extend_from_slice(more);
        let mut file = b"%PDF-1.4\n".to_vec();
        let mut places = Vec::new();
        for (number, object) in objects.iter().enumerate() {
            places.push(file.len());
            file.extend(format!("{} 0 obj\n", number + 1).into_bytes());
            file.extend(object);
            file.extend(b"\nendobj\n");
        }
        let table = file.len();
        file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
        for place in places {
            file.extend(format!("{place:010} 00000 n \n").into_bytes());
        }
        let size = objects.len() + 1;
        file.extend(
            format!("trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF").into_bytes(),
        );
        file
    }

    fn refusal(file: &[u8]) -> String {
        read(file).unwrap_err().to_string()
    }

    #[test]
    fn a_packed_page_is_read_and_a_bomb_is_refused() {
        let content = packed(b"BT /F1 12 Tf 72 720 Td (Refunds take a week) Tj ET");
        let parsed = read(&page_of(&[
            stream_object("/Filter /FlateDecode", &content),
            FONT.to_vec(),
        ]));
        assert_eq!(parsed.unwrap().sections[0].text.trim(), "Refunds take a week");
        let bomb = packed(&vec![b' '; 40 << 20]);
        let file = page_of(&[stream_object("/Filter /FlateDecode", &bomb), FONT.to_vec()]);
        assert!(file.len() < 100_000);
        assert!(
            refusal(&file).contains("unpacks to more than"),
            "{}",
            refusal(&file)
        );
        let twice = packed(&packed(&vec![b' '; 10 << 20]));
        let filters = "/Filter [/FlateDecode /FlateDecode]";
        let file = page_of(&[stream_object(filters, &twice), FONT.to_vec()]);
        assert!(
            refusal(&file).contains("in a way that is not read"),
            "{}",
            refusal(&file)
        );
    }

    /// Drawing a form that draws itself would use up the stack and end the process.
    #[test]
    fn a_form_that_draws_itself_is_refused() {
        let form = |resources: &str| {
            let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 1 1] {resources}");
            stream_object(&entries, b"/X Do")
        };
        for resources in ["/Resources << /XObject << /X 6 0 R >> >>", ""] {
            let file = page_of(&[stream_object("", b"/X Do"), FONT.to_vec(), form(resources)]);
            assert!(refusal(&file).contains("nested"), "{}", refusal(&file));
        }
    }

    #[test]
    fn the_text_of_a_page_is_read() {
        let parsed = read(&page("Refunds take a week")).unwrap();
        assert_eq!(parsed.sections[0].text.trim(), "Refunds take a week");
    }

    #[test]
    fn a_broken_file_is_an_error_and_nothing_worse() {
        let whole = page("Refunds take a week");
        for end in (0..whole.len()).step_by(7) {
            let _ = read(&whole[..end]);
        }
        for at in (9..whole.len()).step_by(5) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            let _ = read(&damaged);
        }
        assert!(read(b"").is_err());
        assert!(read(b"%PDF-1.4 nonsense").is_err());
    }
}
