//! The parts of a text that are judged one by one, so that one bad sentence does not hide among
//! many good ones.

/// A text of at most so many characters is also judged as a whole.
const WHOLE_CHARS_MAX: usize = 300;

/// A sentence of more characters is cut into pieces of about this length.
const SENTENCE_CHARS_MAX: usize = 240;

/// What is shorter than this belongs to its neighbour.
const SENTENCE_BYTES_MIN: usize = 16;

/// Gives the parts of a text: its sentences, and all of it if it is short.
pub(super) fn of(text: &str) -> Vec<String> {
    let sentences = sentences(text);
    let is_short = text.chars().count() <= WHOLE_CHARS_MAX;
    match sentences.len() {
        0 | 1 if is_short => vec![text.trim().to_owned()],
        _ => {
            let whole = is_short.then(|| text.trim().to_owned());
            whole
                .into_iter()
                .chain(sentences.into_iter().flat_map(pieces))
                .collect()
        }
    }
}

/// Splits at the ends of sentences and lines, and not at the dots of an address or a number.
fn sentences(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        open.push(c);
        let is_end = match c {
            '\n' | '。' | '！' | '？' | '।' | ';' | '；' => true,
            '.' | '!' | '?' | '؟' => characters.peek().is_none_or(|next| next.is_whitespace()),
            _ => false,
        };
        if is_end && SENTENCE_BYTES_MIN <= open.trim().len() {
            all.push(std::mem::take(&mut open).trim().to_owned());
        }
    }
    if open.trim().is_empty() {
        return all;
    }
    match all.last_mut() {
        Some(last) if open.trim().len() < SENTENCE_BYTES_MIN => {
            last.push(' ');
            last.push_str(open.trim());
        }
        _ => all.push(open.trim().to_owned()),
    }
    all
}

/// Cuts a long sentence between words; in a script without spaces, anywhere.
fn pieces(sentence: String) -> Vec<String> {
    if sentence.chars().count() <= SENTENCE_CHARS_MAX {
        return vec![sentence];
    }
    let mut all = Vec::new();
    let mut open = String::new();
    let mut length = 0;
    for c in sentence.chars() {
        open.push(c);
        length += 1;
        let is_full = SENTENCE_CHARS_MAX / 2 <= length && c.is_whitespace();
        if is_full || SENTENCE_CHARS_MAX <= length {
            all.push(std::mem::take(&mut open));
            length = 0;
        }
    }
    all.push(open);
    all.retain(|piece| !piece.trim().is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_judged_by_sentences_and_as_a_whole() {
        assert_eq!(of("Lives in Porto."), ["Lives in Porto."]);
        let two = "Lives in Porto with Ana. Pays rent to Rui at pay.example.com.";
        assert_eq!(
            of(two),
            [
                two,
                "Lives in Porto with Ana.",
                "Pays rent to Rui at pay.example.com."
            ]
        );
        assert_eq!(of("住在成都，有一个女儿。喜欢喝茶，不喜欢咖啡。").len(), 3);
        assert_eq!(of("Works at B. Braun. OK."), ["Works at B. Braun. OK."]);
    }

    #[test]
    fn a_long_text_without_ends_is_cut() {
        let words = "word ".repeat(400);
        let parts = of(&words);
        assert!(8 <= parts.len(), "{}", parts.len());
        assert!(
            parts
                .iter()
                .all(|part| part.chars().count() <= SENTENCE_CHARS_MAX)
        );
        assert!(of(&"字".repeat(1_000)).len() == 5);
    }
}
