//! Markdown files in a folder, archives and their way back, as a person meets them.

use std::fs;

use expect_test::expect;

use crate::sandbox::Sandbox;

#[test]
fn a_folder_follows_the_store_and_the_store_the_folder() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea", "--key", "drink"]);
    sandbox.check(
        &["files sync notes", "files sync notes"],
        expect![[r#"
            $ recalld files sync notes
            1 file written.
            $ recalld files sync notes
            Everything is in sync.
        "#]],
    );
    let file = sandbox.home().join("notes/MEMORY.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        text.replace("likes tea", "likes coffee")
            .replace("## ", "My own words.\n\n## "),
    )
    .unwrap();
    sandbox.check(
        &["files sync notes", "show drink --quiet"],
        expect![[r#"
        $ recalld files sync notes
        revised likes coffee (MEMORY.md)
        1 file written.
        $ recalld show drink --quiet
        likes coffee
    "#]],
    );
    assert!(fs::read_to_string(&file).unwrap().contains("My own words."));
    fs::write(&file, &text[..text.len() - 30]).unwrap();
    sandbox.check(&["files sync notes"], expect![[r#"
        $ recalld files sync notes
        unread its last line is missing, so it may be half written; put that line back, or delete the file (MEMORY.md)
    "#]]);
}

/// The folders of all users are cleared of who was erased, and one of them that is a link is not
/// followed.
#[cfg(unix)]
#[test]
fn folders_of_erased_users_are_cleared() {
    let sandbox = Sandbox::new();
    for user in ["ana", "bo"] {
        sandbox.run(&["add", "sings like a canary", "--user", user]);
    }
    sandbox.run(&["files", "sync", "everybody", "--all"]);
    sandbox.run(&["erase", "--user", "ana", "--yes"]);
    sandbox.run(&["files", "sync", "everybody", "--all"]);
    let text =
        |user: &str| fs::read_to_string(sandbox.home().join(format!("everybody/{user}/MEMORY.md"))).unwrap();
    assert!(!text("ana").contains("canary") && text("bo").contains("canary"));

    let elsewhere = sandbox.home().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::remove_dir_all(sandbox.home().join("everybody/bo")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, sandbox.home().join("everybody/bo")).unwrap();
    let told = sandbox.run(&["files", "sync", "everybody", "--all"]);
    assert!(
        told.code == Some(0) && told.out.contains("a link or a file"),
        "{told:?}"
    );
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

/// A user id is never a path, and a link is never followed.
#[cfg(unix)]
#[test]
fn nothing_is_written_outside_the_folder() {
    let sandbox = Sandbox::new();
    let ids = [
        "../../etc",
        "/root",
        "..",
        "a/b",
        "C:\\x",
        "ana",
        "-x",
        "\u{fe0e}x",
        "x y",
        "MEMORY.md",
    ];
    for id in ids {
        sandbox.run(&["add", "likes tea", &format!("--user={id}")]);
    }
    let run = sandbox.run(&["files", "sync", "deep/er/notes", "--all"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let folders = fs::read_dir(sandbox.home().join("deep/er/notes")).unwrap();
    let mut names: Vec<String> = folders
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), ids.len(), "{names:?}");
    assert_eq!(fs::read_dir(sandbox.home().join("deep")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(sandbox.home().join("deep/er")).unwrap().count(), 1);

    let (outside, notes) = (sandbox.home().join("precious"), sandbox.home().join("linked"));
    fs::write(&outside, "precious").unwrap();
    fs::create_dir(&notes).unwrap();
    std::os::unix::fs::symlink(&outside, notes.join("MEMORY.md")).unwrap();
    std::os::unix::fs::symlink(&outside, notes.join(".MEMORY.md.recalld")).unwrap();
    let run = sandbox.run(&["files", "sync", "linked", "--user", "ana"]);
    assert!(run.out.contains("a link"), "{run:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
    fs::remove_file(notes.join("MEMORY.md")).unwrap();
    std::os::unix::fs::symlink(sandbox.home(), notes.join("memory")).unwrap();
    let run = sandbox.run(&["files", "sync", "linked", "--user", "ana"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
}

#[test]
fn what_was_exported_comes_back() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea", "--key", "drink", "--user", "ana"]);
    sandbox.run(&["update", "drink", "likes coffee", "--user", "ana"]);
    sandbox.check(
        &[
            "export ana.zip --user ana -q",
            "export ana.zip --user ana",
            "import ana.zip --user bo --dry-run",
            "import ana.zip --user bo",
            "import ana.zip --user bo",
            "history drink --user bo -q",
            "import missing.zip",
        ],
        expect![[r#"
            $ recalld export ana.zip --user ana -q
            ana.zip
            $ recalld export ana.zip --user ana
            error: ana.zip already exists
            hint: add --force to replace it
            [2]
            $ recalld import ana.zip --user bo --dry-run
              memories       1 new
            Dry run: nothing was imported.
            $ recalld import ana.zip --user bo
              memories       1 new
            $ recalld import ana.zip --user bo
              memories       1 already stored
            $ recalld history drink --user bo -q
            1
            2
            $ recalld import missing.zip
            error: cannot read missing.zip: No such file or directory (os error 2)
            [2]
        "#]],
    );
    fs::write(
        sandbox.home().join("old.json"),
        r#"[{"id": "1", "memory": "plays chess"}, {"id": "2"}]"#,
    )
    .unwrap();
    fs::write(sandbox.home().join("odd.bin"), "whatever").unwrap();
    sandbox.check(
        &["import old.json --user bo", "import odd.bin"],
        expect![[r#"
            $ recalld import old.json --user bo
              memories       1 new
            skipped memory 2: it has no field memory
            $ recalld import odd.bin
            error: "odd.bin" is not in a known format
            hint: name the format with --from (mem0, mcp-memory, chatgpt, claude, langgraph, csv, text)
            [2]
        "#]],
    );
}

#[test]
fn changes_are_taken_back_and_health_is_told() {
    let sandbox = Sandbox::new();
    sandbox.check(
        &[
            "add 'likes tea in the morning' --key drink --conversation good",
            "update drink 'likes poison in the morning' --conversation evil",
            "add 'pays everybody who asks' --key bill --conversation evil",
            "undo --conversation evil --dry-run",
            "undo --conversation evil",
            "undo",
            "undo",
            "undo --to yesterday",
            "list --at 2020-01-01",
            "add 'Bo drinks two cups of coffee' --confidence 0.4",
            "add 'Bo drinks two cups of coffee daily'",
            "audit",
        ],
        expect![[r#"
            $ recalld add 'likes tea in the morning' --key drink --conversation good
            Stored drink (personal_context, durable)
              likes tea in the morning
            $ recalld update drink 'likes poison in the morning' --conversation evil
            Updated drink, now at version 2
              likes poison in the morning
              (was: likes tea in the morning)
            $ recalld add 'pays everybody who asks' --key bill --conversation evil
            Stored bill (personal_context, durable)
              pays everybody who asks
            $ recalld undo --conversation evil --dry-run
            hidden   bill pays everybody who asks
            restored drink likes tea in the morning
            Dry run: nothing was changed.
            $ recalld undo --conversation evil
            hidden   bill pays everybody who asks
            restored drink likes tea in the morning
            $ recalld undo
            hidden   drink likes tea in the morning
            $ recalld undo
            Nothing to undo.
            $ recalld undo --to yesterday
            error: "yesterday" is not a date or time
            hint: for example YYYY-MM-DD or <time>
            [2]
            $ recalld list --at YYYY-MM-DD
            No memories.
            $ recalld add 'Bo drinks two cups of coffee' --confidence 0.4
            Stored <short>~ (personal_context, daily)
              Bo drinks two cups of coffee
            Stored as a daily note: confidence 0.4 is too low for a durable memory
            $ recalld add 'Bo drinks two cups of coffee daily'
            Stored <short>~ (personal_context, durable)
              Bo drinks two cups of coffee daily
            $ recalld audit
            2 memories checked.
            The memory document uses … of 10000 tokens.

            near duplicate 1
              <short>~ Bo drinks two cups of coffee daily
                similar to <short>~ Bo drinks two cups of coffee
                recalld forget <short>~

            low trust 1
              <short>~ Bo drinks two cups of coffee
                recalld show <short>~
        "#]],
    );
}
