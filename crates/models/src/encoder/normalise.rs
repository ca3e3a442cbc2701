//! Brings text into the form that the pieces are cut from: characters replaced by the map of the
//! model, runs of spaces made one, and every space written as `▁`.

use super::format::{BadAsset, number};

/// Stands for a space.
const SPACE: char = '\u{2581}';

/// What the model replaces: a double array over UTF-8 bytes, and the replacements.
#[derive(Debug)]
pub(super) struct CharacterMap {
    units: Vec<u32>,
    replacements: &'static [u8],
}

impl CharacterMap {
    pub(super) fn parse(bytes: &'static [u8]) -> Result<CharacterMap, BadAsset> {
        let bad = BadAsset::Length("character map");
        let (length, rest) = bytes.split_at_checked(4).ok_or(bad)?;
        let length = number(length, 0) as usize;
        let bad = BadAsset::Length("character map");
        let (trie, replacements) = rest.split_at_checked(length).ok_or(bad)?;
        let units = (0..length / 4).map(|place| number(trie, place)).collect();
        Ok(CharacterMap { units, replacements })
    }

    /// The longest match at the start of `text`: how many bytes it is long, and what replaces them.
    fn longest(&self, text: &[u8]) -> Option<(usize, &'static str)> {
        let offset = |unit: u32| (unit >> 10) << ((unit & 0x200) >> 6);
        let mut at = offset(*self.units.first()?);
        let mut best = None;
        for (place, byte) in text.iter().enumerate() {
            at ^= u32::from(*byte);
            let Some(&unit) = self.units.get(at as usize) else {
                break;
            };
            if unit & 0x8000_00ff != u32::from(*byte) {
                break;
            }
            at ^= offset(unit);
            if unit & 0x100 != 0 {
                let value = self.units.get(at as usize).map(|leaf| leaf & 0x7fff_ffff);
                best = value.map(|value| (place + 1, value as usize));
            }
        }
        let (length, value) = best?;
        let from = self.replacements.get(value..)?;
        let end = from.iter().position(|byte| *byte == 0)?;
        let replaced = std::str::from_utf8(&from[..end]).ok()?;
        Some((length, replaced))
    }

    /// Normalises a text; what is empty or blank gives the empty text.
    pub(super) fn normalise(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 8);
        // At the start as after a space: what is blank there is left out.
        let mut after_space = true;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = first.len_utf8();
            let (taken, piece) = match self.longest(rest.as_bytes()) {
                // A match may end inside a character only if the map is damaged.
                Some((taken, replaced)) if rest.is_char_boundary(taken) => (taken, replaced),
                _ => (length, &rest[..length]),
            };
            rest = &rest[taken..];
            let piece = if after_space {
                piece.trim_start_matches(' ')
            } else {
                piece
            };
            if piece.is_empty() {
                continue;
            }
            if out.is_empty() {
                out.push(SPACE);
            }
            out.extend(piece.chars().map(|c| if c == ' ' { SPACE } else { c }));
            after_space = piece.ends_with(' ');
        }
        out.truncate(out.trim_end_matches(SPACE).len());
        out
    }
}
