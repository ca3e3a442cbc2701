//! Cuts sections into chunks: at paragraphs where it can, between sentences where it must, with
//! some overlap.

use std::ops::Range;

use recalld_index::text::tokens::TokenCount;
use unicode_segmentation::UnicodeSegmentation;

use super::outline::Section;

/// How long chunks are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    tokens_max: usize,
    overlap: usize,
}

impl Sizes {
    /// Keeps both within sense.
    pub(super) fn new(tokens_max: usize, overlap: usize) -> Sizes {
        let tokens_max = tokens_max.clamp(32, 8_192);
        Sizes {
            tokens_max,
            overlap: overlap.min(tokens_max / 2),
        }
    }

    /// The most tokens of a piece: small enough that pieces can overlap.
    fn piece(self) -> usize {
        self.tokens_max / 4
    }
}

/// A piece of text that is not cut further.
#[derive(Clone, Debug)]
struct Piece {
    range: Range<usize>,
    tokens: usize,
    /// Whether a paragraph ends with it.
    ends_paragraph: bool,
}

/// Cuts the sections of a document into chunks: heading and content.
pub(super) fn chunks(sections: &[Section], sizes: Sizes) -> Vec<(Option<String>, String)> {
    let mut all = Vec::new();
    for section in sections {
        let contents = cut(&section.text, sizes).into_iter();
        all.extend(contents.map(|content| (section.heading.clone(), content)));
    }
    all
}

fn cut(text: &str, sizes: Sizes) -> Vec<String> {
    let pieces = pieces(text, sizes);
    let mut contents = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let end = end_of_chunk(&pieces, start, sizes);
        let content = text[pieces[start].range.start..pieces[end - 1].range.end].trim();
        // Rules and ornaments answer no question.
        if content.chars().any(char::is_alphanumeric) {
            contents.push(content.to_owned());
        }
        if end == pieces.len() {
            break;
        }
        start = overlapping(&pieces, start, end, sizes);
    }
    contents
}

/// Where a chunk that begins at `start` ends: as far as it has room, or at a paragraph in its
/// second half.
fn end_of_chunk(pieces: &[Piece], start: usize, sizes: Sizes) -> usize {
    let mut tokens = 0;
    let mut end = start;
    let mut at_paragraph = None;
    while let Some(piece) = pieces.get(end) {
        if end != start && sizes.tokens_max < tokens + piece.tokens {
            return at_paragraph.unwrap_or(end);
        }
        tokens += piece.tokens;
        end += 1;
        if piece.ends_paragraph && sizes.tokens_max / 2 <= tokens {
            at_paragraph = Some(end);
        }
    }
    end
}

/// Where the chunk after one of `start..end` begins: some pieces back, as long as the next piece
/// finds room.
fn overlapping(pieces: &[Piece], start: usize, end: usize, sizes: Sizes) -> usize {
    let room = sizes.tokens_max.saturating_sub(pieces[end].tokens);
    let most = sizes.overlap.min(room);
    let mut begin = end;
    let mut tokens = 0;
    while start + 1 < begin && tokens + pieces[begin - 1].tokens <= most {
        begin -= 1;
        tokens += pieces[begin].tokens;
    }
    begin
}

/// Takes text apart into sentences (a line counts as one), long ones into words, long words into
/// stretches.
fn pieces(text: &str, sizes: Sizes) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, sentence) in text.split_sentence_bound_indices() {
        if sentence.trim().is_empty() {
            // White space goes with what is before it.
            if let Some(last) = pieces.last_mut() {
                last.range.end = at + sentence.len();
                last.ends_paragraph |= text[..last.range.end].ends_with("\n\n");
            }
            continue;
        }
        let tokens = TokenCount::of(sentence).most();
        match tokens <= sizes.piece() {
            true => pieces.push(Piece {
                range: at..at + sentence.len(),
                tokens,
                ends_paragraph: sentence.ends_with("\n\n"),
            }),
            false => long(sentence, at, sizes, &mut pieces),
        }
    }
    pieces
}

fn long(sentence: &str, at: usize, sizes: Sizes, pieces: &mut Vec<Piece>) {
    let mut open = Piece {
        range: at..at,
        tokens: 0,
        ends_paragraph: false,
    };
    let mut close = |open: &mut Piece, end: usize| {
        if open.range.start < open.range.end {
            pieces.push(open.clone());
        }
        *open = Piece {
            range: end..end,
            tokens: 0,
            ends_paragraph: false,
        };
    };
    for (offset, word) in sentence.split_word_bound_indices() {
        for (inner, stretch) in stretches(word, sizes.piece()) {
            let begin = at + offset + inner;
            let tokens = TokenCount::of(stretch).most();
            if sizes.piece() < open.tokens + tokens {
                close(&mut open, begin);
            }
            open.range.end = begin + stretch.len();
            open.tokens += tokens;
        }
    }
    let end = open.range.end;
    close(&mut open, end);
}

/// Cuts a word of more than `tokens` tokens (a token is a byte at the least, so each stretch fits).
fn stretches(word: &str, tokens: usize) -> Vec<(usize, &str)> {
    if word.len() <= tokens || (word.len() <= 8 * tokens && TokenCount::of(word).fits(tokens)) {
        return vec![(0, word)];
    }
    let mut cut = Vec::new();
    let mut begin = 0;
    while begin < word.len() {
        let mut end = word.floor_char_boundary(begin + tokens.max(4));
        if end <= begin {
            end = word.len();
        }
        cut.push((begin, &word[begin..end]));
        begin = end;
    }
    cut
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str, tokens: usize, overlap: usize) -> Vec<String> {
        cut(text, Sizes::new(tokens, overlap))
    }

    #[test]
    fn a_short_text_is_one_chunk() {
        assert_eq!(of("One. Two.\n\nThree.\n", 32, 8), ["One. Two.\n\nThree."]);
        assert_eq!(of(" \n\n", 32, 8), Vec::<String>::new());
        assert_eq!(of("-----\n", 32, 8), Vec::<String>::new());
    }

    #[test]
    fn a_long_text_is_cut_at_paragraphs_and_overlaps() {
        let paragraph =
            |name: &str| format!("{name} goes first. It is five words.\nAnd then {name} ends here.\n\n");
        let text: String = ["Alpha", "Beta", "Gamma"].map(paragraph).concat();
        let chunks = of(&text, 32, 8);
        assert_eq!(
            chunks,
            [
                "Alpha goes first. It is five words.\nAnd then Alpha ends here.\n\n\
                 Beta goes first. It is five words.\nAnd then Beta ends here.",
                "And then Beta ends here.\n\nGamma goes first. It is five words.\nAnd then Gamma ends here.",
            ]
        );
    }

    #[test]
    fn a_text_without_any_break_is_cut_all_the_same() {
        let blob = "a1b2".repeat(5_000);
        let chunks = of(&blob, 64, 0);
        assert!(chunks.iter().all(|chunk| TokenCount::of(chunk).fits(64)));
        assert_eq!(chunks.concat(), blob);
    }

    proptest! {
        /// No word is lost, and no chunk is much over its size.
        #[test]
        fn chunks_hold_everything(text in "([a-zA-Z]{1,8}([.,] |[ \n]){1,2}){0,200}", overlap in 0_usize..40) {
            let chunks = of(&text, 40, overlap);
            let all = chunks.join("\n");
            for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
                prop_assert!(all.contains(word), "{word}");
            }
            for chunk in &chunks {
                prop_assert!(TokenCount::of(chunk).most() <= 44, "{chunk:?}");
            }
        }
    }
}
