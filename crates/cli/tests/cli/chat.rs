//! A conversation in the terminal, by itself and beside a server that holds the data directory.

use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;
use recalld_testing::chat_server::{Act, Double, said};

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(sandbox: &Sandbox, model: &str) -> Server {
    serve_with(sandbox, Some(model))
}

fn serve_with(sandbox: &Sandbox, model: Option<&str>) -> Server {
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    if let Some(model) = model {
        command.env("OPENAI_BASE_URL", model);
    }
    command
        .env("RECALLD_EXTRACTION_METHOD", "rules")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let server = Server(command.spawn().unwrap());
    let begun = Instant::now();
    while fs::read(sandbox.data().join("server.json")).is_err() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the server did not start"
        );
        std::thread::park_timeout(Duration::from_millis(10));
    }
    server
}

/// What a person sees who types `lines`, one after the other without waiting.
fn talk(sandbox: &Sandbox, model: &str, lines: &str) -> String {
    let mut command = sandbox.command(&["chat", "--session", "walk"]);
    command
        .env("OPENAI_BASE_URL", model)
        .env("RECALLD_EXTRACTION_METHOD", "rules")
        .stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_conversation_shows_the_answer_and_what_was_learned_with_and_without_a_server() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let double = runtime.block_on(Double::playing([said("Nice to meet you.\nHow are you?")]));
    let sandbox = Sandbox::new();
    let alone = talk(&sandbox, &double.url, "My name is Ana\n/why\n/nonsense\n");
    for part in [
        "Nice to meet you.\nHow are you?\n",
        "+ My name is Ana",
        "task mode: it opens a conversation",
        "Unknown command",
        "recalld chat --session walk",
    ] {
        assert!(alone.contains(part), "{part:?} in {alone}");
    }
    let _server = serve(&sandbox, &double.url);
    let beside = talk(
        &sandbox,
        "http://127.0.0.1:1/v1",
        "/memory\nI live in Porto\n/forget name\n/quit\n",
    );
    for part in [
        "name My name is Ana",
        "Nice to meet you.\nHow are you?\n",
        "+ I live in Porto",
        "- My name is Ana",
        "Undo with",
    ] {
        assert!(beside.contains(part), "{part:?} in {beside}");
    }
}

#[test]
fn a_model_that_cannot_be_reached_is_told_and_the_conversation_goes_on() {
    let sandbox = Sandbox::new();
    let told = talk(&sandbox, "http://127.0.0.1:1/v1", "hello\n/memory\n");
    assert!(told.contains("cannot be reached"), "{told}");
    assert!(told.contains("No memories yet."), "{told}");
}

#[test]
fn without_a_model_the_conversation_does_not_begin() {
    let sandbox = Sandbox::new();
    let check = |arguments: &[&str]| {
        let run = sandbox.run(arguments);
        assert_eq!(run.code, Some(2), "{run:?}");
        let told = format!("{}{}", run.out, run.err);
        assert!(told.contains("no model is configured"), "{run:?}");
        assert!(told.contains("OPENAI_BASE_URL"), "{run:?}");
        told
    };
    check(&["chat"]);
    check(&["chat", "hello"]);
    let _server = serve_with(&sandbox, None);
    assert!(check(&["chat"]).contains("the server that holds the data directory"));
}

#[test]
fn the_model_is_named_and_one_message_shows_what_was_used() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let double = runtime.block_on(Double::playing([said("At the window.")]));
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats"]);
    let told = talk(&sandbox, &double.url, "/help\n");
    assert!(told.contains("Talking to double."), "{told}");
    assert!(
        told.contains("/forget") && told.contains("hides a memory"),
        "{told}"
    );
    let mut command = sandbox.command(&["chat", "where do I like to sit?"]);
    command.env("OPENAI_BASE_URL", &double.url);
    let run = crate::sandbox::finish(command);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("used: I prefer window seats"), "{run:?}");
}

#[test]
fn a_wrong_name_lists_the_right_ones() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refusing = Act::Status(404, "", "{\"error\": {\"message\": \"model not found\"}}");
    let double = runtime.block_on(Double::playing([refusing]));
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["chat", "hello"]);
    command
        .env("OPENAI_BASE_URL", &double.url)
        .env("OPENAI_MODEL", "duoble");
    let run = crate::sandbox::finish(command);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.err.contains("it has nomic-embed-text, double, other"),
        "{run:?}"
    );
}
