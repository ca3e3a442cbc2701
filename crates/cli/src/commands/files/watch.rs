//! Goes on and on: looks at the folder and the store every second, and brings them together.
//!
//! The memories are opened for each look and let go after it, so that other commands have their
//! turn; a server that holds them is asked instead.

use std::ffi::OsString;
use std::time::Duration;

use super::Sync;
use crate::carry::{Carried, carry};
use crate::failure::Failure;
use crate::serve::stop;
use crate::session::Session;

/// How long between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs until it is interrupted. A failure is told and tried again: the disk may have room again,
/// the server be back.
pub(super) async fn run(session: &Session, sync: &Sync) -> Result<(), Failure> {
    let once = Sync {
        watch: false,
        news: true,
        ..sync.clone()
    };
    let mut sent: Vec<OsString> = std::env::args_os()
        .filter(|argument| argument != "--watch")
        .collect();
    sent.push("--news".into());
    let mut told: Option<Failure> = None;
    let stopped = stop::asked();
    tokio::pin!(stopped);
    loop {
        let done = match carry(&sent, session.config()?) {
            Ok(Carried::Done(_)) => Ok(()),
            Ok(Carried::NoServer) => look(session, &once).await,
            Err(failure) => Err(failure),
        };
        match done {
            Ok(()) => told = None,
            Err(failure) if told.as_ref() == Some(&failure) => {}
            Err(failure) => {
                session.output.failure(&failure);
                told = Some(failure);
            }
        }
        tokio::select! {
            () = &mut stopped => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Opens the memories for one look, and lets go of them.
async fn look(session: &Session, once: &Sync) -> Result<(), Failure> {
    let alone = Session::new(session.config().cloned(), session.output.clone());
    let done = once.once(&alone).await;
    alone.settle().await;
    done
}
