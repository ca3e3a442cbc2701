//! The terminal of a conversation that a server holds.

use std::io::Write;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::Request;
use crate::chat::{ASK, END, EXIT, Input, Lines, STOP};

/// Sends lines and Ctrl-C to the server, and shows its output, until the server disconnects.
pub(super) async fn relay_chat(stream: tokio::net::TcpStream, request: &Request) -> std::io::Result<u8> {
    let (mut from_server, mut to_server) = stream.into_split();
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    to_server.write_all(&line).await?;
    let mut lines = Lines::of_terminal();
    let mut shown = Shown::default();
    let mut piece = [0; 4096];
    loop {
        tokio::select! {
            read = from_server.read(&mut piece) => {
                let read = read?;
                if read == 0 {
                    return Ok(shown.exit());
                }
                for _ in 0..shown.take(&piece[..read])? {
                    lines.ask_terminal();
                }
            }
            input = lines.next() => {
                let line = match input {
                    Input::Line(line) => line.trim_end_matches(['\r', '\n']).to_owned(),
                    Input::Stop => STOP.to_owned(),
                    Input::End => END.to_owned(),
                };
                to_server.write_all(format!("{line}\n").as_bytes()).await?;
            }
        }
    }
}

/// What the server has sent.
#[derive(Debug, Default)]
struct Shown {
    /// A read may end in the middle of a character.
    rest: Vec<u8>,
    /// The exit code, after [`EXIT`].
    exit: Option<String>,
}

impl Shown {
    /// Shows what arrived. Returns how often the server asked for a line.
    fn take(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.rest.extend_from_slice(piece);
        let whole = match std::str::from_utf8(&self.rest) {
            Ok(_) => self.rest.len(),
            Err(error) => error.valid_up_to(),
        };
        let text: String = String::from_utf8_lossy(&self.rest[..whole]).into_owned();
        self.rest.drain(..whole);
        let text = match (&mut self.exit, text.split_once(EXIT)) {
            (Some(exit), _) => {
                exit.push_str(&text);
                return Ok(0);
            }
            (None, Some((text, exit))) => {
                self.exit = Some(exit.to_owned());
                text.to_owned()
            }
            (None, None) => text,
        };
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        out.write_all(text.replace(ASK, "").as_bytes())
            .and_then(|()| out.flush())?;
        Ok(text.matches(ASK).count())
    }

    fn exit(&self) -> u8 {
        self.exit
            .as_ref()
            .map_or(0, |exit| exit.trim().parse().unwrap_or(1))
    }
}
