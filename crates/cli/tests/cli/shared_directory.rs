//! Several processes on one data directory.

use std::fs::File;

use crate::sandbox::{Sandbox, finish};

#[test]
fn a_directory_that_is_held_is_refused_by_name_and_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats"]);
    let lock = File::options()
        .read(true)
        .write(true)
        .open(sandbox.data().join("recalld.lock"))
        .unwrap();
    lock.lock().unwrap();
    for arguments in [&["add", "I prefer aisle seats"][..], &["list"], &["doctor"]] {
        let mut command = sandbox.command(arguments);
        command.env("RECALLD_DATA_WAIT_MS", "0");
        let run = finish(command);
        assert_eq!(run.code, Some(1), "{run:?}");
        let said = format!("{}{}", run.out, run.err);
        assert!(said.contains("is in use by process"), "{run:?}");
    }
    drop(lock);
    assert_eq!(sandbox.run(&["list", "-q"]).out.lines().count(), 1);
}

#[test]
fn commands_that_meet_wait_for_each_other() {
    let sandbox = Sandbox::new();
    let adds: Vec<_> = (0..6)
        .map(|n| {
            sandbox
                .command(&["add", &format!("fact number {n}"), "-o", "data_wait_ms=60000"])
                .spawn()
                .unwrap()
        })
        .collect();
    for add in adds {
        let output = add.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(sandbox.run(&["list", "-q"]).out.lines().count(), 6);
}
