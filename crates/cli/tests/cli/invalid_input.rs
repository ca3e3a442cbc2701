//! What must be refused, with exit code 2, a clear message, and nothing changed.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;

use expect_test::expect;

use crate::sandbox::Sandbox;

#[test]
fn what_no_memory_may_hold_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.check(
        &[
            "add ''",
            "add ' '",
            "add 'pay \u{202e}evil'",
            "add x --key ' '",
            "add x --key 'a\u{202e}b'",
            "add x --category 'no spaces'",
            "add x --category ''",
            "add x --confidence nan",
            "add x --confidence 1.5",
            "add x --conversation ''",
        ],
        expect![[r#"
            $ recalld add ''
            error: the content is blank
            hint: state what to remember
            [2]
            $ recalld add ' '
            error: the content is blank
            hint: state what to remember
            [2]
            $ recalld add 'pay <RLO>evil'
            error: the content holds U+202E (a text-direction control) at byte 4, which is not allowed
            hint: remove that character
            [2]
            $ recalld add x --key ' '
            error: the key is blank
            [2]
            $ recalld add x --key 'a<RLO>b'
            error: the key holds U+202E (a text-direction control), which is not allowed there
            [2]
            $ recalld add x --category 'no spaces'
            error: the category holds ' ', which is not allowed there
            [2]
            $ recalld add x --category ''
            error: the category is blank
            [2]
            $ recalld add x --confidence nan
            error: the confidence is NaN, which is not between 0 and 1
            [2]
            $ recalld add x --confidence 1.5
            error: the confidence is 1.5, which is not between 0 and 1
            [2]
            $ recalld add x --conversation ''
            error: the conversation id is blank
            [2]
        "#]],
    );
    assert!(!sandbox.data().exists(), "something was stored");
}

#[test]
fn a_user_and_a_directory_must_be_readable() {
    Sandbox::new().check(
        &[
            "add x --user ' '",
            "add x --user 'a\u{202e}b'",
            "add x --data ''",
            "add x --data 'a\u{202e}b'",
        ],
        expect![[r#"
            $ recalld add x --user ' '
            error: the value of user (argument --user) cannot be used: the user id is blank
            hint: user: user whose memories the commands read and write
            [2]
            $ recalld add x --user 'a<RLO>b'
            error: the value of user (argument --user) cannot be used: the user id holds U+202E (a text-direction control), which is not allowed there
            hint: user: user whose memories the commands read and write
            [2]
            $ recalld add x --data ''
            error: the value of data (argument --data) is blank
            hint: data: directory that stores the memories
            [2]
            $ recalld add x --data 'a<RLO>b'
            error: the value of data (argument --data) contains U+202E (a text-direction control), which is not allowed
            hint: data: directory that stores the memories
            [2]
        "#]],
    );
}

#[test]
fn questions_must_be_readable() {
    Sandbox::new().check(
        &[
            "search ''",
            "search 'a\u{202e}b'",
            "search x --since soon",
            "context ' '",
            "show ' '",
            "show 'a\u{202e}b'",
            "list --after nothing",
            "list --category 'a\u{202e}b'",
        ],
        expect![[r#"
            $ recalld search ''
            error: the query is blank
            hint: state what to look for
            [2]
            $ recalld search 'a<RLO>b'
            error: the query contains U+202E (a text-direction control) at byte 1, which is not allowed
            [2]
            $ recalld search x --since soon
            error: the value of --since is "soon", which is not a date or time
            hint: for example YYYY-MM-DD or <time>
            [2]
            $ recalld context ' '
            error: the topic is blank
            hint: state what to look for
            [2]
            $ recalld show ' '
            error: the key is blank
            [2]
            $ recalld show 'a<RLO>b'
            error: the key holds U+202E (a text-direction control), which is not allowed there
            [2]
            $ recalld list --after nothing
            error: the memory id "nothing" is not a valid id
            [2]
            $ recalld list --category 'a<RLO>b'
            error: the category holds U+202E (a text-direction control), which is not allowed there
            [2]
        "#]],
    );
}

#[test]
fn standard_input_is_read_to_a_bound() {
    let sandbox = Sandbox::new();
    let long = vec![b'x'; 20_000_000];
    for arguments in [
        &["add", "-"][..],
        &["search", "-"],
        &["context", "-"],
        &["tool", "write_memory", "-"],
    ] {
        let run = sandbox.run_with(arguments, &long);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.err.contains("over the limit of"), "{run:?}");
    }
    for input in [&b"a\0b"[..], b"a\xffb", b"", b" \n"] {
        for arguments in [
            &["add", "-"][..],
            &["search", "-"],
            &["tool", "search_memory", "-"],
        ] {
            assert_eq!(
                sandbox.run_with(arguments, input).code,
                Some(2),
                "{arguments:?} {input:?}"
            );
        }
    }
    assert!(!sandbox.data().exists(), "something was stored");
}

#[test]
fn an_argument_that_is_not_text_is_refused_wherever_it_stands() {
    let sandbox = Sandbox::new();
    let broken = || OsString::from_vec(b"a\xff".to_vec());
    for before in [
        &["add"][..],
        &["search"],
        &["show"],
        &["add", "x", "--key"],
        &["add", "x", "--user"],
        &["list", "--data"],
        &["tool"],
    ] {
        let mut arguments: Vec<OsString> = before.iter().map(OsString::from).collect();
        arguments.push(broken());
        let run = sandbox.run(&arguments);
        assert_eq!(run.code, Some(2), "{before:?}");
        assert!(run.err.contains("not valid UTF-8"), "{run:?}");
    }
    let mut command = sandbox.command(&["list"]);
    command.env("RECALLD_USER", broken());
    assert_eq!(crate::sandbox::finish(command).code, Some(2));
}

#[test]
fn what_is_no_data_directory_is_left_alone() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.home().join("file"), "mine").unwrap();
    fs::create_dir(sandbox.home().join("foreign")).unwrap();
    fs::write(sandbox.home().join("foreign/recalld.db"), "not a database").unwrap();
    fs::set_permissions(sandbox.home().join("foreign"), fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.check(
        &[
            "add x --data file",
            "list --data file",
            "add x --data file/below",
            "add x --data foreign",
            "doctor --data foreign",
        ],
        expect![[r#"
            $ recalld add x --data file
            error: the data directory file is a file
            hint: name a directory with --data DIR
            [2]
            $ recalld list --data file
            error: the data directory file is a file
            hint: name a directory with --data DIR
            [2]
            $ recalld add x --data file/below
            error: the data directory file/below cannot be used: Not a directory (os error 20)
            hint: name a directory that you can write to with --data DIR
            [1]
            $ recalld add x --data foreign
            error: foreign/recalld.db is not a database of recalld
            hint: choose another directory, or move that file away
            [2]
            $ recalld doctor --data foreign
            ok       configuration  no file; the user is local
            warning  directory      other users can access ~/foreign (mode 755)
                                    chmod 700 ~/foreign
            ok       disk           … MiB free
            problem  store          foreign/recalld.db is not a database of recalld
                                    choose another directory, or move that file away
            error: one check failed
            [1]
        "#]],
    );
    assert_eq!(fs::read_to_string(sandbox.home().join("file")).unwrap(), "mine");
    assert_eq!(
        fs::read_to_string(sandbox.home().join("foreign/recalld.db")).unwrap(),
        "not a database"
    );
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.run_with(&["add", "-", "--key", "lines"], b"first\r\n\tsecond");
    for arguments in [
        &["list"][..],
        &["show", "lines"],
        &["search", "first"],
        &["history", "lines"],
        &["context", "first"],
    ] {
        let run = sandbox.run(arguments);
        assert!(!run.out.contains(['\r', '\t', '\u{1b}']), "{run:?}");
    }
    let refused = sandbox.run(&["show", "\u{1b}[31mred"]);
    assert!(!refused.err.contains('\u{1b}'), "{refused:?}");
}

#[test]
fn colours_are_for_terminals_and_for_who_insists() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats"]);
    assert!(!sandbox.run(&["list"]).out.contains('\u{1b}'));
    let mut command = sandbox.command(&["list"]);
    command.env("CLICOLOR_FORCE", "1");
    assert!(crate::sandbox::finish(command).out.contains('\u{1b}'));
    let mut command = sandbox.command(&["list", "--json"]);
    command.env("CLICOLOR_FORCE", "1");
    assert!(!crate::sandbox::finish(command).out.contains('\u{1b}'));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats"]);
    let mut child = sandbox.command(&["completions", "zsh"]).spawn().unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn a_full_disk_for_the_answer_is_told() {
    let sandbox = Sandbox::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else {
        return;
    };
    let mut command = sandbox.command(&["config"]);
    command.stdout(full);
    let run = crate::sandbox::finish(command);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("cannot write to standard output"), "{run:?}");
}

#[test]
fn a_secret_is_not_stored() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["add", "the password is hunter2"]);
    assert_eq!(run.code, Some(2));
    assert!(!run.err.contains("hunter2"), "{run:?}");
    assert_eq!(sandbox.run(&["list", "-q", "--all"]).out, "");
}
