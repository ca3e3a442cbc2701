//! `recalld import`, and what is told of what did not go in.

use std::fs;

use expect_test::expect;

use crate::sandbox::Sandbox;

#[test]
fn a_refused_line_is_named_by_its_number() {
    let sandbox = Sandbox::new();
    let secret = "the password is hunter2hunter2";
    let text = format!("# Me\n\n- likes tea\n- {secret}\n- likes walks\n");
    fs::write(sandbox.home().join("me.txt"), text).unwrap();
    fs::write(sandbox.home().join("bad.txt"), format!("{secret}\n")).unwrap();
    fs::write(
        sandbox.home().join("bad.csv"),
        "content,confidence\n,1\ntea,often\n",
    )
    .unwrap();
    sandbox.check(
        &[
            "import me.txt",
            "import bad.txt",
            "import bad.csv --dry-run",
            "import me.txt",
        ],
        expect![[r#"
            $ recalld import me.txt
              memories       2 new, 1 refused
            skipped line 4: it looks like it holds a secret
            $ recalld import bad.txt
              memories       1 refused
            skipped line 1: it looks like it holds a secret
            error: nothing could be imported
            [1]
            $ recalld import bad.csv --dry-run
            skipped line 2: it says nothing
            skipped line 3: its confidence is not a number
            Dry run: nothing was imported.
            error: nothing could be imported
            [1]
            $ recalld import me.txt
              memories       2 already stored, 1 refused
            skipped line 4: it looks like it holds a secret
        "#]],
    );
}

#[test]
fn what_was_taken_back_is_told_to_be_hidden() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.home().join("me.txt"), "likes tea\nlikes walks\n").unwrap();
    sandbox.run(&["add", "has a cat"]);
    sandbox.check(
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
              memories       2 hidden and not restored
              `recalld --user local list --hidden` shows hidden memories, `recalld --user local restore MEMORY` restores one
        "#]],
    );
}
