//! The names of the records that checkpoints are stored in.
//!
//! Threads and namespaces are hashed, since they may be longer than a name and hold any character.
//! The id is written so that names in their order are checkpoints from the newest to the oldest.

use sha2::{Digest, Sha256};

use super::{CheckpointAddress, PendingWrite};

/// How the names of all records of a thread begin.
pub(super) fn of_thread(thread: &str) -> String {
    format!("{}/", hash(thread, 16))
}

/// How the names of all checkpoints of a namespace begin.
pub(super) fn of_namespace(thread: &str, namespace: &str) -> String {
    format!("{}{}/", of_thread(thread), hash(namespace, 8))
}

/// The name of a checkpoint. No name begins with another one.
pub(super) fn of_checkpoint(place: &CheckpointAddress) -> String {
    let inverted: String = place.id.bytes().map(|byte| format!("{:02x}", !byte)).collect();
    format!("{}{inverted}g", of_namespace(&place.thread, &place.namespace))
}

/// How the names of all writes of a checkpoint begin.
pub(super) fn of_writes(place: &CheckpointAddress) -> String {
    format!("{}/", of_checkpoint(place))
}

/// The name of a write.
pub(super) fn of_write(place: &CheckpointAddress, write: &PendingWrite) -> String {
    format!("{}{}/{}", of_writes(place), hash(&write.task, 8), write.number)
}

fn hash(text: &str, bytes: usize) -> String {
    let digest = Sha256::digest(text);
    digest
        .iter()
        .take(bytes)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_from_the_newest_to_the_oldest() {
        let name = |id: &str| {
            of_checkpoint(&CheckpointAddress {
                id: id.to_owned(),
                thread: "t".to_owned(),
                namespace: String::new(),
            })
        };
        let mut ids = ["a", "ab", "b", "aé", "1ef", "1f0", "~", "a b"];
        ids.sort_unstable();
        let names: Vec<String> = ids.iter().rev().map(|id| name(id)).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert!(name(&"x".repeat(super::super::ID_BYTES_MAX)).len() < 400);
    }
}
