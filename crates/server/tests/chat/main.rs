//! Chat as a client sees it: a real store, a real HTTP model that plays a script, and nothing else
//! of the outside.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

mod completions;
mod failing;
mod flows;
mod learning;
mod model_tokens;
mod modes;
mod poison;
mod stage;
mod streams;
mod watched;
