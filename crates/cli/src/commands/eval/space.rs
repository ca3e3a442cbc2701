//! One user of a data set: documents are added in order, and queries run in between.

use std::collections::HashMap;

use recalld_index::index::turns::{self, Author, Turn};
use recalld_index::index::{Facets, Field, Index};
use recalld_memory::ports::{EmbedError, Embedder, TextRole};

use super::data::Doc;

/// The documents of a user, and the index of those that are added so far.
#[derive(Debug)]
pub(crate) struct Space<'a> {
    embedder: Option<&'a dyn Embedder>,
    /// In the order in which they are added.
    docs: Vec<&'a Doc>,
    /// The turn of each document, if it is one.
    turns: Vec<Option<Turn<'a>>>,
    vectors: Vec<Option<Vec<f32>>>,
    /// What stands in for them, if the model makes that.
    provisional: Vec<Option<Vec<f32>>>,
    /// The positions of the added documents, by session.
    sessions: HashMap<&'a str, Vec<usize>>,
    there: usize,
    /// Whether the vector of a turn contains a part of its neighbours' vectors.
    blends: bool,
    pub(crate) index: Index,
    pub(crate) now_ms: i64,
}

/// How many texts the model embeds at once.
const BATCH: usize = 64;

impl<'a> Space<'a> {
    /// Prepares the documents of a user. None is added yet.
    pub(crate) async fn new(
        docs: &'a [Doc],
        embedder: Option<&'a dyn Embedder>,
        index: Index,
    ) -> Result<Space<'a>, EmbedError> {
        let mut docs: Vec<&Doc> = docs.iter().collect();
        docs.sort_by_key(|doc| doc.seq.unwrap_or(0));
        let turns = turns_of(&docs);
        let mut index = index;
        index.use_model(embedder.map(Embedder::model));
        let mut vectors = vec![None; docs.len()];
        let mut provisional = vec![None; docs.len()];
        if let Some(embedder) = embedder {
            let passages: Vec<String> = docs
                .iter()
                .zip(&turns)
                .map(|(doc, turn)| turn.as_ref().map_or_else(|| doc.text.clone(), turns::passage))
                .collect();
            provisional = passages.iter().map(|text| embedder.provisional(text)).collect();
            vectors.clear();
            for some in passages.chunks(BATCH) {
                let texts: Vec<&str> = some.iter().map(String::as_str).collect();
                vectors.extend(
                    embedder
                        .embed(&texts, TextRole::Passage)
                        .await?
                        .into_iter()
                        .map(Some),
                );
            }
        }
        Ok(Space {
            embedder,
            docs,
            turns,
            vectors,
            provisional,
            sessions: HashMap::new(),
            there: 0,
            blends: embedder.is_some_and(Embedder::answers_at_once),
            index,
            now_ms: 0,
        })
    }

    /// Adds the documents whose `seq` is below `before`, or all.
    pub(crate) fn advance(&mut self, before: Option<i64>) {
        let mut stirred: HashMap<&str, usize> = HashMap::new();
        while let Some(doc) = self.docs.get(self.there) {
            if before.is_some_and(|before| doc.seq.unwrap_or(0) >= before) {
                break;
            }
            self.now_ms = self.now_ms.max(doc.time_ms());
            if self.turns[self.there].is_some() {
                let name = doc.session.as_deref().unwrap_or_default();
                let session = self.sessions.entry(name).or_default();
                stirred.entry(name).or_insert(session.len());
                session.push(self.there);
            } else {
                self.put(
                    self.there,
                    &[Field::main(&doc.text)],
                    self.vectors[self.there].clone(),
                );
            }
            self.there += 1;
        }
        for (name, first) in stirred {
            self.index_turns(name, first.saturating_sub(turns::REACH));
        }
    }

    /// Indexes the turns of a session from the one at `first` on.
    fn index_turns(&mut self, session: &str, first: usize) {
        let Some(places) = self.sessions.get(session).cloned() else {
            return;
        };
        let said: Vec<Turn> = places.iter().filter_map(|place| self.turns[*place]).collect();
        let of = |vectors: &[Option<Vec<f32>>]| -> Vec<Option<Vec<f32>>> {
            places.iter().map(|place| vectors[*place].clone()).collect()
        };
        let (vectors, provisional) = (of(&self.vectors), of(&self.provisional));
        for (at, place) in places.iter().enumerate().take(said.len()).skip(first) {
            // As in the index of messages: stored vectors stand for one message each, and what is
            // made at once for its neighbours, too.
            let vector = match (self.blends, self.embedder, turns::blend(&provisional, at)) {
                (true, ..) => turns::blend(&vectors, at),
                (false, Some(embedder), Some(around)) => vectors[at]
                    .clone()
                    .map(|vector| embedder.with_provisional(vector, &around)),
                _ => vectors[at].clone(),
            };
            self.put(*place, &turns::fields(&said, at), vector);
        }
    }

    fn put(&mut self, place: usize, fields: &[Field], vector: Option<Vec<f32>>) {
        let doc = self.docs[place];
        let by_assistant = self.turns[place].is_some_and(|turn| turn.author == Author::Assistant);
        let facets = Facets {
            kind: by_assistant.then_some("assistant"),
            time_ms: doc.time_ms(),
            confidence: 1.0,
            ..Facets::default()
        };
        self.index.put(&doc.id, fields, facets);
        if let (Some(vector), Some(model)) = (vector, self.index.model().cloned()) {
            self.index.put_vector(&doc.id, &model, &vector);
        }
    }
}

