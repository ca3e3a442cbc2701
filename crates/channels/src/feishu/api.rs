//! Feishu's API: the tenant token, the bot's own id, and replies.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use reqwest::{Client, Method, Url};
use serde_json::{Value, json};

use super::{FeishuSettings, InvalidFeishu};
use crate::http::{ApiAnswer, call, client};
use crate::message::ReplyTarget;
use crate::outgoing::{OutgoingReply, split};
use crate::platform::SendError;

/// The most characters of one message. Feishu takes more, but people do not read it.
const PIECE_CHARS_MAX: usize = 4_000;

/// A token is replaced this long before it ends.
const REFRESH_BEFORE: Duration = Duration::from_secs(300);

/// Codes of an answer that say that the token is not, or no longer, valid.
const TOKEN_CODES: [i64; 4] = [99_991_661, 99_991_663, 99_991_664, 99_991_668];

/// Codes of an answer that say that we are too fast.
const RATE_CODES: [i64; 3] = [99_991_400, 11_232, 230_020];

/// The header that says how long to wait.
const RATE_RESET: &str = "x-ogw-ratelimit-reset";

#[derive(Debug)]
pub(super) struct Api {
    client: Client,
    base: Url,
    app_id: String,
    app_secret: Secret,
    token: Mutex<Option<Token>>,
    /// Held while a token is asked for, so that it is asked for once.
    asking: tokio::sync::Mutex<()>,
}

struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[secret]")
    }
}

#[derive(Debug)]
struct Token {
    value: Secret,
    until: Instant,
}

impl Api {
    pub(super) fn new(settings: &FeishuSettings) -> Result<Api, InvalidFeishu> {
        let base = Url::parse(&settings.base_url).map_err(|_| InvalidFeishu::Address)?;
        if !matches!(base.scheme(), "http" | "https") || base.cannot_be_a_base() {
            return Err(InvalidFeishu::Address);
        }
        Ok(Api {
            client: client()?,
            base,
            app_id: settings.app_id.clone(),
            app_secret: Secret(settings.app_secret.clone()),
            token: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        })
    }

    fn url(&self, segments: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// The tenant's token, as long as it is valid.
    pub(super) async fn token(&self) -> Result<String, SendError> {
        if let Some(token) = self.valid_token() {
            return Ok(token);
        }
        let _asking = self.asking.lock().await;
        if let Some(token) = self.valid_token() {
            return Ok(token);
        }
        let url = self.url(&["open-apis", "auth", "v3", "tenant_access_token", "internal"]);
        let body = json!({ "app_id": self.app_id, "app_secret": self.app_secret.0 });
        let answer = call(self.client.post(url).json(&body)).await?;
        let body = accepted(answer)?;
        let value = body["tenant_access_token"]
            .as_str()
            .ok_or_else(|| SendError::Later {
                reason: "Feishu gave no tenant_access_token".to_owned(),
                after: None,
            })?;
        let lasts = Duration::from_secs(body["expire"].as_u64().unwrap_or(0));
        *self.token.lock() = Some(Token {
            value: Secret(value.to_owned()),
            until: Instant::now() + lasts.saturating_sub(REFRESH_BEFORE),
        });
        Ok(value.to_owned())
    }

    fn valid_token(&self) -> Option<String> {
        let token = self.token.lock();
        let valid = token.as_ref().filter(|token| Instant::now() < token.until);
        valid.map(|token| token.value.0.clone())
    }

    /// Calls the API, once more with a new token if the one at hand has ended early.
    async fn call(&self, method: Method, url: Url, body: Option<&Value>) -> Result<Value, SendError> {
        for attempt in 0.. {
            let token = self.token().await?;
            let mut request = self
                .client
                .request(method.clone(), url.clone())
                .bearer_auth(token);
            if let Some(body) = body {
                request = request.json(body);
            }
            let answer = call(request).await?;
            let is_token = answer.body["code"]
                .as_i64()
                .is_some_and(|code| TOKEN_CODES.contains(&code));
            if is_token && attempt == 0 {
                *self.token.lock() = None;
                continue;
            }
            return accepted(answer);
        }
        unreachable!("the second attempt returns")
    }

    /// The bot's own `open_id`.
    pub(super) async fn bot_open_id(&self) -> Result<String, SendError> {
        let body = self
            .call(Method::GET, self.url(&["open-apis", "bot", "v3", "info"]), None)
            .await?;
        let id = body["bot"]["open_id"].as_str().filter(|id| !id.is_empty());
        id.map(str::to_owned).ok_or_else(|| SendError::Refused {
            reason: "Feishu names no bot for this app".to_owned(),
        })
    }

    /// Replies in the thread of the message that is answered: the text in as many messages as it
    /// needs, then the follow-ups as buttons.
    pub(super) async fn reply(
        &self,
        target: &ReplyTarget,
        reply: &OutgoingReply,
        key: &str,
    ) -> Result<(), SendError> {
        for (number, piece) in split(&reply.text, PIECE_CHARS_MAX).into_iter().enumerate() {
            let content = json!({ "text": escaped(&piece) });
            self.reply_once(target, "text", &content, &format!("{key}-{number}"))
                .await?;
        }
        if !reply.follow_ups.is_empty() {
            let card = card(&reply.follow_ups, target);
            self.reply_once(target, "interactive", &card, &format!("{key}-f"))
                .await?;
        }
        Ok(())
    }

    async fn reply_once(
        &self,
        target: &ReplyTarget,
        kind: &str,
        content: &Value,
        uuid: &str,
    ) -> Result<(), SendError> {
        let url = self.url(&["open-apis", "im", "v1", "messages", &target.message, "reply"]);
        let body = json!({
            "msg_type": kind,
            "content": content.to_string(),
            "reply_in_thread": target.thread.is_some(),
            // Feishu sends one message for requests with the same uuid within an hour.
            "uuid": uuid,
        });
        self.call(Method::POST, url, Some(&body)).await.map(|_| ())
    }
}

/// A text as Feishu shows it literally: an `<at>` tag in a reply would notify people.
fn escaped(text: &str) -> String {
    text.replace("<at", "<\u{2060}at")
}

fn card(follow_ups: &[String], target: &ReplyTarget) -> Value {
    let button = |question: &String| {
        json!({
            "tag": "button",
            "type": "default",
            "text": { "tag": "plain_text", "content": question },
            "value": { "follow_up": question, "root": target.root, "owner": target.owner },
        })
    };
    let actions: Vec<Value> = follow_ups.iter().map(button).collect();
    json!({ "config": { "wide_screen_mode": true }, "elements": [{ "tag": "action", "actions": actions }] })
}

/// The body of an answer that is a success.
fn accepted(answer: ApiAnswer) -> Result<Value, SendError> {
    let code = answer.body["code"].as_i64();
    if answer.status.is_success() && code == Some(0) {
        return Ok(answer.body);
    }
    let message = answer.body["msg"].as_str().unwrap_or("no message");
    let message: String = message.chars().filter(|c| !c.is_control()).take(200).collect();
    let reason = match code {
        Some(code) => format!("Feishu answered code {code}: {message}"),
        None => format!("Feishu answered {}", answer.status),
    };
    let is_rate = answer.status.as_u16() == 429 || code.is_some_and(|code| RATE_CODES.contains(&code));
    // Without a code of Feishu's own, it is not Feishu that says no.
    let is_passing = is_rate || answer.status.is_server_error() || code.is_none();
    Err(match is_passing {
        true => SendError::Later {
            after: answer.wait(RATE_RESET),
            reason,
        },
        false => SendError::Refused { reason },
    })
}
