//! The server's side.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recalld_memory::id::UserId;
use recalld_server::serve_stream;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::unbounded_channel;

use super::{Answer, BYTES_MAX, Parcel, Then};
use crate::arguments::{Bearing, Invocation};
use crate::commands::attend_chat;
use crate::config::Config;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::input::SENT;
use crate::output::{Captured, Output, Sink};
use crate::session::{Sender, Session};

/// Takes commands from other processes of the same owner.
#[derive(Debug)]
pub(crate) struct Control {
    listener: TcpListener,
    word: String,
}

/// How long a sender may take to send.
const PATIENCE: Duration = Duration::from_secs(10);

impl Control {
    /// Opens a port of its own on the loopback address.
    pub(crate) async fn open() -> Result<Control, Failure> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0))
            .await
            .map_err(|error| {
                Failure::failed(
                    "listen",
                    format!("cannot listen for commands on the loopback address: {error}"),
                )
            })?;
        let word = format!(
            "{}{}",
            uuid::Uuid::new_v4().simple(),
            uuid::Uuid::new_v4().simple()
        );
        Ok(Control { listener, word })
    }

    /// Tells where it listens, and the word it asks for.
    pub(crate) fn door(&self) -> Result<(SocketAddr, String), Failure> {
        let address = self.listener.local_addr();
        let address = address
            .map_err(|error| Failure::failed("listen", format!("the control port is gone: {error}")))?;
        Ok((address, self.word.clone()))
    }

    /// Runs commands until the process ends.
    pub(crate) async fn run(self, config: Config, engine: Engine) {
        let word: Arc<str> = self.word.into();
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let (config, engine, word) = (config.clone(), engine.clone(), Arc::clone(&word));
            tokio::spawn(async move {
                if let Err(error) = attend(stream, &word, config, engine).await {
                    tracing::debug!(%error, "a carried command was not answered");
                }
            });
        }
    }
}

async fn attend(stream: TcpStream, word: &str, config: Config, engine: Engine) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let (mut reader, mut text) = (BufReader::new(reader), Vec::new());
    let mut bounded = (&mut reader).take(BYTES_MAX);
    tokio::time::timeout(PATIENCE, bounded.read_until(b'\n', &mut text)).await??;
    let parcel: Parcel = serde_json::from_slice(&text)?;
    // Whoever does not know the word hears nothing.
    if !same(parcel.word.as_bytes(), word.as_bytes()) {
        return Ok(());
    }
    if parcel.then == Then::Mcp {
        let user = UserId::new(parcel.user).map_err(std::io::Error::other)?;
        let served = serve_stream(engine.ports.clone(), user, reader, writer).await;
        return served.map_err(std::io::Error::other);
    }
    if parcel.then == Then::Chat {
        return talk(parcel, engine, reader, writer).await;
    }
    let answer = run(parcel, config, engine).await;
    writer.write_all(&serde_json::to_vec(&answer)?).await?;
    writer.shutdown().await
}

/// Holds a conversation with whoever is at the other end.
async fn talk(
    parcel: Parcel,
    engine: Engine,
    reader: BufReader<OwnedReadHalf>,
    mut writer: OwnedWriteHalf,
) -> std::io::Result<()> {
    let user = UserId::new(parcel.user).map_err(std::io::Error::other)?;
    let mut named = parcel
        .arguments
        .into_iter()
        .map(|name| Some(name).filter(|name| !name.is_empty()));
    let (session, model, bearing) = (named.next(), named.next(), named.next());
    let named = [session.flatten(), model.flatten()];
    let bearing = Bearing::from_text(bearing.flatten().unwrap_or_default());
    let (sender, mut written) = unbounded_channel::<String>();
    let output = Output::for_arguments(&[])
        .with_bearing(bearing)
        .into_sink(Sink::Sent(sender));
    let talking = async move {
        let done = attend_chat(engine.for_user(user), output.clone(), named, reader).await;
        if let Err(failure) = done {
            output.failure(&failure);
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

/// Compares in the same time wherever the first difference is.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

async fn run(parcel: Parcel, mut config: Config, engine: Engine) -> Answer {
    let raw: Vec<OsString> = parcel.arguments.into_iter().map(OsString::from).collect();
    let captured = Arc::new(Mutex::new(Captured {
        width: parcel.width,
        ..Captured::default()
    }));
    let output = Output::for_arguments(&raw).into_sink(Sink::Captured(Arc::clone(&captured)));
    let done = match (Invocation::parse(&raw), UserId::new(parcel.user)) {
        (Ok(Invocation { globals, command }), Ok(user)) => {
            config.values.user = user.as_str().to_owned();
            let session = Session::inside(
                config,
                output.clone().with(&globals),
                engine.for_user(user),
                Sender {
                    folder: parcel.folder,
                    unknown_variables: parcel.unknown_variables,
                },
            );
            let work = command.run(session);
            match parcel.input {
                Some(input) => SENT.scope(input, work).await,
                None => work.await,
            }
            .map_err(|failure| (failure, output.with(&globals)))
        }
        // The sender understood its arguments: this is another version of the program.
        _ => {
            let message = "the server that holds the data directory is of another version";
            Err((
                Failure::failed("server", message).hint("stop it and start it again"),
                output,
            ))
        }
    };
    let exit = match done {
        Ok(()) => 0,
        Err((failure, output)) => {
            output.failure(&failure);
            failure.exit as u8
        }
    };
    let captured = captured.lock().unwrap_or_else(PoisonError::into_inner);
    Answer {
        exit,
        out: captured.out.clone(),
        err: captured.err.clone(),
    }
}
