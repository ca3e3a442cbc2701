//! Cuts a text into the pieces within which tokens are made. No token spans two of them.
//!
//! The encodings are published with a regular expression each; these are the same rules written
//! out, which is several times as fast as an engine that does not know them. The tests hold them to
//! the published ones.

use super::classes::Class;

/// By whose rules a text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    Cl100k,
    O200k,
}

/// The pieces of a text from its beginning to its end.
pub(super) struct Pieces<'t> {
    text: &'t str,
    rules: Rules,
    at: usize,
}

impl<'t> Pieces<'t> {
    pub(super) fn of(text: &'t str, rules: Rules) -> Pieces<'t> {
        Pieces { text, rules, at: 0 }
    }

    fn char_at(&self, at: usize) -> Option<char> {
        match *self.text.as_bytes().get(at)? {
            ascii @ 0..0x80 => Some(char::from(ascii)),
            _ => self.text[at..].chars().next(),
        }
    }

    /// The end of the characters from `at` on that are of such a class.
    fn run(&self, mut at: usize, of: impl Fn(Class) -> bool) -> usize {
        while let Some(c) = self.char_at(at).filter(|c| of(Class::of(*c))) {
            at += c.len_utf8();
        }
        at
    }

    /// Letters, with one character before them that is neither letter, number nor the end of a
    /// line.
    fn word(&self, start: usize, first: char) -> Option<usize> {
        let class = Class::of(first);
        let after_first = start + first.len_utf8();
        match self.rules {
            _ if matches!(class, Class::Number | Class::LineEnd) => None,
            Rules::Cl100k if class.is_letter() => Some(self.run(after_first, Class::is_letter)),
            Rules::Cl100k => {
                let letters =
                    || Some(self.run(after_first, Class::is_letter)).filter(|end| after_first < *end);
                self.contraction(start).or_else(letters)
            }
            Rules::O200k if class.is_letter() => self.cased(start).or_else(|| self.capitals(start)),
            Rules::O200k => self
                .cased(after_first)
                .or_else(|| self.cased(start))
                .or_else(|| self.capitals(after_first))
                .or_else(|| self.capitals(start)),
        }
    }

    /// Any capitals, and then at least one letter that is none.
    fn cased(&self, start: usize) -> Option<usize> {
        let mut at = start;
        let mut either = None;
        while let Some(c) = self.char_at(at).filter(|c| Class::of(*c).is_upper_part()) {
            at += c.len_utf8();
            if Class::of(c).is_lower_part() {
                either = Some(at);
            }
        }
        let lower = self.run(at, Class::is_lower_part);
        // Without a small letter after them, the last letter that goes with both ends the word.
        let end = if at < lower { Some(lower) } else { either };
        end.map(|end| self.contraction(end).unwrap_or(end))
    }

    /// At least one capital. What might follow them was found before.
    fn capitals(&self, start: usize) -> Option<usize> {
        let end = self.run(start, Class::is_upper_part);
        (start < end).then(|| self.contraction(end).unwrap_or(end))
    }

    /// The end of `'s`, `'re` and the like.
    fn contraction(&self, start: usize) -> Option<usize> {
        let rest = self.text.as_bytes()[start..].strip_prefix(b"'")?;
        let length = match rest {
            [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => 1,
            [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] => 2,
            // Case folding maps the long s to s.
            _ if rest.starts_with("ſ".as_bytes()) => "ſ".len(),
            _ => return None,
        };
        Some(start + 1 + length)
    }

    fn number(&self, start: usize) -> Option<usize> {
        let mut end = start;
        for _ in 0..3 {
            match self.char_at(end) {
                Some(c) if Class::of(c) == Class::Number => end += c.len_utf8(),
                _ => break,
            }
        }
        (start < end).then_some(end)
    }

    /// Signs with a space before them and the ends of lines after them.
    fn signs(&self, start: usize) -> Option<usize> {
        let begin = start + usize::from(self.text.as_bytes()[start] == b' ');
        let end = self.run(begin, Class::is_sign);
        let trailing = |byte: &&u8| match byte {
            b'\r' | b'\n' => true,
            b'/' => self.rules == Rules::O200k,
            _ => false,
        };
        let after = self.text.as_bytes()[end..].iter().take_while(trailing).count();
        (begin < end).then_some(end + after)
    }

    /// White space: to the last end of a line in it, or else but for its last character, which goes
    /// with what follows.
    fn white(&self, start: usize) -> usize {
        let end = self.run(start, Class::is_white);
        let white = &self.text[start..end];
        if let Some(line_end) = white.rfind(['\r', '\n']) {
            return start + line_end + 1;
        }
        match white.char_indices().next_back() {
            Some((last, _)) if 0 < last && end < self.text.len() => start + last,
            _ => end,
        }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let start = self.at;
        let first = self.char_at(start)?;
        let end = self
            .word(start, first)
            .or_else(|| self.number(start))
            .or_else(|| self.signs(start))
            .unwrap_or_else(|| self.white(start));
        self.at = end;
        Some(&self.text[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: Rules, text: &str, pieces: &[&str]) {
        assert_eq!(Pieces::of(text, rules).collect::<Vec<_>>(), pieces);
    }

    #[test]
    fn a_word_takes_the_space_before_it() {
        check(
            Rules::O200k,
            "two  words, 1234",
            &["two", " ", " words", ",", " ", "123", "4"],
        );
    }

    #[test]
    fn capitals_begin_a_word_in_one_encoding_only() {
        check(Rules::Cl100k, "helloWorld", &["helloWorld"]);
        check(Rules::O200k, "helloWorld", &["hello", "World"]);
    }

    #[test]
    fn a_contraction_ends_a_word_or_is_one() {
        check(Rules::Cl100k, "I'LL", &["I", "'LL"]);
        check(Rules::O200k, "I'LL", &["I'LL"]);
    }

    #[test]
    fn line_ends_close_what_is_before_them() {
        check(
            Rules::O200k,
            "a.\n/\n \n  b ",
            &["a", ".\n/\n", " \n", " ", " b", " "],
        );
        check(Rules::Cl100k, "a.\n/", &["a", ".\n", "/"]);
    }
}
