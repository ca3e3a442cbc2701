//! Cuts a text into lexemes: words with the signs that belong to them, runs of unspaced scripts,
//! pictures.

use unicode_segmentation::UnicodeSegmentation;

use super::script::{Class, class};

/// A piece of text that is analysed as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme<'a> {
    pub(crate) text: &'a str,
    pub(crate) shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Letters and digits only.
    Plain,
    /// Letters and digits joined by signs: `node.js`, `9:40`, `o'clock`, `ana@example.com`.
    Joined,
    /// A name that ends or begins with signs: `C++`, `F#`, `.NET`.
    Signed,
    /// An address with a scheme: `https://example.com/page`.
    Url,
    Cjk,
    Hangul,
    Unspaced,
    Picture,
}

/// Cuts `text` into lexemes, in order. Takes time linear in its length.
pub(crate) fn lexemes(text: &str) -> Vec<Lexeme<'_>> {
    let mut scanner = Scanner {
        text,
        at: 0,
        found: Vec::with_capacity(text.len() / 5),
    };
    while let Some(c) = scanner.peek(0) {
        scanner.step(c);
    }
    scanner.found
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    found: Vec<Lexeme<'a>>,
}

impl<'a> Scanner<'a> {
    /// The character that starts `ahead` bytes after the current position.
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead..)?.chars().next()
    }

    fn step(&mut self, c: char) {
        match class(c) {
            Class::Letter => self.word(),
            Class::Cjk => self.run(Class::Cjk, Shape::Cjk),
            Class::Hangul => self.run(Class::Hangul, Shape::Hangul),
            Class::Unspaced => self.run(Class::Unspaced, Shape::Unspaced),
            Class::Picture => self.picture(),
            Class::Other => self.sign(c),
        }
    }

    fn push(&mut self, start: usize, shape: Shape) {
        self.found.push(Lexeme {
            text: &self.text[start..self.at],
            shape,
        });
    }

    fn run(&mut self, of: Class, shape: Shape) {
        let start = self.at;
        self.skip_while(|c| class(c) == of);
        self.push(start, shape);
    }

    fn skip_while(&mut self, belongs: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    }

    fn picture(&mut self) {
        let start = self.at;
        let cluster = self.text[start..].graphemes(true).next().map_or(1, str::len);
        self.at += cluster;
        self.push(start, Shape::Picture);
    }

    /// A sign before a word may belong to it: `+49…`, `.NET`.
    fn sign(&mut self, c: char) {
        let start = self.at;
        let before = self.text[..start].chars().next_back();
        self.at += c.len_utf8();
        let next = self.peek(0);
        let opens = before.is_none_or(|b| b.is_whitespace() || matches!(b, '(' | '"' | '\'' | '/'));
        match (c, next) {
            ('+', Some(n)) if opens && n.is_ascii_digit() => {
                self.skip_while(|c| c.is_ascii_digit());
                self.push(start, Shape::Signed);
            }
            ('.', Some(n)) if opens && n.is_ascii_alphabetic() => {
                self.skip_while(|c| c.is_ascii_alphanumeric());
                self.push(start, Shape::Signed);
            }
            _ => {}
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let mut shape = Shape::Plain;
        loop {
            let part = self.at;
            self.skip_while(|c| class(c) == Class::Letter);
            let Some(sign) = self.peek(0) else { break };
            if sign == ':' && self.text[self.at..].starts_with("://") && is_scheme(&self.text[start..self.at])
            {
                return self.url(start);
            }
            if let Some(length) = self.suffix(part, sign) {
                if part != start {
                    // `C/C++` is two names: what came before stands alone.
                    let text = self.text[start..part].trim_end_matches(is_joint);
                    let shape = if text.contains(is_joint) {
                        Shape::Joined
                    } else {
                        Shape::Plain
                    };
                    self.found.push(Lexeme { text, shape });
                }
                self.at += length;
                return self.push(part, Shape::Signed);
            }
            if !self.joins(sign) {
                break;
            }
            shape = Shape::Joined;
            self.skip_while(|c| c == sign);
        }
        self.push(start, shape);
    }

    /// Whether the sign at the current position joins the word before it with the one after it.
    fn joins(&self, sign: char) -> bool {
        if !is_joint(sign) {
            return false;
        }
        let run = match sign {
            '_' => self.text[self.at..].bytes().take_while(|b| *b == b'_').count(),
            _ => 1,
        };
        let next = self.peek(run);
        let before = self.text[..self.at].chars().next_back();
        match (before, next) {
            (Some(b), Some(n)) if class(n) == Class::Letter => match sign {
                ',' | ':' => b.is_ascii_digit() && n.is_ascii_digit(),
                '\'' => b.is_alphabetic() && n.is_alphabetic(),
                _ => true,
            },
            _ => false,
        }
    }

    /// The length of the signs that end a name: `++`, `+`, and `#` after a single letter.
    fn suffix(&self, part: usize, sign: char) -> Option<usize> {
        let rest = &self.text[self.at..];
        let ends = |length: usize| {
            rest[length..]
                .chars()
                .next()
                .is_none_or(|c| class(c) != Class::Letter)
        };
        match sign {
            '+' if rest.starts_with("++") => Some(2),
            '+' if ends(1) => Some(1),
            '#' if self.at - part == 1 && ends(1) => Some(1),
            _ => None,
        }
    }

    fn url(&mut self, start: usize) {
        self.skip_while(|c| {
            c.is_ascii()
                && !c.is_ascii_whitespace()
                && !matches!(c, '<' | '>' | '"' | ')' | ']' | '}' | '|' | '`')
        });
        let length = self.text[start..self.at]
            .trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '/'])
            .len();
        self.found.push(Lexeme {
            text: &self.text[start..start + length],
            shape: Shape::Url,
        });
    }
}

/// Signs that may stand inside a word.
pub(crate) fn is_joint(c: char) -> bool {
    matches!(c, '.' | '-' | '_' | '/' | ':' | '@' | '\'' | '&' | ',')
}

fn is_scheme(word: &str) -> bool {
    word.len() <= 8 && word.bytes().all(|b| b.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        lexemes(text).into_iter().map(|lexeme| lexeme.text).collect()
    }

    #[test]
    fn signs_stay_with_the_words_they_belong_to() {
        assert_eq!(
            cut("I write C++, C# and .NET (node.js)!"),
            ["I", "write", "C++", "C#", "and", ".NET", "node.js"]
        );
        assert_eq!(cut("C/C++ or C++20"), ["C", "C++", "or", "C++", "20"]);
        assert_eq!(cut("at 9:40, not 19:40."), ["at", "9:40", "not", "19:40"]);
        assert_eq!(
            cut("see https://example.com/a?b=1."),
            ["see", "https://example.com/a?b=1"]
        );
        assert_eq!(cut("call +49 30 1234567"), ["call", "+49", "30", "1234567"]);
        assert_eq!(cut("say 'hello'--now...then"), ["say", "hello", "now", "then"]);
        assert_eq!(
            cut("a__b __init__ x,y 1,000"),
            ["a__b", "init", "x", "y", "1,000"]
        );
    }

    #[test]
    fn scripts_are_cut_apart() {
        assert_eq!(cut("Bart在圣诞节，foo"), ["Bart", "在圣诞节", "foo"]);
        assert_eq!(cut("커피를 マシン☕️👍🏽"), ["커피를", "マシン", "☕️", "👍🏽"]);
    }
}
