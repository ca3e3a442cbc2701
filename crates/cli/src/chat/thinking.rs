//! A sign of life while the model thinks: how long it has been at it, until it begins to answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::task::JoinHandle;

use crate::output::{FAINT, Output, painted};

/// The first sign comes when a quick answer would have begun.
const FIRST: Duration = Duration::from_millis(400);

const NEXT: Duration = Duration::from_secs(1);

/// Clears the line that the cursor is on.
const CLEAR: &str = "\r\u{1b}[K";

/// Shown until it is stopped.
pub(super) struct Thinking {
    output: Output,
    state: Arc<Mutex<State>>,
    ticker: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct State {
    is_shown: bool,
    is_over: bool,
}

impl Thinking {
    /// Starts to show it, if a terminal reads the output.
    pub(super) fn start(output: &Output, is_terminal: bool) -> Thinking {
        let state: Arc<Mutex<State>> = Arc::default();
        let (shared, out) = (Arc::clone(&state), output.clone());
        let ticker = tokio::spawn(async move {
            if !is_terminal {
                return;
            }
            let begun = Instant::now();
            tokio::time::sleep(FIRST).await;
            loop {
                {
                    let mut state = shared.lock();
                    if state.is_over {
                        return;
                    }
                    state.is_shown = true;
                    let seconds = begun.elapsed().as_secs();
                    let text = painted(FAINT, &format!("thinking, {seconds} s"));
                    let _ = out.verbatim(&format!("{CLEAR}{text}"));
                }
                tokio::time::sleep(NEXT).await;
            }
        });
        Thinking {
            output: output.clone(),
            state,
            ticker,
        }
    }

    /// Takes it away. Only the first call does something.
    pub(super) fn stop(&self) {
        let mut state = self.state.lock();
        if state.is_shown && !state.is_over {
            let _ = self.output.verbatim(CLEAR);
        }
        state.is_over = true;
        self.ticker.abort();
    }
}
