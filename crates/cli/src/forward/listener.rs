//! The server's side of forwarded commands.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use recalld_memory::id::UserId;
use recalld_memory::memory::Project;
use recalld_server::{LocalUser, serve_stream};
use subtle::ConstantTimeEq;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::unbounded_channel;

use super::{BYTES_MAX, ForwardedCommand, Request, RequestKind, RunForwarded};
use crate::arguments::CommandPrefix;
use crate::chat;
use crate::config::Config;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::{Output, Sink};

/// Accepts commands from other processes of the same owner.
#[derive(Debug)]
pub(crate) struct CommandListener {
    listener: TcpListener,
    token: String,
}

/// How long a sender may take to send its request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

impl CommandListener {
    /// Opens a port on the loopback address.
    pub(crate) async fn open() -> Result<CommandListener, Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            let message = format!("cannot listen for commands on the loopback address: {error}");
            Failure::failed("listen", message)
        };
        let address = (std::net::Ipv4Addr::LOCALHOST, 0);
        let listener = TcpListener::bind(address).await.map_err(|error| failed(&error))?;
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| failed(&error))?;
        let token = HEXLOWER.encode(&secret);
        Ok(CommandListener { listener, token })
    }

    /// Returns the address that it listens on.
    pub(super) fn address(&self) -> Result<SocketAddr, Failure> {
        let address = self.listener.local_addr();
        address.map_err(|error| {
            let message = format!("cannot listen for commands on the loopback address: {error}");
            Failure::failed("listen", message)
        })
    }

    /// Returns the token that requests need.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Runs forwarded commands until the task is aborted.
    pub(crate) async fn run(self, config: Config, engine: Engine, run: RunForwarded) {
        let token: Arc<str> = self.token.into();
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let (config, engine, token) = (config.clone(), engine.clone(), Arc::clone(&token));
            tokio::spawn(async move {
                if let Err(error) = attend(stream, &token, config, engine, run).await {
                    tracing::debug!(%error, "a forwarded command was not answered");
                }
            });
        }
    }
}

async fn attend(
    stream: TcpStream,
    token: &str,
    config: Config,
    engine: Engine,
    run: RunForwarded,
) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let (mut reader, mut text) = (BufReader::new(reader), Vec::new());
    let mut bounded = (&mut reader).take(BYTES_MAX);
    tokio::time::timeout(REQUEST_TIMEOUT, bounded.read_until(b'\n', &mut text)).await??;
    let request: Request = serde_json::from_slice(&text)?;
    // A sender without the token gets no response.
    if !bool::from(request.token.as_bytes().ct_eq(token.as_bytes())) {
        return Ok(());
    }
    match request.kind {
        RequestKind::Command => {
            let response = run(ForwardedCommand {
                request,
                config,
                engine,
            });
            writer.write_all(&serde_json::to_vec(&response.await)?).await?;
            writer.shutdown().await
        }
        RequestKind::Mcp => {
            let user = UserId::new(request.user).map_err(std::io::Error::other)?;
            let project = request.arguments.first().map(|name| Project::new(name));
            let local = LocalUser {
                user,
                project: project.transpose().map_err(std::io::Error::other)?,
            };
            let sets = &config.values.server.tool_sets;
            let served = serve_stream(engine.ports.clone(), local, sets, reader, writer).await;
            served.map_err(std::io::Error::other)
        }
        RequestKind::Chat => hold_chat(request, engine, reader, writer).await,
    }
}

/// Holds a conversation with the user at the other end.
async fn hold_chat(
    request: Request,
    engine: Engine,
    reader: BufReader<OwnedReadHalf>,
    mut writer: OwnedWriteHalf,
) -> std::io::Result<()> {
    let user = UserId::new(request.user).map_err(std::io::Error::other)?;
    let mut arguments = request
        .arguments
        .into_iter()
        .map(|argument| Some(argument).filter(|argument| !argument.is_empty()));
    let mut next = || arguments.next().flatten();
    let (conversation, model, prefix, terminal) = (next(), next(), next(), next());
    let prefix = CommandPrefix::from_text(prefix.unwrap_or_default());
    let (sender, mut written) = unbounded_channel::<String>();
    let output = Output::for_arguments(&[])
        .with_prefix(prefix)
        .into_sink(Sink::Connection(sender));
    let talking = async move {
        let engine = engine.for_user(user);
        let is_terminal = terminal.is_some();
        let done =
            chat::over_connection(engine, output.clone(), conversation, model, is_terminal, reader).await;
        if let Err(failure) = done {
            output.failure(&failure);
            let _ = output.verbatim(&format!("{}{}", chat::EXIT, failure.exit as u8));
        }
        drop(output);
    };
    let writing = async {
        while let Some(text) = written.recv().await {
            writer.write_all(text.as_bytes()).await?;
        }
        writer.shutdown().await
    };
    let ((), done) = tokio::join!(talking, writing);
    done
}
