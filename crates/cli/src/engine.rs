//! The way from a command to the memories.
//!
//! A command opens the data directory for itself, which one process at a time can do. This is the
//! place to ask a running server instead: commands see only use cases over [`Ports`] and the
//! answers in [`crate::wire`].

mod database;
mod refusal;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::Actor;
use recalld_memory::id::{ConversationId, MessageId, UserId};
use recalld_memory::ports::{Administration, Keyring, Store, Tombstones};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::Eraser;
use recalld_store::sqlite::{self, DATABASE_FILE, OpenError};
use recalld_store::{PostgresStore, SqliteStore};

pub(crate) use database::Schema;

use crate::arguments::Occasion;
use crate::config::Config;
use crate::erasures::{FileTombstones, enforce_now};
use crate::failure::Failure;
use crate::models;
use crate::surroundings::{SystemClock, TimeOrderedIds};
use crate::talk;

/// What a command wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nothing is made where nothing is: reading an empty or missing directory finds nothing, and
    /// leaves it so.
    Read,
    Write,
}

/// The memories of one user, ready for use cases.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) ports: Ports,
    /// The same ports together with what chat and extraction need.
    pub(crate) agent: AgentPorts,
    pub(crate) administration: Arc<dyn Administration>,
    pub(crate) keyring: Arc<dyn Keyring>,
    pub(crate) eraser: Eraser,
    /// The embedded store itself, for what only files can do; none when the memories are in a
    /// database.
    pub(crate) sqlite: Option<Arc<SqliteStore>>,
    /// The database itself, for what only servers that share one need; none for files.
    pub(crate) database: Option<Arc<PostgresStore>>,
    user: UserId,
}

impl Engine {
    /// Opens the data directory.
    pub(crate) fn open(config: &Config, access: Access) -> Result<Engine, Failure> {
        let user = UserId::new(&config.values.user)?;
        let wait = Duration::from_millis(config.values.data_wait_ms);
        let directory = config.data()?;
        let store = Arc::new(open_store(directory, access, wait)?);
        let tombstones = Arc::new(FileTombstones::new(directory));
        let engine = Engine::on(store.clone(), tombstones, user, config)?;
        enforce_now(&engine.ports, &engine.eraser)?;
        Ok(Engine {
            sqlite: Some(store),
            ..engine
        })
    }

    /// Wires a store. Who was erased is still to be looked for.
    fn on<S: Store + Administration + Keyring + 'static>(
        store: Arc<S>,
        tombstones: Arc<dyn Tombstones>,
        user: UserId,
        config: &Config,
    ) -> Result<Engine, Failure> {
        let ports = Ports::new(
            store.clone(),
            Arc::new(SystemClock),
            Arc::new(TimeOrderedIds::new()),
            Settings {
                profile: config.values.profile.catalogue()?,
                ..config.values.memory.clone()
            },
        );
        // A model that is out of order must not keep anybody from their memories.
        let ports = match models::embedder(config) {
            Ok(Some(embedder)) => ports.with_embedder(embedder),
            Ok(None) => ports,
            Err(failure) => {
                let reason = &failure.message;
                tracing::warn!(%reason, "search goes by words; `recalld doctor` says more");
                ports
            }
        };
        let ports = match models::reranker(config) {
            Ok(Some(reranker)) => ports.with_reranker(reranker),
            Ok(None) => ports,
            Err(failure) => {
                let reason = &failure.message;
                tracing::warn!(%reason, "the first ranking stands");
                ports
            }
        };
        let agent = AgentPorts::new(ports.clone(), config.values.agent.clone());
        let agent = match talk::models(config)? {
            Some(models) => agent.with_models(models),
            None => agent,
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
            sqlite: None,
            database: None,
            user,
        })
    }

    /// The same memories through other ports.
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

    /// The same memories, for another user.
    pub(crate) fn for_user(&self, user: UserId) -> Engine {
        Engine { user, ..self.clone() }
    }

    /// Opens the user's space for this moment.
    pub(crate) fn scope(&self) -> Scope {
        Scope::of_user(self.user.clone(), Actor::new("cli"), self.ports.clock.now())
    }

    /// The same, in a conversation.
    pub(crate) fn scope_in(&self, place: &Place) -> Scope {
        let mut scope = self.scope();
        scope.conversation = place.conversation.clone();
        scope.message = place.message.clone();
        scope
    }
}

/// A conversation and a message, checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) message: Option<MessageId>,
}

impl TryFrom<Occasion> for Place {
    type Error = Failure;

    fn try_from(occasion: Occasion) -> Result<Place, Failure> {
        Ok(Place {
            conversation: occasion.conversation.map(ConversationId::new).transpose()?,
            message: occasion.message.map(MessageId::new).transpose()?,
        })
    }
}

/// Tells whether nothing was ever stored there. What is no directory is not empty, but wrong.
pub(crate) fn is_empty(directory: &Path) -> bool {
    !directory.join(DATABASE_FILE).exists() && (!directory.exists() || directory.is_dir())
}

/// A command reads one thing at a time.
const READERS: usize = 1;

/// How long between two attempts to take hold of the directory.
const PAUSE: Duration = Duration::from_millis(10);

/// Opens the store. Another command holds the directory for moments only, so it is worth a short
/// wait.
fn open_store(directory: &Path, access: Access, wait: Duration) -> Result<SqliteStore, Failure> {
    if access == Access::Read && is_empty(directory) {
        return SqliteStore::in_memory().map_err(Failure::from);
    }
    let settings = sqlite::Settings {
        readers: READERS,
        ..sqlite::Settings::default()
    };
    let begun = Instant::now();
    loop {
        match SqliteStore::open_with(directory, &settings) {
            Err(OpenError::Locked { .. }) if begun.elapsed() < wait => thread::sleep(PAUSE),
            opened => return opened.map_err(Failure::from),
        }
    }
}
