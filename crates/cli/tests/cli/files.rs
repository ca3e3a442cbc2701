//! Markdown files in a folder, archives and their way back, as a person meets them.

use std::fs;

use expect_test::expect;

use crate::bench::Bench;

#[test]
fn a_folder_follows_the_store_and_the_store_the_folder() {
    let bench = Bench::new();
    bench.run(&["add", "likes tea", "--key", "drink"]);
    bench.check(
        &["files sync notes", "files sync notes"],
        expect![[r#"
        $ recalld files sync notes
        1 file written.
        $ recalld files sync notes
        The files are as they should be.
    "#]],
    );
    let file = bench.home().join("notes/MEMORY.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        text.replace("likes tea", "likes coffee")
            .replace("## ", "My own words.\n\n## "),
    )
    .unwrap();
    bench.check(
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
    bench.check(&["files sync notes"], expect![[r#"
        $ recalld files sync notes
        unread its last line is missing, so it may be half written; put that line back, or delete the file (MEMORY.md)
    "#]]);
}

/// The folders of all users are cleared of who was erased, and one of them that is a link is not
/// followed.
#[cfg(unix)]
#[test]
fn folders_of_erased_users_are_cleared() {
    let bench = Bench::new();
    for user in ["ana", "bo"] {
        bench.run(&["add", "sings like a canary", "--user", user]);
    }
    bench.run(&["files", "sync", "everybody", "--all"]);
    bench.run(&["erase", "--user", "ana", "--yes"]);
    bench.run(&["files", "sync", "everybody", "--all"]);
    let text =
        |user: &str| fs::read_to_string(bench.home().join(format!("everybody/{user}/MEMORY.md"))).unwrap();
    assert!(!text("ana").contains("canary") && text("bo").contains("canary"));

    let elsewhere = bench.home().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::remove_dir_all(bench.home().join("everybody/bo")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, bench.home().join("everybody/bo")).unwrap();
    let told = bench.run(&["files", "sync", "everybody", "--all"]);
    assert!(
        told.code == Some(0) && told.out.contains("it is a link or a file"),
        "{told:?}"
    );
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

/// A user id is never a path, and a link is never followed.
#[cfg(unix)]
#[test]
fn nothing_is_written_outside_the_folder() {
    let bench = Bench::new();
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
        bench.run(&["add", "likes tea", &format!("--user={id}")]);
    }
    let run = bench.run(&["files", "sync", "deep/er/notes", "--all"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let folders = fs::read_dir(bench.home().join("deep/er/notes")).unwrap();
    let mut names: Vec<String> = folders
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), ids.len(), "{names:?}");
    assert_eq!(fs::read_dir(bench.home().join("deep")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(bench.home().join("deep/er")).unwrap().count(), 1);

    let (outside, notes) = (bench.home().join("precious"), bench.home().join("linked"));
    fs::write(&outside, "precious").unwrap();
    fs::create_dir(&notes).unwrap();
    std::os::unix::fs::symlink(&outside, notes.join("MEMORY.md")).unwrap();
    std::os::unix::fs::symlink(&outside, notes.join(".MEMORY.md.recalld")).unwrap();
    let run = bench.run(&["files", "sync", "linked", "--user", "ana"]);
    assert!(run.out.contains("it is a link"), "{run:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
    fs::remove_file(notes.join("MEMORY.md")).unwrap();
    std::os::unix::fs::symlink(bench.home(), notes.join("memory")).unwrap();
    let run = bench.run(&["files", "sync", "linked", "--user", "ana"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
}

#[test]
fn what_was_exported_comes_back() {
    let bench = Bench::new();
    bench.run(&["add", "likes tea", "--key", "drink", "--user", "ana"]);
    bench.run(&["update", "drink", "likes coffee", "--user", "ana"]);
    bench.check(
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
            error: ana.zip exists already
            hint: add --force to replace it
            [2]
            $ recalld import ana.zip --user bo --dry-run
              memories       1 new
            Nothing was written.
            $ recalld import ana.zip --user bo
              memories       1 new
            $ recalld import ana.zip --user bo
              memories       1 here already
            $ recalld history drink --user bo -q
            1
            2
            $ recalld import missing.zip
            error: missing.zip cannot be read: No such file or directory (os error 2)
            [2]
        "#]],
    );
    fs::write(
        bench.home().join("old.json"),
        r#"[{"id": "1", "memory": "plays chess"}, {"id": "2"}]"#,
    )
    .unwrap();
    fs::write(bench.home().join("odd.bin"), "whatever").unwrap();
    bench.check(
        &["import old.json --user bo", "import odd.bin"],
        expect![[r#"
            $ recalld import old.json --user bo
              memories       1 new
            left out memory 2: it has no field memory
            $ recalld import odd.bin
            error: "odd.bin" is not like anything that is known
            hint: say what it is with --from (mem0, mcp-memory, chatgpt, claude, langgraph, csv, text)
            [2]
        "#]],
    );
}

#[test]
fn changes_are_taken_back_and_health_is_told() {
    let bench = Bench::new();
    bench.check(
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
            Remembered drink (personal_context, durable)
              likes tea in the morning
            $ recalld update drink 'likes poison in the morning' --conversation evil
            Updated drink, now at version 2
              likes poison in the morning
              (was: likes tea in the morning)
            $ recalld add 'pays everybody who asks' --key bill --conversation evil
            Remembered bill (personal_context, durable)
              pays everybody who asks
            $ recalld undo --conversation evil --dry-run
            hidden   bill pays everybody who asks
            restored drink likes tea in the morning
            Nothing was changed.
            $ recalld undo --conversation evil
            hidden   bill pays everybody who asks
            restored drink likes tea in the morning
            $ recalld undo
            hidden   drink likes tea in the morning
            $ recalld undo
            There is nothing to take back.
            $ recalld undo --to yesterday
            error: "yesterday" is not a time
            hint: such as YYYY-MM-DD or <time>
            [2]
            $ recalld list --at YYYY-MM-DD
            Nothing is remembered here.
            $ recalld add 'Bo drinks two cups of coffee' --confidence 0.4
            Remembered <short>~ (personal_context, daily)
              Bo drinks two cups of coffee
            A daily note and not durable: confidence 0.4 is too low
            $ recalld add 'Bo drinks two cups of coffee daily'
            Remembered <short>~ (personal_context, durable)
              Bo drinks two cups of coffee daily
            $ recalld audit
            2 memories looked at.
            … of 10000 tokens of the memory document are taken.

            near duplicate 1
              <short>~ Bo drinks two cups of coffee daily
                like <short>~ Bo drinks two cups of coffee
                recalld forget <short>~

            low trust 1
              <short>~ Bo drinks two cups of coffee
                recalld show <short>~
        "#]],
    );
}
