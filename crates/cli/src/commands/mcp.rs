//! `recalld mcp`: the memory tools for a program that starts its MCP servers itself.

use clap::Args;
use recalld_memory::id::UserId;
use recalld_models::relay::{ApiKey, Relay, RelayConfig};
use recalld_server::serve_stdio;
use tokio::io::{BufReader, stdin, stdout};
use tokio::task::JoinHandle;

use crate::arguments::examples;
use crate::carry::{Control, Piped, pipe};
use crate::config::Config;
use crate::engine::Engine;
use crate::failure::{Failure, chain};
use crate::serve::announce::Announced;
use crate::session::{Session, keep_recalls};

/// Serves the memory tools over MCP on standard input and output
///
/// For Claude Desktop, Cursor and other programs that start MCP servers themselves. Several of them
/// can run at a time, and beside `recalld serve`: the first holds the data directory, and the
/// others go through it.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld mcp",
    "claude mcp add memory -- recalld mcp --user ana",
    "recalld mcp --url https://memory.example --key rk_…",
))]
pub(crate) struct Arguments {
    /// Passes everything on to the server at this address
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Key for that server; RECALLD_MCP_KEY keeps it out of sight of other processes
    #[arg(long, value_name = "KEY", requires = "url")]
    key: Option<String>,
}

impl Arguments {
    /// Serves until the client leaves.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let config = session.config()?;
        if let Some(url) = self.url.or_else(|| config.values.remote.url.clone()) {
            let key = self.key.or_else(|| config.values.remote.key.clone());
            return relay(config, url, key).await;
        }
        if let Piped::Done = pipe(config).await? {
            return Ok(());
        }
        let user = UserId::new(&config.values.user)?;
        let engine = match session.write() {
            Ok(engine) => engine,
            // Another process may have taken the directory in between, and have said so by now.
            Err(failure) => {
                return match pipe(config).await? {
                    Piped::Done => Ok(()),
                    Piped::NoServer => Err(failure),
                };
            }
        };
        let shared = Shared::with_commands(config, &engine).await?;
        let served = serve_stdio(engine.ports.clone(), user).await;
        drop(shared);
        keep_recalls(&engine).await;
        served.map_err(|error| Failure::failed("mcp", chain(&error)))
    }
}

/// The data directory that this process holds, open to the commands of others.
struct Shared {
    _announced: Announced,
    commands: JoinHandle<()>,
}

impl Shared {
    /// Takes the commands of others; none, if a database has the memories: everybody reaches it by
    /// themselves.
    async fn with_commands(config: &Config, engine: &Engine) -> Result<Option<Shared>, Failure> {
        if config.values.database.url.is_some() {
            return Ok(None);
        }
        let control = Control::open().await?;
        Ok(Some(Shared {
            _announced: Announced::write(config.data()?, None, &control)?,
            commands: tokio::spawn(control.run(config.clone(), engine.clone())),
        }))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.commands.abort();
    }
}

async fn relay(config: &Config, url: String, key: Option<String>) -> Result<(), Failure> {
    let refused = |error: &dyn std::error::Error| Failure::bad_input("mcp", chain(error));
    let key = key.as_deref().map(ApiKey::new).transpose();
    let relay = Relay::new(RelayConfig {
        url,
        key: key.map_err(|error| refused(&error))?,
        // A user's own key needs no name; a service key acts for the one that is named.
        user: config.named_user().map(str::to_owned),
    });
    let relay = relay.map_err(|error| refused(&error))?;
    relay
        .run(BufReader::new(stdin()), stdout())
        .await
        .map_err(|error| Failure::failed("mcp", format!("the client cannot be reached: {error}")))
}
