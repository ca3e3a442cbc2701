//! The classes of characters by which the encodings cut a text into pieces.

use std::sync::LazyLock;

use regex_syntax::hir::{Class as SyntaxClass, HirKind};

/// What a character is to both encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Upper,
    Lower,
    /// A letter without case, which goes with both.
    Letter,
    /// A sign above or below another character.
    Mark,
    Number,
    Space,
    /// Of white space, the two that end a line.
    LineEnd,
    Sign,
}

impl Class {
    /// Finds the class of a character.
    pub(super) fn of(c: char) -> Class {
        match c {
            'a'..='z' => Class::Lower,
            'A'..='Z' => Class::Upper,
            '0'..='9' => Class::Number,
            '\r' | '\n' => Class::LineEnd,
            ' ' | '\t' | '\x0b' | '\x0c' => Class::Space,
            '\0'..='\x7f' => Class::Sign,
            _ => beyond_ascii(c),
        }
    }

    pub(super) fn is_letter(self) -> bool {
        matches!(self, Class::Upper | Class::Lower | Class::Letter)
    }

    pub(super) fn is_white(self) -> bool {
        matches!(self, Class::Space | Class::LineEnd)
    }

    /// What may stand in the first part of a word that begins with capitals.
    pub(super) fn is_upper_part(self) -> bool {
        matches!(self, Class::Upper | Class::Letter | Class::Mark)
    }

    /// What may stand in its second part.
    pub(super) fn is_lower_part(self) -> bool {
        matches!(self, Class::Lower | Class::Letter | Class::Mark)
    }

    /// What is neither white, letter nor number.
    pub(super) fn is_sign(self) -> bool {
        matches!(self, Class::Sign | Class::Mark)
    }
}

/// The names of the classes in the patterns that the encodings are published with.
const NAMED: [(&str, Class); 6] = [
    (r"[\p{Lu}\p{Lt}]", Class::Upper),
    (r"\p{Ll}", Class::Lower),
    (r"[\p{Lm}\p{Lo}]", Class::Letter),
    (r"\p{M}", Class::Mark),
    (r"\p{N}", Class::Number),
    (r"\s", Class::Space),
];

struct Range {
    first: char,
    last: char,
    class: Class,
}

static RANGES: LazyLock<Vec<Range>> = LazyLock::new(|| {
    let mut ranges: Vec<Range> = NAMED
        .iter()
        .flat_map(|(name, class)| ranges(name, *class))
        .collect();
    ranges.sort_unstable_by_key(|range| range.first);
    ranges
});

fn beyond_ascii(c: char) -> Class {
    let after = RANGES.partition_point(|range| range.first <= c);
    match after.checked_sub(1).map(|at| &RANGES[at]) {
        Some(range) if c <= range.last => range.class,
        _ => Class::Sign,
    }
}

fn ranges(name: &str, class: Class) -> Vec<Range> {
    let syntax = regex_syntax::parse(name).expect("it is a class of characters");
    let HirKind::Class(SyntaxClass::Unicode(found)) = syntax.kind() else {
        unreachable!("it is a class of characters");
    };
    let range = |range: &regex_syntax::hir::ClassUnicodeRange| Range {
        first: range.start(),
        last: range.end(),
        class,
    };
    found.ranges().iter().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_of_two_classes() {
        let apart = |pair: &[Range]| pair[0].last < pair[1].first;
        assert!(RANGES.windows(2).all(apart));
    }

    #[test]
    fn ascii_is_classed_as_the_tables_say() {
        for c in ('\0'..='\x7f').filter(|c| !matches!(c, '\r' | '\n')) {
            assert_eq!(Class::of(c), beyond_ascii(c), "{c:?}");
        }
    }
}
