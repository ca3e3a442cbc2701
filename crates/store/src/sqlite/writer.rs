//! The thread that writes. It owns the only connection that can.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use recalld_memory::change::{Change, Effect, Revision};
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::checkpoint;
use super::error::{Answer, OpenError};
use super::group::{self, Write};
use super::job::{Job, answer, gone, job, survive};
use super::revisions::Revisions;
use super::scrub::{Scrubber, Step};

/// The most writes that share one commit.
const GROUP_WRITES_MAX: usize = 256;

/// How many changes fill a group; one write may have more.
const GROUP_CHANGES_FULL: usize = 4096;

/// How long the thread waits for work before it tries again to overwrite what was erased.
const SCRUB_PAUSE: Duration = Duration::from_millis(500);

/// How many pieces or pauses one caller waits for: a file of a terabyte is left to be done beside
/// other work.
const SCRUB_ATTEMPTS_MAX: usize = 1000;

enum Request {
    Write(Write),
    Job(Job),
    /// A job whose last statement removes rows.
    Removal(Job),
    /// Overwrite the next piece of what was erased, and tell how far that has come.
    Scrub(oneshot::Sender<Result<Step, StoreError>>),
}

/// The way to the thread that writes. When it is dropped, what was asked is finished and the
/// database closed.
#[derive(Debug)]
pub(super) struct Writer {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread on `connection`.
    pub(super) fn start(
        connection: Connection,
        scrubber: Scrubber,
        revisions: Arc<Revisions>,
    ) -> Result<Writer, OpenError> {
        let (requests, waiting) = mpsc::channel();
        let desk = Desk {
            connection,
            waiting,
            held: None,
            revisions,
            scrubber,
        };
        let thread = thread::Builder::new()
            .name("recalld-write".to_owned())
            .spawn(move || desk.work())
            .map_err(OpenError::Thread)?;
        Ok(Writer {
            requests: Some(requests),
            thread: Some(thread),
        })
    }

    /// Applies changes with the next commit, and answers after it.
    pub(super) async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
    ) -> Result<Revision, StoreError> {
        let (reply, outcome) = oneshot::channel();
        self.send(Request::Write(Write {
            space: space.clone(),
            revision,
            changes: changes.to_vec(),
            reply,
        }))?;
        answer(outcome).await
    }

    /// Does something else on the writing connection, between commits.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answer<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, reply) = job(work);
        self.send(Request::Job(job))?;
        answer(reply).await
    }

    /// Does something that ends with removing rows, and sees that no trace of them stays.
    pub(super) async fn remove<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answer<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, reply) = job(work);
        self.send(Request::Removal(job))?;
        answer(reply).await
    }

    /// Waits until what was erased is overwritten in the files, or until somebody who reads has
    /// hindered that for long: then it happens as soon as they are done. Writes go on meanwhile.
    pub(super) async fn overwrite_erased(&self) -> Result<(), StoreError> {
        for _ in 0..SCRUB_ATTEMPTS_MAX {
            let (reply, outcome) = oneshot::channel();
            self.send(Request::Scrub(reply))?;
            match answer(outcome).await? {
                Step::Done => return Ok(()),
                Step::More => {}
                Step::Hindered => tokio::time::sleep(SCRUB_PAUSE).await,
            }
        }
        tracing::warn!("erased content is not overwritten yet; it will be");
        Ok(())
    }

    fn send(&self, request: Request) -> Result<(), StoreError> {
        let requests = self
            .requests
            .as_ref()
            .expect("the writer stops only when it is dropped");
        requests.send(request).map_err(|_| gone())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // Panics are caught inside; there is nothing to hear from the thread.
            let _ = thread.join();
        }
    }
}

/// What the thread has before it.
struct Desk {
    connection: Connection,
    waiting: Receiver<Request>,
    /// Came while a group was gathered, and goes after it.
    held: Option<Request>,
    revisions: Arc<Revisions>,
    scrubber: Scrubber,
}

