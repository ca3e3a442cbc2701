//! Which scope every route needs. A route that is not in the table fails the test.

use serde_json::{Value, json};

use crate::scope_table::Needs::{AnyKey, Nothing, Read, Tool, Write};
use crate::scope_table::{OTHER_DOORS, PROJECT, REST};
use crate::stage::Stage;

/// Makes a key with scopes. Admin keys reach every route.
async fn key(stage: &Stage, kind: &str, scopes: &[&str]) -> String {
    let mut new = json!({"kind": kind, "scopes": scopes});
    if kind == "user" {
        new["user"] = json!("ana");
    }
    let made = stage
        .ask(&stage.admin, "POST /v1/admin/keys", &[], Some(new))
        .await;
    made.ok(201)["key"].as_str().unwrap().to_owned()
}

/// A path with something in the place of each parameter.
fn filled(call: &str) -> String {
    let mut filled = String::new();
    let mut rest = call;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap();
        filled.push_str(before);
        filled.push_str(match name {
            "name" => "write_memory",
            "day" => "2026-01-01.md",
            "category" => "profile",
            _ => "x",
        });
        rest = after;
    }
    filled + rest
}

#[tokio::test]
async fn every_operation_of_the_description_has_a_scope() {
    let stage = Stage::new().await;
    let description = stage.ask("", "GET /openapi.json", &[], None).await.ok(200);
    let mut described = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            described.push(format!("{} {path}", method.to_uppercase()));
        }
    }
    let known: Vec<&str> = REST.iter().map(|(call, _)| *call).collect();
    for call in &described {
        assert!(
            known.contains(&call.as_str()),
            "{call} has no scope: add it to the table"
        );
    }
    for call in known {
        assert!(described.iter().any(|each| each == call), "{call} is no route");
    }
}

#[tokio::test]
async fn a_key_without_the_scope_is_refused_on_every_route() {
    let stage = Stage::new().await;
    let confined = key(&stage, "admin", &["project:shop"]).await;
    let (reading, writing, tools) = (
        key(&stage, "admin", &["read"]).await,
        key(&stage, "admin", &["write"]).await,
        key(&stage, "admin", &["tools:storage"]).await,
    );
    let named = [("recalld-user", "ana")];
    for (call, needs) in REST.iter().chain(OTHER_DOORS) {
        let path = filled(call);
        let refusals = match needs {
            Read => vec![&writing, &tools],
            Write => vec![&reading, &tools],
            Tool | AnyKey | Nothing => vec![],
        };
        for key in refusals {
            let reply = stage.ask(key, &path, &named, None).await;
            assert_eq!(reply.status, 403, "{call}: {}", reply.text);
            let is_ours = call.contains(" /v1/") || call.contains(" /api/");
            assert!(
                !is_ours || reply.text.contains("forbidden"),
                "{call}: {}",
                reply.text
            );
        }
        let in_project = PROJECT.contains(call);
        let is_confined = matches!(needs, Read | Write);
        if is_confined {
            let reply = stage.ask(&confined, &path, &named, None).await;
            assert_eq!(reply.status != 403, in_project, "{call}: {}", reply.text);
        }
        let allowed = match needs {
            Read => vec![&reading],
            // A stream does not end, chat has no model here, and other doors need both scopes.
            Write if call.contains(" /v1/") => vec![&writing],
            AnyKey => vec![&reading, &writing, &tools],
            _ => vec![],
        };
        for key in allowed.into_iter().filter(|_| !call.contains("stream")) {
            let reply = stage.ask(key, &path, &named, None).await;
            assert!(![401, 403].contains(&reply.status), "{call}: {}", reply.text);
        }
    }
    let stored = stage
        .ask(&stage.admin, "GET /v1/memories", &named, None)
        .await
        .ok(200);
    assert_eq!(stored["memories"], json!([]), "what was refused changed nothing");
}

/// Calls a tool.
async fn call(stage: &Stage, key: &str, tool: &str, arguments: Value) -> u16 {
    let path = format!("POST /v1/tools/{tool}");
    stage.ask(key, &path, &[], Some(arguments)).await.status
}

#[tokio::test]
async fn a_key_for_one_set_of_tools_calls_those_alone() {
    let stage = Stage::new().await;
    let storage = key(&stage, "user", &["tools:storage"]).await;
    let listed = stage.ask(&storage, "GET /v1/tools", &[], None).await.ok(200);
    let names: Vec<&str> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"write_memory") && !names.contains(&"store_memory"),
        "{names:?}"
    );
    let none = stage
        .ask(&storage, "GET /v1/tools?sets=semantic", &[], None)
        .await;
    assert_eq!(none.ok(200), json!([]));
    let memory =
        json!({"key": "role", "value": "Engineer", "category": "work_context", "durability": "durable"});
    assert_eq!(call(&stage, &storage, "write_memory", memory.clone()).await, 200);
    assert_eq!(
        call(&stage, &storage, "store_memory", json!({"content": "x"})).await,
        403
    );
    let reading = key(&stage, "user", &["read", "tools:storage"]).await;
    assert_eq!(call(&stage, &reading, "write_memory", memory).await, 403);
    assert_eq!(call(&stage, &reading, "read_memory", json!({})).await, 200);
    stage
        .ask(&storage, "GET /v1/memories", &[], None)
        .await
        .refused(403, "forbidden");
    let me = stage.ask(&reading, "GET /v1/me", &[], None).await.ok(200);
    assert_eq!(me["scopes"], json!(["read", "tools:storage"]));
}

#[tokio::test]
async fn scopes_and_ends_that_make_no_sense_are_refused() {
    let stage = Stage::new().await;
    for (field, value) in [
        ("scopes", json!([])),
        ("scopes", json!(["admin"])),
        ("scopes", json!(["tools:nothing"])),
        ("scopes", json!(["tools:storage", "tools:semantic"])),
        ("scopes", json!(["project:"])),
        ("scopes", json!(["project:a", "project:b"])),
        ("expires_at", json!("yesterday")),
        ("expires_at", json!("2001-01-01")),
        ("expires", json!("2090-01-01")),
    ] {
        let mut new = json!({"kind": "service"});
        new[field] = value.clone();
        let reply = stage
            .ask(&stage.admin, "POST /v1/admin/keys", &[], Some(new))
            .await;
        assert_eq!(reply.status, 400, "{field} {value}: {}", reply.text);
    }
    let listed = stage
        .ask(&stage.admin, "GET /v1/admin/keys", &[], None)
        .await
        .ok(200);
    assert_eq!(listed["keys"].as_array().unwrap().len(), 4, "none was made");
}

#[tokio::test]
async fn a_key_in_an_address_or_with_a_typing_mistake_is_recognised() {
    let stage = Stage::new().await;
    for call in [
        format!("GET /v1/memories?key={}", stage.ana),
        format!("GET /v1/memories/{}", stage.ana),
        format!("GET /?token={}", stage.ana),
    ] {
        let reply = stage.ask(&stage.ana, &call, &[], None).await;
        reply.refused(400, "invalid_request");
        assert!(!reply.text.contains(&stage.ana), "the answer does not repeat it");
        assert!(reply.text.contains("revoke"), "{}", reply.text);
    }
    let (start, last) = stage.ana.split_at(stage.ana.len() - 1);
    let mistyped = format!("{start}{}", if last == "0" { "1" } else { "0" });
    let reply = stage.ask(&mistyped, "GET /v1/memories", &[], None).await;
    reply.refused(401, "unauthenticated");
    assert!(reply.text.contains("checksum"), "{}", reply.text);
}
