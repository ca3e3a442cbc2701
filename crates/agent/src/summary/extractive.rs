//! A summary without a model: the sentences that share most with the rest, in the order in which
//! they were said.

use std::collections::HashMap;

use recalld_index::text::content_words;
use recalld_index::text::plain::shorten;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::conversation::Message;
use recalld_memory::render::one_line;

/// The most characters of a sentence.
const LINE_CHARS_MAX: usize = 240;

/// The most sentences that are considered.
const LINES_MAX: usize = 2_000;

/// Chooses lines of the summary so far and of what was said after it, in at most `budget` tokens.
pub(super) fn chosen(before: &str, said: &[&Message], budget: usize) -> String {
    let old = before.lines().map(str::to_owned);
    let new = said.iter().flat_map(|message| {
        let role = message.role.as_str();
        let seq = message.seq;
        sentences(message.content.as_str())
            .into_iter()
            .map(move |sentence| format!("[{seq}] {role}: {sentence}"))
    });
    let lines: Vec<String> = old.chain(new).take(LINES_MAX).collect();
    let words: Vec<Vec<String>> = lines.iter().map(|line| content_words(line)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in words.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let weight = |line: &Vec<String>| {
        let sum: f64 = line
            .iter()
            .map(|word| (counts[word.as_str()] as f64).ln_1p())
            .sum();
        sum / (line.len().max(4) as f64).sqrt()
    };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|&a, &b| weight(&words[b]).total_cmp(&weight(&words[a])).then(a.cmp(&b)));
    let mut total = TokenCount::default();
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        let with = total + TokenCount::of(&lines[at]) + TokenCount { cl100k: 1, o200k: 1 };
        if with.fits(budget) {
            total = with;
            kept.push(at);
        }
    }
    kept.sort_unstable();
    let kept: Vec<&str> = kept.into_iter().map(|at| lines[at].as_str()).collect();
    kept.join("\n")
}

/// As many lines from the start as fit.
pub(super) fn first_lines(text: &str, budget: usize) -> String {
    let mut total = TokenCount::default();
    let mut kept = Vec::new();
    for line in text.lines() {
        total += TokenCount::of(line) + TokenCount { cl100k: 1, o200k: 1 };
        if !total.fits(budget) {
            break;
        }
        kept.push(line);
    }
    kept.join("\n")
}

fn sentences(text: &str) -> Vec<String> {
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '。' | '！' | '？');
    let mut sentences = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        for (at, c) in line.char_indices() {
            let end = at + c.len_utf8();
            let next = line[end..].chars().next();
            if ends(c) && next.is_none_or(|next| next.is_whitespace() || !c.is_ascii()) {
                sentences.push(&line[start..end]);
                start = end;
            }
        }
        sentences.push(&line[start..]);
    }
    sentences
        .into_iter()
        .map(|sentence| shorten(&one_line(sentence), LINE_CHARS_MAX))
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use recalld_memory::conversation::{MessageText, Role};
    use recalld_memory::id::{ConversationId, MessageId};

    use super::*;

    fn said(texts: &[&str]) -> Vec<Message> {
        let message = |(at, text): (usize, &&str)| Message {
            conversation: ConversationId::new("c").unwrap(),
            id: MessageId::new(at.to_string()).unwrap(),
            seq: at as u64 + 1,
            role: Role::User,
            content: MessageText::new((*text).to_owned()).unwrap(),
            sender: None,
            at: "2026-03-01T10:00:00Z".parse().unwrap(),
            metadata: None,
        };
        texts.iter().enumerate().map(message).collect()
    }

    #[test]
    fn what_is_spoken_of_most_is_kept_and_points_at_its_message() {
        let messages = said(&[
            "Hello there.",
            "The migration of the billing database fails. It needs the old schema.",
            "Nice weather.",
            "So the billing database migration waits for the schema.",
        ]);
        let summary = chosen("", &messages.iter().collect::<Vec<_>>(), 45);
        assert!(
            summary.contains("[2] user: The migration of the billing database fails."),
            "{summary}"
        );
        assert!(!summary.contains("weather"), "{summary}");
        assert!(TokenCount::of(&summary).fits(45));
    }

    #[test]
    fn it_never_goes_over_its_budget() {
        let long = "数据库 performance matters. ".repeat(300);
        let messages = said(&[&long, &long, "x"]);
        for budget in [0, 1, 10, 200] {
            let chosen = chosen(&long, &messages.iter().collect::<Vec<_>>(), budget);
            assert!(TokenCount::of(&chosen).fits(budget));
            assert!(TokenCount::of(&first_lines(&long, budget)).fits(budget));
        }
    }
}
