//! The requests that are tested are those that the platforms' own SDKs accept.

pub use recalld_testing::platform_events::{
    BOT, ENCRYPT_KEY, SIGNING_SECRET, VERIFICATION_TOKEN, Webhook, feishu, feishu_at, feishu_message, now,
    slack, slack_mention,
};
use serde_json::json;

/// The committed fixtures are the bytes that this file makes.
#[test]
fn the_committed_fixtures_are_what_is_tested() {
    let lines = |webhook: Webhook, platform: &str| {
        let mut headers: Vec<(String, String)> = webhook.headers.into_iter().collect();
        headers.sort();
        json!({ "platform": platform, "headers": headers, "body": String::from_utf8(webhook.body).unwrap() })
    };
    let event = feishu_message("ev_1", "om_1", None, "ou_alice", "@_user_1 hello");
    let made = json!({
        "encrypt_key": ENCRYPT_KEY,
        "verification_token": VERIFICATION_TOKEN,
        "signing_secret": SIGNING_SECRET,
        "at": now().as_second(),
        "requests": [
            lines(feishu(&event), "feishu"),
            lines(feishu(&json!({ "type": "url_verification", "challenge": "abc", "token": VERIFICATION_TOKEN })), "feishu"),
            lines(slack(&slack_mention("Ev1", "1794916800.000100", None, "U1", "<@UBOT> hello").to_string()), "slack"),
        ],
    });
    let made = serde_json::to_string_pretty(&made).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk/fixtures.json");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        made,
        "UPDATE_EXPECT=1 writes it anew"
    );
}
