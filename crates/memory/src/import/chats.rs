//! Data exports of ChatGPT and Claude: conversations, and what they call memories.

use serde_json::Value;

use super::draft::{Draft, Foreign, time};
use super::plain;
use crate::conversation::Role;

/// The most messages of one branch of a conversation.
const MESSAGES_MAX: usize = 100_000;

/// Reads `conversations.json` of ChatGPT, or a list of saved memories.
pub(super) fn chatgpt(value: &Value, draft: &mut Draft) -> Result<(), &'static str> {
    let list = value["conversations"].as_array().or(value["memories"].as_array());
    let items = list.or(value.as_array()).ok_or("it holds no list")?;
    for (number, item) in items.iter().enumerate() {
        let place = format!("conversation {}", number + 1);
        if item["mapping"].is_object() {
            let id = item["conversation_id"].as_str().or(item["id"].as_str());
            let Some(id) = id else {
                draft.fault(place, "it has no id");
                continue;
            };
            draft.conversation(&place, id, item["title"].as_str(), branch(item));
        } else if let Some(content) = item["content"].as_str().or(item["memory"].as_str()) {
            draft.statement(&Foreign {
                place: format!("memory {}", number + 1),
                id: item["id"].as_str().unwrap_or_default(),
                content,
                at: time(&item["created_at"]).or(time(&item["create_time"])),
                ..Foreign::default()
            });
        } else {
            draft.fault(place, "it is neither a conversation nor a memory");
        }
    }
    Ok(())
}

/// Follows the branch that the person saw last, from its end to its beginning.
fn branch(conversation: &Value) -> Vec<(String, Role, String, Option<jiff::Timestamp>)> {
    let mapping = &conversation["mapping"];
    let mut at = conversation["current_node"].as_str();
    let mut said = Vec::new();
    // Bounded: a branch that leads into itself ends too.
    for _ in 0..MESSAGES_MAX {
        let Some(id) = at else { break };
        let node = &mapping[id];
        let message = &node["message"];
        let role = message["author"]["role"].as_str().and_then(Role::parse);
        let hidden = message["metadata"]["is_visually_hidden_from_conversation"] == true;
        let parts = message["content"]["parts"].as_array();
        let text: Vec<&str> = parts.into_iter().flatten().filter_map(Value::as_str).collect();
        if let Some(role) = role.filter(|_| !hidden) {
            let id = message["id"].as_str().unwrap_or(id).to_owned();
            said.push((id, role, text.join("\n"), time(&message["create_time"])));
        }
        at = node["parent"].as_str();
    }
    said.reverse();
    said
}

/// Reads `conversations.json` or `memories.json` of Claude.
pub(super) fn claude(value: &Value, draft: &mut Draft) -> Result<(), &'static str> {
    let items = value["conversations"]
        .as_array()
        .or(value.as_array())
        .ok_or("it holds no list")?;
    for (number, item) in items.iter().enumerate() {
        let place = format!("conversation {}", number + 1);
        if let Some(text) = item["conversations_memory"].as_str() {
            plain::lines(text, draft)?;
            let projects = item["project_memories"].as_object();
            for text in projects
                .into_iter()
                .flat_map(|all| all.values())
                .filter_map(Value::as_str)
            {
                plain::lines(text, draft)?;
            }
            continue;
        }
        let (Some(id), Some(messages)) = (item["uuid"].as_str(), item["chat_messages"].as_array()) else {
            draft.fault(place, "it has no uuid or no chat_messages");
            continue;
        };
        let said = messages.iter().enumerate().filter_map(|(number, message)| {
            let role = match message["sender"].as_str()? {
                "human" => Role::User,
                "assistant" => Role::Assistant,
                _ => return None,
            };
            let parts = message["content"].as_array();
            let parts: Vec<&str> = parts
                .into_iter()
                .flatten()
                .filter_map(|part| part["text"].as_str())
                .collect();
            let text = message["text"].as_str().filter(|text| !text.trim().is_empty());
            let text = text.map_or_else(|| parts.join("\n"), str::to_owned);
            let id = message["uuid"]
                .as_str()
                .map_or_else(|| format!("m{number}"), str::to_owned);
            Some((id, role, text, time(&message["created_at"])))
        });
        draft.conversation(&place, id, item["name"].as_str(), said.collect());
    }
    Ok(())
}
