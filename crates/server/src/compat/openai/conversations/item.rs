//! Items of conversations: given in any of their forms, stored in one.

use recalld_memory::conversation::{MessageText, Role};
use recalld_memory::conversations::NewMessage;
use recalld_memory::id::MessageId;
use serde_json::{Map, Value, json};

use super::super::super::json_body::invalid;
use crate::error::ApiError;

/// The most bytes of an item.
const BYTES_MAX: usize = 300_000;

/// Gives an item the form in which it is stored: with an id, a type, and the content of a message
/// as parts. Everything else stays as it is.
pub(in super::super) fn normal(item: Value, fresh: impl FnOnce() -> String) -> Result<Value, ApiError> {
    let Value::Object(mut item) = item else {
        return Err(invalid("every item must be an object"));
    };
    let bytes = Value::Object(item.clone()).to_string().len();
    if BYTES_MAX < bytes {
        return Err(invalid(format!(
            "an item is {bytes} bytes, over the limit of {BYTES_MAX}"
        )));
    }
    let is_message = item.get("type").is_none_or(|kind| kind == "message");
    if is_message {
        as_message(&mut item)?;
    }
    let kind = item
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("item")
        .to_owned();
    let id = item.get("id").and_then(Value::as_str);
    let id = id.filter(|id| MessageId::new(*id).is_ok()).map(str::to_owned);
    let id = id.unwrap_or_else(|| format!("{}_{}", prefix(&kind), fresh().replace('-', "")));
    let mut stored = Map::from_iter([("id".to_owned(), json!(id))]);
    item.shift_remove("id");
    stored.extend(item);
    Ok(Value::Object(stored))
}

fn prefix(kind: &str) -> &'static str {
    match kind {
        "message" => "msg",
        "function_call" => "fc",
        "function_call_output" => "fco",
        "reasoning" => "rs",
        _ => "item",
    }
}

fn as_message(item: &mut Map<String, Value>) -> Result<(), ApiError> {
    let role = item.get("role").and_then(Value::as_str).map(str::to_owned);
    let role = role.ok_or_else(|| invalid("a message needs a role"))?;
    item.insert("type".to_owned(), json!("message"));
    item.entry("status").or_insert(json!("completed"));
    match item.get("content") {
        Some(Value::String(text)) => {
            let part = match role.as_str() {
                "assistant" => json!({ "type": "output_text", "text": text, "annotations": [] }),
                _ => json!({ "type": "input_text", "text": text }),
            };
            item.insert("content".to_owned(), json!([part]));
            Ok(())
        }
        Some(Value::Array(_)) => Ok(()),
        _ => Err(invalid("a message needs a content")),
    }
}

/// Gives the message that an item is, if it is one with text.
pub(in super::super) fn message(item: &Value) -> Option<NewMessage> {
    if item["type"] != "message" {
        return None;
    }
    let texts = item["content"].as_array()?.iter();
    let texts: Vec<&str> = texts.filter_map(|part| part["text"].as_str()).collect();
    Some(NewMessage {
        id: MessageId::new(item["id"].as_str()?).ok(),
        role: match item["role"].as_str()? {
            "assistant" => Role::Assistant,
            "user" => Role::User,
            _ => Role::System,
        },
        content: MessageText::new(texts.join("\n")).ok()?,
        sender: None,
        at: None,
        metadata: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(item: Value) -> Value {
        super::normal(item, || "00-11".to_owned()).unwrap()
    }

    #[test]
    fn an_item_is_stored_in_one_form() {
        assert_eq!(
            normal(json!({"role": "user", "content": "Hi"})),
            json!({"id": "msg_0011", "role": "user", "type": "message", "status": "completed",
                "content": [{"type": "input_text", "text": "Hi"}]})
        );
        let call =
            json!({"id": "fc_9", "type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"});
        assert_eq!(normal(call.clone()), call);
        assert!(message(&call).is_none());
        let output = json!({"type": "function_call_output", "call_id": "c", "output": "42"});
        assert_eq!(normal(output)["id"], "fco_0011");
        assert!(super::normal(json!("text"), String::new).is_err());
        assert!(super::normal(json!({"content": "no role"}), String::new).is_err());
    }
}
