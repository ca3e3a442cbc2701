//! Slack: mentions of the app in channels, and direct messages.

mod event;

use std::fmt;

use async_trait::async_trait;
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Client, Url};
use serde_json::{Value, json};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::http::{ApiAnswer, call, client};
use crate::message::ReplyTarget;
use crate::outgoing::{OutgoingReply, split};
use crate::platform::{
    Delivery, Finding, Platform, Received, Refusal, SendError, WebhookRequest, refuse_stale,
};

/// How far the time of a signed request may be from ours, in seconds; Slack's own advice.
const WINDOW_S: i64 = 300;

/// The most characters of one message that Slack shows in one piece.
const PIECE_CHARS_MAX: usize = 3_000;

/// Marks our messages, so that they are found again.
const METADATA: &str = "recalld_reply";

const TIMESTAMP: &str = "x-slack-request-timestamp";
const SIGNATURE: &str = "x-slack-signature";

/// How Slack is reached and recognised, as the app's settings show it.
#[derive(Clone)]
pub struct SlackSettings {
    pub signing_secret: String,
    /// *Bot User OAuth Token*, `xoxb-…`.
    pub bot_token: String,
    /// `https://slack.com`.
    pub base_url: String,
}

impl fmt::Debug for SlackSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secrets stay out of logs.
        f.debug_struct("SlackSettings")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// The platform Slack.
#[derive(Debug)]
pub struct Slack {
    settings: SlackSettings,
    base: Url,
    client: Client,
}

/// Why Slack cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum InvalidSlack {
    /// A setting is empty.
    #[error("{name} is not set")]
    Missing { name: &'static str },
    /// The address is not one.
    #[error("base_url is not a usable http or https address")]
    Address,
    /// The HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up: {0}")]
    Client(#[from] reqwest::Error),
}

impl Slack {
    /// Sets Slack up.
    pub fn new(settings: SlackSettings) -> Result<Slack, InvalidSlack> {
        let required = [
            ("signing_secret", &settings.signing_secret),
            ("bot_token", &settings.bot_token),
        ];
        if let Some((name, _)) = required.into_iter().find(|(_, value)| value.trim().is_empty()) {
            return Err(InvalidSlack::Missing { name });
        }
        let base = Url::parse(&settings.base_url).map_err(|_| InvalidSlack::Address)?;
        if !matches!(base.scheme(), "http" | "https") || base.cannot_be_a_base() {
            return Err(InvalidSlack::Address);
        }
        Ok(Slack {
            settings,
            base,
            client: client()?,
        })
    }

    fn url(&self, method: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["api", method]);
        }
        url
    }

    async fn call(&self, method: &str, body: &Value) -> Result<Value, SendError> {
        let request = self
            .client
            .post(self.url(method))
            .bearer_auth(&self.settings.bot_token)
            .json(body);
        accepted(call(request).await?)
    }

    /// The keys of replies that are in the conversation already. Slack does not recognise a message
    /// that it got before, so a reply that may have been sent is looked for.
    async fn sent_before(&self, target: &ReplyTarget) -> Result<Vec<String>, SendError> {
        let mut url = self.url(match target.thread {
            Some(_) => "conversations.replies",
            None => "conversations.history",
        });
        url.query_pairs_mut()
            .append_pair("channel", &target.chat)
            .append_pair("oldest", &target.message)
            .append_pair("include_all_metadata", "true")
            .append_pair("limit", "200")
            .extend_pairs(target.thread.iter().map(|thread| ("ts", thread)));
        let request = self.client.get(url);
        let answer = call(request.bearer_auth(&self.settings.bot_token)).await?;
        let found = match accepted(answer) {
            Ok(found) => found,
            // Without the permission to read, another message is better than none.
            Err(SendError::Refused { reason }) => {
                tracing::warn!(
                    reason,
                    "cannot look for a reply that may have been sent; it may come twice"
                );
                return Ok(Vec::new());
            }
            Err(later) => return Err(later),
        };
        let messages = found["messages"].as_array().into_iter().flatten();
        let ours = messages.filter(|message| message["metadata"]["event_type"] == METADATA);
        let keys = ours.filter_map(|message| message["metadata"]["event_payload"]["key"].as_str());
        Ok(keys.map(str::to_owned).collect())
    }

    /// Checks the signature: HMAC-SHA-256 over version, time and body.
    fn verify(&self, request: &WebhookRequest<'_>) -> Result<(), Refusal> {
        let timestamp = request.required(TIMESTAMP)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(self.settings.signing_secret.as_bytes())
            .expect("HMAC takes keys of any length");
        mac.update(b"v0:");
        mac.update(timestamp.as_bytes());
        mac.update(b":");
        mac.update(request.body);
        let wanted = format!("v0={}", HEXLOWER.encode(&mac.finalize().into_bytes()));
        let given = request.required(SIGNATURE)?;
        if !bool::from(given.as_bytes().ct_eq(wanted.as_bytes())) {
            return Err(Refusal::Forged);
        }
        let sent_s = timestamp
            .parse()
            .map_err(|_| Refusal::Malformed("the timestamp is not a number"))?;
        refuse_stale(sent_s, request.now, WINDOW_S)
    }
}

