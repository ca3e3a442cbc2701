//! The sender's side of a forwarded command.

use std::ffi::OsString;
use std::io::{IsTerminal, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use recalld_memory::memory::Project;
use tokio::io::AsyncWriteExt;

use super::chat_relay::relay_chat;
use super::server_file::RunningServer;
use super::{BYTES_MAX, Request, RequestKind, Response, running_server};
use crate::arguments::CommandPrefix;
use crate::config::Config;
use crate::failure::Failure;
use crate::input;
use crate::output::terminal_width;

/// Whether a server took over.
#[derive(Debug)]
pub(crate) enum Forwarded {
    /// With this exit code.
    Done(u8),
    /// No server holds the data directory.
    NoServer,
}

/// How long to wait for a connection. A server on this machine answers at once or not at all.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a server may take from holding the data directory to taking commands.
const STARTING_MAX: Duration = Duration::from_secs(1);

/// How long a command may take.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(600);

/// Finds the server that holds the data directory. A database needs no server, and the holder of
/// the data directory has other memories.
fn server_for(config: &Config) -> Result<Option<RunningServer>, Failure> {
    match config.values.database.url {
        Some(_) => Ok(None),
        None => {
            let patience = Duration::from_millis(config.values.data_wait_ms).min(STARTING_MAX);
            Ok(running_server::find_starting(config.data()?, patience))
        }
    }
}

/// Forwards a command to the server that holds the data directory, if any.
pub(crate) fn forward_command(raw: &[OsString], config: &Config) -> Result<Forwarded, Failure> {
    let Some(server) = server_for(config)? else {
        return Ok(Forwarded::NoServer);
    };
    // It may have ended since.
    let Ok(stream) = TcpStream::connect_timeout(&server.control, CONNECT_TIMEOUT) else {
        return Ok(Forwarded::NoServer);
    };
    warn_of_options(config, &server);
    let arguments: Vec<String> = raw
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let reads = arguments.iter().any(|argument| argument == "-");
    let request = Request {
        token: server.token,
        arguments,
        user: config.values.user.clone(),
        user_is_argument: config.user_argument().is_some(),
        folder: std::env::current_dir().unwrap_or_default(),
        input: if reads { Some(input::to_forward()?) } else { None },
        width: terminal_width(),
        unknown_variables: config.unknown_variables.clone(),
        kind: RequestKind::Command,
    };
    let response = exchange(stream, &request).map_err(|problem| {
        let message = format!("the server that holds the data directory does not answer: {problem}");
        let hint = format!(
            "it is process {}; the command may or may not have run",
            server.pid
        );
        Failure::failed("server", message).hint(hint)
    })?;
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let _ = out.write_all(response.out.as_bytes()).and_then(|()| out.flush());
    anstream::eprint!("{}", response.err);
    Ok(Forwarded::Done(response.exit))
}

/// Connects standard input and output to the MCP of the server that holds the data directory, if
/// any.
pub(crate) async fn forward_mcp(config: &Config, project: Option<&Project>) -> Result<Forwarded, Failure> {
    let arguments = project.map(ToString::to_string).into_iter().collect();
    connect(config, RequestKind::Mcp, arguments).await
}

/// Connects the terminal to a conversation in the server that holds the data directory, if any.
pub(crate) async fn forward_chat(
    config: &Config,
    conversation: Option<String>,
    model: Option<String>,
    prefix: &CommandPrefix,
) -> Result<Forwarded, Failure> {
    let is_terminal = std::io::stdout().is_terminal().then(|| "terminal".to_owned());
    let arguments = [conversation, model, Some(prefix.as_str().to_owned()), is_terminal];
    let arguments = arguments.map(Option::unwrap_or_default).to_vec();
    connect(config, RequestKind::Chat, arguments).await
}

async fn connect(config: &Config, kind: RequestKind, arguments: Vec<String>) -> Result<Forwarded, Failure> {
    let Some(server) = server_for(config)? else {
        return Ok(Forwarded::NoServer);
    };
    let connecting = tokio::net::TcpStream::connect(server.control);
    let Ok(Ok(stream)) = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await else {
        return Ok(Forwarded::NoServer);
    };
    warn_of_options(config, &server);
    let request = Request {
        token: server.token,
        arguments,
        user: config.values.user.clone(),
        user_is_argument: config.user_argument().is_some(),
        folder: std::path::PathBuf::new(),
        input: None,
        width: None,
        unknown_variables: Vec::new(),
        kind,
    };
    let connected = match kind {
        RequestKind::Chat => relay_chat(stream, &request).await,
        RequestKind::Command | RequestKind::Mcp => relay_bytes(stream, &request).await.map(|()| 0),
    };
    let code = connected.map_err(|problem| {
        let message = format!("lost the connection to the server that holds the data directory: {problem}");
        Failure::failed("server", message).hint(format!("it was process {}", server.pid))
    })?;
    Ok(Forwarded::Done(code))
}

/// The settings that apply to the sender, whoever runs the command.
const SENDER_SETTINGS: [&str; 4] = ["user", "data", "data_wait_ms", "log"];

/// A server uses its own configuration, so options of a forwarded command would silently have no
/// effect.
fn warn_of_options(config: &Config, server: &RunningServer) {
    let ignored: Vec<&str> = config
        .options()
        .filter(|name| !SENDER_SETTINGS.contains(name))
        .collect();
    if !ignored.is_empty() {
        tracing::warn!(
            "-o has no effect on {}: the server that holds the data directory (process {}) uses its own configuration",
            ignored.join(", "),
            server.pid
        );
    }
}

async fn relay_bytes(stream: tokio::net::TcpStream, request: &Request) -> std::io::Result<()> {
    let (mut from_server, mut to_server) = stream.into_split();
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    to_server.write_all(&line).await?;
    let sending = async {
        let copied = tokio::io::copy(&mut tokio::io::stdin(), &mut to_server).await;
        // The server answers the remaining requests, and then disconnects.
        to_server.shutdown().await.and(copied.map(drop))
    };
    let receiving = async {
        tokio::io::copy(&mut from_server, &mut tokio::io::stdout()).await?;
        Ok(())
    };
    let mut receiving = std::pin::pin!(receiving);
    tokio::select! {
        received = &mut receiving => match received {
            Ok(()) => Err(std::io::ErrorKind::ConnectionAborted.into()),
            Err(error) => Err(error),
        },
        sent = sending => {
            sent?;
            receiving.await
        }
    }
}

fn exchange(mut stream: TcpStream, request: &Request) -> std::io::Result<Response> {
    stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
    serde_json::to_writer(&mut stream, request)?;
    stream.flush()?;
    stream.shutdown(Shutdown::Write)?;
    let mut text = Vec::new();
    stream.take(BYTES_MAX).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
