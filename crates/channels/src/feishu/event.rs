//! Reads `im.message.receive_v1` and `card.action.trigger` events of schema 2.0.

use jiff::Timestamp;
use serde_json::Value;

use super::UserIdKind;
use super::content::{Mention, text};
use crate::message::{IncomingMessage, Person, ReplyTarget};
use crate::platform::{Received, Refusal};

const MESSAGE: &str = "im.message.receive_v1";
const BUTTON: &str = "card.action.trigger";

/// Why an event needs no answer, if that can be seen before anything else is known.
pub(super) fn ignored(event: &Value) -> Option<&'static str> {
    match event["header"]["event_type"].as_str() {
        // An answer to a bot, perhaps to ourselves, would go on for ever.
        Some(MESSAGE) if event["event"]["sender"]["sender_type"] != "user" => Some("not sent by a person"),
        Some(MESSAGE | BUTTON) => None,
        _ => Some("not a kind of event that is answered"),
    }
}

/// Reads an event. `bot` is the assistant's own `open_id`.
pub(super) fn read(event: &Value, bot: &str, kind: UserIdKind) -> Result<Received, Refusal> {
    match event["header"]["event_type"].as_str() {
        Some(BUTTON) => button(event, kind),
        _ => message(event, bot, kind),
    }
}

fn message(event: &Value, bot: &str, kind: UserIdKind) -> Result<Received, Refusal> {
    let message = &event["event"]["message"];
    let mentions: Vec<Mention> = list(&message["mentions"])
        .iter()
        .filter_map(|mention| read_mention(mention, bot, kind))
        .collect();
    let is_group = message["chat_type"].as_str() != Some("p2p");
    if is_group && !mentions.iter().any(|mention| mention.is_bot) {
        return Ok(Received::Ignored("the assistant is not mentioned"));
    }
    let said = text(
        message["message_type"].as_str().unwrap_or_default(),
        required(&message["content"], "no content")?,
        &mentions,
    )?;
    let Some(said) = said.filter(|said| !said.is_empty()) else {
        return Ok(Received::Ignored("the message has no text"));
    };
    let id = required(&message["message_id"], "no message_id")?;
    let chat = required(&message["chat_id"], "no chat_id")?;
    let root = filled(&message["root_id"]).unwrap_or(id);
    let sender = person(&event["event"]["sender"]["sender_id"], None, kind)
        .ok_or(Refusal::Malformed("the sender has no id"))?;
    let people = mentions.into_iter().filter(|mention| !mention.is_bot);
    let mentioned: Vec<Person> = people.map(|mention| mention.person).collect();
    Ok(Received::Message(Box::new(IncomingMessage {
        event: required(&event["header"]["event_id"], "no event_id")?.to_owned(),
        message: id.to_owned(),
        chat: chat.to_owned(),
        root: root.to_owned(),
        text: said,
        sent_at: time(&message["create_time"])?,
        target: ReplyTarget {
            chat: chat.to_owned(),
            message: id.to_owned(),
            thread: filled(&message["thread_id"]).map(str::to_owned),
            root: root.to_owned(),
            owner: mentioned.first().unwrap_or(&sender).id.clone(),
        },
        sender,
        mentioned,
    })))
}

/// A follow-up that somebody chose by its button: as if they had typed it.
fn button(event: &Value, kind: UserIdKind) -> Result<Received, Refusal> {
    let value = &event["event"]["action"]["value"];
    let Some(question) = filled(&value["follow_up"]) else {
        return Ok(Received::Ignored("not a button of ours"));
    };
    let operator = &event["event"]["operator"];
    let context = &event["event"]["context"];
    let shown_in = required(&context["open_message_id"], "no open_message_id")?;
    let chat = required(&context["open_chat_id"], "no open_chat_id")?;
    let id = required(&event["header"]["event_id"], "no event_id")?;
    let root = filled(&value["root"]).unwrap_or(shown_in);
    let sender = person(operator, None, kind).ok_or(Refusal::Malformed("the operator has no id"))?;
    let owner = Person {
        id: filled(&value["owner"]).unwrap_or(&sender.id).to_owned(),
        name: None,
    };
    Ok(Received::Message(Box::new(IncomingMessage {
        event: id.to_owned(),
        message: id.to_owned(),
        chat: chat.to_owned(),
        root: root.to_owned(),
        sender,
        text: question.to_owned(),
        sent_at: time(&event["header"]["create_time"])?,
        target: ReplyTarget {
            chat: chat.to_owned(),
            message: shown_in.to_owned(),
            thread: None,
            root: root.to_owned(),
            owner: owner.id.clone(),
        },
        mentioned: vec![owner],
    })))
}

fn read_mention(mention: &Value, bot: &str, kind: UserIdKind) -> Option<Mention> {
    let name = filled(&mention["name"]);
    let is_bot = mention["id"]["open_id"] == bot || mention["mentioned_type"] == "bot";
    let person = person(&mention["id"], name, kind);
    // The bot has an open_id, but not always the others.
    let person = person.or_else(|| {
        is_bot.then(|| Person {
            id: bot.to_owned(),
            name: None,
        })
    })?;
    Some(Mention {
        placeholder: filled(&mention["key"])?.to_owned(),
        person,
        is_bot,
    })
}

fn person(ids: &Value, name: Option<&str>, kind: UserIdKind) -> Option<Person> {
    Some(Person {
        id: filled(&ids[kind.as_str()])?.to_owned(),
        name: name.map(str::to_owned),
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn filled(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

fn required<'v>(value: &'v Value, missing: &'static str) -> Result<&'v str, Refusal> {
    filled(value).ok_or(Refusal::Malformed(missing))
}

/// Reads a time in milliseconds, or in microseconds as buttons have it, written as text or number.
fn time(value: &Value) -> Result<Timestamp, Refusal> {
    let number = value
        .as_str()
        .map_or_else(|| value.as_i64(), |text| text.parse().ok());
    let number: i64 = number.ok_or(Refusal::Malformed("no create_time"))?;
    let ms = if 100_000_000_000_000 < number {
        number / 1_000
    } else {
        number
    };
    Timestamp::from_millisecond(ms).map_err(|_| Refusal::Malformed("create_time is out of range"))
}