/// A document is a turn when it has a session and a place in it, and every document of the session
/// says who speaks.
fn turns_of<'a>(docs: &[&'a Doc]) -> Vec<Option<Turn<'a>>> {
    let session = |doc: &'a Doc| {
        doc.session
            .as_deref()
            .filter(|name| !name.is_empty() && doc.seq.is_some())
    };
    let mut spoken: HashMap<&str, bool> = HashMap::new();
    for doc in docs {
        if let Some(name) = session(doc) {
            *spoken.entry(name).or_insert(true) &= turn(&doc.text).is_some();
        }
    }
    docs.iter()
        .map(|doc| {
            session(doc)
                .filter(|name| spoken[name])
                .and_then(|_| turn(&doc.text))
        })
        .collect()
}

/// The longest name of a speaker.
const SPEAKER_CHARS_MAX: usize = 40;

/// Reads `Speaker: what was said`.
fn turn(text: &str) -> Option<Turn<'_>> {
    let (speaker, said) = text.split_once(": ").or_else(|| text.split_once(":\n"))?;
    if speaker.is_empty()
        || speaker.chars().count() > SPEAKER_CHARS_MAX
        || speaker.contains(['\n', '.', '!', '?'])
    {
        return None;
    }
    let (speaker, author) = match speaker.to_ascii_lowercase().as_str() {
        "user" | "human" => (None, Author::Person),
        "assistant" | "ai" | "bot" | "chatbot" | "system" => (None, Author::Assistant),
        _ => (Some(speaker), Author::Person),
    };
    Some(Turn {
        speaker,
        text: said,
        author,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(id: &str, session: &str, seq: i64, text: &str) -> Doc {
        let raw = serde_json::json!({"user": "u", "id": id, "session": session, "seq": seq, "text": text});
        serde_json::from_value(raw).unwrap()
    }

    fn found(space: &Space, query: &str) -> Vec<String> {
        let hits = space.index.search(query, &|_| true, 10);
        hits.iter().map(|hit| hit.id.to_string()).collect()
    }

    #[tokio::test]
    async fn what_was_not_yet_said_is_not_found() {
        let docs = [
            doc("a", "s", 0, "Ana: which pier?"),
            doc("b", "s", 1, "Ben: the third"),
            doc("c", "", 2, "likes the sea"),
        ];
        let mut space = Space::new(&docs, None, Index::default()).await.unwrap();
        space.advance(Some(1));
        assert_eq!(found(&space, "third"), Vec::<String>::new());
        space.advance(Some(2));
        assert_eq!(
            found(&space, "third"),
            ["b", "a"],
            "a neighbour that came later counts"
        );
        space.advance(None);
        assert_eq!(found(&space, "sea"), ["c"]);
        assert_eq!(space.index.len(), 3);
    }

    #[test]
    fn a_session_of_facts_is_no_conversation() {
        let docs = [
            doc("a", "s", 0, "Note: buy milk"),
            doc("b", "s", 1, "User likes tea"),
            doc("c", "t", 2, "User: hi"),
            doc("d", "t", 3, "Assistant: hello"),
        ];
        let docs: Vec<&Doc> = docs.iter().collect();
        let turns: Vec<Option<Author>> = turns_of(&docs)
            .iter()
            .map(|turn| turn.map(|turn| turn.author))
            .collect();
        assert_eq!(turns, [None, None, Some(Author::Person), Some(Author::Assistant)]);
    }
}
