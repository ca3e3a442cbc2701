//! What programs see. These shapes are promises.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_memory_has_all_its_labels() {
    let sandbox = Sandbox::new();
    let added = sandbox
        .run(&[
            "add",
            "I prefer window seats",
            "--key",
            "seat",
            "--json",
            "--conversation",
            "c1",
        ])
        .json();
    assert_eq!(names(&added), ["outcome", "memory", "demoted", "evicted"]);
    let memory = &added["memory"];
    let labels = [
        "id",
        "key",
        "content",
        "category",
        "tier",
        "confidence",
        "origin",
        "trust",
        "review",
        "amends",
        "valid_from",
        "valid_until",
        "superseded_by",
        "project",
        "source",
        "conversation",
        "message",
        "learned_at",
        "revised_at",
        "expires_at",
        "standing",
        "retired_at",
        "in_document",
        "version",
    ];
    assert_eq!(names(memory), labels);
    assert_eq!(memory["standing"], "active");
    assert_eq!(memory["conversation"], "c1");
    assert_eq!(&sandbox.run(&["show", "seat", "--json"]).json(), memory);
    let listed = sandbox.run(&["list", "--json"]).json();
    assert_eq!(listed, json!({"memories": [memory], "total": 1}));
    let found = sandbox.run(&["search", "seats", "--json"]).json();
    assert_eq!(found["results"][0]["id"], memory["id"]);
    assert!(0.0 < found["results"][0]["score"].as_f64().unwrap());
}

#[test]
fn a_duplicate_is_an_answer_and_names_the_other() {
    let sandbox = Sandbox::new();
    let first = sandbox
        .run(&["add", "I prefer window seats", "--key", "seat", "--json"])
        .json();
    let again = sandbox.run(&["add", "I prefer window seats", "--json"]);
    assert_eq!(again.code, Some(0));
    let again = again.json();
    assert_eq!(again["outcome"], "duplicate");
    assert_eq!(again["reason"], "same_statement");
    assert_eq!(again["duplicate_of"], first["memory"]);
}

#[test]
fn each_command_says_what_it_did() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats", "--key", "seat"]);
    let outcome = |arguments: &[&str]| {
        let run = sandbox.run(&[arguments, &["--json"]].concat()).json();
        (run["outcome"].as_str().unwrap_or_default().to_owned(), run)
    };
    assert_eq!(outcome(&["update", "seat", "I prefer aisle seats"]).0, "updated");
    assert_eq!(
        outcome(&["update", "seat", "I prefer aisle seats"]).0,
        "unchanged"
    );
    assert_eq!(outcome(&["forget", "seat"]).0, "retired");
    assert_eq!(outcome(&["restore", "seat"]).0, "restored");
    let history = sandbox.run(&["history", "seat", "--json"]).json();
    let acts: Vec<&str> = history["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["act"].as_str().unwrap())
        .collect();
    assert_eq!(acts, ["remember", "revise", "retire", "restore"]);
    assert_eq!(outcome(&["forget", "seat", "--erase", "--yes"]).0, "erased");
    assert_eq!(
        outcome(&["entity", "add", "acme", "Acme", "--kind", "account"]).0,
        "added"
    );
    assert_eq!(
        names(&outcome(&["context", "seats"]).1),
        ["text", "tokens", "memories", "left_out"]
    );
    assert_eq!(names(&outcome(&["prompt"]).1), ["text", "tokens", "left_out"]);
    assert_eq!(outcome(&["doctor"]).1["healthy"], true);
    assert_eq!(outcome(&["stats"]).1["entities"]["accounts"], 1);
}

#[test]
fn the_document_is_its_own_text() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats"]);
    let text = sandbox.run(&["document", "--json"]).out;
    let tokens = recalld_index::text::tokens::TokenCount::of(&text).most();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["metadata"]["token_count"], tokens);
}

#[test]
fn a_tool_answers_with_text_and_data() {
    let sandbox = Sandbox::new();
    let call = |arguments: &str| sandbox.run(&["tool", "write_memory", arguments, "--json"]);
    let role =
        r#"{"key":"role","value":"Staff engineer at Acme","category":"work_context","durability":"durable"}"#;
    let stored = call(role).json();
    assert_eq!(names(&stored), ["text", "data"]);
    assert_eq!(stored["data"]["outcome"], "stored");
    let again = call(role).json();
    assert_eq!(again["data"]["outcome"], "duplicate");
    assert_eq!(again["data"]["duplicate_of"]["key"], "role");
    let unsure = call(r#"{"key":"jazz","value":"may like jazz","category":"preference","durability":"durable","confidence":0.6}"#).json();
    assert_eq!(unsure["data"]["memory"]["tier"], "daily");
    assert!(unsure["text"].as_str().unwrap().contains("daily"));
    let smuggled =
        call(r#"{"key":"a","value":"b","category":"preference","durability":"durable","user_id":"eve"}"#);
    assert_eq!(smuggled.code, Some(2));
    assert!(
        smuggled.error()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("user_id")
    );
    let from_input = sandbox
        .run_with(
            &["tool", "search_memory", "-", "--json"],
            br#"{"query":"engineer"}"#,
        )
        .json();
    assert_eq!(from_input["data"]["outcome"], "ok");
}

#[test]
fn tools_are_exported_in_each_shape() {
    for format in ["openai", "responses", "anthropic", "mcp"] {
        let all = Sandbox::new().run(&["tools", "--format", format]).json();
        let some = Sandbox::new()
            .run(&["tools", "--format", format, "--set", "document"])
            .json();
        assert!(some.as_array().unwrap().len() < all.as_array().unwrap().len());
    }
}

#[test]
fn failures_are_objects_too() {
    let sandbox = Sandbox::new();
    for (arguments, code, exit) in [
        (&["show", "nobody", "--json"][..], "not_found", 3),
        (&["add", " ", "--json"], "invalid_content", 2),
        (&["--json", "serch", "x"], "usage", 2),
        (&["--json"], "usage", 2),
        (&["list", "--json", "-o", "x=1"], "configuration", 2),
        (&["add", "my password is hunter2", "--json"], "secret", 2),
    ] {
        let run = sandbox.run(arguments);
        let error = &run.error()["error"];
        assert_eq!(
            (error["code"].as_str(), run.code),
            (Some(code), Some(exit)),
            "{run:?}"
        );
        assert_eq!(names(error), ["code", "message", "hint"]);
        assert_eq!(run.out, "");
    }
}

#[test]
fn a_list_is_paged() {
    let sandbox = Sandbox::new();
    for n in 0..5 {
        sandbox.run(&["add", &format!("fact number {n}")]);
    }
    let first = sandbox.run(&["list", "--json", "-n", "3"]).json();
    assert_eq!(
        (
            first["total"].as_u64(),
            first["memories"].as_array().unwrap().len()
        ),
        (Some(5), 3)
    );
    assert_eq!(first["memories"][0]["content"], "fact number 4");
    let next = first["next_page"].as_str().unwrap();
    let second = sandbox
        .run(&["list", "--json", "-n", "3", "--after", next])
        .json();
    let rest: Vec<&str> = second["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["content"].as_str().unwrap())
        .collect();
    assert_eq!(rest, ["fact number 1", "fact number 0"]);
    assert_eq!(second.get("next_page"), None);
}
