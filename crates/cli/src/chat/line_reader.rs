//! Reads the user's lines from standard input, each when it is asked for. On a terminal, lines can
//! be edited, earlier ones come back with the arrow keys, and Tab completes commands.
//!
//! Earlier lines are kept in memory only: a file with them would outlive an erasure.

#[cfg(feature = "editing")]
use std::io::IsTerminal;
use std::io::Write;
use std::sync::mpsc as blocking;
use std::thread;

use tokio::sync::mpsc;

use super::typed::Input;
use crate::output::{NAME, painted};

#[cfg(feature = "editing")]
mod editor;

const PROMPT: &str = "you> ";

/// Reads lines on a thread of its own, which ends with the process: nothing else can end a read.
pub(super) struct LineReader {
    asks: blocking::Sender<()>,
}

impl LineReader {
    /// Starts the thread. Lines go to `into`.
    pub(super) fn start(into: mpsc::Sender<Input>) -> LineReader {
        let (asks, asked) = blocking::channel();
        thread::spawn(move || {
            let mut source = Source::of_standard_input();
            while asked.recv().is_ok() {
                if into.blocking_send(source.next()).is_err() {
                    return;
                }
            }
        });
        LineReader { asks }
    }

    /// Shows the prompt and reads a line.
    pub(super) fn ask(&self) {
        // A thread that is gone has told so.
        let _ = self.asks.send(());
    }
}

enum Source {
    #[cfg(feature = "editing")]
    Terminal(Box<editor::LineEditor>),
    Plain,
}

impl Source {
    fn of_standard_input() -> Source {
        #[cfg(feature = "editing")]
        if std::io::stdin().is_terminal()
            && std::io::stdout().is_terminal()
            && let Some(editor) = editor::LineEditor::new()
        {
            return Source::Terminal(Box::new(editor));
        }
        Source::Plain
    }

    fn next(&mut self) -> Input {
        match self {
            #[cfg(feature = "editing")]
            Source::Terminal(editor) => editor.next(),
            Source::Plain => plain_line(),
        }
    }
}

fn plain_line() -> Input {
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let _ = out
        .write_all(painted(NAME, PROMPT).as_bytes())
        .and_then(|()| out.flush());
    drop(out);
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line) {
        Ok(1..) => Input::Line(line),
        _ => Input::End,
    }
}
