//! Small exports of each product, as they look there.

use expect_test::{Expect, expect};

use super::*;
use crate::archive::{Item, Limits, Signature, Staged};

fn staged(name: &str, text: &str, now: Timestamp) -> (Format, Staged) {
    let mut staging = Staging::new(now, &Limits::default()).unwrap();
    let format = detect::detect(name, io::Cursor::new(text)).unwrap().unwrap();
    read(format, io::Cursor::new(text), now, &mut staging).unwrap();
    (format, staging.finish(Signature::Unverified).unwrap())
}

fn items(staged: &Staged) -> Vec<Item> {
    let mut items = staged.batch(0).unwrap();
    items.sort_by_key(|item| match item {
        Item::Memory(versions) => Some(versions[0].memory.id),
        _ => None,
    });
    items
}

fn check(name: &str, text: &str, expected: Expect) {
    let now: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
    let (format, contents) = staged(name, text, now);
    let mut told = format!("{}\n", format.as_str());
    let all = items(&contents);
    for item in &all {
        if let Item::Memory(versions) = item {
            let memory = &versions[0].memory;
            let key = memory.key.as_ref().map_or("", |key| key.as_str());
            let date = memory.learned_at.strftime("%Y-%m-%d");
            told += &format!("{date} {} [{key}] {}\n", memory.category, memory.content);
        }
    }
    for item in &all {
        match item {
            Item::Conversation(conversation) => {
                told += &format!("{} {:?}\n", conversation.id, conversation.title);
            }
            Item::Message(message) => {
                let (role, text) = (message.role.as_str(), message.content.as_str());
                told += &format!("  {} {role} {text}\n", message.seq);
            }
            _ => {}
        }
    }
    for fault in contents.faults() {
        told += &format!("! {}: {}\n", fault.place, fault.reason);
    }
    expected.assert_eq(&told);
    assert_eq!(
        items(&staged(name, text, now).1),
        all,
        "the same file makes the same ids"
    );
}

#[test]
fn mem0_is_read() {
    check(
        "export.json",
        r#"{"results": [
            {"id": "a1", "memory": "Likes tea", "categories": ["Food & Drink"], "created_at": "2024-07-20T01:30:36.275141-07:00"},
            {"id": "a2", "hash": "x"},
            {"id": "a3", "memory": "  "}]}"#,
        expect![[r#"
            mem0
            2024-07-20 food_drink [] Likes tea
            ! memory 2: it has no field memory
            ! memory 3: the content is blank
        "#]],
    );
}

