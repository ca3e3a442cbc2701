//! Which writing systems a vocabulary covers, so that a model does not vote on text it cannot read.

/// The writing systems told apart, with the ranges of their letters.
const SCRIPTS: &[(&str, &[(u32, u32)])] = &[
    (
        "latin",
        &[(0x41, 0x5a), (0x61, 0x7a), (0xc0, 0x24f), (0x1e00, 0x1eff)],
    ),
    ("greek", &[(0x370, 0x3ff), (0x1f00, 0x1fff)]),
    ("cyrillic", &[(0x400, 0x52f)]),
    ("armenian", &[(0x530, 0x58f)]),
    ("hebrew", &[(0x590, 0x5ff)]),
    ("arabic", &[(0x600, 0x6ff), (0x750, 0x77f)]),
    ("devanagari", &[(0x900, 0x97f)]),
    ("bengali", &[(0x980, 0x9ff)]),
    ("tamil", &[(0xb80, 0xbff)]),
    ("telugu", &[(0xc00, 0xc7f)]),
    ("thai", &[(0xe00, 0xe7f)]),
    ("georgian", &[(0x10a0, 0x10ff)]),
    ("kana", &[(0x3040, 0x30ff)]),
    ("hangul", &[(0x1100, 0x11ff), (0xac00, 0xd7a3)]),
    ("han", &[(0x3400, 0x4dbf), (0x4e00, 0x9fff), (0x2_0000, 0x3_ffff)]),
];

/// So many pieces of more than one letter show that a script was in the training text. The English
/// BERT has 8 Cyrillic ones, and every single letter.
const PIECES_MIN: usize = 100;
/// Han is often split into single characters. The English BERT has 488 of them, the Chinese over
/// 7,000.
const LETTERS_MIN: usize = 1_500;

/// The scripts that a vocabulary covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownScripts([bool; SCRIPTS.len()]);

impl KnownScripts {
    /// Counts the pieces of each script in a vocabulary.
    pub(super) fn of<'v>(vocabulary: impl Iterator<Item = &'v str>) -> KnownScripts {
        let (mut pieces, mut letters, mut total) =
            ([0_usize; SCRIPTS.len()], [0_usize; SCRIPTS.len()], 0_usize);
        for piece in vocabulary {
            total += 1;
            let bare = piece.trim_start_matches("##").trim_start_matches('\u{2581}');
            let mut scripts = bare.chars().map(script);
            let Some(Some(first)) = scripts.next() else {
                continue;
            };
            if scripts.next().is_none() {
                letters[first] += 1;
            } else if bare.chars().all(|letter| script(letter) == Some(first)) {
                pieces[first] += 1;
            }
        }
        // A small vocabulary has few pieces of anything.
        let pieces_min = PIECES_MIN.min(total / 50).max(1);
        KnownScripts(std::array::from_fn(|index| {
            pieces_min <= pieces[index] || LETTERS_MIN <= letters[index]
        }))
    }

    /// Tells which part of the letters of `text` is of a known script; 1 where there are no
    /// letters.
    pub(super) fn share(&self, text: &str) -> f32 {
        let (mut known, mut letters) = (0_usize, 0_usize);
        for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
            letters += 1;
            known += usize::from(script(letter).is_some_and(|index| self.0[index]));
        }
        if letters == 0 {
            1.0
        } else {
            known as f32 / letters as f32
        }
    }

    /// Names the known scripts.
    pub(super) fn names(&self) -> Vec<&'static str> {
        SCRIPTS
            .iter()
            .zip(self.0)
            .filter(|(_, known)| *known)
            .map(|((name, _), _)| *name)
            .collect()
    }
}

fn script(letter: char) -> Option<usize> {
    let code = u32::from(letter);
    SCRIPTS.iter().position(|(_, ranges)| {
        ranges
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&code))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> KnownScripts {
        let words =
            (0..3_000).map(|number| format!("##word{}", "abcdefghij".chars().nth(number % 10).unwrap()));
        let vocabulary: Vec<String> = words.chain(["花".to_string(), "о".to_string()]).collect();
        KnownScripts::of(vocabulary.iter().map(String::as_str))
    }

    #[test]
    fn an_english_vocabulary_reads_latin_only() {
        assert_eq!(english().names(), ["latin"]);
    }

    #[test]
    fn a_text_is_understood_as_far_as_its_letters_are() {
        let known = english();
        for (text, share) in [
            ("peanuts", 1.0),
            ("花生过敏", 0.0),
            ("ab花生", 0.5),
            ("12:30 🙂", 1.0),
            ("", 1.0),
        ] {
            assert_eq!(known.share(text), share, "{text}");
        }
    }
}
