//! Settings of chat.

use std::path::Path;
use std::sync::Arc;

use recalld_agent::prompts::TimeIn;
use recalld_agent::rollout::Phase;
use recalld_agent::tools::ToolSet;
use serde_json::json;

use super::super::key::Key;
use super::super::parse;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "chat.model",
        about: "model that replies: NAME, openai:NAME, responses:NAME or anthropic:NAME; a bare NAME uses responses at OpenAI itself, and openai elsewhere",
        set: |values, text, _| {
            values.chat.chat = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.chat.chat.as_deref().unwrap_or("")),
    },
    Key {
        name: "chat.models",
        about: "further models that requests may name, such as: fast=gpt-6-luna, claude=anthropic:claude-sonnet-5-5",
        set: |values, text, _| {
            text.trim().clone_into(&mut values.chat.others);
            Ok(())
        },
        get: |values| json!(values.chat.others),
    },
    Key {
        name: "chat.phase",
        about: "rollout phase of conversation mode: task-only, shadow, experiment or full",
        set: |values, text, _| {
            let phase = Phase::parse(text.trim());
            values.agent.chat.rollout.phase = phase.ok_or("must be task-only, shadow, experiment or full")?;
            Ok(())
        },
        get: |values| json!(values.agent.chat.rollout.phase.as_str()),
    },
    Key {
        name: "chat.percent",
        about: "share of users in the experiment, in percent",
        set: |values, text, _| {
            parse::within(text, 0.0, 100.0).map(|share| values.agent.chat.rollout.percent = share)
        },
        get: |values| json!(values.agent.chat.rollout.percent),
    },
    Key {
        name: "chat.tools",
        about: "tool sets that the model may call, separated by commas",
        set: |values, text, _| {
            let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            let sets: Option<Vec<ToolSet>> = names.map(ToolSet::parse).collect();
            values.agent.chat.tools =
                sets.ok_or("must be among context, document, storage, semantic, history, knowledge, files")?;
            Ok(())
        },
        get: |values| {
            let names: Vec<&str> = values.agent.chat.tools.iter().map(|set| set.as_str()).collect();
            json!(names.join(","))
        },
    },
    Key {
        name: "chat.task_prompt",
        about: "file with the system prompt of task mode; {{context}} stands for what is known about the user",
        set: |values, text, base| prompt(text, base, &mut values.agent.chat.prompts.task),
        get: |_| json!(""),
    },
    Key {
        name: "chat.conversation_prompt",
        about: "file with the system prompt of conversation mode",
        set: |values, text, base| prompt(text, base, &mut values.agent.chat.prompts.conversation),
        get: |_| json!(""),
    },
    Key {
        name: "chat.task_tokens_max",
        about: "maximum number of tokens in the system prompt of task mode",
        set: |values, text, _| {
            parse::within(text, 200, 200_000).map(|n| values.agent.chat.task_tokens_max = n)
        },
        get: |values| json!(values.agent.chat.task_tokens_max),
    },
    Key {
        name: "chat.conversation_tokens_max",
        about: "maximum number of tokens in the system prompt of conversation mode",
        set: |values, text, _| {
            parse::within(text, 150, 200_000).map(|n| values.agent.chat.conversation_tokens_max = n)
        },
        get: |values| json!(values.agent.chat.conversation_tokens_max),
    },
    Key {
        name: "chat.time_in",
        about: "where the model reads the time: message (at the end of each message, which keeps prompt caches valid) or system (in the system prompt)",
        set: |values, text, _| {
            let place = TimeIn::ALL
                .into_iter()
                .find(|place| place.as_str() == text.trim());
            values.agent.chat.time_in = place.ok_or("must be message or system")?;
            Ok(())
        },
        get: |values| json!(values.agent.chat.time_in.as_str()),
    },
    Key {
        name: "chat.judge_model",
        about: "model that judges after each reply whether its lookups were needed; default: none, the words of the reply decide",
        set: |values, text, _| {
            values.chat.judge = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.chat.judge.as_deref().unwrap_or("")),
    },
    Key {
        name: "chat.history_messages",
        about: "number of earlier messages that the model sees; older ones are summarised",
        set: |values, text, _| parse::within(text, 2, 400).map(|n| values.agent.chat.history_messages = n),
        get: |values| json!(values.agent.chat.history_messages),
    },
];

/// Reads a prompt from the named file; an empty name selects the built-in prompt.
fn prompt(text: &str, base: &Path, into: &mut Arc<str>) -> Result<(), String> {
    const BYTES_MAX: u64 = 256 * 1024;
    if text.trim().is_empty() {
        return Ok(());
    }
    let path = base.join(parse::path(text)?);
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
    if BYTES_MAX < std::fs::metadata(&path).map_err(unreadable)?.len() {
        return Err(format!("is a file over the limit of {BYTES_MAX} bytes"));
    }
    *into = std::fs::read_to_string(&path).map_err(unreadable)?.into();
    Ok(())
}
