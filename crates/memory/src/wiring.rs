//! The ports of the engine together, as a use case receives them.

use std::sync::Arc;

use crate::ports::{Clock, Embedder, Ids, Reranker, Snapshots, Store, Tables};
use crate::recall_counts::RecallCounts;
use crate::settings::{Settings, StoredVectors};
use crate::space::Spaces;

/// What a use case works with. Clones share everything.
#[derive(Clone, Debug)]
pub struct Ports {
    pub store: Arc<dyn Store>,
    pub spaces: Arc<Spaces>,
    /// None: search is lexical.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// None: what is worked out of spaces is not kept for the next start.
    pub snapshots: Option<Arc<dyn Snapshots>>,
    /// None: the first ranking stands.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// None: no category can be read from a table of the deployment's own.
    pub tables: Option<Arc<dyn Tables>>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub settings: Arc<Settings>,
    pub recall_counts: Arc<RecallCounts>,
}

impl Ports {
    /// Connects a store to the engine.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>, settings: Settings) -> Ports {
        let spaces = Arc::new(Spaces::new(Arc::clone(&store), &settings));
        Ports {
            store,
            spaces,
            embedder: None,
            snapshots: None,
            reranker: None,
            tables: None,
            clock,
            ids,
            settings: Arc::new(settings),
            recall_counts: Arc::default(),
        }
    }

    /// Adds a database with tables of the deployment's own.
    pub fn with_tables(self, tables: Arc<dyn Tables>) -> Ports {
        Ports {
            tables: Some(tables),
            ..self
        }
    }

    /// Adds a model for semantic search. Call it before anything is read: it replaces the spaces.
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Ports {
        Ports {
            embedder: Some(embedder),
            ..self
        }
        .with_fresh_spaces()
    }

    /// Keeps what is worked out of spaces for the next start. Call it before anything is read: it
    /// replaces the spaces.
    pub fn with_snapshots(self, snapshots: Arc<dyn Snapshots>) -> Ports {
        Ports {
            snapshots: Some(snapshots),
            ..self
        }
        .with_fresh_spaces()
    }

    /// Stores the vectors of every model, for others who read the same database. Call it before
    /// anything is read: it replaces the spaces.
    pub fn storing_all_vectors(self) -> Ports {
        let settings = Settings {
            stored_vectors: StoredVectors::All,
            ..Settings::clone(&self.settings)
        };
        Ports {
            settings: Arc::new(settings),
            ..self
        }
        .with_fresh_spaces()
    }

    fn with_fresh_spaces(self) -> Ports {
        let mut spaces = Spaces::new(Arc::clone(&self.store), &self.settings);
        if let Some(embedder) = &self.embedder {
            spaces = spaces.with_embedder(Arc::clone(embedder));
        }
        if let Some(snapshots) = &self.snapshots {
            spaces = spaces.with_snapshots(Arc::clone(snapshots));
        }
        Ports {
            spaces: Arc::new(spaces),
            ..self
        }
    }

    /// Adds a model that reads the best answers again.
    pub fn with_reranker(self, reranker: Arc<dyn Reranker>) -> Ports {
        Ports {
            reranker: Some(reranker),
            ..self
        }
    }
}
