//! The words that carry the meaning of a statement, for telling whether two statements say the
//! same.

use super::analysis::compound::amount;
use super::fold::{compatible, fold};
use super::moment::clock_in;
use super::scan::{Shape, lexemes};
use super::stem::singular;

/// The content words of a text in order, folded and in the singular.
///
/// Only words that never tell two statements apart are left out (articles, the first person, forms
/// of *be* and *have* in the present). Negations, numbers, quantifiers, names, tense and words of
/// direction stay, and every form of *not* (`don't`, `cannot`) becomes `not`.
pub fn content_words(text: &str) -> Vec<String> {
    let text = compatible(text);
    let mut words = Vec::new();
    for lexeme in lexemes(&text) {
        match lexeme.shape {
            Shape::Plain => plain(&fold(lexeme.text), &mut words),
            Shape::Joined => joined(&fold(lexeme.text), &mut words),
            Shape::Cjk | Shape::Unspaced => words.extend(lexeme.text.chars().map(String::from)),
            _ => words.push(fold(lexeme.text)),
        }
        if lexeme.text.starts_with(|c: char| c.is_ascii_digit()) {
            words.extend(signs_of_amount(&text, lexeme.text));
        }
    }
    words
}

/// The currency, the unit and the minus that stand beside a number: 50 is not $50, and not -50.
fn signs_of_amount(text: &str, number: &str) -> impl Iterator<Item = String> {
    let start = number.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = (&text[..start], &text[start + number.len()..]);
    let is_unit = |c: &char| matches!(c, '$' | '£' | '¥' | '%' | '‰' | '°' | '\u{20a0}'..='\u{20cf}');
    let is_negative = before
        .strip_suffix('-')
        .is_some_and(|rest| rest.is_empty() || rest.ends_with(char::is_whitespace));
    let left = before
        .strip_suffix(' ')
        .unwrap_or(before)
        .chars()
        .next_back()
        .filter(is_unit);
    let right = after
        .strip_prefix(' ')
        .unwrap_or(after)
        .chars()
        .next()
        .filter(is_unit);
    is_negative
        .then_some('-')
        .into_iter()
        .chain(left)
        .chain(right)
        .map(String::from)
}

fn plain(word: &str, words: &mut Vec<String>) {
    if let Some(verb) = NEGATED
        .iter()
        .find_map(|(form, verb)| (*form == word).then_some(*verb))
    {
        plain(verb, words);
        return words.push("not".to_owned());
    }
    let is_half_of_day = word == "am"
        && words
            .last()
            .is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()));
    if !word.is_empty() && (is_half_of_day || !SILENT.contains(&word)) {
        words.push(singular(word).to_owned());
    }
}

fn joined(word: &str, words: &mut Vec<String>) {
    if let Some(verb) = word.strip_suffix("n't") {
        plain(
            if verb == "ca" {
                "can"
            } else if verb == "wo" {
                "will"
            } else {
                verb
            },
            words,
        );
        return words.push("not".to_owned());
    }
    if let Some((hour, minute)) = clock_in(word) {
        return words.push(format!("{hour}:{minute:02}"));
    }
    for (ending, verb) in [
        ("'s", ""),
        ("'m", "am"),
        ("'re", "are"),
        ("'ve", "have"),
        ("'ll", "will"),
        ("'d", "would"),
    ] {
        if let Some(base) = word.strip_suffix(ending) {
            plain(base, words);
            return plain(verb, words);
        }
    }
    let is_number = word
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.'));
    let amount = if is_number { amount(word) } else { None };
    words.push(amount.unwrap_or_else(|| singular(word).to_owned()));
}

/// Forms that hide a negation.
const NEGATED: &[(&str, &str)] = &[
    ("cannot", "can"),
    ("cant", "can"),
    ("wont", "will"),
    ("dont", "do"),
    ("doesnt", "does"),
    ("didnt", "did"),
    ("isnt", "is"),
    ("arent", "are"),
    ("wasnt", "was"),
    ("werent", "were"),
    ("hasnt", "has"),
    ("havent", "have"),
];

/// Words that never tell two statements apart.
const SILENT: &[&str] = &[
    "a", "an", "the", "i", "me", "my", "we", "our", "is", "am", "are", "be", "do", "does", "have", "has",
    "that", "this", "of", "and", "please", "user",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_statements_apart_stays() {
        for (a, b) in [
            ("prefers tea over coffee", "prefers coffee over tea"),
            ("flight at 9:40", "flight at 19:40"),
            ("is vegetarian", "is not vegetarian"),
            ("I like it", "I don't like it"),
            ("lives in Berlin", "lived in Berlin"),
            ("all rooms", "some rooms"),
            ("flight to Rome", "flight from Rome"),
            ("writes C", "writes C++"),
            ("喜欢茶", "不喜欢茶"),
            ("costs $50", "costs €50"),
            ("saves 50%", "saves 50"),
            ("it is -5 outside", "it is 5 outside"),
            ("wakes at 7 am", "wakes at 7 pm"),
            ("wakes at 7 am", "wakes at 7"),
            ("is a US citizen", "is a citizen"),
        ] {
            assert_ne!(content_words(a), content_words(b), "{a} | {b}");
        }
    }

    #[test]
    fn what_does_not_is_left_out() {
        for (a, b) in [
            ("I prefer the window seat", "prefers window  seats."),
            ("I can't swim", "I cannot swim"),
            ("I don’t eat meat", "i dont eat MEAT"),
            ("costs 1,000 euros", "Costs 1000 Euros!"),
            ("train at 09:40", "train at 9:40"),
            ("costs 50 €", "costs €50"),
            ("sent two e-mails", "sent two E-Mail"),
        ] {
            assert_eq!(content_words(a), content_words(b), "{a} | {b}");
        }
    }
}