impl Desk {
    fn work(mut self) {
        while let Some(request) = self.next() {
            let survived = survive(|| match request {
                Request::Job(job) => self.work_on(job),
                Request::Removal(job) => {
                    self.work_on(job);
                    // Where the job failed this counts an earlier statement: overwriting in vain
                    // does no harm.
                    if 0 < self.connection.changes() {
                        self.scrubber.note_erasure();
                    }
                }
                Request::Scrub(reply) => {
                    // Whoever asked may have left meanwhile.
                    let _ = reply.send(Ok(self.scrubber.step(&self.connection)));
                }
                Request::Write(first) => self.write(first),
            });
            if !survived {
                group::roll_back(&self.connection);
            }
        }
        while self.scrubber.step(&self.connection) == Step::More {}
    }

    /// Waits for the next request; none when nobody can ask any more. What was erased is
    /// overwritten meanwhile.
    fn next(&mut self) -> Option<Request> {
        if self.scrubber.is_overdue() {
            self.scrubber.step(&self.connection);
        }
        if let Some(held) = self.held.take() {
            return Some(held);
        }
        while self.scrubber.is_due() {
            match self.waiting.try_recv() {
                Ok(request) => return Some(request),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {}
            }
            if self.scrubber.step(&self.connection) != Step::Hindered {
                continue;
            }
            match self.waiting.recv_timeout(SCRUB_PAUSE) {
                Ok(request) => return Some(request),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        self.waiting.recv().ok()
    }

    /// Does a job, which may have written.
    fn work_on(&mut self, job: Job) {
        job(&self.connection);
        checkpoint::when_due(&self.connection);
    }

    /// Writes what waits together with `first`, and answers.
    fn write(&mut self, first: Write) {
        let writes = self.gather(first);
        let outcomes = group::commit(&self.connection, &writes);
        for (write, outcome) in writes.into_iter().zip(outcomes) {
            if let Ok(revision) = outcome {
                self.revisions.committed(&write.space, revision);
                if write.changes.iter().any(erases) {
                    self.scrubber.note_erasure();
                }
            }
            // Whoever asked may have left meanwhile.
            let _ = write.reply.send(outcome);
        }
        checkpoint::when_due(&self.connection);
    }

    /// Takes what waits, without waiting for more. Who has left before their turn changes nothing.
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

fn erases(change: &Change) -> bool {
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

#[cfg(test)]
mod tests {
    use super::super::connection::open_in_memory;
    use super::*;

    fn writer() -> Writer {
        Writer::start(open_in_memory().unwrap(), Scrubber::of_memory(), Arc::default()).unwrap()
    }

    #[tokio::test]
    async fn a_panic_reaches_the_caller_and_the_next_one_is_served() {
        let writer = writer();
        let broken = writer
            .ask(|connection| -> Answer<()> {
                connection.execute_batch("BEGIN; INSERT INTO spaces VALUES ('half', 1)")?;
                panic!("as if something had gone wrong");
            })
            .await;
        assert!(
            matches!(broken, Err(StoreError::Unavailable { .. })),
            "{broken:?}"
        );
        let spaces = writer
            .ask(|connection| {
                Ok(connection.query_row("SELECT count(*) FROM spaces", [], |row| row.get::<_, i64>(0))?)
            })
            .await;
        assert_eq!(spaces.unwrap(), 0, "what was half done is undone");
    }

    #[tokio::test]
    async fn a_caller_who_left_does_no_harm() {
        let writer = writer();
        drop(writer.ask(|_| Ok(())));
        let space = SpaceId::shared();
        let mut left = Box::pin(writer.apply(&space, Revision(0), &[]));
        assert!(futures_poll_once(left.as_mut()).await);
        drop(left);
        assert_eq!(writer.apply(&space, Revision(0), &[]).await.unwrap(), Revision(0));
    }

    /// Polls once, so that the request is on its way, and tells whether the future has been polled.
    async fn futures_poll_once<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|context| {
            let _ = future.as_mut().poll(context);
            std::task::Poll::Ready(true)
        })
        .await
    }
}
