//! Reads events and button presses of Slack.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::message::{IncomingMessage, Person, ReplyTarget};
use crate::platform::{Received, Refusal};

/// Reads a verified body: JSON for events, a form with a `payload` for buttons.
pub(super) fn read(body: &[u8]) -> Result<Received, Refusal> {
    if let Some(payload) = body.strip_prefix(b"payload=") {
        return button(&parsed(&form_decoded(payload))?);
    }
    let event = parsed(body)?;
    match event["type"].as_str() {
        Some("url_verification") => Ok(Received::Challenge(json!({ "challenge": event["challenge"] }))),
        Some("event_callback") => message(&event),
        _ => Ok(Received::Ignored("not a kind of request that is answered")),
    }
}

fn parsed(body: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(body).map_err(|_| Refusal::Malformed("no JSON"))
}

fn message(callback: &Value) -> Result<Received, Refusal> {
    let event = &callback["event"];
    let is_direct = event["channel_type"] == "im";
    match event["type"].as_str() {
        Some("app_mention") => {}
        Some("message") if is_direct => {}
        _ => return Ok(Received::Ignored("not said to the assistant")),
    }
    // An answer to a bot, perhaps to ourselves, would go on for ever; edits and joins are no
    // messages.
    if !event["bot_id"].is_null() || !event["subtype"].is_null() {
        return Ok(Received::Ignored("not sent by a person"));
    }
    let team = filled(&callback["team_id"])
        .or(filled(&event["team"]))
        .ok_or(Refusal::Malformed("no team"))?;
    let ts = filled(&event["ts"]).ok_or(Refusal::Malformed("no ts"))?;
    let chat = filled(&event["channel"]).ok_or(Refusal::Malformed("no channel"))?;
    let sender = filled(&event["user"]).ok_or(Refusal::Malformed("no user"))?;
    let bots: Vec<&str> = bots(callback).collect();
    if bots.contains(&sender) {
        return Ok(Received::Ignored("not sent by a person"));
    }
    let Said { text, mentioned } = said(filled(&event["text"]).unwrap_or_default(), &bots, team);
    if text.is_empty() {
        return Ok(Received::Ignored("the message has no text"));
    }
    let root = filled(&event["thread_ts"]).unwrap_or(ts);
    let sender = person(team, sender, None);
    Ok(Received::Message(Box::new(IncomingMessage {
        event: filled(&callback["event_id"])
            .ok_or(Refusal::Malformed("no event_id"))?
            .to_owned(),
        message: format!("{chat}.{ts}"),
        chat: chat.to_owned(),
        root: root.to_owned(),
        text,
        sent_at: time(ts)?,
        target: ReplyTarget {
            chat: chat.to_owned(),
            message: ts.to_owned(),
            // A direct message is answered as such, unless it is in a thread.
            thread: (!is_direct || root != ts).then(|| root.to_owned()),
            root: root.to_owned(),
            owner: mentioned.first().unwrap_or(&sender).id.clone(),
        },
        sender,
        mentioned,
    })))
}

/// A follow-up that somebody chose by its button: as if they had typed it.
fn button(payload: &Value) -> Result<Received, Refusal> {
    let action = &payload["actions"][0];
    let value: Value = filled(&action["value"])
        .and_then(|value| serde_json::from_str(value).ok())
        .unwrap_or_default();
    let Some(question) = filled(&value["follow_up"]).filter(|_| payload["type"] == "block_actions") else {
        return Ok(Received::Ignored("not a button of ours"));
    };
    let team = filled(&payload["team"]["id"]).ok_or(Refusal::Malformed("no team"))?;
    let chat = filled(&payload["channel"]["id"]).ok_or(Refusal::Malformed("no channel"))?;
    let at = filled(&action["action_ts"]).ok_or(Refusal::Malformed("no action_ts"))?;
    let shown_in = filled(&payload["message"]["ts"]).ok_or(Refusal::Malformed("no message"))?;
    let user = filled(&payload["user"]["id"]).ok_or(Refusal::Malformed("no user"))?;
    let root = filled(&value["root"]).unwrap_or(shown_in);
    let sender = person(team, user, None);
    let owner = Person {
        id: filled(&value["owner"]).unwrap_or(&sender.id).to_owned(),
        name: None,
    };
    Ok(Received::Message(Box::new(IncomingMessage {
        event: format!("{chat}.{at}.{user}"),
        message: format!("{chat}.{at}"),
        chat: chat.to_owned(),
        root: root.to_owned(),
        sender,
        text: question.to_owned(),
        sent_at: time(at)?,
        target: ReplyTarget {
            chat: chat.to_owned(),
            message: shown_in.to_owned(),
            thread: Some(root.to_owned()),
            root: root.to_owned(),
            owner: owner.id.clone(),
        },
        mentioned: vec![owner],
    })))
}

