//! The documents of a space in chunks, ready to be searched.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use recalld_index::index::{Bm25, Facets, Field, Index};

use super::row_index::RowIndex;
use crate::change::Revision;
use crate::id::{DocumentId, SpaceId};
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::ports::{ChangedKnowledge, Embedder, Store, StoreError, TextRole};
use crate::settings::Settings;
use crate::vector::{Vector, VectorKind, VectorSubject};

/// How much the headings above a chunk count, and the title of its document.
const HEADING_WEIGHT: f32 = 0.5;
const TITLE_WEIGHT: f32 = 0.25;

/// The documents of a space at one revision.
#[derive(Debug)]
pub struct KnowledgeIndex {
    revision: Revision,
    documents: BTreeMap<DocumentId, IndexedDocument>,
    by_source: BTreeMap<String, DocumentId>,
    index: Index,
    embedder: Option<Arc<dyn Embedder>>,
    bytes: usize,
}

#[derive(Debug)]
struct IndexedDocument {
    document: Arc<KnowledgeDocument>,
    chunks: Vec<Arc<Chunk>>,
}

/// What a chunk costs beside its text.
const ROW_BYTES: usize = size_of::<Chunk>() + 160;

impl KnowledgeIndex {
    /// An empty index.
    pub fn new(params: Bm25, embedder: Option<Arc<dyn Embedder>>) -> KnowledgeIndex {
        let mut index = Index::new(params);
        index.use_model(embedder.as_deref().map(Embedder::model));
        KnowledgeIndex {
            revision: Revision::default(),
            documents: BTreeMap::new(),
            by_source: BTreeMap::new(),
            index,
            embedder,
            bytes: 0,
        }
    }

    /// Gives the index over the chunks. The facets of an entry hold the document's id as category.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Finds the chunk of an entry of the index, with its document.
    pub fn chunk(&self, entry: &str) -> Option<(&Arc<KnowledgeDocument>, &Arc<Chunk>)> {
        let (ordinal, document) = entry.split_once(':')?;
        let indexed = self.documents.get(&DocumentId::new(document).ok()?)?;
        let chunk = indexed.chunks.get(ordinal.parse::<usize>().ok()?)?;
        Some((&indexed.document, chunk))
    }

    /// Finds a document with its chunks in order.
    pub fn document(&self, id: &DocumentId) -> Option<(&Arc<KnowledgeDocument>, &[Arc<Chunk>])> {
        let indexed = self.documents.get(id)?;
        Some((&indexed.document, &indexed.chunks))
    }

    /// Gives the documents in the order of their sources, from the first source after `after` on.
    pub fn documents_after(&self, after: Option<&str>) -> impl Iterator<Item = &Arc<KnowledgeDocument>> {
        use std::ops::Bound;
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let ids = self.by_source.range::<str, _>((from, Bound::Unbounded));
        ids.filter_map(|(_, id)| self.documents.get(id).map(|indexed| &indexed.document))
    }

    /// Takes over what the store reports.
    pub fn take(&mut self, changed: ChangedKnowledge) {
        changed.erased.iter().for_each(|id| self.erase(id));
        for (document, chunks) in changed.documents {
            self.put(document, chunks);
        }
        self.revision = changed.revision;
    }

    fn put(&mut self, document: KnowledgeDocument, mut chunks: Vec<Chunk>) {
        self.erase(&document.id);
        chunks.sort_by_key(|chunk| chunk.ordinal);
        let category: Arc<str> = document.id.as_str().into();
        let title = document.title.as_deref().unwrap_or("");
        let mut indexed = Vec::with_capacity(chunks.len());
        for (place, chunk) in chunks.into_iter().enumerate() {
            let heading = chunk.heading.as_deref().unwrap_or("");
            let fields = [
                Field::main(&chunk.content),
                Field {
                    text: heading,
                    weight: HEADING_WEIGHT,
                },
                Field {
                    text: title,
                    weight: TITLE_WEIGHT,
                },
            ];
            let facets = Facets {
                category: Some(Arc::clone(&category)),
                time_ms: document.revised_at.as_millisecond(),
                confidence: 1.0,
                ..Facets::default()
            };
            let entry = entry(place, &document.id);
            self.index.put(&entry, &fields, facets);
            if let Some(embedder) = &self.embedder {
                let text = passage(&document, &chunk);
                if let Some(vector) = embedder.embed_now(&text, TextRole::Passage) {
                    self.index.put_vector(&entry, embedder.model(), &vector);
                } else if !embedder.answers_at_once() {
                    let provisional = embedder.provisional(&text);
                    self.index
                        .wait_for_vector(&entry, embedder.model(), provisional.as_deref());
                }
            }
            self.bytes += chunk_bytes(&chunk);
            indexed.push(Arc::new(chunk));
        }
        self.by_source
            .insert(document.source.clone(), document.id.clone());
        let indexed = IndexedDocument {
            document: Arc::new(document),
            chunks: indexed,
        };
        self.documents.insert(indexed.document.id.clone(), indexed);
    }