#[test]
fn the_mcp_memory_server_is_read() {
    check(
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"default_user\",\"entityType\":\"person\",\"observations\":[\"Speaks Spanish\"]}\n\
         {\"type\":\"entity\",\"name\":\"Acme\",\"entityType\":\"organization\",\"observations\":[\"Makes anvils\", 7]}\n\
         {\"type\":\"relation\",\"from\":\"default_user\",\"to\":\"Acme\",\"relationType\":\"works_at\"}\n\
         not json\n",
        expect![[r#"
            mcp-memory
            2026-03-01 organization [] Acme: Makes anvils
            2026-03-01 personal_context [] Speaks Spanish
            2026-03-01 relation [] default_user works at Acme
            ! line 2 observation 2: it is not a text
            ! line 4: it is not JSON
        "#]],
    );
}

#[test]
fn the_graph_of_the_mcp_memory_server_is_read() {
    check(
        "graph.json",
        r#"{"entities": [{"name": "Acme", "entityType": "organization", "observations": ["Makes anvils"]}, {"name": "x"}],
            "relations": [{"from": "Ana", "to": "Acme", "relationType": "works_at"}]}"#,
        expect![[r#"
            mcp-memory
            2026-03-01 organization [] Acme: Makes anvils
            2026-03-01 relation [] Ana works at Acme
            ! entity 2: it has no observations
        "#]],
    );
}

#[test]
fn chatgpt_conversations_follow_the_last_branch() {
    check(
        "conversations.json",
        r#"[{"title": "Tea", "conversation_id": "c1", "current_node": "n3", "mapping": {
            "n0": {"message": null, "parent": null},
            "n1": {"message": {"id": "m1", "author": {"role": "user"}, "create_time": 1700000000.5, "content": {"parts": ["Hello", {"image": 1}]}}, "parent": "n0"},
            "n2": {"message": {"id": "m2", "author": {"role": "assistant"}, "content": {"parts": ["Another branch"]}}, "parent": "n1"},
            "n3": {"message": {"id": "m3", "author": {"role": "assistant"}, "recipient": "all", "content": {"parts": ["Hi"]}}, "parent": "t1"},
            "t1": {"message": {"id": "b1", "author": {"role": "assistant"}, "recipient": "bio", "create_time": 1700000001, "content": {"content_type": "code", "text": "User likes tea."}}, "parent": "n1"}}},
           {"title": "loop", "conversation_id": "c2", "current_node": "x", "mapping": {"x": {"message": {"author": {"role": "user"}, "content": {"parts": ["again"]}}, "parent": "x"}}},
           {"id": "b", "content": "Has a dog", "created_at": "2025-01-02T03:04:05Z"}, 7]"#,
        expect![[r#"
            chatgpt
            2023-11-14 personal_context [] User likes tea.
            2025-01-02 personal_context [] Has a dog
            chatgpt:c1 Some("Tea")
            chatgpt:c2 Some("loop")
              1 user Hello
              2 assistant Hi
              1 user again
            ! conversation 4: it is neither a conversation nor a memory
        "#]],
    );
}

#[test]
fn claude_conversations_and_memories_are_read() {
    check(
        "conversations.json",
        r#"[{"uuid": "u1", "name": "Plans", "chat_messages": [
            {"uuid": "m1", "sender": "human", "text": "Hello", "created_at": "2025-01-02T03:04:05.000000Z"},
            {"uuid": "m2", "sender": "assistant", "text": "", "content": [{"type": "text", "text": "Hi"}]},
            {"uuid": "m3", "sender": "tool", "text": "x"}]}, {"uuid": "u2"}]"#,
        expect![[r#"
            claude
            claude:u1 Some("Plans")
              1 user Hello
              2 assistant Hi
            ! conversation 2: it has no uuid or no chat_messages
        "#]],
    );
    check(
        "memories.json",
        r#"[{"conversations_memory": "**Work**\n- Plans trips\n\nLikes lists", "project_memories": {"p": "Builds a boat"}}]"#,
        expect![[r#"
            claude
            2026-03-01 personal_context [] Builds a boat
            2026-03-01 personal_context [] Plans trips
            2026-03-01 personal_context [] Likes lists
        "#]],
    );
}

#[test]
fn langgraph_items_are_read() {
    check(
        "store.json",
        r#"{"items": [
            {"namespace": ["ana", "memories"], "key": "food", "value": {"text": "Likes tea"}, "created_at": "2025-05-06T00:00:00+00:00"},
            {"namespace": [], "key": "6f9619ff-8b86-d011-b42d-00c04fc964ff", "value": {"a": 1}}, {"namespace": ["x"], "value": null}]}"#,
        expect![[r#"
            langgraph
            2026-03-01 personal_context [] {"a":1}
            2025-05-06 memories [food] Likes tea
            ! item 3: it has no value
        "#]],
    );
}

#[test]
fn tables_and_plain_text_are_read() {
    check(
        "facts.csv",
        "Key,Content,Category,Confidence,Date\ndrink,\"Likes tea, hot\",Food,0.8,2025-05-06T07:08:09\n,Plays chess,,,\n,,x,,\n,Bad,,much,\n,Worse,,7,\n",
        expect![[r#"
            csv
            2026-03-01 personal_context [] Plays chess
            2025-05-06 food [drink] Likes tea, hot
            ! line 4: it says nothing
            ! line 5: its confidence is not a number
            ! line 6: the confidence is 7, which is not between 0 and 1
        "#]],
    );
    check(
        "notes.txt",
        "# About me\n- Likes tea\n\n* Plays chess\n---\npay \u{202e}evil\n",
        expect![[r#"
            text
            2026-03-01 personal_context [] Likes tea
            2026-03-01 personal_context [] Plays chess
            ! line 6: the content holds U+202E (a text-direction control) at byte 4, which is not allowed
        "#]],
    );
}

#[test]
fn what_is_like_nothing_is_said_to_be() {
    for (name, text) in [
        ("a.json", "{}"),
        ("a.json", "[]"),
        ("a.bin", "hello"),
        ("a.json", "[1]"),
        ("a.txt", ""),
    ] {
        assert_eq!(
            detect::detect(name, io::Cursor::new(text)).unwrap(),
            None,
            "{text}"
        );
    }
    let now = Timestamp::UNIX_EPOCH;
    for format in Format::ALL {
        let deep = "[".repeat(100_000);
        for text in ["", "{}", "[[]]", "null", deep.as_str(), "{\"results\": 7}"] {
            // Refused or read: never a panic.
            let mut staging = Staging::new(now, &Limits::default()).unwrap();
            let _ = read(format, io::Cursor::new(text), now, &mut staging);
        }
    }
}
