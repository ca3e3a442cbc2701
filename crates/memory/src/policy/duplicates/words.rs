//! The words of a statement, with what their writing tells.

use unicode_normalization::UnicodeNormalization;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Without case, and without differences of writing the same character.
    pub(super) text: String,
    /// Whether it was written with a capital though no sentence begins with it.
    pub(super) is_name: bool,
    /// Whether a comma follows.
    pub(super) comma: bool,
    /// Whether a sentence ends with it.
    pub(super) ends_sentence: bool,
}

impl Word {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn among(&self, texts: &[&str]) -> bool {
        texts.contains(&self.text.as_str())
    }
}

/// Splits a statement into words; signs that are part of what a word says (`c++`, `-5`, `9:40`,
/// `50%`, `node.js`) stay.
pub(super) fn words(statement: &str) -> Vec<Word> {
    let compatible: String = match statement.is_ascii() {
        // Has one way of writing only.
        true => statement.to_owned(),
        false => statement.nfkc().collect(),
    };
    let is_shouted = !compatible.chars().any(char::is_lowercase);
    let mut found: Vec<Word> = Vec::new();
    let mut begins = true;
    for chunk in compatible.split(|c: char| c.is_whitespace() || is_separator(c)) {
        let bare = trim_punctuation(chunk);
        if !bare.is_empty() {
            let is_name = !begins && !is_shouted && bare.starts_with(char::is_uppercase);
            add(bare, is_name, &mut found);
            begins = false;
        }
        let after = &chunk[chunk.trim_end_matches(is_loose).len()..];
        if let Some(last) = found.last_mut() {
            last.comma |= after.contains([',', ':']);
            last.ends_sentence |= after.contains('.');
        }
        begins |= after.contains(['.', ':']);
    }
    mark_other_ends(&compatible, &mut found);
    found
}

/// Marks a statement with ends of sentences that are not points: more than one sentence is not
/// taken apart.
fn mark_other_ends(text: &str, found: &mut [Word]) {
    let inner = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let has_other = inner.contains(['!', '?', ';', '\n', '。']);
    if let Some(first) = found.first_mut()
        && has_other
    {
        first.ends_sentence = true;
    }
}

/// Adds a word, or the two that a contraction stands for.
fn add(bare: &str, is_name: bool, found: &mut Vec<Word>) {
    let text = folded(bare);
    let parts = match bare.contains(is_apostrophe) {
        true => contracted(&text.replace(is_apostrophe, "")),
        false => match text.as_str() {
            "cannot" => Some(["can", "not"]),
            "im" => Some(["i", "am"]),
            _ => None,
        },
    };
    let mut push = |text: String, is_name: bool| {
        found.push(Word {
            text,
            is_name,
            comma: false,
            ends_sentence: false,
        });
    };
    match parts {
        // A contraction of "I" is one of the user.
        Some([first, second]) => {
            push(first.to_owned(), is_name && first == "i");
            push(second.to_owned(), false);
        }
        None => push(text.replace(is_apostrophe, ""), is_name),
    }
}

fn contracted(joined: &str) -> Option<[&'static str; 2]> {
    Some(match joined {
        "im" => ["i", "am"],
        "ive" => ["i", "have"],
        "ill" => ["i", "will"],
        "cant" => ["can", "not"],
        "wont" => ["will", "not"],
        "dont" => ["do", "not"],
        "doesnt" => ["does", "not"],
        "didnt" => ["did", "not"],
        "isnt" => ["is", "not"],
        "arent" => ["are", "not"],
        "wasnt" => ["was", "not"],
        "werent" => ["were", "not"],
        "hasnt" => ["has", "not"],
        "havent" => ["have", "not"],
        "hadnt" => ["had", "not"],
        "couldnt" => ["could", "not"],
        "wouldnt" => ["would", "not"],
        "shouldnt" => ["should", "not"],
        _ => return None,
    })
}

/// Takes away the differences of case.
fn folded(word: &str) -> String {
    match word.is_ascii() {
        true => word.to_ascii_lowercase(),
        false => word.chars().flat_map(char::to_lowercase).nfkc().collect(),
    }
}

/// Characters between words, wherever they stand.
fn is_separator(c: char) -> bool {
    matches!(
        c,
        ';' | '!' | '?' | '"' | '“' | '”' | '„' | '«' | '»' | '(' | ')' | '[' | ']' | '{' | '}' | '…'
    ) || matches!(
        c,
        '—' | '–' | '、' | '。' | '「' | '」' | '『' | '』' | '《' | '》' | '*' | '`' | '|'
    )
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ')
}

/// Punctuation around a word.
fn is_loose(c: char) -> bool {
    matches!(c, '.' | ',' | ':' | '/' | '\\' | '_' | '~' | '·' | '•') || is_apostrophe(c)
}

/// Takes off the punctuation around a word, but not the signs that change what it says.
fn trim_punctuation(chunk: &str) -> &str {
    let chunk = chunk.trim_end_matches(|c: char| is_loose(c) || c == '-');
    // A sign before a number is part of it (`-5`, `.5`); before a word it is decoration.
    let start = chunk.trim_start_matches(|c: char| is_loose(c) || c == '-');
    let signed = start.starts_with(|c: char| c.is_ascii_digit()) && start.len() < chunk.len();
    match signed {
        true if chunk[..chunk.len() - start.len()].ends_with(['-', '.']) => {
            &chunk[chunk.len() - start.len() - 1..]
        }
        _ => start,
    }
}
