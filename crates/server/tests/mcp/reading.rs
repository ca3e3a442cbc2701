//! Resources and prompts.

use rmcp::ServiceError;
use rmcp::model::{GetPromptRequestParams, ReadResourceRequestParams, ResourceContents};
use serde_json::json;

use crate::stage::{Client, Era, Stage, call, note};

async fn read(client: &Client, uri: &str) -> Result<String, ServiceError> {
    let read = client.read_resource(ReadResourceRequestParams::new(uri)).await?;
    match read.contents.into_iter().next() {
        Some(ResourceContents::TextResourceContents { text, .. }) => Ok(text),
        other => panic!("a resource is text, and not {other:?}"),
    }
}

async fn scene(client: &Client) {
    call(
        client,
        "write_memory",
        note("home", "Ana lives in Lisbon", "durable"),
    )
    .await
    .unwrap();
    call(client, "write_memory", note("lunch", "Ana had sardines", "daily"))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resources_show_the_callers_memory_alone() {
    for era in Era::BOTH {
        let stage = Stage::new().await;
        let (ana, bob) = (
            stage.connect(&stage.ana, era).await,
            stage.connect(&stage.bob, era).await,
        );
        scene(&ana).await;
        let uris =
            |listed: Vec<rmcp::model::Resource>| listed.into_iter().map(|one| one.uri).collect::<Vec<_>>();
        let always = [
            "memory://MEMORY.md",
            "memory://document",
            "memory://working-memory",
        ];
        let anas = [&always[..], &["memory://notes/2026-03-01"]].concat();
        assert_eq!(uris(ana.list_all_resources().await.unwrap()), anas);
        assert_eq!(uris(bob.list_all_resources().await.unwrap()), always);

        let memories = read(&ana, "memory://MEMORY.md").await.unwrap();
        assert!(
            memories.contains("\n- **home:** Ana lives in Lisbon *(since 2026-03-01 · "),
            "{memories}"
        );
        assert!(!memories.contains("sardines"), "{memories}");
        let notes = read(&ana, "memory://notes/2026-03-01").await.unwrap();
        assert!(notes.contains("- **lunch:** Ana had sardines *("), "{notes}");
        assert!(
            read(&ana, "memory://document")
                .await
                .unwrap()
                .contains("Ana lives in Lisbon")
        );
        assert_eq!(read(&ana, "memory://working-memory").await.unwrap(), "null");

        for uri in anas {
            let bobs = read(&bob, uri).await.unwrap();
            assert!(!bobs.contains("Ana "), "{uri}: {bobs}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_notes_of_any_day_can_be_asked_for() {
    let stage = Stage::new().await;
    let client = stage.connect(&stage.ana, Era::Alone).await;
    let templates = client.list_all_resource_templates().await.unwrap();
    assert_eq!(templates[0].uri_template, "memory://notes/{date}");
    let notes = read(&client, "memory://notes/1999-12-31").await.unwrap();
    assert!(
        notes.starts_with("# Notes of 1999-12-31\n") && !notes.contains("\n- "),
        "{notes}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_resource_is_not_found() {
    let stage = Stage::new().await;
    // Each era has its own number for it.
    for (era, code) in [(Era::Handshake, -32002), (Era::Alone, -32602)] {
        let client = stage.connect(&stage.ana, era).await;
        for uri in [
            "memory://notes/yesterday",
            "memory://bob/document",
            "file:///etc/passwd",
            "",
        ] {
            let Err(ServiceError::McpError(error)) = read(&client, uri).await else {
                panic!("{uri:?} is a resource");
            };
            assert_eq!((error.code.0, error.data), (code, Some(json!({ "uri": uri }))));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_brings_what_is_remembered_about_a_topic() {
    for era in Era::BOTH {
        let stage = Stage::new().await;
        let client = stage.connect(&stage.ana, era).await;
        scene(&client).await;
        assert_eq!(client.list_all_prompts().await.unwrap()[0].name, "memory_context");
        let ask = |arguments: serde_json::Value| {
            let mut params = GetPromptRequestParams::new("memory_context");
            params.arguments = arguments.as_object().cloned();
            client.get_prompt(params)
        };
        let prompt = ask(json!({ "topic": "where Ana lives" })).await.unwrap();
        let said = &prompt.messages[0].content.as_text().unwrap().text;
        assert!(said.contains("Ana lives in Lisbon"), "{said}");
        for arguments in [json!({}), json!({ "topic": " " }), json!({ "topic": 7 })] {
            assert!(matches!(ask(arguments).await, Err(ServiceError::McpError(_))));
        }
    }
}
