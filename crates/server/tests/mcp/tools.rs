//! Tools: listed, called, mended and refused.

use std::collections::BTreeSet;

use recalld_agent::tools;
use rmcp::ServiceError;
use rmcp::model::ErrorCode;
use serde_json::json;

use crate::stage::{Client, Era, Stage, call, note, text};

async fn every_tool_is_there(client: &Client) {
    let listed = client.list_all_tools().await.unwrap();
    let names: BTreeSet<&str> = listed.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, tools::all().iter().map(|tool| tool.name).collect());
    let hints = |name: &str| {
        listed
            .iter()
            .find(|tool| tool.name == name)
            .unwrap()
            .annotations
            .clone()
            .unwrap()
    };
    assert_eq!(hints("search_memory").read_only_hint, Some(true));
    assert_eq!(hints("delete_memory").destructive_hint, Some(true));
    assert_eq!(hints("write_memory").idempotent_hint, Some(true));
}

async fn what_is_written_is_found(client: &Client) {
    let written = call(
        client,
        "write_memory",
        note("home", "Ana lives in Lisbon", "durable"),
    )
    .await
    .unwrap();
    assert_eq!(written.is_error, Some(false), "{written:?}");
    let found = call(client, "search_memory", json!({ "query": "Lisbon" }))
        .await
        .unwrap();
    assert!(text(&found).contains("Ana lives in Lisbon"), "{found:?}");
    let structured = found.structured_content.as_ref().unwrap();
    assert_eq!(structured["text"], text(&found));
    assert!(structured["data"]["outcome"].is_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_listed_and_called_over_http() {
    for era in Era::BOTH {
        let stage = Stage::new().await;
        let client = stage.connect(&stage.ana, era).await;
        every_tool_is_there(&client).await;
        what_is_written_is_found(&client).await;
        client.cancel().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_listed_and_called_over_a_stream() {
    for era in Era::BOTH {
        let stage = Stage::new().await;
        let client = stage.connect_stream("ana", era).await;
        every_tool_is_there(&client).await;
        what_is_written_is_found(&client).await;
        client.cancel().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_says_who_it_is() {
    let stage = Stage::new().await;
    let client = stage.connect(&stage.ana, Era::Handshake).await;
    let info = client.peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "recalld");
    assert!(info.instructions.as_ref().unwrap().contains("search_memory"));
    assert!(info.capabilities.resources.is_some() && info.capabilities.prompts.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_does_not_fit_is_answered_so_that_the_model_can_mend_it() {
    let stage = Stage::new().await;
    for era in Era::BOTH {
        let client = stage.connect(&stage.ana, era).await;
        let missing = call(&client, "search_memory", json!({})).await.unwrap();
        assert_eq!(
            (missing.is_error, text(&missing)),
            (Some(true), "missing argument \"query\"")
        );
        // Nobody is named in a call: whose memory it is comes with the key.
        let smuggled = call(
            &client,
            "search_memory",
            json!({ "query": "x", "user_id": "bob" }),
        )
        .await
        .unwrap();
        assert_eq!(smuggled.is_error, Some(true));
        assert!(
            text(&smuggled).starts_with("unknown argument \"user_id\""),
            "{smuggled:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let stage = Stage::new().await;
    for era in Era::BOTH {
        let client = stage.connect(&stage.ana, era).await;
        let Err(ServiceError::McpError(error)) = call(&client, "drop_everything", json!({})).await else {
            panic!("the call of an unknown tool is an error");
        };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn users_do_not_see_each_other() {
    let stage = Stage::new().await;
    for era in Era::BOTH {
        let (ana, bob) = (
            stage.connect(&stage.ana, era).await,
            stage.connect(&stage.bob, era).await,
        );
        what_is_written_is_found(&ana).await;
        let found = call(&bob, "search_memory", json!({ "query": "Lisbon" }))
            .await
            .unwrap();
        assert!(!text(&found).contains("Ana lives"), "{found:?}");
        let read = call(&bob, "read_memory", json!({ "key": "home" })).await.unwrap();
        assert!(!text(&read).contains("Ana lives"), "{read:?}");
    }
}
