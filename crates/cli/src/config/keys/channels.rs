//! Settings of chat platforms.

use recalld_channels::feishu::UserIdKind;
use serde_json::json;

use super::super::key::{Key, hidden};
use super::super::parse;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "channels.feishu.app_id",
        about: "App ID of a Feishu or Lark app; connects it at POST /channels/feishu",
        set: |values, text, _| {
            values.channels.feishu.app_id = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.channels.feishu.app_id.as_deref().unwrap_or("")),
    },
    Key {
        name: "channels.feishu.app_secret",
        about: "App Secret of the app; set it in the environment rather than in a file",
        set: |values, text, _| {
            values.channels.feishu.app_secret = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.channels.feishu.app_secret),
    },
    Key {
        name: "channels.feishu.encrypt_key",
        about: "Encrypt Key of the app's event subscription, with which events are signed and encrypted",
        set: |values, text, _| {
            values.channels.feishu.encrypt_key = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.channels.feishu.encrypt_key),
    },
    Key {
        name: "channels.feishu.verification_token",
        about: "Verification Token of the app's event subscription; needed only without an Encrypt Key",
        set: |values, text, _| {
            values.channels.feishu.verification_token = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.channels.feishu.verification_token),
    },
    Key {
        name: "channels.feishu.url",
        about: "address of the platform's API: https://open.feishu.cn, or https://open.larksuite.com for Lark",
        set: |values, text, _| parse::web_address(text).map(|url| values.channels.feishu.url = url),
        get: |values| json!(values.channels.feishu.url),
    },
    Key {
        name: "channels.feishu.user_id",
        about: "which id of a person names the user: open_id, union_id or user_id",
        set: |values, text, _| {
            let kind = UserIdKind::ALL
                .into_iter()
                .find(|kind| kind.as_str() == text.trim());
            values.channels.feishu.user_id = kind.ok_or("must be open_id, union_id or user_id")?;
            Ok(())
        },
        get: |values| json!(values.channels.feishu.user_id.as_str()),
    },
    Key {
        name: "channels.feishu.bot_open_id",
        about: "open_id of the app's bot; default: Feishu is asked for it",
        set: |values, text, _| {
            values.channels.feishu.bot_open_id = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.channels.feishu.bot_open_id.as_deref().unwrap_or("")),
    },
    Key {
        name: "channels.feishu.user_prefix",
        about: "text before a person's id of Feishu in the id of the user",
        set: |values, text, _| {
            values.channels.feishu.user_prefix = text.trim().to_owned();
            Ok(())
        },
        get: |values| json!(values.channels.feishu.user_prefix),
    },
    Key {
        name: "channels.slack.signing_secret",
        about: "Signing Secret of a Slack app; connects it at POST /channels/slack",
        set: |values, text, _| {
            values.channels.slack.signing_secret = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.channels.slack.signing_secret),
    },
    Key {
        name: "channels.slack.bot_token",
        about: "Bot User OAuth Token of the app (xoxb-…); set it in the environment rather than in a file",
        set: |values, text, _| {
            values.channels.slack.bot_token = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.channels.slack.bot_token),
    },
    Key {
        name: "channels.slack.url",
        about: "address of Slack's API",
        set: |values, text, _| parse::web_address(text).map(|url| values.channels.slack.url = url),
        get: |values| json!(values.channels.slack.url),
    },
    Key {
        name: "channels.slack.user_prefix",
        about: "text before the workspace and person of Slack in the id of the user",
        set: |values, text, _| {
            values.channels.slack.user_prefix = text.trim().to_owned();
            Ok(())
        },
        get: |values| json!(values.channels.slack.user_prefix),
    },
];
