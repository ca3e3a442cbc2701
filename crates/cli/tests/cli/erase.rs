//! Erasing users, backing up and restoring, as an operator does it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use expect_test::expect;

use crate::sandbox::Sandbox;

#[test]
fn a_user_is_erased_and_a_backup_does_not_bring_them_back() {
    let sandbox = Sandbox::new();
    sandbox.check(
        &[
            "add 'likes canaries' --user ana",
            "add 'likes finches' --user bo",
            "backup copy.db -q",
            "backup copy.db",
            "erase --user ana --dry-run",
            "erase --user ana",
            "erase --user ana --yes",
            "list --user ana",
            "restore copy.db",
            "restore copy.db --replace",
            "list --user ana",
            "list --user bo",
        ],
        expect![[r#"
            $ recalld add 'likes canaries' --user ana
            Stored <short>~ (personal_context, durable)
              likes canaries
            $ recalld add 'likes finches' --user bo
            Stored <short>~ (personal_context, durable)
              likes finches
            $ recalld backup copy.db -q
            copy.db
            $ recalld backup copy.db
            error: copy.db already exists
            hint: name a file that does not exist
            [2]
            $ recalld erase --user ana --dry-run
              vectors      1
              memories     1
              events       1
              spaces       1
            Dry run: nothing was erased.
            $ recalld erase --user ana
            error: refusing to erase without confirmation (no terminal)
            hint: check with --dry-run, then add --yes
            [2]
            $ recalld erase --user ana --yes
              vectors      1
              memories     1
              events       1
              spaces       1
            Erased ana (4 rows)
            subject <hash>
            seal <hash>
            $ recalld list --user ana
            No memories.
            $ recalld restore copy.db
            error: ~/.local/share/recalld already contains memories
            hint: back it up, then add --replace; or choose another directory with --data
            [2]
            $ recalld restore copy.db --replace
            Restored copy.db: the memories of 1 user
            warning: erased users were in the store again and were erased again count=1
            $ recalld list --user ana
            No memories.
            $ recalld list --user bo
            ID        CATEGORY          LEARNED   STATEMENT
            <short>~  personal_context  just now  likes finches

            1 memory
        "#]],
    );
}

#[test]
fn a_name_is_a_memory_unless_it_is_a_backup() {
    let sandbox = Sandbox::new();
    sandbox.check(
        &[
            "add 'Staff engineer' --key role",
            "forget role",
            "restore role",
            "restore no/such.db",
            "restore rolle",
            "backup role -q",
            "restore role",
            "restore key:role",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer' --key role
            Stored role (personal_context, durable)
              Staff engineer
            $ recalld forget role
            Forgotten role
              Staff engineer
            Restore it with: recalld restore <short>~
            $ recalld restore role
            Restored role, now at version 3
              Staff engineer
            $ recalld restore no/such.db
            error: file not found: no/such.db
            hint: to restore a memory whose key looks like a path, write key:NAME
            [3]
            $ recalld restore rolle
            error: memory not found: "rolle"
            hint: did you mean `role`?
            [3]
            $ recalld backup role -q
            role
            $ recalld restore role
            error: ~/.local/share/recalld already contains memories
            hint: back it up, then add --replace; or choose another directory with --data
            [2]
            $ recalld restore key:role
            error: the memory is not hidden
            hint: add --version N to restore an earlier version
            [3]
        "#]],
    );
}

#[test]
fn a_receipt_can_be_checked() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea", "--user", "ana"]);
    let receipt = sandbox.run(&["erase", "--user", "ana", "--yes", "--json"]);
    fs::write(sandbox.home().join("receipt.json"), &receipt.out).unwrap();
    let genuine = sandbox.run(&["erase", "--verify", "receipt.json"]);
    assert_eq!(genuine.code, Some(0), "{genuine:?}");
    let forged = receipt.out.replace("\"rows\": 1", "\"rows\": 2");
    fs::write(sandbox.home().join("receipt.json"), forged).unwrap();
    assert_eq!(sandbox.run(&["erase", "--verify", "receipt.json"]).code, Some(1));
    fs::write(sandbox.home().join("receipt.json"), "[]").unwrap();
    assert_eq!(sandbox.run(&["erase", "--verify", "receipt.json"]).code, Some(2));
}

/// A typo neither erases nor exports anything, and the error names who may have been meant.
#[test]
fn an_unknown_user_is_neither_erased_nor_exported() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea", "--user", "ana"]);
    sandbox.run(&["add", "likes figs", "--user", "bo"]);
    let refuse = || {
        for line in [
            &["erase", "--user", "Ana", "--yes", "--json"][..],
            &["erase", "--user", "Ana", "--dry-run", "--json"],
            &["export", "ana.zip", "--user", "Ana", "--json"],
        ] {
            let refused = sandbox.run(line);
            assert_eq!((refused.code, refused.out.as_str()), (Some(3), ""), "{refused:?}");
            let hint = refused.error()["error"]["hint"].clone();
            assert_eq!(hint, "did you mean `ana`?", "{line:?}");
        }
    };
    refuse();
    assert!(
        !sandbox.data().join("erased.jsonl").exists(),
        "a tombstone was set"
    );
    assert!(!sandbox.home().join("ana.zip").exists(), "an archive was written");
    let _server = crate::server_process::Server::start(&sandbox);
    refuse();
}

#[test]
fn a_receipt_is_checked_against_the_user() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea", "--user", "ana"]);
    let receipt = sandbox.run(&["erase", "--user", "ana", "--yes", "--json"]);
    assert_eq!(receipt.json()["user"], "ana");
    fs::write(sandbox.home().join("receipt.json"), &receipt.out).unwrap();
    let verify =
        |user: &[&str]| sandbox.run(&[&["erase", "--verify", "receipt.json", "--json"], user].concat());
    let check = || {
        assert_eq!(verify(&[]).json()["user"], "ana");
        assert_eq!(verify(&["--user", "ana"]).code, Some(0));
        let other = verify(&["--user", "bo"]);
        assert_eq!(other.code, Some(1), "{other:?}");
        assert!(other.err.contains("not about"), "{other:?}");
    };
    check();
    let server = crate::server_process::Server::start(&sandbox);
    check();
    drop(server);
    // The seal covers a hash of the user, so another name does not fit it.
    let forged = receipt.out.replace("\"ana\"", "\"bo\"");
    fs::write(sandbox.home().join("receipt.json"), forged).unwrap();
    assert_eq!(verify(&[]).code, Some(1));
}

