//! Who gets in, and what the others are told.

use std::collections::HashMap;

use http::{HeaderValue, Method};
use recalld_server::McpSettings;
use serde_json::{Value, json};

use crate::stage::{Era, Stage, call, initialize, list_tools, note, text};

const DOCUMENT: &str = "/.well-known/oauth-protected-resource/mcp";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_gets_in_without_a_key() {
    let stage = Stage::new().await;
    let refused = stage.post_unknown(&initialize()).send().await;
    assert_eq!(refused.status, 401);
    // The document leads to the authorization server, which is this server itself.
    assert_eq!(
        refused.headers["www-authenticate"],
        "Bearer realm=\"recalld\", \
         resource_metadata=\"http://localhost/.well-known/oauth-protected-resource/mcp\""
    );

    let wrong = stage.post("rk_wrong", &list_tools()).send().await;
    assert_eq!(wrong.status, 401);
    let challenge = wrong.headers["www-authenticate"].to_str().unwrap();
    assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");

    for era in Era::BOTH {
        assert!(stage.try_connect("rk_wrong", era, HashMap::new()).await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_endpoint_says_how_to_authenticate() {
    let stage = Stage::new().await;
    for path in ["/.well-known/oauth-protected-resource", DOCUMENT] {
        let document = stage.bare(Method::GET, path).send().await.json().await;
        let expected = json!({
            "resource": "http://localhost/mcp",
            "resource_name": "recalld",
            "authorization_servers": ["http://localhost"],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["read", "write"],
        });
        assert_eq!(document, expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_public_endpoint_names_its_own_address_and_issuers() {
    let mcp = McpSettings {
        url: Some("https://memory.example/mcp".to_owned()),
        authorization_servers: vec!["https://login.example".to_owned()],
        ..McpSettings::default()
    };
    let stage = Stage::with(mcp).await;
    let ask = stage.bare(Method::GET, DOCUMENT).header("host", "memory.example");
    let document = ask.send().await.json().await;
    assert_eq!(document["resource"], "https://memory.example/mcp");
    assert_eq!(
        document["authorization_servers"],
        json!(["https://login.example"])
    );
    let refused = stage
        .post_unknown(&initialize())
        .header("host", "memory.example")
        .send()
        .await;
    let challenge = refused.headers["www-authenticate"].to_str().unwrap();
    assert!(
        challenge.contains(&format!("\"https://memory.example{DOCUMENT}\"")),
        "{challenge}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_names_and_pages_are_refused_before_anything_else() {
    let stage = Stage::new().await;
    for (name, value) in [
        ("host", "evil.example"),
        ("host", "localhost.evil.example:7077"),
        ("origin", "http://evil.example"),
        ("origin", "null"),
    ] {
        let requests = [
            stage.post(&stage.ana, &initialize()),
            stage.post_unknown(&initialize()),
            stage.bare(Method::GET, DOCUMENT),
        ];
        for request in requests {
            assert_eq!(
                request.header(name, value).send().await.status,
                403,
                "{name}: {value}"
            );
        }
    }
    let page = stage
        .post(&stage.ana, &initialize())
        .header("origin", "http://localhost:6274");
    assert_eq!(page.send().await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_acts_for_the_user_it_names() {
    let stage = Stage::new().await;
    for era in Era::BOTH {
        let headers = HashMap::from([("recalld-user".parse().unwrap(), HeaderValue::from_static("ana"))]);
        let client = stage.try_connect(&stage.service, era, headers).await.unwrap();
        call(
            &client,
            "write_memory",
            note("home", "Ana lives in Lisbon", "durable"),
        )
        .await
        .unwrap();
        let own = stage.connect(&stage.ana, era).await;
        let found = call(&own, "search_memory", json!({ "query": "Lisbon" }))
            .await
            .unwrap();
        assert!(text(&found).contains("Ana lives in Lisbon"), "{found:?}");
    }
    let nobody = stage.post(&stage.service, &initialize()).send().await;
    assert_eq!(nobody.status, 400);
    let another = stage
        .post(&stage.bob, &initialize())
        .header("recalld-user", "ana")
        .send()
        .await;
    assert_eq!(another.status, 403);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_bodies_are_refused_and_never_a_fault() {
    let stage = Stage::new().await;
    let bodies = [
        String::new(),
        "[]".to_owned(),
        "{".to_owned(),
        "[".repeat(200_000),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": 7 }).to_string(),
        json!({ "jsonrpc": "2.0", "id": {}, "method": "initialize" }).to_string(),
    ];
    for body in bodies {
        let start: String = body.chars().take(40).collect();
        let answer = stage.post(&stage.ana, &Value::Null).body(body).send().await;
        assert!((400..500).contains(&answer.status), "{start}: {}", answer.status);
    }
    let huge = stage
        .post(&stage.ana, &Value::Null)
        .body(" ".repeat(2 * 1024 * 1024))
        .send()
        .await;
    assert_eq!(huge.status, 413);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_transport_refuses_is_told_as_a_problem() {
    let stage = Stage::new().await;
    let ask = || stage.post(&stage.ana, &list_tools());
    for (request, status, code) in [
        (ask().body("{"), 400, "invalid_json"),
        (
            ask().header("content-type", "text/plain"),
            415,
            "unsupported_media_type",
        ),
        (ask().header("accept", "text/html"), 406, "not_acceptable"),
    ] {
        let refused = request.send().await;
        assert_eq!(
            (refused.status, &refused.headers["content-type"]),
            (status, &HeaderValue::from_static("application/problem+json"))
        );
        let problem = refused.json().await;
        assert_eq!(problem["code"], code, "{problem}");
        assert!(!problem["detail"].as_str().unwrap().is_empty());
    }
}
