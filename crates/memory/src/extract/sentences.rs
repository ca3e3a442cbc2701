//! Takes a message apart into what the user says in their own voice.

/// A clause of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause<'t> {
    pub(super) text: &'t str,
    /// The sentence that it is part of, without its mark.
    pub(super) sentence: &'t str,
}

/// The most sentences of a message that are read; rules are for what people type, not for what they paste.
const SENTENCES_MAX: usize = 200;

/// The most bytes of a sentence that is read.
const SENTENCE_BYTES_MAX: usize = 600;

/// Lists the clauses of a message. Questions, quotations and code are left out: they are not statements of the user.
pub(super) fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut clauses = Vec::new();
    let mut in_code = false;
    let mut read = 0;
    for line in text.lines() {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        let quoted = bare.starts_with(['>', '|', '"', '“', '「', '«']) || line.starts_with("    ");
        if in_code || quoted || bare.is_empty() {
            continue;
        }
        for (sentence, mark) in sentences(bare) {
            read += 1;
            if SENTENCES_MAX < read {
                return clauses;
            }
            let is_question = matches!(mark, Some('?' | '？')) || is_asked(sentence);
            if !is_question && sentence.len() <= SENTENCE_BYTES_MAX {
                let parts = parts(sentence).into_iter();
                clauses.extend(parts.map(|text| Clause { text, sentence }));
            }
        }
    }
    clauses
}

/// Splits a line into sentences with the mark that ends each. A full stop inside a word or number ends none.
fn sentences(line: &str) -> Vec<(&str, Option<char>)> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match c {
            '!' | '?' | ';' | '。' | '！' | '？' | '；' => true,
            '.' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            sentences.push((line[start..at].trim(), Some(c)));
            start = at + c.len_utf8();
        }
    }
    sentences.push((line[start..].trim(), None));
    sentences.retain(|(sentence, _)| !sentence.is_empty());
    sentences
}

fn is_asked(sentence: &str) -> bool {
    sentence.ends_with(['吗', '呢', '么'])
}

/// Splits a sentence where the user starts to speak of themselves anew. ASCII case folding keeps byte positions.
fn parts(sentence: &str) -> Vec<&str> {
    const JOINTS: [&str; 10] = [
        " and i ", " and i'", " and my ", " but i ", " but i'", " but my ", ", i ", ", i'", ", my ", "，",
    ];
    let lower = sentence.to_ascii_lowercase();
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for joint in JOINTS {
        // The subject after the joint belongs to the next part.
        let kept = match joint {
            "，" => joint.len(),
            joint if joint.starts_with(',') => 2,
            _ => 5,
        };
        cuts.extend(lower.match_indices(joint).map(|(at, _)| (at, at + kept)));
    }
    cuts.sort_unstable();
    let mut parts = Vec::new();
    let mut start = 0;
    for (end, next) in cuts {
        if start <= end {
            parts.push(trimmed(&sentence[start..end]));
            start = next;
        }
    }
    parts.push(trimmed(&sentence[start..]));
    parts.retain(|part| !part.is_empty());
    parts
}

fn trimmed(part: &str) -> &str {
    part.trim().trim_end_matches([',', '，']).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<&str> {
        clauses(message).into_iter().map(|clause| clause.text).collect()
    }

    #[test]
    fn a_sentence_has_as_many_clauses_as_it_says_i() {
        assert_eq!(
            texts("My name is Ana and I live in St. Gallen, but my office is in Zürich."),
            [
                "My name is Ana",
                "I live in St",
                "Gallen",
                "my office is in Zürich"
            ]
        );
        assert_eq!(
            texts("我叫小明，住在上海。我在阿里工作"),
            ["我叫小明", "住在上海", "我在阿里工作"]
        );
    }

    #[test]
    fn questions_quotations_and_code_are_nobodys_statements() {
        let message = "Do you know where I live?\n> I live in Oslo\n```\nI live in Rome\n```\n\"I live in Bonn\"\n我住在哪里吗\nI use v2.5 daily";
        assert_eq!(texts(message), ["I use v2.5 daily"]);
    }
}
