//! Exact token counts in the two encodings that models of our users count with.

mod classes;
mod encoding;
mod memo;
mod pieces;
mod vocabulary;

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use encoding::{CL100K, O200K};

/// How many tokens a text is in each encoding.
///
/// A budget is kept in both: whichever encoding a caller's model uses, the text fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TokenCount {
    pub cl100k: usize,
    pub o200k: usize,
}

impl TokenCount {
    /// Counts `text` exactly.
    pub fn of(text: &str) -> TokenCount {
        if text.is_empty() {
            return TokenCount::default();
        }
        memo::remembered(text, |text| TokenCount {
            cl100k: CL100K.count(text),
            o200k: O200K.count(text),
        })
    }

    /// Gives the larger of the two counts.
    pub fn most(self) -> usize {
        self.cl100k.max(self.o200k)
    }

    /// Tells whether the text is within `budget` in both encodings.
    pub fn fits(self, budget: usize) -> bool {
        self.most() <= budget
    }
}

/// Loads the tables of both encodings, each on a thread of its own, so that the first count does
/// not wait for both.
pub fn warm_up() {
    std::thread::spawn(|| CL100K.count("a"));
    std::thread::spawn(|| O200K.count("a"));
}

impl Add for TokenCount {
    type Output = TokenCount;
    fn add(self, other: TokenCount) -> TokenCount {
        TokenCount {
            cl100k: self.cl100k + other.cl100k,
            o200k: self.o200k + other.o200k,
        }
    }
}

impl AddAssign for TokenCount {
    fn add_assign(&mut self, other: TokenCount) {
        *self = *self + other;
    }
}

impl Sub for TokenCount {
    type Output = TokenCount;
    fn sub(self, other: TokenCount) -> TokenCount {
        TokenCount {
            cl100k: self.cl100k - other.cl100k,
            o200k: self.o200k - other.o200k,
        }
    }
}

impl SubAssign for TokenCount {
    fn sub_assign(&mut self, other: TokenCount) {
        *self = *self - other;
    }
}

impl Sum for TokenCount {
    fn sum<I: Iterator<Item = TokenCount>>(counts: I) -> TokenCount {
        counts.fold(TokenCount::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_those_of_the_published_encodings() {
        assert_eq!(TokenCount::of("hello world"), TokenCount { cl100k: 2, o200k: 2 });
        assert_eq!(TokenCount::of("我喜欢喝茶"), TokenCount { cl100k: 9, o200k: 4 });
        assert_eq!(TokenCount::of(""), TokenCount::default());
    }

    /// Texts in which the rules for pieces meet: cases, marks, contractions, digits, white space of
    /// every kind. The published cl100k was changed in how white space at the very end counts, so
    /// that none stands there.
    fn entangled() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[a-zA-Z']{1,4}",
            "[ \t\r\n/.'\"]{1,4}",
            "[0-9²Ⅷ٣]{1,5}",
            "[\u{300}ſʰǅßЖж我日é\u{a0}\u{2028}🙂]{1,3}",
            "'([sS]|[rR]e|ll|VE|ſ|x)",
            "\\PC{1,6}",
            Just("antidisestablishmentarianism".to_owned()),
        ];
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat().trim_end().to_owned())
    }

    #[test]
    fn a_word_of_many_kilobytes_is_counted_too() {
        let count = TokenCount::of(&"ab".repeat(100_000));
        assert_eq!(count.most(), 100_000);
    }

    #[test]
    fn every_group_of_up_to_three_digits_is_one_token() {
        let groups = (0..1000).flat_map(|n| [format!("{n}"), format!("{n:02}"), format!("{n:03}")]);
        for group in groups {
            assert_eq!(
                TokenCount::of(&group),
                TokenCount { cl100k: 1, o200k: 1 },
                "{group}"
            );
        }
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_reference(text in entangled()) {
            let count = TokenCount::of(&text);
            prop_assert_eq!(count.cl100k, tiktoken_rs::cl100k_base_singleton().count_ordinary(&text));
            prop_assert_eq!(count.o200k, tiktoken_rs::o200k_base_singleton().count_ordinary(&text));
        }

        /// Lines that end in a newline and do not start with white space can be counted one by one.
        #[test]
        fn counts_of_lines_add_up(lines in prop::collection::vec("- [^\r\n]{0,40}[\"}a-z.)]", 1..8)) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let sum: TokenCount = lines.iter().map(|line| TokenCount::of(&format!("{line}\n"))).sum();
            prop_assert_eq!(TokenCount::of(&text), sum);
        }
    }
}
