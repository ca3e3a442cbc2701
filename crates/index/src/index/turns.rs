//! What a turn of a conversation is found by: its own words, who said it, and what was said around
//! it.
//!
//! A question about a conversation seldom uses the words of the answer alone; what was asked just
//! before holds the rest. And an assistant says in a page what the user said in a line: its words
//! count less, and most of all those far down the page. The weights were chosen by measurement on
//! public sets (`docs/recall.md`).

use super::Field;

/// One turn of a conversation.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The name of who speaks, where it tells something: the user and the assistant are the same
    /// everywhere.
    pub speaker: Option<&'a str>,
    pub text: &'a str,
    pub author: Author,
}

/// Who made a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    Person,
    Assistant,
}

/// How many turns on each side count. One that comes, changes or goes changes what so many around
/// it are found by.
pub const REACH: usize = 2;

/// What a word counts of the turns before, the nearest first, beside one of the turn's own.
const BEFORE: [f32; REACH] = [0.3, 0.15];
/// The same of the turns after.
const AFTER: [f32; REACH] = [0.3, 0.15];
/// What the speaker's name counts: questions are asked about somebody.
const SPEAKER: f32 = 2.0;
/// What a word of the assistant counts.
const ASSISTANT: f32 = 0.3;
/// What a word of the assistant counts as a neighbour's.
const ASSISTANT_AROUND: f32 = 0.1;
/// A long turn says what it is about at its beginning.
const HEAD_BYTES: usize = 300;
/// What a word of the assistant counts after the beginning.
const TAIL: f32 = 0.05;
/// How much of a turn its vector is made of.
const PASSAGE_BYTES: usize = 500;
/// What the vector of a neighbour adds to that of a turn.
const VECTOR_AROUND: f32 = 0.2;

/// Gives the fields of the turn at `at` of a session, whose turns stand in their order.
pub fn fields<'a>(session: &[Turn<'a>], at: usize) -> Vec<Field<'a>> {
    let Some(turn) = session.get(at) else {
        return Vec::new();
    };
    let mut fields = Vec::with_capacity(3 + 2 * REACH);
    match turn.author {
        Author::Person => fields.push(Field::main(turn.text)),
        Author::Assistant => {
            let (head, tail) = turn.text.split_at(turn.text.floor_char_boundary(HEAD_BYTES));
            fields.push(weighted(head, ASSISTANT));
            fields.push(weighted(tail, ASSISTANT * TAIL));
        }
    }
    fields.extend(turn.speaker.map(|name| weighted(name, SPEAKER)));
    for (other, away) in around(session.len(), at) {
        let near = &session[other];
        let weight = if other < at {
            BEFORE[away - 1]
        } else {
            AFTER[away - 1]
        };
        let author = match near.author {
            Author::Person => 1.0,
            Author::Assistant => ASSISTANT_AROUND,
        };
        fields.push(weighted(head(near.text, HEAD_BYTES), weight * author));
    }
    fields.retain(|field| !field.text.is_empty());
    fields
}

/// Gives the text whose vector stands for a turn: who speaks, and the beginning.
pub fn passage(turn: &Turn) -> String {
    let text = head(turn.text, PASSAGE_BYTES);
    match turn.speaker {
        Some(name) => format!("{name}: {text}"),
        None => text.to_owned(),
    }
}

/// Adds to the vector of the turn at `at` a little of those around it. What has no vector adds
/// nothing.
pub fn blend(session: &[Option<Vec<f32>>], at: usize) -> Option<Vec<f32>> {
    let mut vector = session.get(at)?.clone()?;
    for (other, _) in around(session.len(), at) {
        if let Some(near) = &session[other] {
            for (sum, component) in vector.iter_mut().zip(near) {
                *sum += VECTOR_AROUND * component;
            }
        }
    }
    Some(vector)
}

/// The places within reach of `at`, and how far away each is.
fn around(turns: usize, at: usize) -> impl Iterator<Item = (usize, usize)> {
    let first = at.saturating_sub(REACH);
    let end = turns.min(at + REACH + 1);
    (first..end)
        .filter(move |other| *other != at)
        .map(move |other| (other, other.abs_diff(at)))
}

fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

fn weighted(text: &str, weight: f32) -> Field<'_> {
    Field { text, weight }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Facets, Index};

    fn said(text: &str, author: Author) -> Turn<'_> {
        Turn {
            speaker: None,
            text,
            author,
        }
    }

    fn found(session: &[Turn], query: &str) -> Vec<String> {
        let mut index = Index::default();
        for at in 0..session.len() {
            index.put(&at.to_string(), &fields(session, at), Facets::default());
        }
        let hits = index.search(query, &|_| true, 10);
        hits.iter().map(|hit| hit.id.to_string()).collect()
    }

    #[test]
    fn an_answer_is_found_by_what_was_asked_before_it() {
        let said = |text| said(text, Author::Person);
        let session = [
            said("which hotel?"),
            said("the Mercure"),
            said("oh"),
            said("fine"),
            said("bye"),
        ];
        let found = found(&session, "hotel");
        assert_eq!(found[..2], ["0", "1"]);
        assert!(!found.contains(&"3".to_owned()), "it is too far away");
    }

    #[test]
    fn what_a_person_said_comes_before_what_the_assistant_made_of_it() {
        let session = [
            said("a peanut gave me a rash", Author::Person),
            said("A peanut can give you a rash", Author::Assistant),
        ];
        assert_eq!(found(&session, "peanut")[0], "0");
    }

    #[test]
    fn the_end_of_a_long_answer_is_still_found() {
        let long = format!("{} and the seventh item is a marzipan cake", "word ".repeat(200));
        let session = [said(&long, Author::Assistant), said("thanks", Author::Person)];
        assert_eq!(found(&session, "marzipan")[0], "0");
    }

    #[test]
    fn places_outside_the_session_are_none() {
        assert!(fields(&[], 0).is_empty());
        assert_eq!(blend(&[None, Some(vec![1.0])], 0), None);
        assert_eq!(blend(&[None, Some(vec![1.0])], 1), Some(vec![1.0]));
        assert_eq!(blend(&[], 3), None);
    }

    #[test]
    fn neighbours_turn_a_vector_a_little() {
        let session = [Some(vec![1.0, 0.0]), Some(vec![0.0, 1.0]), None];
        assert_eq!(blend(&session, 0), Some(vec![1.0, VECTOR_AROUND]));
    }
}
