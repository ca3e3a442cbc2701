//! Nothing is read that was not written for just this space, and nothing is kept that was erased.

use super::*;

const BYTES: &[u8] = b"canary sings in a cage of words";

fn space(name: &str) -> SpaceId {
    SpaceId::from_stored(name.to_owned())
}

fn files(directory: &Path) -> SnapshotFiles {
    SnapshotFiles::within(directory)
}

async fn keep(files: &SnapshotFiles, name: &str) -> bool {
    let permit = files.permit();
    files.keep(&space(name), permit, BYTES.to_vec()).await
}

fn names(directory: &Path) -> usize {
    fs::read_dir(directory.join(FOLDER)).map_or(0, Iterator::count)
}

#[tokio::test]
async fn what_was_kept_is_read_by_the_next_process() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(files(directory.path()).read(&space("user:ana")).await, None);
    assert!(keep(&files(directory.path()), "user:ana").await);
    let next = files(directory.path());
    assert_eq!(next.read(&space("user:ana")).await.as_deref(), Some(BYTES));
    assert_eq!(next.read(&space("user:bo")).await, None);
    assert_eq!(names(directory.path()), 1, "nothing is left beside it");
}

#[tokio::test]
async fn a_file_that_was_changed_anywhere_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let files = files(directory.path());
    keep(&files, "user:ana").await;
    let path = files.0.path(&space("user:ana"));
    let sound = fs::read(&path).unwrap();
    for at in 0..sound.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= flip;
            fs::write(&path, bytes).unwrap();
            assert_eq!(files.read(&space("user:ana")).await, None, "byte {at}");
        }
        fs::write(&path, &sound[..at]).unwrap();
        assert_eq!(files.read(&space("user:ana")).await, None, "cut at {at}");
    }
    fs::write(&path, [&sound[..], b"x"].concat()).unwrap();
    assert_eq!(files.read(&space("user:ana")).await, None);
    fs::write(&path, &sound).unwrap();
    assert_eq!(files.read(&space("user:ana")).await.as_deref(), Some(BYTES));
}

#[tokio::test]
async fn the_file_of_another_space_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let files = files(directory.path());
    keep(&files, "user:bo").await;
    fs::rename(files.0.path(&space("user:bo")), files.0.path(&space("user:ana"))).unwrap();
    assert_eq!(files.read(&space("user:ana")).await, None);
}

#[tokio::test]
async fn an_erasure_removes_the_file_and_ends_what_was_read_before() {
    let directory = tempfile::tempdir().unwrap();
    let files = files(directory.path());
    keep(&files, "user:ana").await;
    keep(&files, "user:bo").await;
    let before = files.permit();
    let erasure = files.begin_erasure(&space("user:ana")).await.unwrap();
    assert_eq!(names(directory.path()), 1, "the other one stays");
    let during = files.permit();
    for permit in [before, during] {
        assert!(!files.keep(&space("user:ana"), permit, BYTES.to_vec()).await);
    }
    drop(erasure);
    for permit in [before, during] {
        assert!(!files.keep(&space("user:ana"), permit, BYTES.to_vec()).await);
    }
    assert_eq!(names(directory.path()), 1);
    assert!(keep(&files, "user:ana").await, "what is read afterwards is kept");
}

/// Kept and erased at the same time, again and again: after an erasure nothing is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_snapshot_that_is_being_written_does_not_outlive_an_erasure() {
    let directory = tempfile::tempdir().unwrap();
    let files = files(directory.path());
    let mut kept = 0;
    for round in 0..200 {
        let permit = files.permit();
        let writer = tokio::spawn({
            let files = files.clone();
            async move {
                let bytes = BYTES.repeat(1 + round % 7 * 1000);
                files.keep(&space("user:ana"), permit, bytes).await
            }
        });
        if round % 3 == 0 {
            tokio::task::yield_now().await;
        }
        let erasure = files.begin_erasure(&space("user:ana")).await.unwrap();
        assert_eq!(names(directory.path()), 0, "round {round}");
        drop(erasure);
        kept += usize::from(writer.await.unwrap());
        assert_eq!(names(directory.path()), 0, "round {round}");
    }
    println!("{kept} were kept before they were erased");
}

#[tokio::test]
async fn where_nothing_can_be_written_nothing_is_kept_and_nothing_fails() {
    let directory = tempfile::tempdir().unwrap();
    // A file where the folder should be.
    fs::write(directory.path().join(FOLDER), "").unwrap();
    let files = files(directory.path());
    assert!(!keep(&files, "user:ana").await);
    assert_eq!(files.read(&space("user:ana")).await, None);
    files.begin_erasure(&space("user:ana")).await.unwrap();
}

#[tokio::test]
async fn what_a_killed_process_left_half_written_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    keep(&files(directory.path()), "user:ana").await;
    fs::write(directory.path().join(FOLDER).join(PARTIAL_FILE), BYTES).unwrap();
    files(directory.path());
    assert_eq!(names(directory.path()), 1);
    remove_all(directory.path()).unwrap();
    assert_eq!(names(directory.path()), 0);
    remove_all(directory.path()).unwrap();
}
