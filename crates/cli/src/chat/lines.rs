//! The user's lines, and Ctrl-C, from the terminal or from a connection.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};
use tokio::sync::mpsc;

use super::line_reader::LineReader;
use super::typed::Input;
use crate::failure::Failure;
use crate::output::Output;

/// The line that stands for Ctrl-C on a connection. Nobody can type it, because a terminal turns it
/// into a signal.
pub(crate) const STOP: &str = "\u{3}";

/// The line that stands for the end of the input on a connection.
pub(crate) const END: &str = "\u{4}";

/// What the server sends to ask for the next line. No text of users or models contains it: control
/// characters are escaped.
pub(crate) const ASK: char = '\u{5}';

/// What the server sends before the exit code of a conversation that failed.
pub(crate) const EXIT: char = '\u{6}';

/// Input from the user, in order.
pub(crate) struct Lines {
    received: mpsc::Receiver<Input>,
    /// Reads the terminal of this process; `None` if the lines come over a connection.
    reader: Option<LineReader>,
}

impl Lines {
    /// Reads standard input, and listens for Ctrl-C.
    pub(crate) fn of_terminal() -> Lines {
        let (lines, received) = mpsc::channel(16);
        let stops = lines.clone();
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if stops.send(Input::Stop).await.is_err() {
                    return;
                }
            }
        });
        Lines {
            received,
            reader: Some(LineReader::start(lines)),
        }
    }

    /// Reads lines from a connection.
    pub(super) fn of_stream(stream: impl AsyncBufRead + Send + Unpin + 'static) -> Lines {
        let (lines, received) = mpsc::channel(16);
        tokio::spawn(async move {
            let mut stream = stream.lines();
            while let Ok(Some(line)) = stream.next_line().await {
                let input = match line.as_str() {
                    STOP => Input::Stop,
                    END => Input::End,
                    _ => Input::Line(line),
                };
                if lines.send(input).await.is_err() {
                    return;
                }
            }
        });
        Lines {
            received,
            reader: None,
        }
    }

    /// Asks for a line. On a connection, the other end shows the prompt.
    pub(super) fn ask(&self, output: &Output) -> Result<(), Failure> {
        match &self.reader {
            Some(reader) => {
                reader.ask();
                Ok(())
            }
            None => output.verbatim(&ASK.to_string()),
        }
    }

    /// Asks for a line on the terminal of this process.
    pub(crate) fn ask_terminal(&self) {
        if let Some(reader) = &self.reader {
            reader.ask();
        }
    }

    /// Waits for the next input. A connection that is gone has ended.
    pub(crate) async fn next(&mut self) -> Input {
        self.received.recv().await.unwrap_or(Input::End)
    }

    /// Waits until the user wants to stop. Lines that arrive meanwhile are queued.
    pub(super) async fn stopped(&mut self, waiting: &mut Vec<Input>) {
        loop {
            match self.received.recv().await {
                Some(Input::Stop) => return,
                Some(input) => waiting.push(input),
                // A closed connection stops the answer.
                None => return,
            }
        }
    }
}
