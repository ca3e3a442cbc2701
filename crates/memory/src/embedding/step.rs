//! One step: some texts of a space that have no vector yet are given to the model, and what it
//! makes of them is stored.

use std::collections::HashSet;
use std::time::Duration;

use thiserror::Error;

use crate::change::{Actor, Change, Effect, Stamp};
use crate::id::SpaceId;
use crate::ports::{EmbedError, Embedder, TextRole};
use crate::space::{Decision, SpaceError};
use crate::vector::{Vector, VectorSubject};
use crate::wiring::Ports;

/// How many texts are given to the model at once.
const BATCH: usize = 32;

/// A model that takes longer than this for a batch is taken to be stuck.
const PATIENCE: Duration = Duration::from_secs(120);

/// Why no step could be made.
#[derive(Debug, Error)]
pub enum EmbeddingError {
    /// The model gave no vectors.
    #[error("{0}")]
    Model(#[from] EmbedError),
    /// The space could not be read or written.
    #[error("{0}")]
    Space(#[from] SpaceError),
}

/// What is left after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There may be more to do.
    More,
    /// All that can be embedded is.
    Done,
}

/// Texts that the model makes nothing of. They are not tried again while this process runs.
#[derive(Debug, Default)]
pub struct Refused(HashSet<(SpaceId, VectorSubject, [u8; 16])>);

/// Something that should have a vector.
#[derive(Clone, Debug)]
struct Missing {
    subject: VectorSubject,
    text: String,
    digest: [u8; 16],
}

/// Makes one step in a space.
pub async fn step(ports: &Ports, space: &SpaceId, refused: &mut Refused) -> Result<Step, EmbeddingError> {
    let Some(embedder) = ports.embedder.as_deref().filter(|model| !model.answers_at_once()) else {
        return Ok(Step::Done);
    };
    let missing = missing(ports, space, refused).await?;
    if missing.is_empty() {
        return Ok(Step::Done);
    }
    let (vectors, odd) = made_of(embedder, &missing).await?;
    for one in odd {
        refused.0.insert((space.clone(), one.subject, one.digest));
    }
    if !vectors.is_empty() {
        keep(ports, space, vectors).await?;
    }
    Ok(Step::More)
}

/// Finds what has no vector: memories first, then what was said, then documents.
async fn missing(ports: &Ports, space: &SpaceId, refused: &Refused) -> Result<Vec<Missing>, SpaceError> {
    let wanted = |(subject, text): (VectorSubject, String)| {
        let digest = Vector::digest_of(&text);
        let known = refused.0.contains(&(space.clone(), subject.clone(), digest));
        (!known).then_some(Missing {
            subject,
            text,
            digest,
        })
    };
    let (mut found, with_messages) = ports
        .spaces
        .read(space, |view| {
            let memories = view.without_vector().map(|memory| {
                let subject = VectorSubject::Memory(memory.id);
                (subject, memory.content.as_str().to_owned())
            });
            let found: Vec<Missing> = memories.filter_map(wanted).take(BATCH).collect();
            (found, view.conversations().next().is_some())
        })
        .await?;
    if found.is_empty() && with_messages {
        let look = |shelf: &crate::space::MessageIndex| {
            let messages = shelf.without_vector().filter_map(wanted);
            messages.take(BATCH).collect()
        };
        found = ports.spaces.messages(space, look).await?;
    }
    if found.is_empty() && *space == SpaceId::shared() {
        let look = |shelf: &crate::space::KnowledgeIndex| {
            let chunks = shelf.without_vector().filter_map(wanted);
            chunks.take(BATCH).collect()
        };
        found = ports.spaces.knowledge(space, look).await?;
    }
    Ok(found)
}

/// Asks the model. A text that spoils a whole batch is found by asking for each alone.
async fn made_of(
    embedder: &dyn Embedder,
    missing: &[Missing],
) -> Result<(Vec<Vector>, Vec<Missing>), EmbedError> {
    let texts: Vec<&str> = missing.iter().map(|one| one.text.as_str()).collect();
    let mut made: Vec<Option<Vec<f32>>> = Vec::with_capacity(missing.len());
    match ask(embedder, &texts).await {
        Ok(vectors) => made.extend(vectors.into_iter().map(Some)),
        Err(EmbedError::BadAnswer { .. }) if texts.len() > 1 => {
            for text in &texts {
                match ask(embedder, &[text]).await {
                    Ok(mut vectors) => made.push(vectors.pop()),
                    Err(EmbedError::BadAnswer { .. }) => made.push(None),
                    Err(unavailable) => return Err(unavailable),
                }
            }
            // A model that answers nothing well is out of order; its texts are not odd.
            if made.iter().all(Option::is_none) {
                let reason = "it gave no usable vector for any of several texts".to_owned();
                let model = embedder.model().name.clone();
                return Err(EmbedError::BadAnswer { model, reason });
            }
        }
        Err(error) => return Err(error),
    }
    let (mut vectors, mut odd) = (Vec::new(), Vec::new());
    for (one, components) in missing.iter().zip(made) {
        // Without direction it can be compared to nothing.
        match components.filter(|components| components.iter().any(|c| *c != 0.0)) {
            Some(components) => vectors.push(Vector {
                subject: one.subject.clone(),
                model: embedder.model().clone(),
                text_digest: one.digest,
                components,
            }),
            None => odd.push(one.clone()),
        }
    }
    Ok((vectors, odd))
}

/// Asks for vectors of `texts`, and believes nothing.
async fn ask(embedder: &dyn Embedder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let model = embedder.model();
    let vectors = match tokio::time::timeout(PATIENCE, embedder.embed(texts, TextRole::Passage)).await {
        Ok(answer) => answer?,
        Err(_) => {
            return Err(EmbedError::Unavailable {
                model: model.name.clone(),
                reason: format!("it took longer than {} seconds", PATIENCE.as_secs()),
            });
        }
    };
    let sound = |vector: &Vec<f32>| vector.len() == model.dimension && vector.iter().all(|c| c.is_finite());
    if vectors.len() != texts.len() || !vectors.iter().all(sound) {
        return Err(EmbedError::BadAnswer {
            model: model.name.clone(),
            reason: "not one finite vector of its dimension for each text".to_owned(),
        });
    }
    Ok(vectors)
}

/// Stores vectors. Those of memories that say something else by now are left out.
pub(super) async fn keep(ports: &Ports, space: &SpaceId, vectors: Vec<Vector>) -> Result<(), SpaceError> {
    let stamp = Stamp {
        at: ports.clock.now(),
        actor: Actor::new("embedding"),
        conversation: None,
        message: None,
        source: None,
    };
    let decide = move |view: &crate::space::SpaceView| {
        let current = vectors.iter().filter(|vector| match &vector.subject {
            VectorSubject::Memory(id) => view
                .memory(*id)
                .is_some_and(|memory| Vector::digest_of(memory.content.as_str()) == vector.text_digest),
            // The store keeps none of what is not there, and the digest tells which text it is of.
            VectorSubject::Chunk(..) | VectorSubject::Message(..) => true,
        });
        let changes = current.map(|vector| Change {
            stamp: stamp.clone(),
            effect: Effect::Vector(vector.clone()),
        });
        Decision {
            changes: changes.collect(),
            outcome: (),
        }
    };
    ports.spaces.write(space, decide).await
}
