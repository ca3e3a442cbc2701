//! The user's lines, and Ctrl-C, from the terminal or from a connection.

use std::thread;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};
use tokio::sync::mpsc;

/// The line that stands for Ctrl-C on a connection. Nobody can type it, because a terminal turns it
/// into a signal.
pub(crate) const STOP: &str = "\u{3}";

/// Input from the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Line(String),
    Stop,
}

/// Input from the user, in order.
#[derive(Debug)]
pub(crate) struct Lines(mpsc::Receiver<Input>);

impl Lines {
    /// Reads standard input on a separate thread, and listens for Ctrl-C.
    pub(crate) fn of_terminal() -> Lines {
        let (lines, received) = mpsc::channel(16);
        let stops = lines.clone();
        thread::spawn(move || {
            let mut line = String::new();
            while matches!(std::io::stdin().read_line(&mut line), Ok(1..)) {
                let input = Input::Line(std::mem::take(&mut line));
                if lines.blocking_send(input).is_err() {
                    return;
                }
            }
            // The end of the input ends the conversation once all lines are answered.
            let _ = lines.blocking_send(Input::Line("/quit".to_owned()));
        });
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if stops.send(Input::Stop).await.is_err() {
                    return;
                }
            }
        });
        Lines(received)
    }

    /// Reads lines from a connection.
    pub(super) fn of_stream(stream: impl AsyncBufRead + Send + Unpin + 'static) -> Lines {
        let (lines, received) = mpsc::channel(16);
        tokio::spawn(async move {
            let mut stream = stream.lines();
            while let Ok(Some(line)) = stream.next_line().await {
                let input = if line == STOP {
                    Input::Stop
                } else {
                    Input::Line(line)
                };
                if lines.send(input).await.is_err() {
                    return;
                }
            }
        });
        Lines(received)
    }

    /// Waits for the next input.
    pub(super) async fn next(&mut self) -> Option<Input> {
        self.0.recv().await
    }

    /// Waits until the user wants to stop. Lines that arrive meanwhile are queued.
    pub(super) async fn stopped(&mut self, waiting: &mut Vec<String>) {
        loop {
            match self.0.recv().await {
                Some(Input::Line(line)) => waiting.push(line),
                Some(Input::Stop) => return,
                // A closed connection stops the answer.
                None => return,
            }
        }
    }
}
