//! All ports of the engine together, as a use case receives them.

use std::sync::Arc;

use super::{ChatModels, Clock, Embedder, Ids, Reranker, Store, Tables};
use crate::chat::Figures;
use crate::extract::{self, Backlog};
use crate::recalls::Recalls;
use crate::settings::{KeptVectors, Settings};
use crate::space::Spaces;

/// What a use case works with. Clones share everything.
#[derive(Clone, Debug)]
pub struct Ports {
    pub store: Arc<dyn Store>,
    pub spaces: Arc<Spaces>,
    /// None: search is lexical.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// None: the first ranking stands.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// None: no category can be read from a table of the deployment's own.
    pub tables: Option<Arc<dyn Tables>>,
    /// None: there is no chat, and facts are found by rules.
    pub chat: Option<Arc<ChatModels>>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub settings: Arc<Settings>,
    /// Reminds of work that was promised with a write.
    pub backlog: Arc<Backlog>,
    /// What the rollout of conversation mode is judged by.
    pub rollout: Arc<Figures>,
    /// What was learned from what users said.
    pub learning: Arc<extract::Figures>,
    /// What answered questions.
    pub recalls: Arc<Recalls>,
}

impl Ports {
    /// Wires a store to the engine.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>, settings: Settings) -> Ports {
        let spaces = Arc::new(Spaces::new(Arc::clone(&store), &settings));
        Ports {
            store,
            spaces,
            embedder: None,
            reranker: None,
            tables: None,
            chat: None,
            clock,
            ids,
            settings: Arc::new(settings),
            backlog: Arc::default(),
            rollout: Arc::default(),
            learning: Arc::default(),
            recalls: Arc::default(),
        }
    }

    /// Adds a database with tables of the deployment's own.
    pub fn with_tables(self, tables: Arc<dyn Tables>) -> Ports {
        Ports {
            tables: Some(tables),
            ..self
        }
    }

    /// Adds a model for semantic search. Done before anything is read: what is held of the spaces
    /// is let go.
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Ports {
        let spaces =
            Spaces::new(Arc::clone(&self.store), &self.settings).with_embedder(Arc::clone(&embedder));
        Ports {
            embedder: Some(embedder),
            spaces: Arc::new(spaces),
            ..self
        }
    }

    /// Keeps the vectors of every model, for others who read the same database. Done before
    /// anything is read.
    pub fn keeping_vectors(self) -> Ports {
        let settings = Settings {
            kept_vectors: KeptVectors::All,
            ..Settings::clone(&self.settings)
        };
        let mut spaces = Spaces::new(Arc::clone(&self.store), &settings);
        if let Some(embedder) = &self.embedder {
            spaces = spaces.with_embedder(Arc::clone(embedder));
        }
        Ports {
            spaces: Arc::new(spaces),
            settings: Arc::new(settings),
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

    /// Adds models that talk.
    pub fn with_chat(self, models: ChatModels) -> Ports {
        Ports {
            chat: Some(Arc::new(models)),
            ..self
        }
    }
}
