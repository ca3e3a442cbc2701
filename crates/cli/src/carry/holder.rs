//! Tells the server that holds the data directory from one that was killed.
//!
//! A server that is killed leaves its file behind, and whoever is given its port next is no server
//! of ours. But its hold on the directory ends with it: the lock tells.

use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::path::Path;

use recalld_store::sqlite::LOCK_FILE;

use crate::serve::announce::{FILE, Running};

/// Finds the server that holds the directory, if one does. The file of one that is gone is taken
/// away.
pub(crate) fn running(directory: &Path) -> Option<Running> {
    let path = directory.join(FILE);
    let running: Running = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
    let Ok(lock) = File::open(directory.join(LOCK_FILE)) else {
        // The lock tells nothing; whether somebody answers may.
        return Some(running);
    };
    // Shared, so that two who look at once do not take each other for a holder.
    match lock.try_lock_shared() {
        Ok(()) => {
            // No server can begin meanwhile, so this is not the file of another.
            let _ = fs::remove_file(&path);
            // Closing would not do: a process that is being started at this moment has a copy of
            // the file for a while.
            let _ = lock.unlock();
            None
        }
        Err(TryLockError::WouldBlock) => match pid(lock) {
            Some(holder) if holder != running.pid => None,
            _ => Some(running),
        },
        Err(TryLockError::Error(_)) => Some(running),
    }
}

/// Reads who holds the directory, where a file that is locked can be read.
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

    /// A directory with the file of a server, and the lock that it took.
    fn left_behind() -> (tempfile::TempDir, File) {
        let directory = tempfile::tempdir().unwrap();
        let running = Running {
            address: None,
            pid: SERVER,
            control: (Ipv4Addr::LOCALHOST, 1).into(),
            word: "w".to_owned(),
        };
        let text = serde_json::to_vec(&running).unwrap();
        fs::write(directory.path().join(FILE), text).unwrap();
        fs::write(directory.path().join(LOCK_FILE), format!("{SERVER}\n")).unwrap();
        let lock = File::open(directory.path().join(LOCK_FILE)).unwrap();
        (directory, lock)
    }

    #[test]
    fn a_server_that_holds_the_directory_runs() {
        let (directory, lock) = left_behind();
        lock.lock().unwrap();
        assert_eq!(running(directory.path()).map(|found| found.pid), Some(SERVER));
    }

    #[test]
    fn one_that_holds_nothing_is_gone_and_so_is_its_file() {
        let (directory, lock) = left_behind();
        assert!(running(directory.path()).is_none());
        assert!(!directory.path().join(FILE).exists());
        lock.try_lock().unwrap();
    }

    #[test]
    fn one_whose_directory_another_holds_is_gone() {
        let (directory, lock) = left_behind();
        lock.lock().unwrap();
        fs::write(directory.path().join(LOCK_FILE), "8\n").unwrap();
        assert!(running(directory.path()).is_none());
        assert!(
            directory.path().join(FILE).exists(),
            "it may be about to be written"
        );
    }

    #[test]
    fn two_who_look_at_once_both_see_it() {
        let (directory, lock) = left_behind();
        lock.lock_shared().unwrap();
        assert!(running(directory.path()).is_none());
    }
}
