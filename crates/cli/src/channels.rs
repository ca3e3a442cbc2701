//! Connects the configured chat platforms with the server.

use std::sync::Arc;

use async_trait::async_trait;
use recalld_channels::feishu::{Feishu, FeishuSettings};
use recalld_channels::slack::{Slack, SlackSettings};
use recalld_channels::{Acknowledgement, Channel, Inbox, InboxError, Refusal, WebhookRequest};
use recalld_memory::ports::Clock;
use recalld_server::{Webhook, WebhookRefusal, Webhooks};
use serde_json::Value;

use crate::config::{ChannelValues, FeishuValues, SlackValues};
use crate::failure::{Failure, chain};

/// Returns the configured platforms. Settings that are incomplete are refused: a platform that is
/// silently off would lose what people say to it.
pub(crate) fn configured(values: &ChannelValues) -> Result<Vec<Channel>, Failure> {
    let mut channels = Vec::new();
    if values.feishu.is_set() {
        channels.push(feishu(&values.feishu)?);
    }
    if values.slack.is_set() {
        channels.push(slack(&values.slack)?);
    }
    Ok(channels)
}

fn feishu(values: &FeishuValues) -> Result<Channel, Failure> {
    let platform = Feishu::new(FeishuSettings {
        app_id: values.app_id.clone().unwrap_or_default(),
        app_secret: values.app_secret.clone().unwrap_or_default(),
        encrypt_key: values.encrypt_key.clone(),
        verification_token: values.verification_token.clone(),
        base_url: values.url.clone(),
        user_id_kind: values.user_id,
        bot_open_id: values.bot_open_id.clone(),
    });
    Ok(Channel {
        platform: Arc::new(platform.map_err(|error| incomplete("feishu", &error))?),
        user_prefix: values.user_prefix.clone(),
    })
}

fn slack(values: &SlackValues) -> Result<Channel, Failure> {
    let platform = Slack::new(SlackSettings {
        signing_secret: values.signing_secret.clone().unwrap_or_default(),
        bot_token: values.bot_token.clone().unwrap_or_default(),
        base_url: values.url.clone(),
    });
    Ok(Channel {
        platform: Arc::new(platform.map_err(|error| incomplete("slack", &error))?),
        user_prefix: values.user_prefix.clone(),
    })
}

fn incomplete(channel: &str, error: &dyn std::error::Error) -> Failure {
    let message = format!("channels.{channel}: {}", chain(error));
    let hint = "`recalld config` shows the settings; docs/channels.md says where each one comes from";
    Failure::bad_input("configuration", message).hint(hint)
}

/// Refuses all events for now: they could not be stored. Platforms send them again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotNow;

#[async_trait]
impl Webhooks for NotNow {
    async fn take(&self, _: &str, _: Webhook<'_>) -> Result<Option<Value>, WebhookRefusal> {
        Err(WebhookRefusal::NotNow(
            "the event cannot be stored now".to_owned(),
        ))
    }
}

/// The inbox, as the server knows it.
#[derive(Clone, Debug)]
pub(crate) struct InboxWebhooks {
    pub(crate) inbox: Inbox,
    pub(crate) clock: Arc<dyn Clock>,
}

#[async_trait]
impl Webhooks for InboxWebhooks {
    async fn take(&self, name: &str, webhook: Webhook<'_>) -> Result<Option<Value>, WebhookRefusal> {
        let header = |name: &str| webhook.header(name);
        let request = WebhookRequest {
            header: &header,
            body: webhook.body,
            now: self.clock.now(),
        };
        match self.inbox.take(name, &request).await {
            Ok(Acknowledgement::Challenge(answer)) => Ok(Some(answer)),
            Ok(Acknowledgement::Accepted) => Ok(None),
            Err(error) => Err(refusal(name, error)),
        }
    }
}

fn refusal(name: &str, error: InboxError) -> WebhookRefusal {
    let message = error.to_string();
    let refused = match error {
        InboxError::Unknown(_) => WebhookRefusal::Unknown(name.chars().take(64).collect()),
        InboxError::Refused(Refusal::Malformed(_)) => WebhookRefusal::Malformed(message),
        InboxError::Refused(Refusal::NotNow(_)) => WebhookRefusal::NotNow(message),
        InboxError::Refused(Refusal::Unsigned { .. } | Refusal::Forged | Refusal::Stale { .. }) => {
            WebhookRefusal::Unproven(message)
        }
        // The platform is told that it failed, and not how the store is doing.
        InboxError::Space(error) => {
            tracing::warn!(channel = name, %error, "cannot store an event; the platform will send it again");
            WebhookRefusal::NotNow("the event cannot be stored now".to_owned())
        }
    };
    tracing::warn!(channel = name, refusal = %refused, "event refused");
    refused
}
