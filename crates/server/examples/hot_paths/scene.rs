//! A user with many memories, in a store on disk.

use std::path::Path;
use std::sync::Arc;

use recalld_memory::change::{Act, Actor, Effect};
use recalld_memory::id::{MemoryId, UserId};
use recalld_memory::memory::Content;
use recalld_memory::ports::{Embedder, TextRole};
use recalld_memory::remember::{Statement, new_memory};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::space::Decision;
use recalld_memory::vector::{Vector, VectorSubject};
use recalld_memory::wiring::Ports;
use recalld_models::builtin::Builtin;
use recalld_models::combined::{Combined, EncoderUse};
use recalld_store::SqliteStore;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use recalld_testing::words::statement;

use crate::Failed;

/// So many are written at once.
const BATCH: usize = 1_000;
/// So many texts are read by the encoder; a larger scene uses their vectors again, since what a
/// search takes does not depend on them.
const TEXTS_READ: usize = 500;

pub const USER: &str = "ana";

pub fn embedder(encoder: &str) -> Arc<dyn Embedder> {
    match encoder {
        "never" => Builtin::shared(),
        "always" => Arc::new(Combined::new(EncoderUse::Always)),
        _ => Arc::new(Combined::new(EncoderUse::Auto)),
    }
}

/// Opens the store, and connects it.
pub fn ports(directory: &Path, embedder: Arc<dyn Embedder>) -> Result<(Arc<SqliteStore>, Ports), Failed> {
    let store = Arc::new(SqliteStore::open(directory)?);
    let ports = Ports::new(
        Arc::<SqliteStore>::clone(&store),
        Arc::new(SteppingClock::in_steps_of(1)),
        Arc::new(TimeOrderedIds),
        Settings::default(),
    );
    let ports = match store.snapshots() {
        Some(snapshots) => ports.with_snapshots(snapshots),
        None => ports,
    };
    Ok((store, ports.with_embedder(embedder)))
}

/// Fills a new store with memories and, if the model takes its time, with their vectors.
pub async fn prepare(directory: &Path, embedder: Arc<dyn Embedder>, memories: usize) -> Result<(), Failed> {
    let (_store, ports) = ports(directory, Arc::clone(&embedder))?;
    let texts: Vec<String> = (0..memories).map(|number| statement(0, number)).collect();
    let vectors = vectors(&*embedder, &texts).await?;
    for (first, batch) in texts.chunks(BATCH).enumerate() {
        let now = ports.clock.now();
        let scope = Scope::of_user(UserId::new(USER)?, Actor::new("bench"), now);
        let mut changes = Vec::with_capacity(2 * batch.len());
        for (place, text) in batch.iter().enumerate() {
            let id = MemoryId::from_uuid(ports.ids.next(now));
            let statement = Statement::plain(Content::new(text)?);
            let (memory, _) = new_memory(&scope, &statement, id, &ports.settings);
            let act = Act::Remember;
            changes.push(scope.change(None, Effect::Memory { act, memory }));
            if let Some(components) = vectors.get((first * BATCH + place) % TEXTS_READ) {
                let vector = Vector {
                    subject: VectorSubject::Memory(id),
                    model: embedder.model().clone(),
                    text_digest: Vector::digest_of(text),
                    components: components.clone(),
                };
                changes.push(scope.change(None, Effect::Vector(vector)));
            }
        }
        let decide = move |_: &_| Decision {
            changes: changes.clone(),
            outcome: (),
        };
        ports.spaces.write(scope.space(), decide).await?;
    }
    ports.spaces.keep_snapshots().await;
    Ok(())
}

async fn vectors(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Vec<f32>>, Failed> {
    if embedder.answers_at_once() {
        return Ok(Vec::new());
    }
    let texts: Vec<&str> = texts.iter().take(TEXTS_READ).map(String::as_str).collect();
    Ok(embedder.embed(&texts, TextRole::Passage).await?)
}
