//! The background work: first what an earlier run or another model left undone, then whatever is
//! written.

use std::time::{Duration, Instant};

use super::step::{EmbeddingError, Refused, Step, step};
use super::stored::backfill;
use crate::id::SpaceId;
use crate::ports::{Administration, Embedded, Embedder, StoreError};
use crate::settings::StoredVectors;
use crate::wiring::Ports;

/// After a failure the next attempt waits this long, and twice as long each time.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// How often a space is tried that cannot be read or written.
const SPACE_FAILURES_MAX: usize = 3;

/// How many spaces are listed at once.
const PAGE: usize = 256;

/// How often progress is logged.
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// Embeds what should be and is not, until it is dropped. It takes at most half of the time for
/// what was left undone, so that requests have the rest. With a model that answers at once there is
/// nothing to do.
pub async fn keep_up(ports: &Ports, administration: &dyn Administration) {
    let Some(embedder) = ports.embedder.as_deref() else {
        return;
    };
    if embedder.answers_at_once() {
        return keep_those_of_before(ports, administration, embedder).await;
    }
    let mut worker = Worker {
        ports,
        model: &embedder.model().name,
        refused: Refused::default(),
        pause: None,
    };
    worker.sweep(administration).await;
    let embed_queue = ports.spaces.embed_queue();
    loop {
        embed_queue.any().await;
        while let Some(space) = embed_queue.take() {
            worker.take_turn(space).await;
        }
    }
}

/// Keeps the vectors of everything that was written before any of this model were stored.
async fn keep_those_of_before(ports: &Ports, administration: &dyn Administration, embedder: &dyn Embedder) {
    if ports.settings.stored_vectors == StoredVectors::Costly {
        return;
    }
    // Once some are there, each write brings its own.
    match administration.embedded(embedder.model()).await {
        Ok(Embedded { kept: 0, wanted }) if 0 < wanted => {}
        _ => return,
    }
    let mut after: Option<SpaceId> = None;
    while let Ok(page) = administration.spaces(after.as_ref(), PAGE).await {
        let Some(last) = page.last() else { break };
        for space in &page {
            let begun = Instant::now();
            if let Err(error) = backfill(ports, space).await {
                tracing::warn!(%error, "could not store the vectors of a space; `recalld reindex` does it");
            }
            // At most half of the time, so that requests have the rest.
            tokio::time::sleep(begun.elapsed()).await;
        }
        after = Some(last.clone());
    }
}

/// Whether somebody waits for the vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Haste {
    AtOnce,
    InPassing,
}

struct Worker<'a> {
    ports: &'a Ports,
    model: &'a str,
    refused: Refused,
    /// How long to wait after the next failure; none while all goes well.
    pause: Option<Duration>,
}

impl Worker<'_> {
    /// Goes through all spaces once. What is written meanwhile comes first.
    async fn sweep(&mut self, administration: &dyn Administration) {
        let (mut after, mut told): (Option<SpaceId>, Instant) = (None, Instant::now());
        let model = self.model;
        loop {
            let page = match administration.spaces(after.as_ref(), PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    self.failed(&error).await;
                    continue;
                }
            };
            for space in &page {
                let embed_queue = self.ports.spaces.embed_queue();
                while self.embed_some(space, Haste::InPassing).await == Step::More {
                    while let Some(urgent) = embed_queue.take() {
                        self.take_turn(urgent).await;
                    }
                }
                if TOLD_EVERY <= told.elapsed() {
                    told = Instant::now();
                    tell(administration, self.ports, "embedding goes on").await;
                }
            }
            match page.last() {
                Some(last) => after = Some(last.clone()),
                None => break,
            }
        }
        tracing::info!(%model, "checked every space for missing vectors");
    }

    /// Embeds some of what a space lacks. If there is more, it waits behind the others: a large
    /// import of one user does not keep the next one waiting.
    async fn take_turn(&mut self, space: SpaceId) {
        if self.embed_some(&space, Haste::AtOnce).await == Step::More {
            self.ports.spaces.embed_queue().put(space);
        }
    }

    /// Embeds some of what a space lacks, however often the model fails on the way.
    async fn embed_some(&mut self, space: &SpaceId, haste: Haste) -> Step {
        let mut failures = 0;
        loop {
            let begun = Instant::now();
            match step(self.ports, space, &mut self.refused).await {
                Ok(Step::Done) => return Step::Done,
                Ok(Step::More) => {
                    if self.pause.take().is_some() {
                        let model = self.model;
                        tracing::info!(%model, "the embedding model answers again");
                    }
                    if haste == Haste::InPassing {
                        tokio::time::sleep(begun.elapsed()).await;
                    }
                    return Step::More;
                }
                Err(EmbeddingError::Model(error)) => self.failed(&error).await,
                Err(EmbeddingError::Space(error)) => {
                    self.failed(&error).await;
                    failures += 1;
                    // One space that cannot be read must not keep the others waiting.
                    if failures == SPACE_FAILURES_MAX {
                        return Step::Done;
                    }
                }
            }
        }
    }

    async fn failed(&mut self, error: &(impl std::error::Error + Sync)) {
        let pause = self.pause.unwrap_or(PAUSE_MIN);
        let seconds = pause.as_secs();
        tracing::warn!(%error, "the embedding model is unavailable; keyword search only, next attempt in {seconds} s");
        self.pause = Some((pause * 2).min(PAUSE_MAX));
        tokio::time::sleep(pause).await;
    }
}

async fn tell(administration: &dyn Administration, ports: &Ports, what: &str) {
    let Some(embedder) = ports.embedder.as_deref() else {
        return;
    };
    let embedded: Result<_, StoreError> = administration.embedded(embedder.model()).await;
    if let Ok(embedded) = embedded {
        let (kept, wanted, model) = (embedded.kept, embedded.wanted, &embedder.model().name);
        tracing::info!(%model, kept, wanted, "{what}");
    }
}
