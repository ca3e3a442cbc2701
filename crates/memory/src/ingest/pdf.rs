//! Reads PDF: the text of its pages, as far as it has any.

use std::panic::{AssertUnwindSafe, catch_unwind};

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
    let read = catch_unwind(AssertUnwindSafe(|| pdf_extract::extract_text_from_mem(bytes)));
    let text = read
        .map_err(|_| broken("its structure is damaged"))?
        .map_err(|error| broken(&error.to_string()))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A one-page document that says `text`.
    fn page(text: &str) -> Vec<u8> {
        let stream = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
             /Resources << /Font << /F1 5 0 R >> >> >>"
                .to_owned(),
            format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        ];
        let mut file = "%PDF-1.4\n".to_owned();
        let mut places = Vec::new();
        for (number, object) in objects.iter().enumerate() {
            places.push(file.len());
            file += &format!("{} 0 obj\n{object}\nendobj\n", number + 1);
        }
        let table = file.len();
        file += &format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
        for place in places {
            file += &format!("{place:010} 00000 n \n");
        }
        file += &format!(
            "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF",
            objects.len() + 1
        );
        file.into_bytes()
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
