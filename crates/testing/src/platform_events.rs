//! Requests as chat platforms make them: encrypted and signed. `check_fixtures.py` in the tests of
//! `recalld-channels` shows that the platforms' own SDKs accept the same bytes.

use std::collections::HashMap;

use aws_lc_rs::cipher::{AES_256, EncryptionContext, PaddedBlockEncryptingKey, UnboundCipherKey};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub const ENCRYPT_KEY: &str = "an encrypt key for tests";
pub const VERIFICATION_TOKEN: &str = "a verification token for tests";
pub const SIGNING_SECRET: &str = "a signing secret for tests";
pub const BOT: &str = "ou_bot";

/// When the fixtures were made.
pub fn now() -> Timestamp {
    "2026-11-17T12:00:00Z".parse().unwrap()
}

/// A request to a webhook.
#[derive(Clone, Debug)]
pub struct Webhook {
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Webhook {
    fn new<const N: usize>(headers: [(&str, String); N], body: Vec<u8>) -> Webhook {
        let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value));
        Webhook {
            headers: headers.collect(),
            body,
        }
    }
}

/// Encrypts and signs an event as Feishu does.
pub fn feishu(event: &Value) -> Webhook {
    feishu_at(event, now())
}

/// The same at another time.
pub fn feishu_at(event: &Value, at: Timestamp) -> Webhook {
    let sealed = json!({ "encrypt": encrypted(event.to_string().into_bytes()) });
    let body = sealed.to_string().into_bytes();
    let (timestamp, nonce) = (at.as_second().to_string(), "a nonce".to_owned());
    let digest = Sha256::new()
        .chain_update(&timestamp)
        .chain_update(&nonce)
        .chain_update(ENCRYPT_KEY)
        .chain_update(&body)
        .finalize();
    Webhook::new(
        [
            ("x-lark-request-timestamp", timestamp),
            ("x-lark-request-nonce", nonce),
            ("x-lark-signature", HEXLOWER.encode(&digest)),
        ],
        body,
    )
}

fn encrypted(mut text: Vec<u8>) -> String {
    let start = [7_u8; 16];
    let key = UnboundCipherKey::new(&AES_256, &Sha256::digest(ENCRYPT_KEY)).unwrap();
    let key = PaddedBlockEncryptingKey::cbc_pkcs7(key).unwrap();
    let context = EncryptionContext::Iv128(start.into());
    key.less_safe_encrypt(&mut text, context).unwrap();
    BASE64_STANDARD.encode([&start[..], &text].concat())
}

/// A text message, as Feishu describes it.
pub fn feishu_message(event: &str, message: &str, root: Option<&str>, sender: &str, text: &str) -> Value {
    feishu_message_at(now(), event, message, root, sender, text)
}

/// The same at another time.
pub fn feishu_message_at(
    at: Timestamp,
    event: &str,
    message: &str,
    root: Option<&str>,
    sender: &str,
    text: &str,
) -> Value {
    let sent = at.as_millisecond().to_string();
    let mentioned = [
        ("@_user_1", BOT, "Bot"),
        ("@_user_2", "ou_john", "John"),
        ("@_user_3", "ou_mary", "Mary"),
    ];
    let mentions: Vec<Value> = mentioned
        .into_iter()
        .filter(|(key, ..)| text.contains(key))
        .map(|(key, id, name)| json!({ "key": key, "id": { "open_id": id, "union_id": format!("on_{id}"), "user_id": "" }, "name": name }))
        .collect();
    let mut message = json!({
        "message_id": message, "create_time": sent.clone(), "chat_id": "oc_team",
        "chat_type": "group", "message_type": "text", "content": json!({ "text": text }).to_string(), "mentions": mentions,
    });
    if let Some(root) = root {
        message["root_id"] = json!(root);
        message["parent_id"] = json!(root);
    }
    json!({
        "schema": "2.0",
        "header": {
            "event_id": event, "event_type": "im.message.receive_v1", "create_time": sent,
            "token": VERIFICATION_TOKEN, "app_id": "cli_app", "tenant_key": "tenant",
        },
        "event": {
            "sender": { "sender_id": { "open_id": sender, "union_id": format!("on_{sender}"), "user_id": "" }, "sender_type": "user", "tenant_key": "tenant" },
            "message": message,
        },
    })
}

/// Signs a request as Slack does.
pub fn slack(body: &str) -> Webhook {
    slack_at(body, now())
}

/// The same at another time.
pub fn slack_at(body: &str, at: Timestamp) -> Webhook {
    let timestamp = at.as_second().to_string();
    let mut mac = Hmac::<Sha256>::new_from_slice(SIGNING_SECRET.as_bytes()).unwrap();
    mac.update(format!("v0:{timestamp}:{body}").as_bytes());
    let signature = format!("v0={}", HEXLOWER.encode(&mac.finalize().into_bytes()));
    Webhook::new(
        [
            ("x-slack-request-timestamp", timestamp),
            ("x-slack-signature", signature),
        ],
        body.as_bytes().to_vec(),
    )
}

/// Somebody mentions the app.
pub fn slack_mention(event: &str, ts: &str, thread: Option<&str>, user: &str, text: &str) -> Value {
    json!({
        "type": "event_callback", "team_id": "T1", "event_id": event,
        "authorizations": [{ "user_id": "UBOT", "is_bot": true }],
        "event": { "type": "app_mention", "user": user, "text": text, "ts": ts, "thread_ts": thread, "channel": "C1" },
    })
}
