//! `recalld serve`: the memories over HTTP.

mod address;
mod assembly;
mod banner;
pub(super) mod browser;
mod chat_model;
mod fallback;
pub(super) mod first_keys;
mod observing;
mod reloading;
pub(super) mod state_directory;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::Path;

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::slots;
use recalld_server::{App, Persistence, Switch, raise_open_files_limit};
use tokio::net::TcpListener;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::channels;
use crate::config::{Config, ServerValues, schedule};
use crate::failure::Failure;
use crate::forward::{CommandListener, ServerFile, find_running_server};
use crate::session::{Session, store_derived};
use crate::signals;
use assembly::Assembly;
use fallback::Standing;

/// Serves the memories over HTTP: REST, tools and MCP
///
/// By default, the server listens on 127.0.0.1:7077 and stores memories in the data directory. The
/// first start creates a key for administration and one for the user `local`, and writes them to
/// keys.json in that directory.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld serve",
    "recalld serve --listen 8080 --data ./memories",
))]
pub(crate) struct Arguments {
    /// Address to listen on, or the port alone [default: 127.0.0.1:7077]
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

/// Checks the configured address as a start does.
pub(super) fn check_address(server: &ServerValues) -> Result<(), Failure> {
    address::checked(&server.listen, server).map(|_| ())
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Server
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let config = session.config()?;
        let wanted = self.listen.as_deref().unwrap_or(&config.values.server.listen);
        let address: SocketAddr = address::checked(wanted, &config.values.server)?;
        let token_rules = config.values.server.token_rules()?;
        let access_log = observing::access_log(&config.values.server)?;
        let spans = observing::spans(&config.values.telemetry)?;
        let schedule = schedule::parse(&config.values.schedule).map_err(|problem| {
            Failure::bad_input("configuration", format!("extraction.schedule {problem}"))
        })?;
        let channels = channels::configured(&config.values.channels)?;
        // A refused start leaves nothing behind: everything that can be refused comes before the
        // data directory and its keys are created.
        raise_open_files_limit();
        refuse_second(config)?;
        let listener = listen(address).await?;
        let (engine, persistence) = fallback::open(config).await?;
        let directory = &state_directory::create(config)?;
        let now = engine.ports.clock.now();
        let keys = match persistence {
            Persistence::Fallback => Some(first_keys::adopt(directory, &*engine.keyring, now).await?),
            Persistence::Stored | Persistence::Volatile => {
                first_keys::ensure(directory, &*engine.keyring, now).await?
            }
        };
        let assembly = Assembly {
            config: config.clone(),
            address: listener.local_addr().unwrap_or(address),
            token_rules,
            schedule,
            channels,
            access_log,
            spans: spans.clone(),
        };
        observing::warn_of_plain_http(&config.values.server, assembly.address);
        let commands = CommandListener::open().await?;
        let _server_file = ServerFile::write(directory, Some(assembly.address), &commands)?;
        let run_forwarded = session.program.run_forwarded;
        let commands = tokio::spawn(commands.run(config.clone(), engine.clone(), run_forwarded));
        let (app, jobs) = assembly.start(&engine, persistence);
        // What the first search would otherwise make.
        tokens::warm_up();
        slots::warm_up();
        self.announce(session, &app, &assembly, keys.as_ref())?;
        let naming = tokio::spawn(chat_model::name(session.output.clone(), engine.clone()));
        let mut standing = Standing {
            switch: Switch::new(app),
            engine,
            jobs,
        };
        let reloading = tokio::spawn(reloading::run(config.clone(), standing.switch.clone()));
        serve(listener, &assembly, directory, (&mut standing, persistence)).await;
        reloading.abort();
        commands.abort();
        naming.abort();
        standing.jobs.stop().await;
        store_derived(&standing.engine).await;
        observing::send_last(spans).await;
        Ok(())
    }
}

impl Arguments {
    /// Shows that the server is ready, and opens what was asked for.
    fn announce(
        &self,
        session: &Session,
        app: &App,
        assembly: &Assembly,
        keys: Option<&first_keys::FirstKeys>,
    ) -> Result<(), Failure> {
        let address = assembly.address;
        // Everybody who can read the output of this process on this machine can read the keys, too.
        let console = keys.filter(|_| address.ip().is_loopback());
        let console =
            console.map(|keys| format!("http://{address}/#signin={}", app.sign_in_code(&keys.admin)));
        banner::show(&session.output, address, keys, console.clone())?;
        if self.opening == Opening::Browser {
            browser::open(console.as_deref().unwrap_or(&format!("http://{address}/")));
        }
        Ok(())
    }
}

/// Serves until the process is told to stop. Without its database, waits for that meanwhile.
async fn serve(
    listener: TcpListener,
    assembly: &Assembly,
    directory: &Path,
    (standing, persistence): (&mut Standing, Persistence),
) {
    let switch = standing.switch.clone();
    // Open MCP streams end by themselves only when their clients disconnect.
    let closed = switch.clone();
    let stop = async move {
        signals::shutdown().await;
        closed.close();
    };
    let served = recalld_server::serve_switching(listener, switch, stop);
    if persistence != Persistence::Fallback {
        return served.await;
    }
    let mut served = std::pin::pin!(served);
    tokio::select! {
        () = fallback::return_to_database(assembly, directory, standing) => served.await,
        () = &mut served => fallback::put_aside(&standing.engine, directory).await,
    }
}

/// Refuses a second server on the same directory: it names the first one, which may use another
/// port.
fn refuse_second(config: &Config) -> Result<(), Failure> {
    if config.values.database.url.is_some() {
        return Ok(());
    }
    let Some(server) = config.data().ok().and_then(find_running_server) else {
        return Ok(());
    };
    let Some(address) = server.address else {
        return Ok(());
    };
    let message = format!(
        "process {} already serves this data directory at http://{address}",
        server.pid
    );
    Err(Failure::failed("listen", message).hint(
        "use that server (`recalld console` opens it), stop it first, or serve another directory with --data DIR",
    ))
}

/// Binds the port.
async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let (message, hint) = match error.kind() {
            ErrorKind::AddrInUse => (
                format!("another program listens on {address}"),
                match address::free_near(address) {
                    Some(free) => format!("choose another port: `recalld serve --listen {free}`"),
                    None => "choose another port: `recalld serve --listen PORT`".to_owned(),
                },
            ),
            ErrorKind::PermissionDenied => (
                format!("this user may not listen on {address}"),
                "choose a port above 1023: `recalld serve --listen 7077`".to_owned(),
            ),
            _ => (
                format!("cannot listen on {address}: {error}"),
                "choose an address of this machine: `recalld serve --listen 127.0.0.1:7077`".to_owned(),
            ),
        };
        Failure::failed("listen", message).hint(hint)
    })
}
