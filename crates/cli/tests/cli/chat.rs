//! A conversation in the terminal, by itself and beside a server that holds the data directory.

use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;
use recalld_testing::chat_server::{Double, said};

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(sandbox: &Sandbox, model: &str) -> Server {
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    command
        .env("OPENAI_BASE_URL", model)
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
