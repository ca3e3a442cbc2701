//! Keys of memories: taken away, and given to what says the same.

use expect_test::expect;

use crate::sandbox::Sandbox;

#[test]
fn a_key_can_be_taken_away_and_given_anew() {
    Sandbox::new().check(
        &[
            "add 'Staff engineer at Acme' --key role",
            "update role --no-key --key job",
            "update role --no-key",
            "show role",
            "add 'Staff engineer at Acme' --key job",
            "show job -q",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer at Acme' --key role
            Stored role (personal_context, durable)
              Staff engineer at Acme
            $ recalld update role --no-key --key job
            error: the argument '--no-key' cannot be used with '--key <KEY>'
            hint: usage: recalld update --no-key <MEMORY> [CONTENT]
            [2]
            $ recalld update role --no-key
            Updated <short>~, now at version 2
              Staff engineer at Acme
            $ recalld show role
            error: memory not found: "role"
            hint: `recalld list` shows all memories
            [3]
            $ recalld add 'Staff engineer at Acme' --key job
            Nothing stored: job already says this
              Staff engineer at Acme
            Change it with: recalld update job "…"
            $ recalld show job -q
            Staff engineer at Acme
        "#]],
    );
}

#[test]
fn a_taken_key_is_an_error_that_names_its_holder() {
    let sandbox = Sandbox::new();
    let holder = sandbox.run(&["add", "Staff engineer", "--key", "role", "-q"]).out;
    let refused = sandbox.run(&["add", "Gardener", "--key", "role", "-q"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{refused:?}");
    assert!(refused.err.contains(holder.trim()), "{refused:?}");
    let refused = sandbox.run(&["add", "Gardener", "--key", "role", "--json"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{refused:?}");
    let error = &refused.error()["error"];
    assert_eq!(error["code"], "duplicate");
    assert!(
        error["message"].as_str().unwrap().contains("Staff engineer"),
        "{error}"
    );
    assert_eq!(sandbox.run(&["list", "-q"]).out, holder);
}

#[test]
fn a_restore_that_is_undone_hides_the_memory_again() {
    let sandbox = Sandbox::new();
    sandbox.check(
        &[
            "add 'likes tea' --key tea -q",
            "forget tea -q",
            "restore tea -q",
            "undo",
            "list",
        ],
        expect![[r#"
            $ recalld add 'likes tea' --key tea -q
            <id>
            $ recalld forget tea -q
            <id>
            $ recalld restore tea -q
            <id>
            $ recalld undo
            hidden   tea likes tea
            $ recalld list
            No memories.
        "#]],
    );
}
