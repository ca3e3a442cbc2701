//! `recalld serve`: the memories over HTTP.

use std::net::SocketAddr;

use clap::Args;
use recalld_agent::extract::{Worker, WorkerSettings};
use recalld_memory::embedding;
use recalld_server::{App, router};
use tokio::net::TcpListener;

use crate::arguments::examples;
use crate::carry::{Control, running};
use crate::config::Config;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::serve::{address, announce, daily, keys, place, prefetch, stop, upkeep};
use crate::session::{Session, keep_recalls};

/// Serves the memories over HTTP: REST, tools and MCP
///
/// Without configuration it listens on 127.0.0.1:7077 and keeps memories in the data directory. The
/// first start makes a key for administration and one for the user `local`, and writes them to
/// keys.json there.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld serve",
    "recalld serve --listen 127.0.0.1:8080 --data ./memories",
))]
pub(crate) struct Arguments {
    /// Address to listen on [default: 127.0.0.1:7077]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,

    /// What is opened once it listens.
    #[arg(skip)]
    opening: Opening,
}

/// What is opened once the server listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Opening {
    #[default]
    Nothing,
    /// The console, in the person's browser.
    Browser,
}

impl Arguments {
    /// Serves, and opens something then.
    pub(super) fn opening(listen: Option<String>, opening: Opening) -> Arguments {
        Arguments { listen, opening }
    }

    /// Serves until it is told to stop.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let config = session.config()?;
        let wanted = self.listen.as_deref().unwrap_or(&config.values.server.listen);
        let address: SocketAddr = address::checked(wanted, &config.values.server)?;
        let (rules, schedule) = (
            config.values.server.token_rules()?,
            daily::schedule(&config.values.talk.schedule)?,
        );
        // A start that is refused leaves nothing behind: the data directory and its keys are made
        // after all that.
        let listener = listen(address, config).await?;
        let engine = session.write()?;
        let directory = &place::of(config)?;
        let keys = keys::ensure(directory, &*engine.keyring, engine.ports.clock.now()).await?;
        let mut app = App::new(
            engine.agent.clone(),
            engine.keyring.clone(),
            config.values.server.limits(),
        )
        .with_eraser(engine.eraser.clone());
        app = app.with_mcp(config.values.server.mcp());
        if let Some(rules) = rules {
            app = app.with_tokens(rules);
        }
        let address = listener.local_addr().unwrap_or(address);
        let control = Control::open().await?;
        let _announced = announce::Announced::write(directory, Some(address), &control)?;
        let commands = tokio::spawn(control.run(config.clone(), engine.clone()));
        let embedded = engine.clone();
        let embedding = tokio::spawn(async move {
            embedding::keep_up(&embedded.ports, &*embedded.administration).await;
        });
        let tidying = tokio::spawn(upkeep::run(engine.clone()));
        let name = name(&engine, config);
        let learning = tokio::spawn(learning(&engine, name.clone()).run());
        let daily = tokio::spawn(daily::run(engine.clone(), schedule, name));
        let prefetch = tokio::spawn(prefetch::run(engine.ports.clone(), engine.database.clone()));
        // Whoever reads what this process writes on this machine may read the keys, too.
        let console = keys.as_ref().filter(|_| address.ip().is_loopback());
        let console =
            console.map(|keys| format!("http://{address}/#signin={}", app.sign_in_code(&keys.admin)));
        announce::banner(session, address, keys.as_ref(), console.clone())?;
        if self.opening == Opening::Browser {
            super::console::open(console.as_deref().unwrap_or(&format!("http://{address}/")));
        }
        let (limits, closing) = (app.limits.clone(), app.closing.clone());
        // Open MCP streams end by themselves only when their clients leave.
        let stop = async move {
            stop::asked().await;
            closing.cancel();
        };
        recalld_server::serve(listener, router(app), &limits, stop).await;
        embedding.abort();
        commands.abort();
        tidying.abort();
        learning.abort();
        daily.abort();
        prefetch.abort();
        keep_recalls(&engine).await;
        Ok(())
    }
}

/// Takes the port. Whoever starts a second server on the same directory is told of the first.
async fn listen(address: SocketAddr, config: &Config) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let message = format!("cannot listen on {address}: {error}");
        let other = config.data().ok().and_then(running);
        let other = other.filter(|running| running.address == Some(address));
        Failure::failed("listen", message).hint(match other {
            Some(running) => format!("process {} serves this data directory there already", running.pid),
            None => "another address: `recalld serve --listen 127.0.0.1:PORT`".to_owned(),
        })
    })
}

/// Tells this server from others that work on the same memories.
fn name(engine: &Engine, config: &Config) -> String {
    let ports = &engine.ports;
    match config.values.database.url {
        // One process at a time holds the data directory: what a dead one had claimed is free.
        None => "local".to_owned(),
        // Servers of one database must not take each other's claims for their own.
        Some(_) => ports.ids.next(ports.clock.now()).to_string(),
    }
}

/// What reads, after replies, what users said.
fn learning(engine: &Engine, name: String) -> Worker {
    Worker {
        agent: engine.agent.clone(),
        administration: engine.administration.clone(),
        settings: WorkerSettings {
            name,
            ..WorkerSettings::default()
        },
        metrics: engine.agent.learning.clone(),
    }
}
