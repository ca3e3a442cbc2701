//! What can be configured of chat, extraction and summaries.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use recalld_agent::rollout::Phase;
use recalld_agent::settings::Method;
use recalld_agent::tools::ToolSet;
use serde_json::json;

use super::keys::Key;
use super::{parse, shortened};

/// Models that talk, and where they are.
#[derive(Clone)]
pub(crate) struct TalkValues {
    pub(crate) openai: Provider,
    pub(crate) anthropic: Provider,
    /// `[openai:|responses:|anthropic:]NAME`; none: that of the provider that is set up.
    pub(crate) chat: Option<String>,
    pub(crate) extraction: Option<String>,
    pub(crate) summary: Option<String>,
    /// More models, as `name=model`, separated by commas.
    pub(crate) others: String,
    /// When the daily extraction runs, in UTC.
    pub(crate) schedule: String,
}

/// Where a provider is.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) url: String,
    pub(crate) key: Option<String>,
    pub(crate) model: String,
    /// Whether somebody said where it is.
    pub(crate) placed: bool,
}

impl fmt::Debug for TalkValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Keys stay out of logs.
        f.debug_struct("TalkValues")
            .field("chat", &self.chat)
            .finish_non_exhaustive()
    }
}

impl Default for TalkValues {
    fn default() -> TalkValues {
        let provider = |url: &str, model: &str| Provider {
            url: url.to_owned(),
            key: None,
            model: model.to_owned(),
            placed: false,
        };
        TalkValues {
            openai: provider("https://api.openai.com/v1", "gpt-6.1-terra"),
            anthropic: provider("https://api.anthropic.com/v1", "claude-sonnet-5-5"),
            chat: None,
            extraction: None,
            summary: None,
            others: String::new(),
            schedule: "0 23 * * *".to_owned(),
        }
    }
}

/// The variables that other programs use as well, and what they set here.
pub(super) const USUAL: [(&str, &str); 6] = [
    ("OPENAI_API_KEY", "openai.key"),
    ("OPENAI_BASE_URL", "openai.url"),
    ("OPENAI_MODEL", "openai.model"),
    ("ANTHROPIC_API_KEY", "anthropic.key"),
    ("ANTHROPIC_BASE_URL", "anthropic.url"),
    ("ANTHROPIC_MODEL", "anthropic.model"),
];

/// A model's name, or none for a blank.
fn named(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|name| !name.is_empty())
}

fn place(provider: &mut Provider, text: &str) -> Result<(), String> {
    let url = text.trim().trim_end_matches('/');
    match url.starts_with("http://") || url.starts_with("https://") {
        true => {
            provider.placed |= provider.url != url;
            url.clone_into(&mut provider.url);
            Ok(())
        }
        false => Err(format!("is {:?}, which is not a web address", shortened(text))),
    }
}

/// Reads a prompt from the file that is named; an empty name leaves the built-in one.
fn prompt(text: &str, base: &Path, into: &mut Arc<str>) -> Result<(), String> {
    const BYTES_MAX: u64 = 256 * 1024;
    if text.trim().is_empty() {
        return Ok(());
    }
    let path = base.join(parse::path(text)?);
    let told = |error: std::io::Error| format!("cannot be read: {error}");
    if BYTES_MAX < std::fs::metadata(&path).map_err(told)?.len() {
        return Err(format!("is a file over the limit of {BYTES_MAX} bytes"));
    }
    *into = std::fs::read_to_string(&path).map_err(told)?.into();
    Ok(())
}

fn secret(key: &Option<String>) -> serde_json::Value {
    json!(key.as_ref().map_or("", |_| "(set)"))
}

