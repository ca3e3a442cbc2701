//! How texts come in through each door.

use std::io::{Cursor, Write};

use recalld_agent::tools::ToolSet;
use recalld_memory::id::UserId;
use recalld_memory::injection::Inject;
use recalld_server::serve_stream;
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Door, House, send};

/// Brings `texts` in through `door` for `user`.
pub(super) async fn plant(house: &House, inside: &axum::Router, door: Door, user: &str, texts: &[&str]) {
    let json = async |call: &str, body: Value| {
        let bytes = body.to_string().into_bytes();
        send(inside, &house.service, user, call, "application/json", bytes).await
    };
    let upload = async |kind: &str, bytes: Vec<u8>| {
        send(inside, &house.service, user, "POST /v1/import", kind, bytes).await
    };
    match door {
        Door::Mcp => return through_mcp(house, user, texts).await,
        Door::Mem0 => {
            let rows: Vec<Value> = texts
                .iter()
                .enumerate()
                .map(|(id, text)| json!({ "id": id.to_string(), "memory": text }))
                .collect();
            upload(
                "application/json",
                json!({ "results": rows }).to_string().into_bytes(),
            )
            .await;
        }
        Door::Csv => {
            let mut table = String::from("key,content\n");
            for (number, text) in texts.iter().enumerate() {
                table.push_str(&format!("k{number},\"{}\"\n", text.replace('"', "\"\"")));
            }
            upload("text/csv", table.into_bytes()).await;
        }
        Door::Archive => {
            upload("application/zip", archive(texts)).await;
        }
        Door::WorkingMemory => {
            let fields: Value = texts
                .iter()
                .enumerate()
                .map(|(number, text)| (format!("field{number}"), json!(text)))
                .collect();
            json("PUT /v1/working-memory", fields).await;
        }
        _ => {
            for (number, text) in texts.iter().enumerate() {
                through_rest(house, inside, door, user, number, text).await;
            }
        }
    }
}

/// Brings one text in through a door that takes one at a time.
async fn through_rest(
    house: &House,
    inside: &axum::Router,
    door: Door,
    user: &str,
    number: usize,
    text: &str,
) {
    let key = format!("k{number}");
    let written = |key: &str, value: &str| json!({ "key": key, "value": value, "category": "preference", "durability": "durable" });
    let calls = match door {
        Door::WriteMemory => vec![("POST /v1/tools/write_memory", written(&key, text))],
        // A key is short, and the words of an instruction fit into it.
        Door::Key => {
            let cut = &text[..text.floor_char_boundary(120)];
            let cut = cut.replace(['\n', '\t'], " ");
            vec![(
                "POST /v1/tools/write_memory",
                written(&cut, &format!("Fact {number}")),
            )]
        }
        Door::AddFact => vec![(
            "POST /v1/tools/manage_user_memory",
            json!({ "operation": "add_fact", "content": text }),
        )],
        Door::Place => vec![(
            "POST /v1/tools/manage_user_memory",
            json!({ "operation": "add_poi", "place_id": key, "place_name": "Café", "notes": text }),
        )],
        Door::UpdateMemory => vec![
            (
                "POST /v1/memories",
                json!({ "key": key, "content": format!("Own words {number}") }),
            ),
            (
                "POST /v1/tools/update_memory",
                json!({ "key": key, "value": text }),
            ),
        ],
        Door::DocumentSource => vec![(
            "POST /v1/memories",
            json!({ "content": text, "source": "document:42" }),
        )],
        Door::ToolOrigin => vec![("POST /v1/memories", json!({ "content": text, "origin": "tool" }))],
        Door::UsersOwn => vec![("POST /v1/memories", json!({ "content": text }))],
        Door::AssistantOrigin => {
            vec![(
                "POST /v1/memories",
                json!({ "content": text, "origin": "assistant" }),
            )]
        }
        Door::Entity => vec![(
            "POST /v1/entities",
            json!({ "id": key, "kind": "place", "name": "Café", "notes": text, "origin": "assistant" }),
        )],
        Door::Knowledge => {
            let body = json!({ "source": format!("{user}-{number}.txt"), "content": text });
            let bytes = body.to_string().into_bytes();
            send(
                inside,
                &house.admin,
                user,
                "POST /v1/knowledge",
                "application/json",
                bytes,
            )
            .await;
            return;
        }
        Door::Mcp | Door::Mem0 | Door::Csv | Door::Archive | Door::WorkingMemory => return,
    };
    for (call, body) in calls {
        let bytes = body.to_string().into_bytes();
        send(inside, &house.service, user, call, "application/json", bytes).await;
    }
}

/// Calls `store_memory` over a session of the protocol.
async fn through_mcp(house: &House, user: &str, texts: &[&str]) {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (from_client, to_client) = tokio::io::split(ours);
    let ports = house.ports(Inject::default());
    let serving = serve_stream(
        ports,
        UserId::new(user).unwrap(),
        &ToolSet::ALL,
        from_client,
        to_client,
    );
    tokio::spawn(async move { serving.await.unwrap() });
    let client = ().serve(theirs).await.unwrap();
    for text in texts {
        let mut call = CallToolRequestParams::new("store_memory");
        call.arguments = json!({ "content": text }).as_object().cloned();
        client.call_tool(call).await.unwrap();
    }
    client.cancel().await.unwrap();
}

/// Makes an archive of another deployment that claims that the user said all of it.
fn archive(texts: &[&str]) -> Vec<u8> {
    let at = "2026-01-01T00:00:00Z";
    let by = json!({ "at": at, "actor": "cli", "conversation": null, "message": null, "source": null });
    let (mut memories, mut entities) = (String::new(), String::new());
    for (number, text) in texts.iter().enumerate() {
        let memory = json!({
            "id": format!("00000000-0000-0000-0000-{number:012}"), "version": 1, "act": "remember", "key": null,
            "content": text, "category": "preference", "tier": "durable", "confidence": 1.0, "origin": "user",
            "trust": "user", "source": null, "conversation": null, "message": null, "learned_at": at,
            "revised_at": at, "expires_at": null, "retired_at": null, "retired_why": null, "in_document": true,
            "by": by,
        });
        let entity = json!({
            "id": format!("p{number}"), "kind": "place", "name": "Café", "notes": text, "added_at": at,
            "revised_at": at, "retired": false, "in_document": true, "trust": "user", "mentions": [],
        });
        memories.push_str(&format!("{memory}\n"));
        entities.push_str(&format!("{entity}\n"));
    }
    let files = [("memories.jsonl", memories), ("entities.jsonl", entities)];
    let hex = |text: &str| -> String {
        let digest = Sha256::digest(text);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let listed: Vec<Value> = files
        .iter()
        .map(|(name, text)| {
            json!({ "name": name, "lines": texts.len(), "bytes": text.len(), "sha256": hex(text) })
        })
        .collect();
    let manifest = json!({ "format": "recalld-archive", "version": 1, "user": "eve", "files": listed });
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let manifest = manifest.to_string();
    for (name, text) in files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .chain([("manifest.json", manifest.as_str())])
    {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
