//! Finds the server that holds the data directory.
//!
//! A server that is killed leaves its file behind, and another process may get its port. But its
//! lock on the directory ends with it.

use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use recalld_store::sqlite::LOCK_FILE;

use super::server_file::{FILE, RunningServer};

/// Returns the server that holds the directory, if any. Removes the file of a server that is gone.
pub(crate) fn find(directory: &Path) -> Option<RunningServer> {
    let path = directory.join(FILE);
    let server: RunningServer = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
    let Ok(lock) = File::open(directory.join(LOCK_FILE)) else {
        // The lock cannot be checked; the connection attempt will show whether the server runs.
        return Some(server);
    };
    // Shared, so that two processes that check at the same time do not see each other as a holder.
    match lock.try_lock_shared() {
        Ok(()) => {
            // No server can start meanwhile, so this is not the file of another one.
            let _ = fs::remove_file(&path);
            // Closing the file is not enough: a process that is just being started has a copy of
            // the descriptor for a while.
            let _ = lock.unlock();
            None
        }
        Err(TryLockError::WouldBlock) => match pid(lock) {
            Some(holder) if holder != server.pid => None,
            _ => Some(server),
        },
        Err(TryLockError::Error(_)) => Some(server),
    }
}

/// The pause between two looks at a directory whose holder may be a server that is starting.
const PAUSE: Duration = Duration::from_millis(10);

/// Returns the server that holds the directory, if any. A server holds it a moment before it says
/// where commands go, so whoever finds it held without a server waits that long.
pub(crate) fn find_starting(directory: &Path, patience: Duration) -> Option<RunningServer> {
    let begun = Instant::now();
    loop {
        let found = find(directory);
        if found.is_some() || patience <= begun.elapsed() || !is_held(directory) {
            return found;
        }
        std::thread::sleep(PAUSE);
    }
}

fn is_held(directory: &Path) -> bool {
    let Ok(lock) = File::open(directory.join(LOCK_FILE)) else {
        return false;
    };
    match lock.try_lock_shared() {
        Ok(()) => {
            let _ = lock.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

/// Reads the process id of the holder, on systems where a locked file can be read.
fn pid(lock: File) -> Option<u32> {
    let mut text = String::new();
    lock.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const SERVER: u32 = 7;

    /// A directory with the file and the lock file of a server.
    fn left_behind() -> (tempfile::TempDir, File) {
        let directory = tempfile::tempdir().unwrap();
        let server = RunningServer {
            address: None,
            pid: SERVER,
            control: (Ipv4Addr::LOCALHOST, 1).into(),
            token: "t".to_owned(),
        };
        let text = serde_json::to_vec(&server).unwrap();
        fs::write(directory.path().join(FILE), text).unwrap();
        fs::write(directory.path().join(LOCK_FILE), format!("{SERVER}\n")).unwrap();
        let lock = File::open(directory.path().join(LOCK_FILE)).unwrap();
        (directory, lock)
    }

    #[test]
    fn a_server_that_holds_the_directory_runs() {
        let (directory, lock) = left_behind();
        lock.lock().unwrap();
        assert_eq!(find(directory.path()).map(|found| found.pid), Some(SERVER));
    }

    #[test]
    fn a_server_that_is_starting_is_waited_for() {
        let (directory, lock) = left_behind();
        let (file, aside) = (directory.path().join(FILE), directory.path().join("aside"));
        fs::rename(&file, &aside).unwrap();
        assert!(
            find_starting(directory.path(), Duration::from_secs(60)).is_none(),
            "nobody holds it"
        );
        lock.lock().unwrap();
        assert!(find_starting(directory.path(), Duration::from_millis(30)).is_none());
        let starting = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            fs::rename(aside, file).unwrap();
        });
        let found = find_starting(directory.path(), Duration::from_secs(60));
        assert_eq!(found.map(|found| found.pid), Some(SERVER));
        starting.join().unwrap();
    }

    #[test]
    fn a_server_without_the_lock_is_gone_and_its_file_is_removed() {
        let (directory, lock) = left_behind();
        assert!(find(directory.path()).is_none());
        assert!(!directory.path().join(FILE).exists());
        lock.try_lock().unwrap();
    }

    #[test]
    fn a_server_whose_directory_another_process_holds_is_gone() {
        let (directory, lock) = left_behind();
        lock.lock().unwrap();
        fs::write(directory.path().join(LOCK_FILE), "8\n").unwrap();
        assert!(find(directory.path()).is_none());
        assert!(
            directory.path().join(FILE).exists(),
            "the holder may be about to write it"
        );
    }

    #[test]
    fn two_processes_can_check_at_the_same_time() {
        let (directory, lock) = left_behind();
        lock.lock_shared().unwrap();
        assert!(find(directory.path()).is_none());
    }
}
