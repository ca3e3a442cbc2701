//! `recalld serve`: the memories over HTTP.

mod address;
mod banner;
pub(super) mod browser;
pub(super) mod first_keys;
pub(super) mod state_directory;

use std::net::SocketAddr;

use clap::Args;
use recalld_server::{App, raise_open_files_limit};
use tokio::net::TcpListener;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::config::{Config, schedule};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::forward::{CommandListener, ServerFile, find_running_server};
use crate::jobs::{JobContext, RunningJobs};
use crate::session::{Session, store_recall_counts};
use crate::signals;

/// Serves the memories over HTTP: REST, tools and MCP
///
/// By default, the server listens on 127.0.0.1:7077 and stores memories in the data directory. The
/// first start creates a key for administration and one for the user `local`, and writes them to
/// keys.json in that directory.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld serve",
    "recalld serve --listen 127.0.0.1:8080 --data ./memories",
))]
pub(crate) struct Arguments {
    /// Address to listen on [default: 127.0.0.1:7077]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,

    /// What to open once the server listens.
    #[arg(skip)]
    opening: Opening,
}

/// What to open once the server listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Opening {
    #[default]
    Nothing,
    /// The console, in the user's browser.
    Browser,
}

impl Arguments {
    /// Serves, and opens something once the server listens.
    pub(super) fn opening(listen: Option<String>, opening: Opening) -> Arguments {
        Arguments { listen, opening }
    }
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Server
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let config = session.config()?;
        let wanted = self.listen.as_deref().unwrap_or(&config.values.server.listen);
        let address: SocketAddr = address::checked(wanted, &config.values.server)?;
        let app_settings = config.values.server.token_rules()?;
        let schedule = schedule::parse(&config.values.schedule).map_err(|problem| {
            Failure::bad_input("configuration", format!("extraction.schedule {problem}"))
        })?;
        // A refused start leaves nothing behind: everything that can be refused comes before the
        // data directory and its keys are created.
        raise_open_files_limit();
        let listener = listen(address, config).await?;
        let engine = session.write().await?;
        let directory = &state_directory::create(config)?;
        let keys = first_keys::ensure(directory, &*engine.keyring, engine.ports.clock.now()).await?;
        let mut app = App::new(
            engine.agent.clone(),
            engine.keyring.clone(),
            config.values.server.limits(),
        )
        .with_eraser(engine.eraser.clone())
        .with_mcp(config.values.server.mcp());
        if let Some(rules) = app_settings {
            app = app.with_tokens(rules);
        }
        let address = listener.local_addr().unwrap_or(address);
        app = app.listening_on(address);
        let commands = CommandListener::open().await?;
        let _server_file = ServerFile::write(directory, Some(address), &commands)?;
        let run_forwarded = session.program.run_forwarded;
        let commands = tokio::spawn(commands.run(config.clone(), engine.clone(), run_forwarded));
        let jobs = RunningJobs::start(&JobContext {
            server_name: server_name(&engine),
            engine: engine.clone(),
            schedule,
        });
        // Everybody who can read the output of this process on this machine can read the keys, too.
        let console = keys.as_ref().filter(|_| address.ip().is_loopback());
        let console =
            console.map(|keys| format!("http://{address}/#signin={}", app.sign_in_code(&keys.admin)));
        banner::show(&session.output, address, keys.as_ref(), console.clone())?;
        if self.opening == Opening::Browser {
            browser::open(console.as_deref().unwrap_or(&format!("http://{address}/")));
        }
        let closing = app.closing.clone();
        // Open MCP streams end by themselves only when their clients disconnect.
        let stop = async move {
            signals::shutdown().await;
            closing.cancel();
        };
        recalld_server::serve(listener, app, stop).await;
        commands.abort();
        jobs.stop().await;
        store_recall_counts(&engine).await;
        Ok(())
    }
}

/// Binds the port. The error of a second server on the same directory names the first one.
async fn listen(address: SocketAddr, config: &Config) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let message = format!("cannot listen on {address}: {error}");
        let other = config.data().ok().and_then(find_running_server);
        let other = other.filter(|server| server.address == Some(address));
        Failure::failed("listen", message).hint(match other {
            Some(server) => format!("process {} already serves this data directory there", server.pid),
            None => "choose another address: `recalld serve --listen 127.0.0.1:PORT`".to_owned(),
        })
    })
}

/// Distinguishes this server from others that work on the same memories.
fn server_name(engine: &Engine) -> String {
    let ports = &engine.ports;
    match engine.postgres {
        // One process at a time holds the data directory: the claims of a dead one are free.
        None => "local".to_owned(),
        // Servers of one database must not mistake each other's claims for their own.
        Some(_) => ports.ids.next(ports.clock.now()).to_string(),
    }
}
