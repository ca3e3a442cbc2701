//! Anthropic's memory tool, with the words of its reference.

use serde_json::{Value, json};

use crate::stage::Stage;

async fn run(stage: &Stage, command: Value) -> String {
    let answer = stage
        .put("POST /anthropic/v1/tools/memory", command)
        .await
        .ok(200);
    let mark = if answer["is_error"] == true { "error: " } else { "" };
    format!("{mark}{}", answer["content"].as_str().unwrap())
}

#[tokio::test]
async fn the_six_commands_speak_as_the_reference_does() {
    for stage in Stage::both().await {
        for (command, expected) in [
            (
                json!({"command": "view", "path": "/memories"}),
                "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n4K\t/memories",
            ),
            (
                json!({"command": "create", "path": "/memories/a/notes.txt", "file_text": "one\ntwo\nthree\n"}),
                "File created successfully at: /memories/a/notes.txt",
            ),
            (
                json!({"command": "create", "path": "/memories/a/notes.txt", "file_text": "x"}),
                "error: File /memories/a/notes.txt already exists",
            ),
            (
                json!({"command": "view", "path": "/memories/a/notes.txt"}),
                "Here's the content of /memories/a/notes.txt with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree\n     4\t",
            ),
            (
                json!({"command": "view", "path": "/memories/a/notes.txt", "view_range": [2, 2]}),
                "Here's the content of /memories/a/notes.txt with line numbers:\n     2\ttwo",
            ),
            (
                json!({"command": "str_replace", "path": "/memories/a/notes.txt", "old_str": "two", "new_str": "2"}),
                "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tone\n     2\t2\n     3\tthree\n     4\t",
            ),
            (
                json!({"command": "str_replace", "path": "/memories/a/notes.txt", "old_str": "e", "new_str": "E"}),
                "error: No replacement was performed. Multiple occurrences of old_str `e` in lines: 1, 3, 3. Please ensure it is unique",
            ),
            (
                json!({"command": "insert", "path": "/memories/a/notes.txt", "insert_line": 1, "insert_text": "1.5\n"}),
                "The file /memories/a/notes.txt has been edited.",
            ),
            (
                json!({"command": "insert", "path": "/memories/a/notes.txt", "insert_line": 9, "insert_text": "x"}),
                "error: Invalid `insert_line` parameter: 9. It should be within the range [0, 4].",
            ),
            (
                json!({"command": "rename", "old_path": "/memories/a/notes.txt", "new_path": "/memories/b.txt"}),
                "Successfully renamed /memories/a/notes.txt to /memories/b.txt",
            ),
            (
                json!({"command": "view", "path": "/memories/"}),
                "Here're the files and directories up to 2 levels deep in /memories/, excluding hidden items:\n4K\t/memories/\n4K\t/memories//a/\n16B\t/memories//b.txt",
            ),
            (
                json!({"command": "delete", "path": "/memories/a"}),
                "Successfully deleted /memories/a",
            ),
            (
                json!({"command": "delete", "path": "/memories"}),
                "error: Cannot delete the /memories directory itself",
            ),
            (
                json!({"command": "view", "path": "/memories/../etc/passwd"}),
                "error: Path /memories/../etc/passwd would escape /memories directory",
            ),
            (
                json!({"command": "view", "path": "/etc"}),
                "error: Path must start with /memories, got: /etc",
            ),
        ] {
            assert_eq!(run(&stage, command.clone()).await, expected, "{command}");
        }
    }
}

#[tokio::test]
async fn files_are_memories_of_their_user() {
    for stage in Stage::both().await {
        let create =
            json!({"command": "create", "path": "/memories/p.md", "file_text": "Prefers oat milk\n"});
        run(&stage, create).await;
        let found = stage
            .put("POST /v1/search", json!({"query": "oat milk"}))
            .await
            .ok(200);
        assert_eq!(found["results"][0]["memory"]["origin"], "assistant", "{found}");
        let view = json!({"command": "view", "path": "/memories/p.md"});
        let bobs = stage
            .bob("POST /anthropic/v1/tools/memory", Some(view.clone()))
            .await
            .ok(200);
        assert_eq!(bobs["is_error"], true);
        let secret =
            json!({"command": "create", "path": "/memories/s", "file_text": "password: hunter2correct"});
        assert!(run(&stage, secret).await.starts_with("error: Not stored"));
        run(&stage, json!({"command": "delete", "path": "/memories/p.md"})).await;
        assert!(run(&stage, view.clone()).await.starts_with("error: The path"));
        stage.put("POST /v1/undo", json!({})).await.ok(200);
        assert!(
            run(&stage, view)
                .await
                .ends_with("     1\tPrefers oat milk\n     2\t")
        );
        let bad = stage
            .put("POST /anthropic/v1/tools/memory", json!({"command": "fly"}))
            .await;
        assert_eq!(
            (bad.status, bad.json()["error"]["type"].as_str()),
            (400, Some("invalid_request_error"))
        );
        let tool = stage
            .put(
                "POST /v1/tools/memory",
                json!({"command": "view", "path": "/memories/p.md"}),
            )
            .await
            .ok(200);
        assert!(tool["text"].as_str().unwrap().contains("Prefers oat milk"));
    }
}
