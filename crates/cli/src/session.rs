//! What a command works with: the configuration, the way to the memories, and the way to answer.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use recalld_memory::{embedding, recall_stats};

use crate::config::Config;
use crate::engine::{Access, Engine, Schema};
use crate::failure::Failure;
use crate::output::Output;

/// How long a command stays for a model after its answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// One run of the program.
#[derive(Debug)]
pub(crate) struct Session {
    config: Result<Config, Failure>,
    pub(crate) output: Output,
    /// The memories that are open already: those this process serves, or those in a database.
    served: Option<Result<Engine, Failure>>,
    /// The memories that this run opened for itself.
    opened: OnceLock<Engine>,
    /// Who sent the command, if this process serves the memories to others.
    sender: Option<Sender>,
}

/// What a command that was sent from another process must know of it.
#[derive(Debug)]
pub(crate) struct Sender {
    /// Where relative paths of the arguments start.
    pub(crate) folder: PathBuf,
    /// Variables of its environment that look like settings and are none.
    pub(crate) unknown_variables: Vec<String>,
}

impl Session {
    /// Starts a run. A configuration that cannot be read is told to whoever needs it: `doctor` goes
    /// on without.
    pub(crate) fn new(config: Result<Config, Failure>, output: Output) -> Session {
        Session {
            config,
            output,
            served: None,
            opened: OnceLock::new(),
            sender: None,
        }
    }

    /// Opens the database, if one is configured. That it cannot be opened is told to whoever needs
    /// it.
    pub(crate) async fn connected(self, schema: Schema) -> Session {
        let served = match &self.config {
            Ok(config) => Engine::connect(config, schema).await,
            Err(_) => None,
        };
        if let Some(Ok(engine)) = &served {
            let _ = self.opened.set(engine.clone());
        }
        Session { served, ..self }
    }

    /// A run inside the process that serves the memories.
    pub(crate) fn inside(config: Config, output: Output, served: Engine, sender: Sender) -> Session {
        Session {
            config: Ok(config),
            output,
            served: Some(Ok(served)),
            opened: OnceLock::new(),
            sender: Some(sender),
        }
    }

    /// Tells whether this runs inside the process that serves the memories.
    pub(crate) fn is_served(&self) -> bool {
        self.served.is_some()
    }

    /// Gives a path of the arguments as the sender meant it.
    pub(crate) fn path(&self, path: &Path) -> PathBuf {
        match &self.sender {
            Some(sender) => sender.folder.join(path),
            None => path.to_owned(),
        }
    }

    /// Gives who sent the command, if another process did.
    pub(crate) fn sender(&self) -> Option<&Sender> {
        self.sender.as_ref()
    }

    /// Gives the configuration in force.
    pub(crate) fn config(&self) -> Result<&Config, Failure> {
        self.config.as_ref().map_err(Clone::clone)
    }

    /// Opens the memories to look at them.
    pub(crate) fn read(&self) -> Result<Engine, Failure> {
        self.open(Access::Read)
    }

    /// Opens the memories to change them.
    pub(crate) fn write(&self) -> Result<Engine, Failure> {
        self.open(Access::Write)
    }

    fn open(&self, access: Access) -> Result<Engine, Failure> {
        match &self.served {
            Some(engine) => engine.clone(),
            None => {
                let engine = Engine::open(self.config()?, access)?;
                let _ = self.opened.set(engine.clone());
                Ok(engine)
            }
        }
    }

    /// Does after the answer what the answer need not wait for: a model that takes its time reads
    /// what was written, for a moment, and it is kept what was recalled.
    pub(crate) async fn settle(&self) {
        let Some(engine) = self.opened.get() else {
            return;
        };
        let settled = embedding::settle(&engine.ports, engine.scope().space(), PATIENCE).await;
        if let Err(error) = settled {
            tracing::warn!(%error, "what was written is found by its words; its meaning is read later");
        }
        keep_recalls(engine).await;
    }
}

/// Keeps what this process has counted of recalls. That it cannot harms nobody.
pub(crate) async fn keep_recalls(engine: &Engine) {
    let kept = recall_stats::flush(&engine.ports, engine.ports.clock.now(), usize::MAX).await;
    if let Err(error) = kept {
        tracing::debug!(%error, "it is not kept what was recalled");
    }
}
