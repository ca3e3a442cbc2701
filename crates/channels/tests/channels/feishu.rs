//! Feishu: what is verified, what is ignored, and what happens when its API fails.

use recalld_channels::feishu::{Feishu, FeishuSettings};
use recalld_channels::{Platform, Received, Refusal};
use recalld_testing::chat_server::{Act, said};
use serde_json::{Value, json};

use crate::fixtures::{VERIFICATION_TOKEN, Webhook, feishu, feishu_at, feishu_message, now};
use crate::stage::{Stage, feishu_settings};
use crate::stand_in::StandIn;

async fn receive(settings: FeishuSettings, webhook: &Webhook) -> Result<Received, Refusal> {
    let feishu = Feishu::new(settings).unwrap();
    let header = |name: &str| webhook.headers.get(name).map(String::as_str);
    let request = recalld_channels::WebhookRequest {
        header: &header,
        body: &webhook.body,
        now: now(),
    };
    feishu.receive(&request).await
}

async fn received(event: &Value) -> Result<Received, Refusal> {
    receive(feishu_settings("http://127.0.0.1:1"), &feishu(event)).await
}

fn plain(event: &Value) -> Webhook {
    Webhook {
        headers: Default::default(),
        body: event.to_string().into_bytes(),
    }
}

#[tokio::test]
async fn the_address_is_tried_with_a_challenge() {
    let challenge = json!({ "type": "url_verification", "challenge": "abc", "token": VERIFICATION_TOKEN });
    let answer = Received::Challenge(json!({ "challenge": "abc" }));
    assert_eq!(received(&challenge).await.unwrap(), answer);
    let mut without_key = feishu_settings("http://127.0.0.1:1");
    without_key.encrypt_key = None;
    assert_eq!(
        receive(without_key.clone(), &plain(&challenge)).await.unwrap(),
        answer
    );
    let wrong = json!({ "type": "url_verification", "challenge": "abc", "token": "guessed" });
    assert_eq!(receive(without_key, &plain(&wrong)).await, Err(Refusal::Forged));
    assert_eq!(received(&wrong).await, Err(Refusal::Forged));
}

#[tokio::test]
async fn what_is_not_proved_is_refused() {
    let event = feishu_message("ev_1", "om_1", None, "ou_alice", "@_user_1 hello");
    let settings = || feishu_settings("http://127.0.0.1:1");
    assert!(receive(settings(), &feishu(&event)).await.is_ok());
    assert_eq!(receive(settings(), &plain(&event)).await, Err(Refusal::Forged));
    let mut unsigned = feishu(&event);
    unsigned.headers.clear();
    assert!(matches!(
        receive(settings(), &unsigned).await,
        Err(Refusal::Unsigned { .. })
    ));
    let recorded = feishu_at(&event, now() - jiff::SignedDuration::from_mins(6));
    assert!(matches!(
        receive(settings(), &recorded).await,
        Err(Refusal::Stale { .. })
    ));
    let mut other_token = event.clone();
    other_token["header"]["token"] = json!("guessed");
    assert_eq!(received(&other_token).await, Err(Refusal::Forged));
    let nothing = FeishuSettings {
        encrypt_key: None,
        verification_token: None,
        ..settings()
    };
    assert!(Feishu::new(nothing).is_err());
}

#[tokio::test]
async fn bots_strangers_and_other_events_are_ignored() {
    let ignored = async |event: &Value| matches!(received(event).await, Ok(Received::Ignored(_)));
    let event = feishu_message("ev_1", "om_1", None, "ou_alice", "@_user_1 hello");
    assert!(!ignored(&event).await);
    let mut by_bot = event.clone();
    by_bot["event"]["sender"]["sender_type"] = json!("app");
    assert!(ignored(&by_bot).await, "a bot would answer for ever");
    assert!(
        ignored(&feishu_message("ev_2", "om_2", None, "ou_alice", "hello all")).await,
        "not said to us"
    );
    let mut direct = feishu_message("ev_3", "om_3", None, "ou_alice", "hello");
    direct["event"]["message"]["chat_type"] = json!("p2p");
    assert!(!ignored(&direct).await);
    let mut other = event.clone();
    other["header"]["event_type"] = json!("im.chat.updated_v1");
    assert!(ignored(&other).await);
    let mut picture = event.clone();
    picture["event"]["message"]["message_type"] = json!("image");
    picture["event"]["message"]["content"] = json!("{\"image_key\":\"k\"}");
    assert!(ignored(&picture).await);
}

