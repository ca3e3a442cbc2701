//! Where what is written goes: to this process's own standard streams, or to whoever sent the
//! command.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::UnboundedSender;

use super::Page;

/// The end of the way out.
#[derive(Clone, Debug)]
pub(crate) enum Sink {
    Standard,
    Captured(Arc<Mutex<Captured>>),
    /// What is written goes out at once, to somebody at the other end of a connection.
    Sent(UnboundedSender<String>),
}

/// What a command wrote, to be carried elsewhere. It still has its colours.
#[derive(Debug, Default)]
pub(crate) struct Captured {
    pub(crate) out: String,
    pub(crate) err: String,
    /// How wide the reader's terminal is, if there is one.
    pub(crate) width: Option<usize>,
}

impl Sink {
    pub(super) fn is_standard(&self) -> bool {
        matches!(self, Sink::Standard)
    }

    /// Opens a page as wide as the reader's terminal.
    pub(super) fn page(&self) -> Page {
        match self {
            Sink::Standard => Page::for_terminal(),
            Sink::Captured(captured) => Page::of_width(lock(captured).width),
            Sink::Sent(_) => Page::of_width(None),
        }
    }

    /// Writes text as it is.
    pub(super) fn write(&self, text: &str) -> io::Result<()> {
        match self {
            Sink::Standard => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
            Sink::Captured(captured) => {
                lock(captured).out.push_str(text);
                Ok(())
            }
            Sink::Sent(sender) => {
                let sent = sender.send(text.to_owned());
                sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    /// Writes text with colours, which reach a terminal only.
    pub(super) fn write_styled(&self, text: &str) -> io::Result<()> {
        match self {
            Sink::Standard => {
                let mut stdout = anstream::AutoStream::auto(io::stdout().lock());
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
            Sink::Captured(_) | Sink::Sent(_) => self.write(text),
        }
    }

    /// Writes a line beside the answer.
    pub(super) fn complain(&self, line: &str) {
        match self {
            Sink::Standard => anstream::eprintln!("{line}"),
            Sink::Captured(captured) => {
                let mut captured = lock(captured);
                captured.err.push_str(line);
                captured.err.push('\n');
            }
            Sink::Sent(_) => {
                // Whoever is gone needs not be told.
                let _ = self.write(&format!("{line}\n"));
            }
        }
    }
}

fn lock(captured: &Mutex<Captured>) -> std::sync::MutexGuard<'_, Captured> {
    captured.lock().unwrap_or_else(PoisonError::into_inner)
}