/// All of them, in the order in which they are shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "openai.key",
        about: "the key of OpenAI or a compatible endpoint; OPENAI_API_KEY sets it too",
        set: |values, text, _| {
            values.talk.openai.key = named(text);
            Ok(())
        },
        get: |values| secret(&values.talk.openai.key),
    },
    Key {
        name: "openai.url",
        about: "the address of OpenAI or a compatible endpoint, up to and including its version",
        set: |values, text, _| place(&mut values.talk.openai, text),
        get: |values| json!(values.talk.openai.url),
    },
    Key {
        name: "openai.model",
        about: "the model there that is used when none is named",
        set: |values, text, _| {
            values.talk.openai.model = named(text).ok_or("is blank")?;
            Ok(())
        },
        get: |values| json!(values.talk.openai.model),
    },
    Key {
        name: "anthropic.key",
        about: "the key of Anthropic or a compatible endpoint; ANTHROPIC_API_KEY sets it too",
        set: |values, text, _| {
            values.talk.anthropic.key = named(text);
            Ok(())
        },
        get: |values| secret(&values.talk.anthropic.key),
    },
    Key {
        name: "anthropic.url",
        about: "the address of Anthropic or a compatible endpoint, up to and including its version",
        set: |values, text, _| place(&mut values.talk.anthropic, text),
        get: |values| json!(values.talk.anthropic.url),
    },
    Key {
        name: "anthropic.model",
        about: "the model there that is used when none is named",
        set: |values, text, _| {
            values.talk.anthropic.model = named(text).ok_or("is blank")?;
            Ok(())
        },
        get: |values| json!(values.talk.anthropic.model),
    },
    Key {
        name: "chat.model",
        about: "the model that answers: NAME, openai:NAME, responses:NAME or anthropic:NAME; a bare NAME is asked by responses at OpenAI itself, and by openai elsewhere",
        set: |values, text, _| {
            values.talk.chat = named(text);
            Ok(())
        },
        get: |values| json!(values.talk.chat.as_deref().unwrap_or("")),
    },
    Key {
        name: "chat.models",
        about: "more models that requests may name, such as: fast=gpt-6-luna, claude=anthropic:claude-sonnet-5-5",
        set: |values, text, _| {
            text.trim().clone_into(&mut values.talk.others);
            Ok(())
        },
        get: |values| json!(values.talk.others),
    },
    Key {
        name: "chat.phase",
        about: "how far conversation mode is rolled out: task-only, shadow, experiment or full",
        set: |values, text, _| {
            let phase = Phase::parse(text.trim());
            values.agent.chat.rollout.phase = phase.ok_or("must be task-only, shadow, experiment or full")?;
            Ok(())
        },
        get: |values| json!(values.agent.chat.rollout.phase.as_str()),
    },
    Key {
        name: "chat.percent",
        about: "the share of users in the experiment, in percent",
        set: |values, text, _| {
            parse::within(text, 0.0, 100.0).map(|share| values.agent.chat.rollout.percent = share)
        },
        get: |values| json!(values.agent.chat.rollout.percent),
    },
    Key {
        name: "chat.tools",
        about: "the sets of tools that the model may call, separated by commas",
        set: |values, text, _| {
            let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            let sets: Option<Vec<ToolSet>> = names.map(ToolSet::parse).collect();
            values.agent.chat.tools =
                sets.ok_or("must be among context, document, storage, semantic, history, knowledge")?;
            Ok(())
        },
        get: |values| {
            let names: Vec<&str> = values.agent.chat.tools.iter().map(|set| set.as_str()).collect();
            json!(names.join(","))
        },
    },
    Key {
        name: "chat.task_prompt",
        about: "a file with the system prompt of task mode; {{context}} stands for what is known of the user",
        set: |values, text, base| prompt(text, base, &mut values.agent.chat.prompts.task),
        get: |_| json!(""),
    },
    Key {
        name: "chat.conversation_prompt",
        about: "a file with the system prompt of conversation mode",
        set: |values, text, base| prompt(text, base, &mut values.agent.chat.prompts.conversation),
        get: |_| json!(""),
    },
    Key {
        name: "chat.task_tokens_max",
        about: "the most tokens of the system prompt in task mode",
        set: |values, text, _| {
            parse::within(text, 200, 200_000).map(|n| values.agent.chat.task_tokens_max = n)
        },
        get: |values| json!(values.agent.chat.task_tokens_max),
    },
    Key {
        name: "chat.conversation_tokens_max",
        about: "the most tokens of the system prompt in conversation mode",
        set: |values, text, _| {
            parse::within(text, 150, 200_000).map(|n| values.agent.chat.conversation_tokens_max = n)
        },
        get: |values| json!(values.agent.chat.conversation_tokens_max),
    },
    Key {
        name: "chat.history_messages",
        about: "how many earlier messages the model is shown; older ones are folded into a summary",
        set: |values, text, _| parse::within(text, 2, 400).map(|n| values.agent.chat.history_messages = n),
        get: |values| json!(values.agent.chat.history_messages),
    },
    Key {
        name: "extraction.method",
        about: "how facts are found in what users say: auto (a model if there is one), rules or off",
        set: |values, text, _| {
            values.agent.extraction.method = match text.trim() {
                "auto" => Method::Auto,
                "rules" => Method::Rules,
                "off" => Method::Off,
                _ => return Err("must be auto, rules or off".to_owned()),
            };
            Ok(())
        },
        get: |values| {
            json!(match values.agent.extraction.method {
                Method::Auto => "auto",
                Method::Rules => "rules",
                Method::Off => "off",
            })
        },
    },
    Key {
        name: "extraction.model",
        about: "the model that finds facts; the one that answers, if none is named",
        set: |values, text, _| {
            values.talk.extraction = named(text);
            Ok(())
        },
        get: |values| json!(values.talk.extraction.as_deref().unwrap_or("")),
    },
    Key {
        name: "extraction.buffer_tokens",
        about: "what a user said is read once it is so many tokens",
        set: |values, text, _| {
            parse::within(text, 0, 1_000_000).map(|n| values.agent.extraction.buffer_tokens = n)
        },
        get: |values| json!(values.agent.extraction.buffer_tokens),
    },
    Key {
        name: "extraction.buffer_idle_ms",
        about: "or once nothing more was said for so long, in milliseconds",
        set: |values, text, _| {
            parse::within(text, 0, 86_400_000)
                .map(|ms| values.agent.extraction.buffer_idle = Duration::from_millis(ms))
        },
        get: |values| json!(values.agent.extraction.buffer_idle.as_millis() as u64),
    },
    Key {
        name: "extraction.schedule",
        about: "when the daily extraction over interactions runs, as a cron expression in UTC; off switches it off",
        set: |values, text, _| {
            crate::serve::daily::schedule(text).map_err(|failure| failure.message.to_string())?;
            text.trim().clone_into(&mut values.talk.schedule);
            Ok(())
        },
        get: |values| json!(values.talk.schedule),
    },
    Key {
        name: "extraction.daily_tokens_max",
        about: "the most tokens that one daily extraction spends on a user; the next one goes on from there",
        set: |values, text, _| {
            parse::within(text, 1_000, 100_000_000).map(|n| values.agent.extraction.daily_tokens_max = n)
        },
        get: |values| json!(values.agent.extraction.daily_tokens_max),
    },
    Key {
        name: "summary.model",
        about: "the model that summarises long conversations; the one that answers, if none is named",
        set: |values, text, _| {
            values.talk.summary = named(text);
            Ok(())
        },
        get: |values| json!(values.talk.summary.as_deref().unwrap_or("")),
    },
];