#[async_trait]
impl Platform for Slack {
    fn name(&self) -> &'static str {
        "slack"
    }

    async fn receive(&self, request: &WebhookRequest<'_>) -> Result<Received, Refusal> {
        self.verify(request)?;
        event::read(request.body)
    }

    async fn send(
        &self,
        target: &ReplyTarget,
        reply: &OutgoingReply,
        delivery: &Delivery,
    ) -> Result<(), SendError> {
        let sent = match delivery.is_repeated {
            true => self.sent_before(target).await?,
            false => Vec::new(),
        };
        let pieces = split(&reply.text, PIECE_CHARS_MAX);
        let last = pieces.len().saturating_sub(1);
        for (number, piece) in pieces.iter().enumerate() {
            let key = format!("{}-{number}", delivery.key);
            if sent.contains(&key) {
                continue;
            }
            let text = escaped(piece);
            let mut body = json!({
                "channel": target.chat,
                "thread_ts": target.thread,
                "text": text,
                "unfurl_links": false,
                "metadata": { "event_type": METADATA, "event_payload": { "key": key } },
            });
            if number == last && !reply.follow_ups.is_empty() {
                body["blocks"] = blocks(&text, reply, target);
            }
            self.call("chat.postMessage", &body).await?;
        }
        Ok(())
    }

    async fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.settings.bot_token.starts_with("xoxb-") {
            let problem = "not a Bot User OAuth Token: those begin with xoxb-";
            findings.push(Finding::wrong("bot_token", problem));
        }
        findings.push(match self.call("auth.test", &json!({})).await {
            Ok(_) => Finding::fine("bot_token"),
            Err(error) => Finding::wrong("bot_token", error.to_string()),
        });
        let secret = &self.settings.signing_secret;
        let is_hex = secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
        findings.push(match is_hex {
            true => Finding::fine("signing_secret"),
            false => Finding::wrong(
                "signing_secret",
                "not a Signing Secret: those are 32 hexadecimal digits (Basic Information in the app's settings)",
            ),
        });
        findings
    }
}

/// A text as Slack shows it literally: without this a reply could notify people.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn blocks(text: &str, reply: &OutgoingReply, target: &ReplyTarget) -> Value {
    let button = |(number, question): (usize, &String)| {
        let value = json!({ "follow_up": question, "root": target.root, "owner": target.owner });
        json!({
            "type": "button",
            "action_id": format!("follow_up_{number}"),
            "text": { "type": "plain_text", "text": question },
            "value": value.to_string(),
        })
    };
    let buttons: Vec<Value> = reply.follow_ups.iter().enumerate().map(button).collect();
    json!([
        { "type": "section", "text": { "type": "mrkdwn", "text": text } },
        { "type": "actions", "elements": buttons },
    ])
}

/// Errors of Slack's that pass.
const PASSING: [&str; 4] = [
    "ratelimited",
    "internal_error",
    "fatal_error",
    "service_unavailable",
];

/// The body of an answer that is a success.
fn accepted(answer: ApiAnswer) -> Result<Value, SendError> {
    if answer.status.is_success() && answer.body["ok"] == true {
        return Ok(answer.body);
    }
    let error = answer.body["error"].as_str();
    let shown: String = error
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_graphic())
        .take(80)
        .collect();
    let reason = match error {
        Some(_) => format!("Slack answered {shown}"),
        None => format!("Slack answered {}", answer.status),
    };
    let is_passing = answer.status.as_u16() == 429
        || answer.status.is_server_error()
        || error.is_none_or(|error| PASSING.contains(&error));
    Err(match is_passing {
        true => SendError::Later {
            after: answer.wait("retry-after"),
            reason,
        },
        false => SendError::Refused { reason },
    })
}
