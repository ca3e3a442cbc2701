//! `recalld reindex`: creates missing vectors now instead of in the background.

use std::io::IsTerminal;
use std::time::Instant;

use clap::Args;
use recalld_memory::embedding::{self, EmbeddingError, Refused, Step};
use recalld_memory::id::SpaceId;
use recalld_memory::ports::Embedded;
use recalld_memory::settings::StoredVectors;
use serde::Serialize;

use super::RunCommand;
use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::{Failure, chain};
use crate::output::{Page, Show};
use crate::session::Session;

/// Creates missing vectors, for all users
///
/// A server does the same in the background. The command can be stopped at any time without losing
/// its progress.
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld reindex", "recalld models use all-MiniLM-L6-v2 && recalld reindex"))]
pub(crate) struct Arguments {}

/// How many spaces are listed at once.
const PAGE: usize = 256;

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let engine = session.read().await?;
        let Some(embedder) = engine.ports.embedder.clone() else {
            return session.output.answer(&Report::default());
        };
        let stored =
            !embedder.answers_at_once() || engine.ports.settings.stored_vectors == StoredVectors::All;
        if stored {
            all(&engine).await?;
        }
        let Embedded { kept, wanted } = engine.administration.embedded(embedder.model()).await?;
        session.output.answer(&Report {
            model: Some(embedder.model().name.clone()),
            stored,
            vectors: kept,
            texts: wanted,
        })
    }
}

/// Goes through all spaces.
async fn all(engine: &Engine) -> Result<(), Failure> {
    let mut meter = Meter::new();
    let mut refused = Refused::default();
    let mut after: Option<SpaceId> = None;
    loop {
        let page = engine.administration.spaces(after.as_ref(), PAGE).await?;
        for space in &page {
            while step(engine, space, &mut refused).await? == Step::More {
                meter.show(engine).await;
            }
        }
        match page.last() {
            Some(last) => after = Some(last.clone()),
            None => break,
        }
    }
    meter.clear();
    Ok(())
}

async fn step(engine: &Engine, space: &SpaceId, refused: &mut Refused) -> Result<Step, Failure> {
    let stepped = match embedding::backfill(&engine.ports, space).await {
        Ok(0) => embedding::step(&engine.ports, space, refused).await,
        Ok(_) => Ok(Step::More),
        Err(error) => Err(error),
    };
    match stepped {
        Ok(step) => Ok(step),
        Err(EmbeddingError::Space(error)) => Err(error.into()),
        Err(EmbeddingError::Model(error)) => Err(Failure::failed("model", chain(&error))
            .hint("run the command again when the model is available; finished vectors are stored")),
    }
}

/// Shows the progress, on a terminal only.
struct Meter {
    begun: Instant,
    shown: bool,
    /// The number of vectors at the beginning.
    before: Option<u64>,
}

impl Meter {
    fn new() -> Meter {
        Meter {
            begun: Instant::now(),
            shown: std::io::stderr().is_terminal(),
            before: None,
        }
    }

    async fn show(&mut self, engine: &Engine) {
        let Some(embedder) = engine.ports.embedder.as_ref().filter(|_| self.shown) else {
            return;
        };
        let Ok(Embedded { kept, wanted }) = engine.administration.embedded(embedder.model()).await else {
            return;
        };
        let before = *self.before.get_or_insert(kept);
        let rate = kept.saturating_sub(before) as f64 / self.begun.elapsed().as_secs_f64().max(0.001);
        let left = wanted.saturating_sub(kept) as f64 / rate.max(0.001);
        eprint!("\r\x1b[K{kept} of {wanted} texts, {rate:.0}/s, {left:.0} s left");
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

/// How many texts have vectors.
#[derive(Debug, Default, Serialize)]
struct Report {
    model: Option<String>,
    /// Whether vectors of this model are stored at all.
    stored: bool,
    vectors: u64,
    texts: u64,
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        match &self.model {
            None => page.line("Semantic search is off (keyword search only)."),
            Some(model) if !self.stored => {
                page.line(format_args!(
                    "Nothing to do: {model} computes vectors when they are needed."
                ));
            }
            Some(model) => page.line(format_args!(
                "{} of {} texts have a vector from {model}.",
                self.vectors, self.texts
            )),
        }
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.vectors)
    }
}
