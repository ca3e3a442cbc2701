//! Takes a message apart into what the user says in their own voice.

use std::sync::LazyLock;

use regex::Regex;

/// A clause of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause<'t> {
    pub(super) text: &'t str,
    /// The sentence that it is part of, without its mark.
    pub(super) sentence: &'t str,
}

/// The most sentences of a message that are read; rules are for what people type, not for what they
/// paste.
const SENTENCES_MAX: usize = 200;

/// The most bytes of a sentence that is read.
const SENTENCE_BYTES_MAX: usize = 600;

/// Lists the clauses of a message. Questions, quotations, code, what is only supposed and what
/// others say are left out: they are not statements of the user. So is what the next sentence takes
/// back.
pub(super) fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut clauses: Vec<Clause<'_>> = Vec::new();
    let mut in_code = false;
    let mut read = 0;
    for line in text.lines() {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        let quoted = bare.starts_with(['>', '|']) || line.starts_with("    ");
        if in_code || quoted || bare.is_empty() {
            continue;
        }
        for (sentence, mark) in sentences(bare) {
            read += 1;
            if SENTENCES_MAX < read {
                return clauses;
            }
            if takes_back(sentence) {
                let taken_back = clauses.last().map(|clause| clause.sentence);
                clauses.retain(|clause| Some(clause.sentence) != taken_back);
                continue;
            }
            let is_question = matches!(mark, Some('?' | '？')) || is_asked(sentence);
            if !is_question && !is_supposed(sentence) && sentence.len() <= SENTENCE_BYTES_MAX {
                clauses.extend(own_parts(sentence).map(|text| Clause { text, sentence }));
            }
        }
    }
    clauses
}

/// The parts that begin before anything is quoted, unless somebody else is said to say them.
fn own_parts(sentence: &str) -> impl Iterator<Item = &str> {
    let quoted = sentence.find(['"', '“', '”', '「', '『', '«']);
    let begins = |part: &str| part.as_ptr() as usize - sentence.as_ptr() as usize;
    let parts = parts(sentence);
    let reported = parts.first().is_some_and(|first| is_report(first));
    let own = move |part: &&str| !reported && quoted.is_none_or(|at| begins(part) < at);
    parts.into_iter().filter(own)
}

/// Abbreviations that stand before a name.
const TITLES: [&str; 6] = ["dr", "mr", "mrs", "ms", "prof", "st"];

/// Splits a line into sentences with the mark that ends each. A full stop inside a word or number,
/// or after a title, ends none.
fn sentences(line: &str) -> Vec<(&str, Option<char>)> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match c {
            '!' | '?' | ';' | '。' | '！' | '？' | '；' => true,
            '.' => next.is_none_or(char::is_whitespace) && !is_title(&line[start..at], &line[at + 1..]),
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

/// Whether what stands before a full stop is a title, and what stands behind it a name.
fn is_title(before: &str, after: &str) -> bool {
    let title = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let name = after.split_whitespace().next().unwrap_or("");
    let anew = ["I", "I'm", "I’m", "My", "We"].contains(&name);
    TITLES.contains(&title.to_lowercase().as_str()) && name.starts_with(char::is_uppercase) && !anew
}

fn is_asked(sentence: &str) -> bool {
    sentence.ends_with(['吗', '呢', '么'])
}

fn is_supposed(sentence: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        const SUPPOSED: &str = r"(?xi)^
            (?:(?:and|but|so|ok|okay|well|now|please|then|also|hey|hi|can\s+you|could\s+you)[,:]?\s+)*
            (?:if|unless|suppos(?:e|ing)|imagine|assum(?:e|ing)|pretend|let'?s\s+say|let\s+us\s+say|say\s+(?:that\s+)?(?:i|my)
              |what\s+if|even\s+if|when(?:ever)?\s+i|once\s+i|had\s+i|were\s+i|i\s+wish|i\s+dream(?:ed|t)|hypothetically
              |as\s+a\s+user|for\s+example|translate|rewrite|rephrase|paraphrase|proofread|correct|fix|write|repeat|role-?play
              |in\s+(?:this|the|my|a)\s+(?:story|novel|game|dream|movie|film|play)
              |it\s+is\s+not\s+true|it'?s\s+not\s+true|it\s+isn'?t\s+true|it'?s\s+false|not\s+true)\b
            |^(?:请|那|但|但是|帮我)*(?:如果|假如|假设|要是|万一|比如|例如|假装|想象|据说|听说|翻译|改写|写)";
        Regex::new(SUPPOSED).expect("a fixed pattern")
    });
    PATTERN.is_match(sentence)
}

/// Whether somebody but the user is said to say what follows.
fn is_report(part: &str) -> bool {
    static OWN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^(?:(?:and|but|so|well|actually)[,:]?\s+)*i\b").expect("a fixed pattern")
    });
    static SAYING: LazyLock<Regex> = LazyLock::new(|| {
        const SAYING: &str = r"(?i)\b(?:said|says|told|tells|claims?|claimed|thinks?|thought|believes?|wrote|writes|according to)\b";
        Regex::new(SAYING).expect("a fixed pattern")
    });
    let in_chinese = !part.starts_with('我')
        && ["说", "告诉", "认为", "觉得"]
            .iter()
            .any(|verb| part.contains(verb));
    in_chinese || (SAYING.is_match(part) && !OWN.is_match(part))
}

fn takes_back(sentence: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        const TAKES_BACK: &str = r"(?xi)^
            (?:(?:i'm|i\s+am|i\s+was|just|only|haha|lol)[,]?\s+)*
            (?:kidding|joking|jk|not\s+really|that\s+was\s+a\s+joke|that(?:'s|\s+is)\s+(?:a\s+joke|not\s+true)|scratch\s+that|never\s?mind)\b
            |^not$|^(?:我)?(?:开玩笑|骗你的|才怪|逗你|不是真的)";
        Regex::new(TAKES_BACK).expect("a fixed pattern")
    });
    PATTERN.is_match(sentence)
}

/// Splits a sentence where the user starts to speak of themselves anew. ASCII case folding keeps
/// byte positions.
pub(super) fn parts(sentence: &str) -> Vec<&str> {
    const JOINTS: [&str; 12] = [
        " and i ",
        " and i'",
        " and my ",
        " and work ",
        " and live ",
        " but i ",
        " but i'",
        " but my ",
        ", i ",
        ", i'",
        ", my ",
        "，",
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
            ["My name is Ana", "I live in St. Gallen", "my office is in Zürich"]
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

    #[test]
    fn what_is_supposed_reported_or_taken_back_is_nobodys_statement() {
        for message in [
            "But if I lived in Rome, I would eat there and I live in Oslo",
            "My friend says I live in Rome and I work at Google",
            "He wrote \"well, I live in Rome\"",
            "I live in Rome. Just kidding!",
            "假如我住在上海，我喜欢开车",
            "他说他累了，我住在上海",
        ] {
            assert_eq!(texts(message), Vec::<&str>::new(), "{message}");
        }
        assert_eq!(
            texts("I told you, I live in Rome"),
            ["I told you", "I live in Rome"]
        );
        assert_eq!(texts("Ask Dr. Chen. I like her"), ["Ask Dr. Chen", "I like her"]);
    }
}
