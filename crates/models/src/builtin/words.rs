//! Cuts text into what is looked up: words of letters and digits, and runs of Chinese or Japanese.
//!
//! The same cuts as BERT's uncased tokenizer (lower case, accents stripped, punctuation apart), but
//! that punctuation is left out and that runs of ideographs and kana stay together for longest
//! match.

use unicode_normalization::char::{compose, decompose_canonical, decompose_compatible, is_combining_mark};

/// One stretch of text, in lower case.
#[derive(Debug)]
pub(super) enum Stretch<'a> {
    /// Letters and digits: as written, and with the accents stripped.
    Word { written: &'a str, folded: &'a str },
    /// Ideographs and kana, which no space divides.
    Run(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Break,
    Mark,
    Letter,
    Ideograph,
}

/// Calls `visit` with each stretch of `text`, in order, until it answers `false`.
pub(super) fn each_stretch(text: &str, mut visit: impl FnMut(Stretch<'_>) -> bool) {
    let mut open = Open {
        written: String::with_capacity(WORD_BYTES),
        folded: String::with_capacity(WORD_BYTES),
        run: false,
    };
    for raw in text.chars() {
        let goes_on = if raw.is_ascii() {
            open.push_plain(raw, &mut visit)
        } else if ('\u{ff00}'..='\u{ffef}').contains(&raw) {
            // Full-width Latin and half-width kana are the same letters in another dress.
            let mut goes_on = true;
            decompose_compatible(raw, |c| goes_on = goes_on && open.push(c, &mut visit));
            goes_on
        } else {
            open.push(raw, &mut visit)
        };
        if !goes_on {
            return;
        }
    }
    open.close(&mut visit);
}

/// Most words are at most this long.
const WORD_BYTES: usize = 32;

/// The stretch being read.
struct Open {
    written: String,
    folded: String,
    run: bool,
}

impl Open {
    fn push_plain(&mut self, c: char, visit: &mut impl FnMut(Stretch<'_>) -> bool) -> bool {
        if !c.is_ascii_alphanumeric() {
            return self.close(visit);
        }
        let goes_on = !self.run || self.close(visit);
        let lower = c.to_ascii_lowercase();
        self.written.push(lower);
        self.folded.push(lower);
        goes_on
    }

    fn push(&mut self, c: char, visit: &mut impl FnMut(Stretch<'_>) -> bool) -> bool {
        match kind(c) {
            Kind::Break => self.close(visit),
            Kind::Mark => {
                // Entries are composed (NFC), so a mark that comes apart joins the letter before
                // it.
                let joined = self.written.pop().map(|last| compose(last, c).unwrap_or(last));
                self.written.extend(joined);
                true
            }
            Kind::Ideograph => {
                let goes_on = self.run || self.close(visit);
                self.run = true;
                self.written.push(c);
                goes_on
            }
            Kind::Letter => {
                let goes_on = !self.run || self.close(visit);
                for lower in c.to_lowercase() {
                    self.written.push(lower);
                    decompose_canonical(lower, |part| {
                        if !is_combining_mark(part) {
                            self.folded.push(part);
                        }
                    });
                }
                goes_on
            }
        }
    }

    fn close(&mut self, visit: &mut impl FnMut(Stretch<'_>) -> bool) -> bool {
        let goes_on = if self.written.is_empty() {
            true
        } else if self.run {
            visit(Stretch::Run(&self.written))
        } else {
            visit(Stretch::Word {
                written: &self.written,
                folded: &self.folded,
            })
        };
        self.written.clear();
        self.folded.clear();
        self.run = false;
        goes_on
    }
}

fn kind(c: char) -> Kind {
    match c {
        '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Kind::Ideograph,
        '\u{3041}'..='\u{3096}'
        | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '々' => Kind::Ideograph,
        c if is_combining_mark(c) => Kind::Mark,
        c if c.is_alphanumeric() => Kind::Letter,
        _ => Kind::Break,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        each_stretch(text, |stretch| {
            found.push(match stretch {
                Stretch::Word { folded, .. } => folded.to_owned(),
                Stretch::Run(run) => format!("<{run}>"),
            });
            true
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn words_are_lower_case_without_punctuation() {
        check(
            "I don't eat Peanuts, e.g. at 7:30!",
            &["i", "don", "t", "eat", "peanuts", "e", "g", "at", "7", "30"],
        );
    }

    #[test]
    fn accents_are_stripped_whether_composed_or_not() {
        check("Café cafe\u{301} ÅNGSTRÖM", &["cafe", "cafe", "angstrom"]);
    }

    #[test]
    fn ideographs_and_kana_stay_together_and_apart_from_latin() {
        check(
            "我对花生过敏。I love ラーメン2杯",
            &["<我对花生过敏>", "i", "love", "<ラーメン>", "2", "<杯>"],
        );
    }

    #[test]
    fn full_width_letters_are_plain_letters() {
        check("ＡＰＩ ﾋﾟｰﾅｯﾂ", &["api", "<ピーナッツ>"]);
    }

    #[test]
    fn reading_stops_when_the_visitor_has_enough() {
        let mut seen = 0;
        each_stretch("one two three four", |_| {
            seen += 1;
            seen < 2
        });
        assert_eq!(seen, 2);
    }
}
