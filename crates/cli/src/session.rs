//! What a command works with: the configuration, the memories, and the output.

use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;
use recalld_memory::memory::Project;
use recalld_memory::{embedding, recall_stats};

use crate::config::Config;
use crate::engine::{Access, Engine};
use crate::failure::Failure;
use crate::forward::RunForwarded;
use crate::output::Output;

/// How long a command waits, after its answer, for an embedding model.
const EMBEDDING_WAIT: Duration = Duration::from_secs(2);

/// What a command may need of the program as a whole, which it does not know itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    /// Describes the whole command line.
    pub(crate) describe: fn() -> clap::Command,
    /// Runs a command that another process forwarded.
    pub(crate) run_forwarded: RunForwarded,
}

/// One run of a command.
#[derive(Debug)]
pub(crate) struct Session {
    config: Result<Config, Failure>,
    pub(crate) output: Output,
    pub(crate) program: Program,
    /// The memories that are open, and for what.
    opened: Mutex<Option<(Access, Engine)>>,
    /// Who forwarded the command, if this process serves the memories.
    sender: Option<Sender>,
    /// The project in which the command works.
    project: Option<Project>,
}

/// The process that forwarded a command.
#[derive(Debug)]
pub(crate) struct Sender {
    /// The directory that relative paths of the arguments start from.
    pub(crate) folder: PathBuf,
    /// Variables of its environment that start with `RECALLD_` but set nothing.
    pub(crate) unknown_variables: Vec<String>,
}

impl Session {
    /// Starts a run. An invalid configuration fails only the commands that need it: `doctor`
    /// reports it.
    pub(crate) fn new(config: Result<Config, Failure>, output: Output, program: Program) -> Session {
        Session {
            config,
            output,
            program,
            opened: Mutex::new(None),
            sender: None,
            project: None,
        }
    }

    /// Works in a project.
    pub(crate) fn in_project(self, project: Option<Project>) -> Session {
        Session { project, ..self }
    }

    /// Returns the project in which the command works.
    pub(crate) fn project(&self) -> Option<&Project> {
        self.project.as_ref()
    }

    /// Starts a run of a forwarded command, in the process that serves the memories.
    pub(crate) fn forwarded(self, engine: Engine, sender: Sender) -> Session {
        Session {
            opened: Mutex::new(Some((Access::Write, engine))),
            sender: Some(sender),
            ..self
        }
    }

    /// Starts a run with the same configuration and output, which opens the memories anew.
    pub(crate) fn reopened(&self) -> Session {
        Session::new(self.config.clone(), self.output.clone(), self.program).in_project(self.project.clone())
    }

    /// Returns a path of the arguments as the sender meant it.
    pub(crate) fn path(&self, path: &Path) -> PathBuf {
        match &self.sender {
            Some(sender) => sender.folder.join(path),
            None => path.to_owned(),
        }
    }

    /// Returns who forwarded the command, if another process did.
    pub(crate) fn sender(&self) -> Option<&Sender> {
        self.sender.as_ref()
    }

    /// Returns the configuration.
    pub(crate) fn config(&self) -> Result<&Config, Failure> {
        self.config.as_ref().map_err(Clone::clone)
    }

    /// Opens the memories for reading, without migrating a database.
    pub(crate) async fn examine(&self) -> Result<Engine, Failure> {
        self.open(Access::Examine).await
    }

    /// Opens the memories for reading.
    pub(crate) async fn read(&self) -> Result<Engine, Failure> {
        self.open(Access::Read).await
    }

    /// Opens the memories for writing.
    pub(crate) async fn write(&self) -> Result<Engine, Failure> {
        self.open(Access::Write).await
    }

    async fn open(&self, access: Access) -> Result<Engine, Failure> {
        let opened = self.opened.lock().clone();
        match opened {
            Some((had, engine)) if had == access || had == Access::Write => {
                Ok(engine.in_project(self.project.clone()))
            }
            _ => {
                let engine = Engine::open(self.config()?, access).await?;
                let engine = engine.in_project(self.project.clone());
                *self.opened.lock() = Some((access, engine.clone()));
                Ok(engine)
            }
        }
    }

    /// Finishes, after the answer, what the answer did not wait for: embedding what was written,
    /// for a moment, and storing recall counts and what was worked out. A process that serves the
    /// memories does so itself.
    pub(crate) async fn settle(&self) {
        let opened = self.opened.lock().clone();
        let Some((_, engine)) = opened.filter(|_| self.sender.is_none()) else {
            return;
        };
        let settled = embedding::settle(&engine.ports, engine.scope().space(), EMBEDDING_WAIT).await;
        if let Err(error) = settled {
            tracing::warn!(%error, "new memories are found by keywords only until they are embedded");
        }
        store_derived(&engine).await;
    }
}

/// How long a process that ends waits for what the next one would have to work out again.
const SNAPSHOTS_WAIT: Duration = Duration::from_secs(5);

/// Stores the recall counts of this process, and what it worked out of memories. Losing them harms
/// nobody.
pub(crate) async fn store_derived(engine: &Engine) {
    let stored = recall_stats::flush(&engine.ports, engine.ports.clock.now(), usize::MAX).await;
    if let Err(error) = stored {
        tracing::debug!(%error, "cannot store recall counts");
    }
    let kept = engine.ports.spaces.keep_snapshots();
    if tokio::time::timeout(SNAPSHOTS_WAIT, kept).await.is_err() {
        tracing::debug!("some snapshots were not written in time");
    }
}
