//! What the thread that writes does: one request after the other, many writes to a commit.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use recalld_memory::change::{Change, Effect};
use recalld_memory::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::super::group::{self, Write};
use super::super::job::{Job, catch_panic};
use super::super::overwrite::{Overwriter, Step};
use super::super::revisions::Revisions;

/// The most writes that share one commit.
const GROUP_WRITES_MAX: usize = 256;

/// How many changes fill a group; one write may have more.
const GROUP_CHANGES_FULL: usize = 4096;

/// What the thread can be asked for.
pub(super) enum Request {
    Write(Write),
    Job(Job),
    /// A job whose last statement removes rows.
    Removal(Job),
    /// Answer when what was erased is overwritten.
    Overwrite(oneshot::Sender<Result<(), StoreError>>),
}

/// The state of the thread.
pub(super) struct WriterThread {
    pub(super) connection: Connection,
    pub(super) waiting: Receiver<Request>,
    /// Arrived while a group was gathered, and comes after it.
    pub(super) held: Option<Request>,
    /// Wait for the overwriting of what they erased.
    pub(super) erased: Vec<oneshot::Sender<Result<(), StoreError>>>,
    pub(super) revisions: Arc<Revisions>,
    pub(super) overwriter: Overwriter,
}

impl WriterThread {
    /// Works until nobody can ask any more, and closes the database.
    pub(super) fn run(mut self) {
        while let Some(request) = self.next() {
            let survived = catch_panic(|| match request {
                Request::Job(job) => self.run_job(job),
                Request::Removal(job) => {
                    self.run_job(job);
                    // Where the job failed this counts an earlier statement: overwriting in vain
                    // does no harm.
                    if 0 < self.connection.changes() {
                        self.overwriter.note_erasure();
                    }
                }
                Request::Overwrite(reply) => self.erased.push(reply),
                Request::Write(first) => self.write(first),
            });
            if !survived {
                group::roll_back(&self.connection);
            }
        }
        while self.overwriter.step(&self.connection) == Step::More {}
    }

    /// Waits for the next request; none when nobody can ask any more. Overwrites what was erased
    /// before that, and while there is nothing else to do.
    fn next(&mut self) -> Option<Request> {
        loop {
            let pause = self.overwrite();
            if let Some(held) = self.held.take() {
                return Some(held);
            }
            match pause {
                None => return self.waiting.recv().ok(),
                Some(Duration::ZERO) => match self.waiting.try_recv() {
                    Ok(request) => return Some(request),
                    Err(TryRecvError::Disconnected) => return None,
                    Err(TryRecvError::Empty) => {}
                },
                Some(pause) => match self.waiting.recv_timeout(pause) {
                    Ok(request) => return Some(request),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {}
                },
            }
        }
    }

    /// Does a part of the overwriting when it is due, and answers those who wait for it. Gives how
    /// long it may rest then; none when all is done.
    fn overwrite(&mut self) -> Option<Duration> {
        if self.overwriter.pause() == Some(Duration::ZERO) {
            self.overwriter.step(&self.connection);
        }
        let pause = self.overwriter.pause();
        if pause.is_none() {
            for reply in self.erased.drain(..) {
                // Whoever asked may have left meanwhile.
                let _ = reply.send(Ok(()));
            }
        }
        pause
    }

    /// Runs a job, which may have written.
    fn run_job(&mut self, job: Job) {
        job(&self.connection);
        self.overwriter.checkpoint(&self.connection);
    }

    /// Writes `first` together with what waits behind it, and answers.
    fn write(&mut self, first: Write) {
        let writes = self.gather(first);
        let outcomes = group::commit(&self.connection, &writes);
        for (write, outcome) in writes.into_iter().zip(outcomes) {
            if let Ok(revision) = outcome {
                self.revisions.committed(&write.space, revision);
                if write.changes.iter().any(erases) {
                    self.overwriter.note_erasure();
                }
            }
            drop(write.erasure);
            // Whoever asked may have left meanwhile.
            let _ = write.reply.send(outcome);
        }
        self.overwriter.checkpoint(&self.connection);
    }

    /// Takes what waits, without waiting for more. A caller who left before their turn changes
    /// nothing.
    fn gather(&mut self, first: Write) -> Vec<Write> {
        let mut changes = first.changes.len();
        let mut writes = vec![first];
        while writes.len() < GROUP_WRITES_MAX && changes < GROUP_CHANGES_FULL {
            match self.waiting.try_recv() {
                Ok(Request::Write(write)) => {
                    changes += write.changes.len();
                    writes.push(write);
                }
                Ok(other) => {
                    self.held = Some(other);
                    break;
                }
                Err(_) => break,
            }
        }
        writes.retain(|write| !write.reply.is_closed());
        writes
    }
}

/// Returns whether a change removes something that must not be found again.
pub(super) fn erases(change: &Change) -> bool {
    match change.effect {
        Effect::EraseMemory { .. }
        | Effect::EraseEntity { .. }
        | Effect::EraseRecord { .. }
        | Effect::EraseMessage { .. }
        | Effect::EraseConversation { .. }
        | Effect::EraseDocument { .. } => true,
        Effect::Memory { .. }
        | Effect::Entity { .. }
        | Effect::Mention { .. }
        | Effect::Record(_)
        | Effect::Conversation(_)
        | Effect::Message(_)
        | Effect::Document { .. }
        | Effect::Vector(_) => false,
    }
}
