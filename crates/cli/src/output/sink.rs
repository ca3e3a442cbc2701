//! Where output goes: to the standard streams of this process, or to the process that forwarded the
//! command.

use std::io::{self, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedSender;

use super::Page;

/// The destination of output.
#[derive(Clone, Debug)]
pub(crate) enum Sink {
    Standard,
    Captured(Arc<Mutex<Captured>>),
    /// Everything is sent at once, to the other end of a connection.
    Connection(UnboundedSender<String>),
}

/// The collected output of a command, colours included.
#[derive(Debug, Default)]
pub(crate) struct Captured {
    pub(crate) out: String,
    pub(crate) err: String,
    /// The width of the reader's terminal, if there is one.
    pub(crate) width: Option<usize>,
}

impl Sink {
    pub(super) fn is_standard(&self) -> bool {
        matches!(self, Sink::Standard)
    }

    /// Starts a page as wide as the reader's terminal.
    pub(super) fn page(&self) -> Page {
        match self {
            Sink::Standard => Page::for_terminal(),
            Sink::Captured(captured) => Page::of_width(captured.lock().width),
            Sink::Connection(_) => Page::of_width(None),
        }
    }

    /// Writes text unchanged.
    pub(super) fn write(&self, text: &str) -> io::Result<()> {
        match self {
            Sink::Standard => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
            Sink::Captured(captured) => {
                captured.lock().out.push_str(text);
                Ok(())
            }
            Sink::Connection(sender) => {
                let sent = sender.send(text.to_owned());
                sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    /// Writes text with colours, which are removed unless a terminal reads it.
    pub(super) fn write_styled(&self, text: &str) -> io::Result<()> {
        match self {
            Sink::Standard => {
                let mut stdout = anstream::AutoStream::auto(io::stdout().lock());
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
            Sink::Captured(_) | Sink::Connection(_) => self.write(text),
        }
    }

    /// Writes a line to standard error.
    pub(super) fn write_error_line(&self, line: &str) {
        match self {
            Sink::Standard => anstream::eprintln!("{line}"),
            Sink::Captured(captured) => {
                let mut captured = captured.lock();
                captured.err.push_str(line);
                captured.err.push('\n');
            }
            Sink::Connection(_) => {
                // A reader that is gone needs no message.
                let _ = self.write(&format!("{line}\n"));
            }
        }
    }
}
