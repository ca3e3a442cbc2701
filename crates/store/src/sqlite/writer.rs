//! The thread that writes. It owns the only connection that can.

mod thread;

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use recalld_memory::change::{Change, Revision};
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error::{OpenError, SqlResult};
use super::group::Write;
use super::job::{answer, job, stopped};
use super::overwrite::Overwriter;
use super::revisions::Revisions;
use super::snapshots::Erasure;
use thread::{Request, WriterThread, erases};

/// How long an erasure waits for long reads, such as a backup, that hold up the overwriting.
const OVERWRITE_TIMEOUT: Duration = Duration::from_secs(120);

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
        let thread = Builder::new()
            .name("recalld-write".to_owned())
            .spawn(move || writer.run())
            .map_err(OpenError::Thread)?;
        Ok(Writer {
            requests: Some(requests),
            thread: Some(thread),
        })
    }

    /// Applies changes with the next commit, and answers after it. Where something is erased, it
    /// answers when no file holds it any more. `erasure` ends with the commit.
    pub(super) async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
        erasure: Option<Erasure>,
    ) -> Result<Revision, StoreError> {
        let (reply, outcome) = oneshot::channel();
        self.send(Request::Write(Write {
            space: space.clone(),
            revision,
            changes: changes.to_vec(),
            erasure,
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
        let mut left = Box::pin(writer.apply(&space, Revision(0), &[], None));
        assert!(futures_poll_once(left.as_mut()).await);
        drop(left);
        assert_eq!(
            writer.apply(&space, Revision(0), &[], None).await.unwrap(),
            Revision(0)
        );
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
