//! The prompts that a person picks in a client: what is remembered about a topic.

use recalld_memory::context::{self, TOKENS_DEFAULT};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

use super::failure::failed;

const MEMORY_CONTEXT: &str = "memory_context";
const TOPIC: &str = "topic";

/// Lists the prompts.
pub(super) fn list() -> Vec<Prompt> {
    let topic = PromptArgument::new(TOPIC)
        .with_title("Topic")
        .with_description("What the conversation or task is about")
        .with_required(true);
    let description = "What is remembered that bears on a topic, with core memories and recent notes";
    vec![Prompt::new(MEMORY_CONTEXT, Some(description), Some(vec![topic])).with_title("Memory for a topic")]
}

/// Writes the prompt `name`.
pub(super) async fn get(
    ports: &Ports,
    scope: &Scope,
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    if name != MEMORY_CONTEXT {
        return Err(ErrorData::invalid_params(
            "unknown prompt; prompts/list has those there are",
            None,
        ));
    }
    let topic = arguments
        .and_then(|arguments| arguments.get(TOPIC))
        .and_then(Value::as_str)
        .unwrap_or_default();
    if topic.trim().is_empty() {
        return Err(ErrorData::invalid_params(
            "argument \"topic\": is missing or blank",
            None,
        ));
    }
    let context = context::gather(ports, scope, topic, TOKENS_DEFAULT)
        .await
        .map_err(|error| failed(&error))?;
    let text = match context.text.is_empty() {
        true => "Nothing is remembered about the user yet.".to_owned(),
        false => context.text,
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description("What is remembered that bears on the topic"))
}
