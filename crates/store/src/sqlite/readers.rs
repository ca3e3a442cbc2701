//! The threads that read. Each owns a connection that cannot write, and takes the next question
//! that waits.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use recalld_memory::ports::StoreError;
use rusqlite::Connection;

use super::connection;
use super::error::{Answer, OpenError};
use super::job::{Job, answer, gone, job, survive};

/// A few readers of one database.
#[derive(Debug)]
pub(super) struct Readers {
    questions: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    /// Starts `count` readers of the database at `path`.
    pub(super) fn start(path: &Path, count: usize) -> Result<Readers, OpenError> {
        let (questions, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let mut readers = Readers {
            questions: Some(questions),
            threads: Vec::new(),
        };
        for number in 0..count.max(1) {
            let connection = connection::open_reader(path).map_err(|source| OpenError::of(path, source))?;
            let waiting = waiting.clone();
            let thread = thread::Builder::new()
                .name(format!("recalld-read-{number}"))
                .spawn(move || read(&connection, &waiting))
                .map_err(OpenError::Thread)?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    /// Asks the next free reader.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answer<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, reply) = job(work);
        let questions = self
            .questions
            .as_ref()
            .expect("readers stop only when they are dropped");
        questions.send(job).map_err(|_| gone())?;
        answer(reply).await
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.questions = None;
        for thread in self.threads.drain(..) {
            // Panics are caught inside; there is nothing to hear from the thread.
            let _ = thread.join();
        }
    }
}

fn read(connection: &Connection, waiting: &Mutex<Receiver<Job>>) {
    loop {
        // Held while waiting, too: whoever has it is the next to work.
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        survive(|| job(connection));
    }
}