/// The app's own accounts.
fn bots(callback: &Value) -> impl Iterator<Item = &str> {
    let all = callback["authorizations"].as_array().into_iter().flatten();
    all.filter(|authorization| authorization["is_bot"] == true)
        .filter_map(|bot| filled(&bot["user_id"]))
}

/// A Slack id is unique within its workspace.
fn person(team: &str, id: &str, name: Option<&str>) -> Person {
    Person {
        id: format!("{team}.{id}"),
        name: name.map(str::to_owned),
    }
}

struct Said {
    text: String,
    mentioned: Vec<Person>,
}

/// Shows mentions as names, takes out the assistant's own, and unescapes the rest.
fn said(raw: &str, bots: &[&str], team: &str) -> Said {
    let mut text = String::with_capacity(raw.len());
    let mut mentioned: Vec<Person> = Vec::new();
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let Some((inside, after)) = after.split_once('>') else {
            text.push('<');
            rest = after;
            continue;
        };
        rest = after;
        let (address, label) = inside
            .split_once('|')
            .map_or((inside, None), |(a, l)| (a, Some(l)));
        match address.strip_prefix('@') {
            Some(id) if bots.contains(&id) => rest = rest.trim_start_matches(' '),
            Some(id) => {
                text.push('@');
                text.push_str(label.unwrap_or(id));
                mentioned.push(person(team, id, label));
            }
            None => match (address.strip_prefix(['#', '!']), label) {
                (_, Some(label)) if label != address => text.push_str(label),
                (Some(name), _) => text.push_str(name),
                (None, _) => text.push_str(address),
            },
        }
    }
    text.push_str(rest);
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    Said {
        text: text.trim().to_owned(),
        mentioned,
    }
}

fn filled(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

/// Reads a time such as `1731844800.000200`.
fn time(ts: &str) -> Result<Timestamp, Refusal> {
    let (seconds, micros) = ts.split_once('.').unwrap_or((ts, "0"));
    let seconds: i64 = seconds
        .parse()
        .map_err(|_| Refusal::Malformed("ts is not a time"))?;
    let micros: i32 = micros
        .get(..micros.len().min(6))
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    Timestamp::new(seconds, micros.saturating_mul(1_000))
        .map_err(|_| Refusal::Malformed("ts is out of range"))
}

/// Undoes the encoding of a form's value.
fn form_decoded(raw: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(raw.len());
    let mut bytes = raw.iter().copied().take_while(|byte| *byte != b'&');
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || {
                    bytes
                        .next()
                        .and_then(|byte| char::from(byte).to_digit(16))
                        .unwrap_or(0)
                };
                let high = digit();
                (high * 16 + digit()) as u8
            }
            other => other,
        });
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_become_names_and_the_app_is_left_out() {
        let heard = said(
            "<@UBOT> ask <@U2|john> about <https://a.example|the plan> &amp; <#C1|general>",
            &["UBOT"],
            "T1",
        );
        assert_eq!(heard.text, "ask @john about the plan & general");
        assert_eq!(heard.mentioned, [person("T1", "U2", Some("john"))]);
        assert_eq!(said("a < b", &[], "T1").text, "a < b");
    }

    #[test]
    fn a_form_is_decoded() {
        assert_eq!(form_decoded(b"%7B%22a%22%3A+1%7D&x=1"), b"{\"a\": 1}");
    }
}
