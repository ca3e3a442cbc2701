//! The sender's side.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use super::holder::running;
use super::{Answer, BYTES_MAX, Parcel, Then};
use crate::arguments::Bearing;
use crate::commands::STOP;
use crate::config::Config;
use crate::failure::Failure;
use crate::input;
use crate::output::terminal_width;
use crate::serve::announce::Running;

/// Whether a command was carried to a server.
#[derive(Debug)]
pub(crate) enum Carried {
    Done(ExitCode),
    /// No server holds the directory.
    NoServer,
}

/// A server on this machine answers at once or not at all.
const CONNECT: Duration = Duration::from_secs(2);

/// How long a command may take there.
const ANSWER: Duration = Duration::from_secs(600);

/// Finds the server through which the memories are reached. A database is reached by itself:
/// whoever holds the data directory has other memories.
fn server_of(config: &Config) -> Result<Option<Running>, Failure> {
    match config.values.database.url {
        Some(_) => Ok(None),
        None => Ok(running(config.data()?)),
    }
}

/// Sends the command to the server that holds the data directory, if one does.
pub(crate) fn carry(raw: &[OsString], config: &Config) -> Result<Carried, Failure> {
    let Some(running) = server_of(config)? else {
        return Ok(Carried::NoServer);
    };
    // It may have ended since.
    let Ok(stream) = TcpStream::connect_timeout(&running.control, CONNECT) else {
        return Ok(Carried::NoServer);
    };
    warn_of_options(config, &running);
    let arguments: Vec<String> = raw
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let reads = arguments.iter().any(|argument| argument == "-");
    let parcel = Parcel {
        word: running.word,
        arguments,
        user: config.values.user.clone(),
        folder: std::env::current_dir().unwrap_or_default(),
        input: if reads { Some(input::to_send()?) } else { None },
        width: terminal_width(),
        unknown_variables: config.unknown_variables.clone(),
        then: Then::Answer,
    };
    let answer = exchange(stream, &parcel).map_err(|problem| {
        let message = format!("the server that holds the data directory does not answer: {problem}");
        Failure::failed("server", message)
            .hint(format!("it is process {}; what it did is not known", running.pid))
    })?;
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let _ = out.write_all(answer.out.as_bytes()).and_then(|()| out.flush());
    anstream::eprint!("{}", answer.err);
    Ok(Carried::Done(ExitCode::from(answer.exit)))
}

/// Whether a server took over a client of ours.
#[derive(Debug)]
pub(crate) enum Piped {
    Done,
    /// No server holds the directory.
    NoServer,
}

/// Connects standard input and output to the MCP of the server that holds the data directory, if
/// one does.
pub(crate) async fn pipe(config: &Config) -> Result<Piped, Failure> {
    pipe_to(config, Then::Mcp, Vec::new()).await
}

/// Connects the terminal to a conversation in the server that holds the data directory, if one
/// does. `named` are the session and the model, `bearing` is what a command that is suggested there
/// must repeat.
pub(crate) async fn pipe_chat(
    config: &Config,
    named: [Option<String>; 2],
    bearing: &Bearing,
) -> Result<Piped, Failure> {
    let mut arguments = named.map(Option::unwrap_or_default).to_vec();
    arguments.push(bearing.as_str().to_owned());
    pipe_to(config, Then::Chat, arguments).await
}

async fn pipe_to(config: &Config, then: Then, arguments: Vec<String>) -> Result<Piped, Failure> {
    let Some(running) = server_of(config)? else {
        return Ok(Piped::NoServer);
    };
    let connected = tokio::time::timeout(CONNECT, tokio::net::TcpStream::connect(running.control)).await;
    let Ok(Ok(stream)) = connected else {
        return Ok(Piped::NoServer);
    };
    warn_of_options(config, &running);
    let parcel = Parcel {
        word: running.word,
        arguments,
        user: config.values.user.clone(),
        folder: std::path::PathBuf::new(),
        input: None,
        width: None,
        unknown_variables: Vec::new(),
        then,
    };
    let piped = match then {
        Then::Chat => talk(stream, &parcel).await,
        _ => between(stream, &parcel).await,
    };
    piped.map_err(|problem| {
        let message = format!("the server that holds the data directory is gone: {problem}");
        Failure::failed("server", message).hint(format!("it was process {}", running.pid))
    })?;
    Ok(Piped::Done)
}

/// What is said to the sender itself, whoever runs the command.
const TAKEN_UP_HERE: [&str; 4] = ["user", "data", "data_wait_ms", "log"];

/// A server goes by its own configuration, so that options of a command it carries would be
/// silently without effect.
fn warn_of_options(config: &Config, running: &Running) {
    let ignored: Vec<&str> = config
        .options()
        .filter(|name| !TAKEN_UP_HERE.contains(name))
        .collect();
    if !ignored.is_empty() {
        tracing::warn!(
            "-o has no effect on {}: the server that holds the data directory (process {}) goes by its own configuration",
            ignored.join(", "),
            running.pid
        );
    }
}

async fn between(stream: tokio::net::TcpStream, parcel: &Parcel) -> std::io::Result<()> {
    let (mut from_server, mut to_server) = stream.into_split();
    let mut line = serde_json::to_vec(parcel)?;
    line.push(b'\n');
    to_server.write_all(&line).await?;
    let sending = async {
        let copied = tokio::io::copy(&mut tokio::io::stdin(), &mut to_server).await;
        // The server answers what it was asked, and then leaves.
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

/// Lines go to the server, Ctrl-C too; what comes back is shown with its colours where there are
/// any. The server ends it.
async fn talk(stream: tokio::net::TcpStream, parcel: &Parcel) -> std::io::Result<()> {
    let (mut from_server, mut to_server) = stream.into_split();
    let mut line = serde_json::to_vec(parcel)?;
    line.push(b'\n');
    to_server.write_all(&line).await?;
    let sending = async {
        let mut lines = BufReader::new(tokio::io::stdin()).lines();
        loop {
            let line = tokio::select! {
                line = lines.next_line() => line?,
                stop = tokio::signal::ctrl_c() => stop.map(|()| Some(STOP.to_owned()))?,
            };
            let ended = line.is_none();
            let line = line.unwrap_or_else(|| "/quit".to_owned());
            to_server.write_all(format!("{line}\n").as_bytes()).await?;
            if ended {
                return std::future::pending().await;
            }
        }
    };
    let receiving = async {
        let mut piece = [0; 4096];
        // Text may be cut in the middle of a letter.
        let mut rest = Vec::new();
        loop {
            let read = from_server.read(&mut piece).await?;
            if read == 0 {
                return Ok(());
            }
            rest.extend_from_slice(&piece[..read]);
            let whole = match std::str::from_utf8(&rest) {
                Ok(_) => rest.len(),
                Err(error) => error.valid_up_to(),
            };
            let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
            out.write_all(&rest[..whole]).and_then(|()| out.flush())?;
            rest.drain(..whole);
        }
    };
    tokio::select! {
        received = receiving => received,
        sent = sending => sent,
    }
}

fn exchange(mut stream: TcpStream, parcel: &Parcel) -> std::io::Result<Answer> {
    stream.set_read_timeout(Some(ANSWER))?;
    serde_json::to_writer(&mut stream, parcel)?;
    stream.flush()?;
    stream.shutdown(Shutdown::Write)?;
    let mut text = Vec::new();
    stream.take(BYTES_MAX).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
