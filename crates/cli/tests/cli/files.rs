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
