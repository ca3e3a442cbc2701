//! Feishu (and Lark, which is the same under other addresses).

mod api;
mod content;
mod envelope;
mod event;

use async_trait::async_trait;
use serde_json::json;
use std::fmt;
use std::time::Duration;
use tokio::sync::OnceCell;

use crate::message::ReplyTarget;
use crate::outgoing::OutgoingReply;
use crate::platform::{Delivery, Finding, Platform, Received, Refusal, SendError, WebhookRequest};
use api::Api;
use envelope::Envelope;

/// How far the time of a signed request may be from ours, in seconds.
const WINDOW_S: i64 = 300;

/// How long an event waits for the bot's own id: Feishu wants its answer within a second.
const BOT_TIMEOUT: Duration = Duration::from_millis(700);

/// How Feishu is reached and recognised, as its developer console shows it.
#[derive(Clone)]
pub struct FeishuSettings {
    pub app_id: String,
    pub app_secret: String,
    /// *Encrypt Key*: signs and encrypts events.
    pub encrypt_key: Option<String>,
    /// *Verification Token*: the weaker proof, used when there is no encrypt key, and beside it.
    pub verification_token: Option<String>,
    /// `https://open.feishu.cn`, or `https://open.larksuite.com` for Lark.
    pub base_url: String,
    /// Which of a person's ids names the owner of memories.
    pub user_id_kind: UserIdKind,
    /// The assistant's own `open_id`. None: Feishu is asked.
    pub bot_open_id: Option<String>,
}

impl fmt::Debug for FeishuSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secrets stay out of logs.
        f.debug_struct("FeishuSettings")
            .field("app_id", &self.app_id)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// A kind of Feishu user id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UserIdKind {
    /// The person within this app.
    #[default]
    OpenId,
    /// The person within all apps of one developer.
    UnionId,
    /// The person within the organisation; needs a permission.
    UserId,
}

impl UserIdKind {
    /// All kinds.
    pub const ALL: [UserIdKind; 3] = [UserIdKind::OpenId, UserIdKind::UnionId, UserIdKind::UserId];

    /// The kind's name, as Feishu spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            UserIdKind::OpenId => "open_id",
            UserIdKind::UnionId => "union_id",
            UserIdKind::UserId => "user_id",
        }
    }
}

/// The platform Feishu.
#[derive(Debug)]
pub struct Feishu {
    settings: FeishuSettings,
    api: Api,
    bot: OnceCell<String>,
}

impl Feishu {
    /// Sets Feishu up. Refuses settings under which anybody could send events.
    pub fn new(settings: FeishuSettings) -> Result<Feishu, InvalidFeishu> {
        if settings.encrypt_key.is_none() && settings.verification_token.is_none() {
            return Err(InvalidFeishu::NoProof);
        }
        for (name, value) in [("app_id", &settings.app_id), ("app_secret", &settings.app_secret)] {
            if value.trim().is_empty() {
                return Err(InvalidFeishu::Missing { name });
            }
        }
        let bot = settings
            .bot_open_id
            .clone()
            .map_or_else(OnceCell::new, |id| OnceCell::new_with(Some(id)));
        Ok(Feishu {
            api: Api::new(&settings)?,
            settings,
            bot,
        })
    }

    /// The assistant's own `open_id`, which a mention of it has.
    async fn bot(&self) -> Result<&str, Refusal> {
        let not_now = Refusal::NotNow("the bot's own open_id is not known");
        let asked = self.bot.get_or_try_init(|| self.api.bot_open_id());
        match tokio::time::timeout(BOT_TIMEOUT, asked).await {
            Ok(Ok(bot)) => Ok(bot),
            Ok(Err(error)) => {
                tracing::warn!(%error, "Feishu does not say which account is the bot; set channels.feishu.bot_open_id");
                Err(not_now)
            }
            Err(_) => Err(not_now),
        }
    }
}

/// Why Feishu cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum InvalidFeishu {
    /// Nothing proves that an event is from Feishu.
    #[error("neither encrypt_key nor verification_token is set, so events could not be verified")]
    NoProof,
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

#[async_trait]
impl Platform for Feishu {
    fn name(&self) -> &'static str {
        "feishu"
    }

    async fn receive(&self, request: &WebhookRequest<'_>) -> Result<Received, Refusal> {
        let event = match Envelope::open(&self.settings, request)? {
            Envelope::Challenge(challenge) => {
                return Ok(Received::Challenge(json!({ "challenge": challenge })));
            }
            Envelope::Event(event) => event,
        };
        if let Some(reason) = event::ignored(&event) {
            return Ok(Received::Ignored(reason));
        }
        let bot = self.bot().await?;
        event::read(&event, bot, self.settings.user_id_kind)
    }

    async fn send(
        &self,
        target: &ReplyTarget,
        reply: &OutgoingReply,
        delivery: &Delivery,
    ) -> Result<(), SendError> {
        // Feishu itself recognises what it got before, by its uuid.
        self.api.reply(target, reply, &delivery.key).await
    }

    async fn warm_up(&self) {
        let asked = self.bot.get_or_try_init(|| self.api.bot_open_id()).await;
        if let Err(error) = asked {
            tracing::warn!(%error, "Feishu does not say which account is the bot; will ask again");
        }
    }

    async fn check(&self) -> Vec<Finding> {
        let mut findings = vec![match self.settings.encrypt_key {
            Some(_) => Finding::fine("encrypt_key"),
            None => Finding::wrong(
                "encrypt_key",
                "not set: events are verified by their token alone; set an Encrypt Key under \
                 Event Subscriptions in the developer console",
            ),
        }];
        match self.api.token().await {
            Ok(_) => findings.push(Finding::fine("app_secret")),
            Err(error) => {
                let named = match &error {
                    SendError::Later { .. } => "url",
                    SendError::Refused { .. } => "app_secret",
                };
                findings.push(Finding::wrong(
                    named,
                    format!("{error}; compare App ID, App Secret and url with the developer console"),
                ));
                return findings;
            }
        }
        findings.push(match self.api.bot_open_id().await {
            Ok(id) if self.settings.bot_open_id.as_ref().is_some_and(|set| *set != id) => Finding::wrong(
                "bot_open_id",
                format!("Feishu says {id}; correct the setting or remove it"),
            ),
            Ok(_) => Finding::fine("bot_open_id"),
            Err(error) => Finding::wrong(
                "bot_open_id",
                format!("{error}; enable the Bot feature of the app"),
            ),
        });
        findings
    }
}
