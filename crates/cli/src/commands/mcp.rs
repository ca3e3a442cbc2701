//! `recalld mcp`: the memory tools for programs that start their MCP servers themselves.

use clap::Args;
use recalld_memory::id::UserId;
use recalld_memory::memory::Project;
use recalld_models::relay::{ApiKey, Relay, RelayConfig};
use recalld_server::{LocalUser, serve_stdio};
use tokio::io::{BufReader, stdin, stdout};
use tokio::task::JoinHandle;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::coding::project::CodeProject;
use crate::config::{Config, platform};
use crate::engine::Engine;
use crate::failure::{Failure, chain};
use crate::forward::{CommandListener, Forwarded, ServerFile, forward_mcp};
use crate::session::{Session, store_derived};

/// Serves the memory tools over MCP on standard input and output
///
/// For Claude Desktop, Cursor and other programs that start MCP servers themselves. Several of them
/// can run at the same time, also alongside `recalld serve`: the first one holds the data
/// directory, and the others connect to it. Started in a repository, it works in that project:
/// memories of other projects are not seen.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld mcp",
    "claude mcp add memory -- recalld mcp --user ana",
    "recalld mcp --url https://memory.example --key rk_…",
))]
pub(crate) struct Arguments {
    /// Forwards all requests to the server at this URL
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// API key for that server; set RECALLD_MCP_KEY instead to hide it from other processes
    #[arg(long, value_name = "KEY", requires = "url")]
    key: Option<String>,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Server
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let config = session.config()?;
        let project = project_of(session);
        if let Some(url) = self.url.or_else(|| config.values.remote.url.clone()) {
            let key = self.key.or_else(|| config.values.remote.key.clone());
            return relay(config, url, key, project).await;
        }
        if let Forwarded::Done(_) = forward_mcp(config, project.as_ref()).await? {
            return Ok(());
        }
        let local = LocalUser {
            user: UserId::new(&config.values.user)?,
            project: project.clone(),
        };
        let engine = match session.write().await {
            Ok(engine) => engine,
            // Another process may have opened the directory meanwhile, and now accept commands.
            Err(failure) => {
                return match forward_mcp(config, project.as_ref()).await? {
                    Forwarded::Done(_) => Ok(()),
                    Forwarded::NoServer => Err(failure),
                };
            }
        };
        let shared = SharedDirectory::open(session, &engine).await?;
        let served = serve_stdio(engine.ports.clone(), local, &config.values.server.tool_sets).await;
        drop(shared);
        store_derived(&engine).await;
        served.map_err(|error| Failure::failed("mcp", chain(&error)))
    }
}

/// The data directory that this process holds, open to forwarded commands.
struct SharedDirectory {
    _server_file: ServerFile,
    commands: JoinHandle<()>,
}

impl SharedDirectory {
    /// Accepts forwarded commands. `None` if a database stores the memories: every process connects
    /// to it directly.
    async fn open(session: &Session, engine: &Engine) -> Result<Option<SharedDirectory>, Failure> {
        if engine.postgres.is_some() {
            return Ok(None);
        }
        let config = session.config()?;
        let listener = CommandListener::open().await?;
        let server_file = ServerFile::write(config.data()?, None, &listener)?;
        let run_forwarded = session.program.run_forwarded;
        Ok(Some(SharedDirectory {
            _server_file: server_file,
            commands: tokio::spawn(listener.run(config.clone(), engine.clone(), run_forwarded)),
        }))
    }
}

impl Drop for SharedDirectory {
    fn drop(&mut self) {
        self.commands.abort();
    }
}

/// Finds the project in which the client works: the one that an argument names, or else that of the
/// repository in which the client has started this process. A client that works in no repository
/// sees everything.
fn project_of(session: &Session) -> Option<Project> {
    if let Some(named) = session.project() {
        return Some(named.clone());
    }
    let folder = platform::directory_of("CLAUDE_PROJECT_DIR").or_else(|| std::env::current_dir().ok())?;
    CodeProject::of_repository(&folder).map(|project| project.label)
}

async fn relay(
    config: &Config,
    url: String,
    key: Option<String>,
    project: Option<Project>,
) -> Result<(), Failure> {
    let invalid = |error: &dyn std::error::Error| Failure::bad_input("mcp", chain(error));
    let key = key.as_deref().map(ApiKey::new).transpose();
    let relay = Relay::new(RelayConfig {
        url,
        key: key.map_err(|error| invalid(&error))?,
        // A user's own key needs no name; a service key acts for the named user.
        user: config.named_user().map(str::to_owned),
        project: project.map(|project| project.to_string()),
    });
    let relay = relay.map_err(|error| invalid(&error))?;
    relay
        .run(BufReader::new(stdin()), stdout())
        .await
        .map_err(|error| Failure::failed("mcp", format!("cannot reach the client: {error}")))
}
