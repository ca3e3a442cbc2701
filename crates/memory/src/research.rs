//! What was found out about a company before: in conversations, and in documents.

use std::sync::Arc;

use jiff::Timestamp;

use crate::conversation::{Message, Role};
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::recall::{self, Question};
use crate::scope::Scope;
use crate::space::SpaceError;
use crate::wiring::Ports;

/// How many findings of a kind are given.
const FINDINGS_MAX: usize = 10;

/// The most characters of a finding.
const EXCERPT_CHARS_MAX: usize = 600;

/// So many of those characters come before the name.
const BEFORE_CHARS: usize = 150;

/// Earlier research on a company, the newest first.
#[derive(Clone, Debug, Default)]
pub struct Research {
    pub conversations: Vec<Finding<Arc<Message>>>,
    pub documents: Vec<Finding<(Arc<KnowledgeDocument>, Arc<Chunk>)>>,
}

/// A place where a company is written about.
#[derive(Clone, Debug)]
pub struct Finding<T> {
    pub place: T,
    pub at: Timestamp,
    /// The part that names the company.
    pub excerpt: String,
}

/// Which research is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sources {
    All,
    Conversations,
    Documents,
}

/// Finds what was said and written about the company called `name`. The message that asks is not
/// among it.
pub async fn research(
    ports: &Ports,
    scope: &Scope,
    name: &str,
    sources: Sources,
) -> Result<Research, SpaceError> {
    let question = Question::new(name, Question::LIMIT_MAX);
    let mut found = Research::default();
    if sources != Sources::Documents {
        let said = recall::search_messages(ports, scope, &question).await?;
        let is_asking = |message: &Message| {
            scope.message.as_ref() == Some(&message.id)
                && scope.conversation.as_ref() == Some(&message.conversation)
        };
        let said = said.into_iter().map(|hit| hit.item);
        let said = said.filter(|message| message.role != Role::System && !is_asking(message));
        let findings = said.filter_map(|message| {
            let excerpt = excerpt(message.content.as_str(), name)?;
            let at = message.at;
            Some(Finding {
                place: message,
                at,
                excerpt,
            })
        });
        found.conversations = newest(findings);
    }
    if sources != Sources::Conversations {
        let written = recall::search_knowledge(ports, &question).await?;
        let findings = written.into_iter().filter_map(|hit| {
            let (document, chunk) = hit.item;
            let in_title = || mention(document.title.as_deref()?, name).map(|_| start_of(&chunk.content));
            let excerpt = excerpt(&chunk.content, name).or_else(in_title)?;
            let at = document.revised_at;
            Some(Finding {
                place: (document, chunk),
                at,
                excerpt,
            })
        });
        found.documents = newest(findings);
    }
    Ok(found)
}

fn newest<T>(findings: impl Iterator<Item = Finding<T>>) -> Vec<Finding<T>> {
    let mut findings: Vec<Finding<T>> = findings.collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.at));
    findings.truncate(FINDINGS_MAX);
    findings
}

/// The part of `text` around the first mention of `name`; none if it is not mentioned.
fn excerpt(text: &str, name: &str) -> Option<String> {
    let at = mention(text, name)?;
    let before = text[..at].char_indices().rev().nth(BEFORE_CHARS);
    let start = before.map_or(0, |(start, _)| start);
    // Not in the middle of a word, unless the word is very long.
    let start = match text[start..at].find(char::is_whitespace) {
        Some(space) if 0 < start => start + space,
        _ => start,
    };
    let cut = start_of(text[start..].trim_start());
    Some(match start {
        0 => cut,
        _ => format!("… {cut}"),
    })
}

fn start_of(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        None => text.trim_end().to_owned(),
        Some((end, _)) => {
            let end = text[..end].rfind(char::is_whitespace).unwrap_or(end);
            format!("{} …", text[..end].trim_end())
        }
    }
}

/// Where `text` names it as a word of its own: `Meta` is not in `metal`.
fn mention(text: &str, name: &str) -> Option<usize> {
    let name: Vec<char> = name.trim().chars().flat_map(char::to_lowercase).collect();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    // Where words are not separated, a neighbour says nothing.
    let is_apart = |c: char| !c.is_alphanumeric() || !c.is_ascii();
    let fits = |start: usize| {
        let end = start + name.len();
        let same = |(at, wanted): (usize, &char)| letters[start + at].1.to_lowercase().eq([*wanted]);
        letters.len() >= end
            && name.iter().enumerate().all(same)
            && (start == 0 || is_apart(letters[start - 1].1))
            && (letters.len() == end || is_apart(letters[end].1))
    };
    let places = 0..letters.len();
    places
        .into_iter()
        .find(|&start| !name.is_empty() && fits(start))
        .map(|start| letters[start].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_is_named_by_a_word_of_its_own() {
        for (text, name, found) in [
            ("Research on Gartner: growing.", "gartner", true),
            ("GARTNER'S CEO", "Gartner", true),
            ("metal prices", "Meta", false),
            ("Meta and metal", "Meta", true),
            ("我研究了华为的财报", "华为", true),
            ("Acme Corp is fine", "acme corp", true),
            ("Acmecorp", "acme", false),
            ("anything", "", false),
        ] {
            assert_eq!(mention(text, name).is_some(), found, "{name} in {text}");
        }
    }

    #[test]
    fn an_excerpt_has_the_name_and_whole_words() {
        let text = format!("{} Gartner grew. {}", "before ".repeat(60), "after ".repeat(200));
        let excerpt = excerpt(&text, "Gartner").unwrap();
        assert!(
            excerpt.starts_with("… before") && excerpt.ends_with("after …"),
            "{excerpt}"
        );
        assert!(excerpt.contains("Gartner grew."));
        assert!(excerpt.chars().count() <= EXCERPT_CHARS_MAX + 4);
    }
}
