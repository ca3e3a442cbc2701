//! The threads that read. Each owns a connection that cannot write, and takes the next job that
//! waits.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
use recalld_memory::ports::StoreError;
use rusqlite::Connection;

use super::connection;
use super::error::{OpenError, SqlResult};
use super::job::{Job, answer, catch_panic, job, stopped};
use super::overwrite::ReadLock;

/// The readers of one database.
#[derive(Debug)]
pub(super) struct Readers {
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    /// Starts `count` readers of the database at `path`.
    pub(super) fn start(path: &Path, count: usize, lock: &ReadLock) -> Result<Readers, OpenError> {
        let (jobs, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let mut readers = Readers {
            jobs: Some(jobs),
            threads: Vec::new(),
        };
        for number in 0..count.max(1) {
            let connection = connection::open_reader(path).map_err(|source| OpenError::of(path, source))?;
            let (waiting, lock) = (Arc::clone(&waiting), Arc::clone(lock));
            let thread = thread::Builder::new()
                .name(format!("recalld-read-{number}"))
                .spawn(move || read(&connection, &waiting, &lock))
                .map_err(OpenError::Thread)?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    /// Asks the next free reader.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> SqlResult<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, reply) = job(work);
        let jobs = self
            .jobs
            .as_ref()
            .expect("readers stop only when they are dropped");
        jobs.send(job).map_err(|_| stopped())?;
        answer(reply).await
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // Panics are caught inside, so the thread has nothing to report.
            let _ = thread.join();
        }
    }
}

fn read(connection: &Connection, waiting: &Mutex<Receiver<Job>>, lock: &ReadLock) {
    loop {
        // Held while waiting, too: whoever has it takes the next job.
        let next = waiting.lock().recv();
        let Ok(job) = next else { return };
        let _reading = lock.read();
        catch_panic(|| job(connection));
    }
}