#[tokio::test]
async fn a_button_is_answered_like_a_message() {
    let event = json!({
        "schema": "2.0",
        "header": { "event_id": "ev_b", "event_type": "card.action.trigger", "create_time": "1794916800000000", "token": VERIFICATION_TOKEN },
        "event": {
            "operator": { "open_id": "ou_alice" },
            "action": { "tag": "button", "value": { "follow_up": "Who helps?", "root": "om_1", "owner": "ou_john" } },
            "context": { "open_message_id": "om_card", "open_chat_id": "oc_team" },
        },
    });
    let Ok(Received::Message(message)) = received(&event).await else {
        panic!("not a message");
    };
    assert_eq!(
        (message.text.as_str(), message.root.as_str()),
        ("Who helps?", "om_1")
    );
    assert_eq!(
        (message.owner().id.as_str(), message.sender.id.as_str()),
        ("ou_john", "ou_alice")
    );
    assert_eq!(message.sent_at, now());
}

fn question() -> Webhook {
    feishu(&feishu_message(
        "ev_1",
        "om_1",
        None,
        "ou_alice",
        "@_user_1 hello",
    ))
}

#[tokio::test]
async fn a_token_that_ended_early_is_replaced() {
    let api = StandIn::answering(|number, call| {
        let is_first_reply = call.path.ends_with("/reply") && number < 2;
        is_first_reply.then(|| (400, "", json!({ "code": 99_991_663, "msg": "token expired" })))
    });
    let stage = Stage::new(api.await, |_, _| said("Hello.")).await;
    stage.take("feishu", &question()).await.unwrap();
    stage.worker.work().await;
    assert_eq!(stage.api.calls("/internal").len(), 2);
    assert_eq!(stage.api.calls("/reply").len(), 2);
}

#[tokio::test]
async fn a_platform_that_fails_does_not_lose_the_turn() {
    let api = StandIn::answering(|number, call| match (call.path.ends_with("/reply"), number) {
        (true, 1) => Some((
            429,
            "x-ogw-ratelimit-reset: 0\r\n",
            json!({ "code": 99_991_400, "msg": "slow down" }),
        )),
        (true, 2) => Some((503, "retry-after: 0\r\n", json!(null))),
        _ => None,
    });
    let stage = Stage::new(api.await, |_, _| said("Hello.")).await;
    stage.take("feishu", &question()).await.unwrap();
    for _ in 0..3 {
        stage.worker.work().await;
    }
    let replies = stage.api.calls("/reply");
    assert_eq!(replies.len(), 3);
    let uuids: Vec<&Value> = replies.iter().map(|call| &call.body["uuid"]).collect();
    assert!(
        uuids.windows(2).all(|pair| pair[0] == pair[1]),
        "the same reply each time"
    );
    assert_eq!(stage.model.asked().len(), 1, "the model is asked once");
    assert_eq!(stage.said("ou_alice", "feishu", "oc_team", "om_1").await.len(), 2);
    stage.worker.work().await;
    assert_eq!(stage.api.calls("/reply").len(), 3);
}

#[tokio::test]
async fn a_long_reply_comes_in_pieces_and_follow_ups_as_buttons() {
    let long = format!("{}\n\n>> What next?", "A sentence. ".repeat(500));
    let stage = Stage::new(StandIn::start().await, move |_, _| said(&long)).await;
    stage.take("feishu", &question()).await.unwrap();
    stage.worker.work().await;
    let replies = stage.api.calls("/reply");
    let kinds: Vec<&str> = replies
        .iter()
        .map(|call| call.body["msg_type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["text", "text", "interactive"]);
    assert!(
        replies[2].body["content"]
            .as_str()
            .unwrap()
            .contains("What next?")
    );
    assert!(
        !replies[1].body["content"]
            .as_str()
            .unwrap()
            .contains("What next?")
    );
}

#[tokio::test]
async fn a_model_that_fails_is_asked_again_and_then_there_is_an_apology() {
    let failing = |_: usize, _: &Value| Act::Status(400, "", "{}");
    let stage = Stage::new(StandIn::start().await, failing).await;
    stage.take("feishu", &question()).await.unwrap();
    stage.worker.work().await;
    assert!(stage.api.calls("/reply").is_empty(), "not at the first failure");
}

#[tokio::test]
async fn a_check_says_which_setting_is_wrong() {
    let api = StandIn::answering(|_, call| {
        call.path
            .ends_with("/internal")
            .then(|| (200, "", json!({ "code": 10_014, "msg": "app secret invalid" })))
    });
    let api = api.await;
    let findings = Feishu::new(feishu_settings(&api.url)).unwrap().check().await;
    let wrong: Vec<_> = findings
        .iter()
        .filter(|finding| finding.problem.is_some())
        .collect();
    assert_eq!(wrong.len(), 1, "{findings:?}");
    assert_eq!(wrong[0].what, "app_secret");
    let fine = StandIn::start().await;
    let findings = Feishu::new(feishu_settings(&fine.url)).unwrap().check().await;
    assert!(
        findings.iter().all(|finding| finding.problem.is_none()),
        "{findings:?}"
    );
}
