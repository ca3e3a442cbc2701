//! The configured chat platforms.

use std::fmt;

use recalld_channels::feishu::UserIdKind;

/// The chat platforms.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChannelValues {
    pub(crate) feishu: FeishuValues,
    pub(crate) slack: SlackValues,
}

/// Feishu or Lark.
#[derive(Clone)]
pub(crate) struct FeishuValues {
    pub(crate) app_id: Option<String>,
    pub(crate) app_secret: Option<String>,
    pub(crate) encrypt_key: Option<String>,
    pub(crate) verification_token: Option<String>,
    pub(crate) url: String,
    pub(crate) user_id: UserIdKind,
    pub(crate) bot_open_id: Option<String>,
    pub(crate) user_prefix: String,
}

impl Default for FeishuValues {
    fn default() -> FeishuValues {
        FeishuValues {
            app_id: None,
            app_secret: None,
            encrypt_key: None,
            verification_token: None,
            url: "https://open.feishu.cn".to_owned(),
            user_id: UserIdKind::default(),
            bot_open_id: None,
            user_prefix: String::new(),
        }
    }
}

impl FeishuValues {
    /// Whether anything that only Feishu needs is set.
    pub(crate) fn is_set(&self) -> bool {
        [
            &self.app_id,
            &self.app_secret,
            &self.encrypt_key,
            &self.verification_token,
        ]
        .into_iter()
        .any(Option::is_some)
    }
}

impl fmt::Debug for FeishuValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secrets must not appear in logs.
        f.debug_struct("FeishuValues")
            .field("app_id", &self.app_id)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// Slack.
#[derive(Clone)]
pub(crate) struct SlackValues {
    pub(crate) signing_secret: Option<String>,
    pub(crate) bot_token: Option<String>,
    pub(crate) url: String,
    pub(crate) user_prefix: String,
}

impl Default for SlackValues {
    fn default() -> SlackValues {
        SlackValues {
            signing_secret: None,
            bot_token: None,
            url: "https://slack.com".to_owned(),
            user_prefix: "slack:".to_owned(),
        }
    }
}

impl SlackValues {
    /// Whether anything that only Slack needs is set.
    pub(crate) fn is_set(&self) -> bool {
        self.signing_secret.is_some() || self.bot_token.is_some()
    }
}

impl fmt::Debug for SlackValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secrets must not appear in logs.
        f.debug_struct("SlackValues")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
