//! Opens the memories: in a PostgreSQL database if one is configured, or else in the data
//! directory.
//!
//! [`Engine::open`] is the only way to a store, so that no command can miss a configured database.

mod directory;
mod open_error;
mod postgres;

use std::sync::Arc;

use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::Actor;
use recalld_memory::id::{ConversationId, MessageId, UserId};
use recalld_memory::memory::Project;
use recalld_memory::ports::{Administration, Keyring, Store, Tombstones};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use recalld_models::chat::FirstModel;
use recalld_portability::erase::{Eraser, enforce};
use recalld_store::{PostgresStore, SqliteStore};

pub(crate) use directory::is_empty;

use crate::arguments::{ConversationArgs, SharedArgs};
use crate::chat_models::{self, Configured};
use crate::clock::{SystemClock, TimeOrderedIds};
use crate::config::Config;
use crate::failure::Failure;
use crate::models;
use crate::private_file;
use crate::tombstones::FileTombstones;

/// What a command does with the memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reads, and leaves the schema of a database as it is.
    Examine,
    /// Reads, and creates nothing where nothing is stored.
    Read,
    Write,
}

/// The memories of one user, ready for use cases. Clones share everything.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) ports: Ports,
    /// The same ports, with what chat and extraction need.
    pub(crate) agent: AgentPorts,
    pub(crate) administration: Arc<dyn Administration>,
    pub(crate) keyring: Arc<dyn Keyring>,
    pub(crate) eraser: Eraser,
    /// The chat model, if the endpoint has to be asked for one.
    pub(crate) first_model: Option<Arc<FirstModel>>,
    /// The store in the data directory; `None` if a database stores the memories.
    pub(crate) sqlite: Option<Arc<SqliteStore>>,
    /// The database; `None` if the data directory stores the memories.
    pub(crate) postgres: Option<Arc<PostgresStore>>,
    user: UserId,
    /// The project in which commands work; none sees all.
    project: Option<Project>,
}

impl Engine {
    /// Opens the memories where the configuration says they are. Users who were erased and have
    /// returned, with a backup for example, are erased again before anything is read.
    pub(crate) async fn open(config: &Config, access: Access) -> Result<Engine, Failure> {
        let engine = match config.values.database.url.as_deref() {
            _ if config.values.is_in_memory => {
                let directory = config.data()?;
                private_file::create_directory(directory)?;
                Engine::in_memory(config, Arc::new(FileTombstones::new(directory)))?
            }
            Some(url) => postgres::open(url, config, access).await?,
            None => directory::open(config, access).await?,
        };
        let count = enforce(&engine.ports, &engine.eraser).await?;
        if 0 < count {
            tracing::warn!(
                count,
                "erased users were in the store again and were erased again"
            );
        }
        Ok(engine)
    }

    /// Keeps memories in this process.
    pub(crate) fn in_memory(config: &Config, tombstones: Arc<dyn Tombstones>) -> Result<Engine, Failure> {
        let store = Arc::new(SqliteStore::in_memory()?);
        let engine = Engine::with_store(store.clone(), tombstones, config)?;
        Ok(Engine {
            sqlite: Some(store),
            ..engine
        })
    }

    /// Connects a store to the configured models.
    fn with_store<S: Store + Administration + Keyring + 'static>(
        store: Arc<S>,
        tombstones: Arc<dyn Tombstones>,
        config: &Config,
    ) -> Result<Engine, Failure> {
        let ports = Ports::new(
            store.clone(),
            Arc::new(SystemClock),
            Arc::new(TimeOrderedIds::new()),
            config.values.memory_settings()?,
        );
        let ports = with_models(ports, config);
        let agent = AgentPorts::new(ports.clone(), config.values.agent.clone());
        let (agent, first_model) = match chat_models::configured(config)? {
            Some(Configured { models, first }) => (agent.with_models(models), first),
            None => (agent, None),
        };
        let eraser = Eraser {
            administration: store.clone(),
            tombstones,
        };
        Ok(Engine {
            ports,
            agent,
            administration: store.clone(),
            keyring: store,
            eraser,
            first_model,
            sqlite: None,
            postgres: None,
            user: UserId::new(&config.values.user)?,
            project: None,
        })
    }

    /// Replaces the ports.
    fn with_ports(self, change: impl FnOnce(Ports) -> Ports) -> Engine {
        let ports = change(self.ports);
        Engine {
            agent: AgentPorts {
                memory: ports.clone(),
                ..self.agent
            },
            ports,
            ..self
        }
    }

    /// Returns the same memories for another user.
    pub(crate) fn for_user(&self, user: UserId) -> Engine {
        Engine { user, ..self.clone() }
    }

    /// Returns the same memories as they are seen in a project.
    pub(crate) fn in_project(&self, project: Option<Project>) -> Engine {
        Engine {
            project,
            ..self.clone()
        }
    }

    /// Opens the user's space as of now.
    pub(crate) fn scope(&self) -> Scope {
        let mut scope = Scope::of_user(self.user.clone(), Actor::new("cli"), self.ports.clock.now());
        scope.project = self.project.clone();
        scope
    }

    /// Opens the space that all users may read, as of now. Whoever can use the data directory or
    /// the database administers it.
    pub(crate) fn shared_scope(&self) -> Scope {
        let by = UserId::new("administrator").expect("the word is a valid id");
        Scope::of_shared(by, Actor::new("cli"), self.ports.clock.now())
    }

    /// Opens the space that the arguments select.
    pub(crate) fn selected_scope(&self, selected: SharedArgs, ids: &ConversationIds) -> Scope {
        let mut scope = match selected.shared {
            true => self.shared_scope(),
            false => self.scope(),
        };
        scope.conversation = ids.conversation.clone();
        scope.message = ids.message.clone();
        scope
    }

    /// Opens the user's space as of now, for changes that belong to a conversation.
    pub(crate) fn scope_in(&self, ids: &ConversationIds) -> Scope {
        let mut scope = self.scope();
        scope.conversation = ids.conversation.clone();
        scope.message = ids.message.clone();
        scope
    }
}

/// Adds the embedding and reranking models. A model that does not load must not keep users from
/// their memories.
fn with_models(ports: Ports, config: &Config) -> Ports {
    let ports = match models::embedder(config) {
        Ok(Some(embedder)) => ports.with_embedder(embedder),
        Ok(None) => ports,
        Err(failure) => {
            let reason = &failure.message;
            tracing::warn!(%reason, "semantic search is off (keyword search only); see `recalld doctor`");
            ports
        }
    };
    match models::reranker(config) {
        Ok(Some(reranker)) => ports.with_reranker(reranker),
        Ok(None) => ports,
        Err(failure) => {
            let reason = &failure.message;
            tracing::warn!(%reason, "reranking is off");
            ports
        }
    }
}

/// The ids of a conversation and a message, checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConversationIds {
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) message: Option<MessageId>,
}

impl TryFrom<ConversationArgs> for ConversationIds {
    type Error = Failure;

    fn try_from(arguments: ConversationArgs) -> Result<ConversationIds, Failure> {
        Ok(ConversationIds {
            conversation: arguments.conversation.map(ConversationId::new).transpose()?,
            message: arguments.message.map(MessageId::new).transpose()?,
        })
    }
}