    /// Gives chunks that the model has still to make a vector of, with the text it is made of.
    pub fn without_vector(&self) -> impl Iterator<Item = (VectorSubject, String)> {
        let wanted = self.index.waiting().next().is_some();
        let all = self.documents.iter().filter(move |_| wanted);
        let chunks = all.flat_map(|(id, indexed)| {
            let places = indexed.chunks.iter().enumerate();
            places.map(move |(place, chunk)| (id, place, &indexed.document, chunk))
        });
        chunks
            .filter(|(id, place, ..)| !self.index.has_vector(&entry(*place, id)))
            .map(|(id, _, document, chunk)| {
                let subject = VectorSubject::Chunk(id.clone(), chunk.ordinal);
                (subject, passage(document, chunk))
            })
    }

    fn erase(&mut self, id: &DocumentId) {
        let Some(indexed) = self.documents.remove(id) else {
            return;
        };
        self.by_source.remove(&indexed.document.source);
        for (place, chunk) in indexed.chunks.iter().enumerate() {
            self.index.remove(&entry(place, id));
            self.bytes -= chunk_bytes(chunk);
        }
    }
}

/// The text whose vector stands for a chunk: its headings say what it is about.
pub(crate) fn passage(document: &KnowledgeDocument, chunk: &Chunk) -> String {
    let above = chunk.heading.as_deref().or(document.title.as_deref());
    match above {
        Some(heading) => format!("{heading}\n{}", chunk.content),
        None => chunk.content.clone(),
    }
}

/// Names a chunk in the index.
fn entry(place: usize, document: &DocumentId) -> String {
    format!("{place}:{document}")
}

fn chunk_bytes(chunk: &Chunk) -> usize {
    ROW_BYTES + chunk.content.len() + chunk.heading.as_ref().map_or(0, String::len)
}

#[async_trait]
impl RowIndex for KnowledgeIndex {
    type Changed = ChangedKnowledge;

    const KIND: VectorKind = VectorKind::Chunk;

    fn empty(settings: &Settings, embedder: Option<Arc<dyn Embedder>>) -> KnowledgeIndex {
        KnowledgeIndex::new(settings.bm25(), embedder)
    }

    fn revision(&self) -> Revision {
        self.revision
    }

    async fn changed(
        store: &dyn Store,
        space: &SpaceId,
        since: Revision,
    ) -> Result<ChangedKnowledge, StoreError> {
        store.knowledge_since(space, since).await
    }

    fn entries(&self) -> usize {
        self.index.len()
    }

    fn rows_of(changed: &ChangedKnowledge) -> usize {
        changed.documents.iter().map(|(_, chunks)| chunks.len()).sum()
    }

    fn revision_of(changed: &ChangedKnowledge) -> Revision {
        changed.revision
    }

    fn catch_up(&mut self, changed: ChangedKnowledge) {
        self.take(changed);
    }

    fn put_vector(&mut self, vector: &Vector) {
        let VectorSubject::Chunk(id, ordinal) = &vector.subject else {
            return;
        };
        let Some(indexed) = self.documents.get(id) else {
            return;
        };
        let place = indexed.chunks.iter().position(|chunk| chunk.ordinal == *ordinal);
        let Some((place, chunk)) = place.map(|place| (place, &indexed.chunks[place])) else {
            return;
        };
        if Vector::digest_of(&passage(&indexed.document, chunk)) == vector.text_digest {
            self.index
                .put_vector(&entry(place, id), &vector.model, &vector.components);
        }
    }

    fn bytes(&self) -> usize {
        self.index.bytes() + self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(source: &str, contents: &[&str]) -> (KnowledgeDocument, Vec<Chunk>) {
        let id = DocumentId::new(source).unwrap();
        let chunk = |(ordinal, content): (usize, &&str)| Chunk {
            document: id.clone(),
            ordinal: ordinal as u32,
            heading: None,
            content: (*content).to_owned(),
        };
        let chunks: Vec<Chunk> = contents.iter().enumerate().map(chunk).collect();
        let document = KnowledgeDocument {
            id,
            source: source.to_owned(),
            title: None,
            digest: String::new(),
            chunks: chunks.len() as u32,
            added_at: jiff::Timestamp::UNIX_EPOCH,
            revised_at: jiff::Timestamp::UNIX_EPOCH,
        };
        (document, chunks)
    }

    #[test]
    fn a_document_that_is_read_again_replaces_all_its_chunks() {
        let mut knowledge = KnowledgeIndex::new(Bm25::default(), None);
        knowledge.take(ChangedKnowledge {
            documents: vec![
                document("a.md", &["refunds take a week", "refunds need a receipt"]),
                document("b.md", &["deliveries"]),
            ],
            ..ChangedKnowledge::default()
        });
        let count = |knowledge: &KnowledgeIndex| knowledge.index().search("refunds", &|_| true, 10).len();
        assert_eq!(count(&knowledge), 2);
        knowledge.take(ChangedKnowledge {
            documents: vec![document("a.md", &["refunds take a day"])],
            erased: vec![DocumentId::new("b.md").unwrap()],
            ..ChangedKnowledge::default()
        });
        assert_eq!(count(&knowledge), 1);
        let sources: Vec<&str> = knowledge
            .documents_after(None)
            .map(|d| d.source.as_str())
            .collect();
        assert_eq!(sources, ["a.md"]);
        assert_eq!(knowledge.bytes, ROW_BYTES + "refunds take a day".len());
    }
}
