//! Four turns, two people, two threads; and many events that are repeated, reordered or forged.

use recalld_channels::Acknowledgement;
use recalld_memory::conversation::Role;
use recalld_testing::chat_server::said;
use serde_json::Value;

use crate::fixtures::{Webhook, feishu, feishu_message};
use crate::stage::{Stage, stores, take};
use crate::stand_in::StandIn;

/// A model that repeats the last message and counts what it was shown before.
fn echo(_: usize, body: &Value) -> recalld_testing::chat_server::Act {
    let messages = body["messages"].as_array().unwrap();
    let texts = |role: &str| messages.iter().filter(|message| message["role"] == role).count();
    said(&format!(
        "heard {} of the user, {} replies",
        texts("user"),
        texts("assistant")
    ))
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one scenario, turn by turn")]
async fn each_person_has_a_memory_of_their_own_in_each_thread() {
    for (name, store) in stores().await {
        let stage = Stage::on(store, StandIn::start().await, echo).await;
        let turns = [
            // Alice asks about John, twice in one thread: John's memory.
            (
                "ev_1",
                "om_1",
                None,
                "ou_alice",
                "@_user_1 @_user_2 analyse my goals",
            ),
            (
                "ev_2",
                "om_2",
                Some("om_1"),
                "ou_alice",
                "@_user_1 @_user_2 what did you find?",
            ),
            // Then about Mary in the same thread, and Mary herself in another one.
            (
                "ev_3",
                "om_3",
                Some("om_1"),
                "ou_alice",
                "@_user_1 @_user_3 and hers?",
            ),
            ("ev_4", "om_4", None, "ou_mary", "@_user_1 hello"),
        ];
        for (event, message, root, sender, text) in turns {
            let webhook = feishu(&feishu_message(event, message, root, sender, text));
            assert_eq!(
                stage.take("feishu", &webhook).await.unwrap(),
                Acknowledgement::Accepted,
                "{name}"
            );
            stage.worker.work().await;
        }
        let user = |text: &str| (Role::User, text.to_owned());
        let reply = |text: &str| (Role::Assistant, text.to_owned());
        assert_eq!(
            stage.said("ou_john", "feishu", "oc_team", "om_1").await,
            [
                user("@John analyse my goals"),
                reply("heard 1 of the user, 0 replies"),
                user("@John what did you find?"),
                reply("heard 2 of the user, 1 replies"),
            ],
            "{name}"
        );
        assert_eq!(
            stage.said("ou_mary", "feishu", "oc_team", "om_1").await,
            [user("@Mary and hers?"), reply("heard 1 of the user, 0 replies")],
            "{name}"
        );
        assert_eq!(
            stage.said("ou_mary", "feishu", "oc_team", "om_4").await,
            [user("hello"), reply("heard 1 of the user, 0 replies")],
            "{name}"
        );
        assert!(
            stage
                .said("ou_alice", "feishu", "oc_team", "om_1")
                .await
                .is_empty(),
            "{name}"
        );
        let replies = stage.api.calls("/reply");
        let answered: Vec<&str> = replies
            .iter()
            .map(|call| call.path.split('/').nth(5).unwrap())
            .collect();
        assert_eq!(answered, ["om_1", "om_2", "om_3", "om_4"], "{name}");
        assert!(
            replies.iter().all(|call| call.authorization == "Bearer t-1"),
            "{name}"
        );
    }
}

/// Numbers without any pattern that matters, the same in every run.
fn shuffled(count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    let mut seed = 7_u64;
    for at in (1..count).rev() {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(at, (seed >> 33) as usize % (at + 1));
    }
    numbers
}

#[tokio::test]
async fn each_real_event_is_answered_once_and_no_forged_one() {
    const EVENTS: usize = 60;
    for (name, store) in stores().await {
        let stage = Stage::on(store, StandIn::start().await, echo).await;
        let other = stage.other_server();
        let event = |number: usize| {
            let text = format!("@_user_1 question {number}");
            let sender = format!("ou_person_{}", number % 7);
            feishu(&feishu_message(
                &format!("ev_{number}"),
                &format!("om_{number}"),
                None,
                &sender,
                &text,
            ))
        };
        // 500 requests: each event three times, out of order and at two servers, and forgeries.
        let requests = shuffled(500);
        for request in requests {
            let webhook = event(request % EVENTS);
            let (webhook, is_real) = match request / EVENTS {
                0..3 => (webhook, true),
                kind => (forged(webhook, kind), false),
            };
            let inbox = if request % 2 == 0 {
                &stage.worker.inbox
            } else {
                &other.inbox
            };
            assert_eq!(
                take(inbox, "feishu", &webhook).await.is_ok(),
                is_real,
                "{name}: {request}"
            );
        }
        tokio::join!(stage.worker.work(), other.work());
        stage.worker.work().await;
        let mut answered: Vec<String> = stage
            .api
            .calls("/reply")
            .into_iter()
            .map(|call| call.path)
            .collect();
        assert_eq!(answered.len(), EVENTS, "{name}");
        answered.sort();
        answered.dedup();
        assert_eq!(answered.len(), EVENTS, "{name}");
        assert_eq!(stage.model.asked().len(), EVENTS, "{name}");
        // What was answered is not answered again, not even much later or after a restart.
        take(&stage.other_server().inbox, "feishu", &event(1))
            .await
            .unwrap();
        stage.worker.work().await;
        assert_eq!(stage.api.calls("/reply").len(), EVENTS, "{name}");
    }
}

/// The same request with something about it that Feishu did not make.
fn forged(mut webhook: Webhook, kind: usize) -> Webhook {
    let signature = webhook.headers.get_mut("x-lark-signature").unwrap();
    match kind % 5 {
        0 => *signature = signature.chars().rev().collect(),
        1 => *webhook.headers.get_mut("x-lark-request-timestamp").unwrap() = "1794900000".to_owned(),
        2 => drop(webhook.headers.remove("x-lark-signature")),
        3 => {
            let at = webhook.body.len() / 2;
            webhook.body[at] ^= 1;
        }
        _ => *webhook.headers.get_mut("x-lark-request-nonce").unwrap() = "another nonce".to_owned(),
    }
    webhook
}
