//! Data exports of ChatGPT and Claude: conversations, and what they call memories.

use std::collections::HashSet;

use recalld_memory::conversation::Role;
use serde_json::Value;

use super::draft::{Draft, Foreign, Said, time};
use super::plain;
use crate::archive::ArchiveError;

/// To whom ChatGPT speaks when it saves a memory, and when it speaks to the person.
const MEMORY: &str = "bio";
const PERSON: &str = "all";

/// The fields whose lists hold conversations or memories of ChatGPT.
pub(super) const CHATGPT_LISTS: [&str; 2] = ["conversations", "memories"];

/// The field whose list holds conversations of Claude.
pub(super) const CLAUDE_LISTS: [&str; 1] = ["conversations"];

/// Reads an entry of `conversations.json` of ChatGPT, or of a list of saved memories.
pub(super) fn chatgpt(number: usize, item: &Value, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let place = format!("conversation {number}");
    if item["mapping"].is_object() {
        let id = item["conversation_id"].as_str().or(item["id"].as_str());
        let Some(id) = id else {
            draft.fault(&place, "it has no id");
            return Ok(());
        };
        let branch = branch(item);
        saved(&branch, &place, draft)?;
        let said = branch.iter().filter_map(|(id, message)| said(id, message));
        draft.conversation(&place, id, item["title"].as_str(), said.collect())
    } else if let Some(content) = item["content"].as_str().or(item["memory"].as_str()) {
        draft.statement(&Foreign {
            place: format!("memory {number}"),
            id: item["id"].as_str().unwrap_or_default(),
            content,
            at: time(&item["created_at"]).or(time(&item["create_time"])),
            ..Foreign::default()
        })
    } else {
        draft.fault(&place, "it is neither a conversation nor a memory");
        Ok(())
    }
}

/// Follows the branch that the person saw last, and gives its messages from the first to the last.
fn branch(conversation: &Value) -> Vec<(&str, &Value)> {
    let mapping = &conversation["mapping"];
    let mut at = conversation["current_node"].as_str();
    let (mut messages, mut seen) = (Vec::new(), HashSet::new());
    // A branch that leads into itself ends too.
    while let Some(id) = at.filter(|id| seen.insert(*id)) {
        messages.push((id, &mapping[id]["message"]));
        at = mapping[id]["parent"].as_str();
    }
    messages.reverse();
    messages
}

/// Reads what was said to the person, or by them.
fn said(id: &str, message: &Value) -> Option<Said> {
    let role = message["author"]["role"].as_str().and_then(Role::parse)?;
    let hidden = message["metadata"]["is_visually_hidden_from_conversation"] == true;
    let to_person = message["recipient"].as_str().is_none_or(|to| to == PERSON);
    if hidden || !to_person {
        return None;
    }
    Some(Said {
        id: message["id"].as_str().unwrap_or(id).to_owned(),
        role,
        text: text_of(message),
        at: time(&message["create_time"]),
    })
}

/// Takes the memories that were saved in a conversation: the export has them nowhere else.
fn saved(branch: &[(&str, &Value)], place: &str, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let to_memory = branch
        .iter()
        .filter(|(_, message)| message["recipient"] == MEMORY);
    for (id, message) in to_memory {
        let text = message["content"]["text"].as_str();
        let text = text.map_or_else(|| text_of(message), str::to_owned);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            draft.statement(&Foreign {
                place: format!("{place} saved memory"),
                id: message["id"].as_str().unwrap_or(id),
                content: line.trim(),
                at: time(&message["create_time"]),
                ..Foreign::default()
            })?;
        }
    }
    Ok(())
}

fn text_of(message: &Value) -> String {
    let parts = message["content"]["parts"].as_array();
    let text: Vec<&str> = parts.into_iter().flatten().filter_map(Value::as_str).collect();
    text.join("\n")
}

/// Reads an entry of `conversations.json` or `memories.json` of Claude.
pub(super) fn claude(number: usize, item: &Value, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let place = format!("conversation {number}");
    if let Some(text) = item["conversations_memory"].as_str() {
        plain::lines(text, draft)?;
        let projects = item["project_memories"].as_object();
        let texts = projects.into_iter().flat_map(|all| all.values());
        for text in texts.filter_map(Value::as_str) {
            plain::lines(text, draft)?;
        }
        return Ok(());
    }
    let (Some(id), Some(messages)) = (item["uuid"].as_str(), item["chat_messages"].as_array()) else {
        draft.fault(&place, "it has no uuid or no chat_messages");
        return Ok(());
    };
    let said = messages.iter().enumerate().filter_map(said_to_claude);
    draft.conversation(&place, id, item["name"].as_str(), said.collect())
}

fn said_to_claude((number, message): (usize, &Value)) -> Option<Said> {
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
    let id = message["uuid"].as_str();
    Some(Said {
        id: id.map_or_else(|| format!("m{number}"), str::to_owned),
        role,
        text: text.map_or_else(|| parts.join("\n"), str::to_owned),
        at: time(&message["created_at"]),
    })
}
