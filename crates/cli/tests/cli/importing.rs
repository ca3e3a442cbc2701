//! `recalld import`, and what is told of what did not go in.

use std::fs;

use expect_test::expect;

use crate::bench::Bench;

#[test]
fn a_refused_line_is_named_by_its_number() {
    let bench = Bench::new();
    let secret = "the password is hunter2hunter2";
    let text = format!("# Me\n\n- likes tea\n- {secret}\n- likes walks\n");
    fs::write(bench.home().join("me.txt"), text).unwrap();
    fs::write(bench.home().join("bad.txt"), format!("{secret}\n")).unwrap();
    fs::write(
        bench.home().join("bad.csv"),
        "content,confidence\n,1\ntea,often\n",
    )
    .unwrap();
    bench.check(
        &[
            "import me.txt",
            "import bad.txt",
            "import bad.csv --dry-run",
            "import me.txt",
        ],
        expect![[r#"
            $ recalld import me.txt
              memories       2 new, 1 refused
            left out line 4: it looks like it holds a secret
            $ recalld import bad.txt
              memories       1 refused
            left out line 1: it looks like it holds a secret
            error: nothing of it could be taken in
            [1]
            $ recalld import bad.csv --dry-run
            left out line 2: it says nothing
            left out line 3: its confidence is not a number
            Nothing was written.
            error: nothing of it could be taken in
            [1]
            $ recalld import me.txt
              memories       2 here already, 1 refused
            left out line 4: it looks like it holds a secret
        "#]],
    );
}

#[test]
fn what_was_taken_back_is_told_to_be_hidden() {
    let bench = Bench::new();
    fs::write(bench.home().join("me.txt"), "likes tea\nlikes walks\n").unwrap();
    bench.run(&["add", "has a cat"]);
    bench.check(
        &[
            "import me.txt --user local",
            "undo --source import:text",
            "import me.txt --user local",
        ],
        expect![[r#"
            $ recalld import me.txt --user local
              memories       2 new
            $ recalld undo --source import:text
            hidden   <short>~ likes tea
            hidden   <short>~ likes walks
            $ recalld import me.txt --user local
              memories       2 hidden here, which stays so
              `recalld --user local list --hidden` shows what is hidden, `recalld --user local restore MEMORY` brings it back
        "#]],
    );
}
