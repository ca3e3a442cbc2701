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

use super::error::{OpenError, SqlResult};
use super::group::{self, Write};
use super::job::{Job, answer, catch_panic, job, stopped};
use super::overwrite::{Overwriter, Step};
use super::revisions::Revisions;

/// The most writes that share one commit.
const GROUP_WRITES_MAX: usize = 256;

/// How many changes fill a group; one write may have more.
const GROUP_CHANGES_FULL: usize = 4096;

/// How long an erasure waits for long reads, such as a backup, that hold up the overwriting.
const OVERWRITE_TIMEOUT: Duration = Duration::from_secs(120);

enum Request {
    Write(Write),
    Job(Job),
    /// A job whose last statement removes rows.
    Removal(Job),
    /// Answer when what was erased is overwritten.
    Overwrite(oneshot::Sender<Result<(), StoreError>>),
}

/// The way to the thread that writes. When it is dropped, the thread finishes what was asked and
/// closes the database.
#[derive(Debug)]
pub(super) struct Writer {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread on `connection`.
    pub(super) fn start(
        connection: Connection,
        overwriter: Overwriter,
        revisions: Arc<Revisions>,
    ) -> Result<Writer, OpenError> {
        let (requests, waiting) = mpsc::channel();
        let writer = WriterThread {
            connection,
            waiting,
            held: None,
            erased: Vec::new(),
            revisions,
            overwriter,
        };
        let thread = thread::Builder::new()
            .name("recalld-write".to_owned())
            .spawn(move || writer.run())
            .map_err(OpenError::Thread)?;
        Ok(Writer {
            requests: Some(requests),
            thread: Some(thread),
        })
    }

    /// Applies changes with the next commit, and answers after it. Where something is erased, it
    /// answers when no file holds it any more.
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
        let revision = answer(outcome).await?;
        if changes.iter().any(erases) {
            self.overwrite_erased().await;
        }
        Ok(revision)
    }

    /// Does something else on the writing connection, between commits.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> SqlResult<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, reply) = job(work);
        self.send(Request::Job(job))?;
        answer(reply).await
    }

    /// Does something that ends with removing rows, and sees that they are overwritten later.
    pub(super) async fn remove<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> SqlResult<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, reply) = job(work);
        self.send(Request::Removal(job))?;
        answer(reply).await
    }

    /// Waits until what was erased is overwritten in the files. Writes go on meanwhile. The erasure
    /// itself has been committed, so this cannot fail: where it takes too long, the overwriting
    /// goes on and a warning says so.
    pub(super) async fn overwrite_erased(&self) {
        let (reply, outcome) = oneshot::channel();
        let overwritten = async {
            self.send(Request::Overwrite(reply))?;
            answer(outcome).await
        };
        match tokio::time::timeout(OVERWRITE_TIMEOUT, overwritten).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "erased content may not be overwritten yet"),
            Err(_) => tracing::warn!("erased content is not overwritten yet: a reader still needs it"),
        }
    }

    fn send(&self, request: Request) -> Result<(), StoreError> {
        let requests = self
            .requests
            .as_ref()
            .expect("the writer stops only when it is dropped");
        requests.send(request).map_err(|_| stopped())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // Panics are caught inside, so the thread has nothing to report.
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct WriterThread {
    connection: Connection,
    waiting: Receiver<Request>,
    /// Arrived while a group was gathered, and comes after it.
    held: Option<Request>,
    /// Wait for the overwriting of what they erased.
    erased: Vec<oneshot::Sender<Result<(), StoreError>>>,
    revisions: Arc<Revisions>,
    overwriter: Overwriter,
}

impl WriterThread {
    fn run(mut self) {
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
        Writer::start(open_in_memory().unwrap(), Overwriter::of_memory(), Arc::default()).unwrap()
    }

    #[tokio::test]
    async fn a_panic_reaches_the_caller_and_the_next_one_is_served() {
        let writer = writer();
        let broken = writer
            .ask(|connection| -> SqlResult<()> {
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
