//! Slack, in the same frame.

use recalld_channels::{Acknowledgement, InboxError, Refusal};
use recalld_testing::chat_server::said;
use serde_json::json;

use crate::fixtures::{slack, slack_mention};
use crate::stage::Stage;
use crate::stand_in::StandIn;

#[tokio::test]
async fn a_mention_is_answered_in_its_thread() {
    let stage = Stage::new(StandIn::start().await, |_, _| said("Hello <@U9>.\n>> What next?")).await;
    let first = slack_mention("Ev1", "1794916800.000100", None, "U1", "<@UBOT> hello");
    let second = slack_mention(
        "Ev2",
        "1794916801.000100",
        Some("1794916800.000100"),
        "U1",
        "<@UBOT> and <@U2>?",
    );
    for event in [&first, &second, &first] {
        let webhook = slack(&event.to_string());
        assert_eq!(
            stage.take("slack", &webhook).await.unwrap(),
            Acknowledgement::Accepted
        );
    }
    stage.worker.work().await;
    let posts = stage.api.calls("/api/chat.postMessage");
    assert_eq!(posts.len(), 2);
    assert!(
        posts
            .iter()
            .all(|post| post.body["thread_ts"] == "1794916800.000100")
    );
    assert_eq!(
        posts[0].body["text"], "Hello &lt;@U9&gt;.",
        "a reply notifies nobody"
    );
    assert!(posts[0].body["blocks"].to_string().contains("What next?"));
    let owner = stage
        .said("slack:T1.U1", "slack", "C1", "1794916800.000100")
        .await;
    assert_eq!(owner.len(), 2);
    let mentioned = stage
        .said("slack:T1.U2", "slack", "C1", "1794916800.000100")
        .await;
    assert_eq!(mentioned[0].1, "and @U2?");
}

#[tokio::test]
async fn what_is_not_signed_or_not_said_by_a_person_is_not_answered() {
    let stage = Stage::new(StandIn::start().await, |_, _| said("Hello.")).await;
    let event = slack_mention("Ev1", "1794916800.000100", None, "U1", "<@UBOT> hello");
    let mut forged = slack(&event.to_string());
    forged.body.push(b' ');
    let refused = stage.take("slack", &forged).await;
    assert!(matches!(refused, Err(InboxError::Refused(Refusal::Forged))));
    let mut by_bot = event.clone();
    by_bot["event"]["bot_id"] = json!("B1");
    let mut edited = event.clone();
    edited["event"]["subtype"] = json!("message_changed");
    for ignored in [by_bot, edited] {
        stage.take("slack", &slack(&ignored.to_string())).await.unwrap();
    }
    let challenge = slack(&json!({ "type": "url_verification", "challenge": "abc" }).to_string());
    let answer = stage.take("slack", &challenge).await.unwrap();
    assert_eq!(answer, Acknowledgement::Challenge(json!({ "challenge": "abc" })));
    assert!(matches!(
        stage.take("telegram", &challenge).await,
        Err(InboxError::Unknown(_))
    ));
    stage.worker.work().await;
    assert!(stage.api.calls("/api/chat.postMessage").is_empty());
}