/// What a process holds that starts on the data directory after an erasure is all there is to find.
#[cfg(target_os = "linux")]
#[test]
fn no_byte_of_an_erased_user_is_in_the_memory_of_a_fresh_start() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "sings like canary-7c41", "--user", "ana"]);
    sandbox.run(&["add", "sings like finch-7c41", "--user", "bo"]);
    sandbox.run(&["erase", "--user", "ana", "--yes"]);
    let mut server = sandbox
        .command(&["serve", "--listen", "127.0.0.1:0", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("url")));
    let found = sandbox.run(&["search", "sings", "--user", "bo"]);
    assert!(found.out.contains("finch-7c41"), "{found:?}");
    assert!(
        !sandbox
            .run(&["search", "sings", "--user", "ana"])
            .out
            .contains("canary")
    );
    let (canaries, finches) = (
        in_memory(server.id(), b"canary-7c41"),
        in_memory(server.id(), b"finch-7c41"),
    );
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(canaries, 0);
    assert_ne!(finches, 0, "the search finds what is there");
    for entry in fs::read_dir(sandbox.data()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(
            !bytes.windows(11).any(|window| window == b"canary-7c41"),
            "{path:?}"
        );
    }
}

/// Counts a word in everything that a process can write to.
#[cfg(target_os = "linux")]
fn in_memory(process: u32, word: &[u8]) -> usize {
    let mut count = 0;
    regions(process, |bytes| {
        count += bytes.windows(word.len()).filter(|window| *window == word).count();
    });
    count
}

/// Looks at everything that a process can write to.
#[cfg(target_os = "linux")]
pub fn regions(process: u32, mut look: impl FnMut(&[u8])) {
    use std::os::unix::fs::FileExt;
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
    let memory = fs::File::open(format!("/proc/{process}/mem")).unwrap();
    for line in maps.lines().filter(|line| line.contains(" rw")) {
        let (range, _) = line.split_once(' ').unwrap();
        let (from, to) = range.split_once('-').unwrap();
        let (from, to) = (
            u64::from_str_radix(from, 16).unwrap(),
            u64::from_str_radix(to, 16).unwrap(),
        );
        let mut bytes = vec![0; (to - from) as usize];
        // Some regions belong to the kernel and cannot be read.
        if memory.read_exact_at(&mut bytes, from).is_ok() {
            look(&bytes);
        }
    }
}
