//! `recalld files sync --watch`: synchronises the folder and the store every second.
//!
//! The data directory is opened for each round and released after it, so that other commands get
//! their turn; if a server holds it, the server runs the round. A database stays open.

use std::ffi::OsString;
use std::time::Duration;

use super::Sync;
use crate::config::Config;
use crate::failure::Failure;
use crate::forward::{Forwarded, forward_command};
use crate::session::Session;
use crate::signals;

/// The pause between two rounds.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs until it is interrupted. A failure is reported and retried: the disk may have space again,
/// or the server may be back.
pub(super) async fn run(session: &Session, sync: &Sync) -> Result<(), Failure> {
    let round = Round {
        sync: Sync {
            watch: false,
            changes_only: true,
            ..sync.clone()
        },
        config: session.config()?,
    };
    let mut reported: Option<Failure> = None;
    let stopped = signals::shutdown();
    tokio::pin!(stopped);
    loop {
        match round.run(session).await {
            Ok(()) => reported = None,
            Err(failure) if reported.as_ref() == Some(&failure) => {}
            Err(failure) => {
                session.output.failure(&failure);
                reported = Some(failure);
            }
        }
        tokio::select! {
            () = &mut stopped => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// One synchronisation.
struct Round<'a> {
    sync: Sync,
    config: &'a Config,
}

impl Round<'_> {
    async fn run(&self, session: &Session) -> Result<(), Failure> {
        if self.config.values.database.url.is_some() {
            return self.sync.once(session).await;
        }
        let mut arguments: Vec<OsString> = std::env::args_os()
            .filter(|argument| argument != "--watch")
            .collect();
        arguments.push("--changes-only".into());
        if let Forwarded::Done(_) = forward_command(&arguments, self.config)? {
            return Ok(());
        }
        let alone = session.reopened();
        let done = self.sync.once(&alone).await;
        alone.settle().await;
        done
    }
}
