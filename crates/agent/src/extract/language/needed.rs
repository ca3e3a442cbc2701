//! The words without which a pattern cannot match.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Texts of which one stands in everything that is matched, in small letters.
type Texts = Vec<Vec<u8>>;

/// The most texts that stand for a part of a pattern, and the most bytes of one.
const TEXTS_MAX: usize = 256;
const BYTES_MAX: usize = 24;

/// A shorter text stands almost everywhere.
const BYTES_MIN: usize = 2;

/// The most lists of one pattern: more of them let hardly less through.
const LISTS_MAX: usize = 4;

/// Gives lists of texts: of each, one stands in whatever `pattern` matches. None if there are none.
pub(super) fn needed(pattern: &str) -> Vec<Texts> {
    let Ok(parsed) = ParserBuilder::new().utf8(false).build().parse(pattern) else {
        return Vec::new();
    };
    let mut lists = of(&parsed);
    lists.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    lists.truncate(LISTS_MAX);
    lists
}

fn of(hir: &Hir) -> Vec<Texts> {
    match hir.kind() {
        HirKind::Concat(parts) => of_concat(parts),
        HirKind::Alternation(branches) => of_branches(branches).into_iter().collect(),
        HirKind::Capture(capture) => of(&capture.sub),
        HirKind::Repetition(repetition) if 0 < repetition.min => of(&repetition.sub),
        HirKind::Repetition(_) => Vec::new(),
        _ => exact(hir).and_then(useful).into_iter().collect(),
    }
}

/// One of the best lists of each branch.
fn of_branches(branches: &[Hir]) -> Option<Texts> {
    let mut all = Texts::new();
    for branch in branches {
        let lists = of(branch).into_iter();
        all.extend(lists.max_by(|one, other| worth(one).total_cmp(&worth(other)))?);
    }
    useful(all)
}

/// What the parts need. Parts that follow each other are read as one text.
fn of_concat(parts: &[Hir]) -> Vec<Texts> {
    let mut lists = Vec::new();
    let mut run: Texts = vec![Vec::new()];
    for part in parts {
        match exact(part).and_then(|next| joined(&run, &next)) {
            Some(longer) => run = longer,
            None => {
                lists.extend(useful(std::mem::take(&mut run)));
                match exact(part) {
                    Some(next) => run = next,
                    None => {
                        lists.extend(of(part));
                        run = vec![Vec::new()];
                    }
                }
            }
        }
    }
    lists.extend(useful(run));
    lists
}

/// Texts can be looked for if none is short and they are not too many.
fn useful(mut texts: Texts) -> Option<Texts> {
    texts.sort();
    texts.dedup();
    let long_enough = texts.iter().all(|text| BYTES_MIN <= text.len());
    (long_enough && !texts.is_empty() && texts.len() <= 2 * TEXTS_MAX).then_some(texts)
}

/// Long texts and few of them let little through.
fn worth(texts: &Texts) -> f64 {
    let shortest = texts.iter().map(Vec::len).min().unwrap_or(0).min(6);
    2.0 * shortest as f64 - (texts.len() as f64).log2()
}

/// Every text that is matched, if they are few.
fn exact(hir: &Hir) -> Option<Texts> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(vec![Vec::new()]),
        HirKind::Literal(literal) => Some(vec![literal.0.to_ascii_lowercase()]),
        HirKind::Class(class) => letters(class),
        HirKind::Capture(capture) => exact(&capture.sub),
        HirKind::Concat(parts) => {
            let mut run: Texts = vec![Vec::new()];
            for part in parts {
                run = joined(&run, &exact(part)?)?;
            }
            Some(run)
        }
        HirKind::Alternation(branches) => {
            let mut all = Texts::new();
            for branch in branches {
                all.extend(exact(branch)?);
                if TEXTS_MAX < all.len() {
                    return None;
                }
            }
            Some(all)
        }
        HirKind::Repetition(repetition) if (repetition.min, repetition.max) == (0, Some(1)) => {
            let mut all = exact(&repetition.sub)?;
            all.push(Vec::new());
            Some(all)
        }
        HirKind::Repetition(_) => None,
    }
}

/// Each of `first` followed by each of `next`, if they are few and short.
fn joined(first: &Texts, next: &Texts) -> Option<Texts> {
    if TEXTS_MAX < first.len() * next.len() {
        return None;
    }
    let mut all = Texts::with_capacity(first.len() * next.len());
    for start in first {
        for end in next {
            if BYTES_MAX < start.len() + end.len() {
                return None;
            }
            all.push([start.as_slice(), end].concat());
        }
    }
    Some(all)
}

/// The letters of a small class, each once whatever its case.
fn letters(class: &Class) -> Option<Texts> {
    const LETTERS_MAX: usize = 4;
    let Class::Bytes(class) = class else {
        return None;
    };
    let mut all = Texts::new();
    for range in class.ranges() {
        for byte in range.start()..=range.end() {
            let text = vec![byte.to_ascii_lowercase()];
            if !all.contains(&text) {
                all.push(text);
            }
            if LETTERS_MAX < all.len() {
                return None;
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(pattern: &str) -> Vec<Vec<String>> {
        let text = |text| String::from_utf8(text).unwrap();
        let list = |list: Texts| list.into_iter().map(text).collect();
        needed(pattern).into_iter().map(list).collect()
    }

    #[test]
    fn a_pattern_needs_one_word_of_each_list() {
        assert_eq!(
            words(r"(?i-u)^(?:(?:i|we)[ ]+(?:live|reside)[ ]+in[ ]+(?P<v>.+)$)"),
            [vec!["live", "reside"], vec!["in"]]
        );
        assert_eq!(
            words(r"(?i-u)my[ ]+colou?r"),
            [vec!["color", "colour"], vec!["my"]]
        );
        assert_eq!(words(r"(?i-u)(?:abc)?def"), [vec!["abcdef", "def"]]);
        assert_eq!(words(r"(?i-u)(?:abc|x*)"), Vec::<Vec<String>>::new());
        assert_eq!(words(r"(?i-u)[a-z]+"), Vec::<Vec<String>>::new());
    }
}
