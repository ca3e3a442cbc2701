//! Tools: listed, called, mended and refused.

use std::collections::BTreeSet;

use recalld_agent::tools;
use rmcp::ServiceError;
use rmcp::model::ErrorCode;
use serde_json::json;

use crate::stage::{Client, Era, Stage, call, note, text};

async fn everyday_tools_are_there(client: &Client) {
    let listed = client.list_all_tools().await.unwrap();
    let names: BTreeSet<&str> = listed.iter().map(|tool| tool.name.as_ref()).collect();
    let everyday = tools::of_sets(&tools::ToolSet::EVERYDAY);
    assert_eq!(names, everyday.map(|tool| tool.name).collect());
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
    assert!(
        found.structured_content.is_none(),
        "the text is what a model is shown"
    );
    let result = &found.meta.as_ref().unwrap().0["recalld/result"];
    assert_eq!(result["outcome"], "ok");
    assert_eq!(result["counts"]["results"], 1);
    assert!(!result.to_string().contains("Lisbon"), "{result}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_listed_and_called_over_http() {
    for era in Era::BOTH {
        let stage = Stage::new().await;
        let client = stage.connect(&stage.ana, era).await;
        everyday_tools_are_there(&client).await;
        what_is_written_is_found(&client).await;
        client.cancel().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_listed_and_called_over_a_stream() {
    for era in Era::BOTH {
        let stage = Stage::new().await;
        let client = stage.connect_stream("ana", era).await;
        everyday_tools_are_there(&client).await;
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

/// A memory without a key is corrected and forgotten by the short id that a list shows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_no_key_is_named_by_a_short_id() {
    let stage = Stage::new().await;
    let client = stage
        .connect_stream_with("ana", Era::Handshake, &[tools::ToolSet::Semantic])
        .await;
    let listed = client.list_all_tools().await.unwrap();
    assert_eq!(listed.len(), 4, "the sets of the deployment hold here too");
    let stored = call(&client, "store_memory", json!({ "content": "Likes green tea" }))
        .await
        .unwrap();
    let told = text(&stored).to_owned();
    let id = told
        .trim_start_matches("Remembered (")
        .trim_end_matches(").")
        .to_owned();
    assert_eq!(id.len(), 8, "{told}");
    let found = call(&client, "recall_memory", json!({ "query": "tea" }))
        .await
        .unwrap();
    assert!(text(&found).contains(&id), "{found:?}");
    let edit = json!({ "key": id, "value": "Likes black tea" });
    let updated = call(&client, "update_memory", edit).await.unwrap();
    assert!(text(&updated).starts_with("Updated"), "{updated:?}");
    let gone = call(&client, "delete_memory", json!({ "key": id }))
        .await
        .unwrap();
    assert!(text(&gone).starts_with("Forgotten"), "{gone:?}");
    let Err(ServiceError::McpError(_)) = call(&client, "search_memory", json!({ "query": "x" })).await else {
        panic!("a tool that is not shown is unknown");
    };
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_listed_by_page() {
    let stage = Stage::new().await;
    let client = stage.connect(&stage.ana, Era::Alone).await;
    for number in 0..5 {
        let note = note(&format!("n{number}"), &format!("Fact number {number}"), "durable");
        call(&client, "write_memory", note).await.unwrap();
    }
    let mut seen = String::new();
    for page in 1..=3 {
        let listed = call(&client, "read_memory", json!({ "limit": 2, "page": page }))
            .await
            .unwrap();
        assert!(text(&listed).contains(&format!("page {page} of 3")), "{listed:?}");
        seen.push_str(text(&listed));
    }
    for number in 0..5 {
        assert_eq!(
            seen.matches(&format!("Fact number {number}")).count(),
            1,
            "{seen}"
        );
    }
    let beyond = call(&client, "read_memory", json!({ "limit": 2, "page": 4 }))
        .await
        .unwrap();
    assert_eq!(text(&beyond), "There is no page 4; the last one is 3.");
}
