//! Chat platforms, from the webhook to the reply, with the server that people run.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use recalld_testing::chat_server::{Double, said};
use recalld_testing::platform_api::StandIn;
use recalld_testing::platform_events::{
    BOT, ENCRYPT_KEY, SIGNING_SECRET, VERIFICATION_TOKEN, Webhook, feishu_at, feishu_message_at, slack_at,
    slack_mention,
};
use recalld_testing::postgres_database::Database;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::sandbox::Sandbox;
use crate::server_process::Server;

/// How long a reply may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lets a model answer, or wait.
#[derive(Default)]
struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn close(&self) {
        *self.is_closed.lock().unwrap() = true;
    }

    fn open(&self) {
        *self.is_closed.lock().unwrap() = false;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let closed = self.is_closed.lock().unwrap();
        drop(
            self.opened
                .wait_timeout_while(closed, PATIENCE, |closed| *closed)
                .unwrap(),
        );
    }
}

/// A server with both platforms, and what it talks to.
struct Stage {
    gate: Arc<Gate>,
    sandbox: Sandbox,
    api: StandIn,
    model: Double,
    database: Option<Database>,
}

impl Stage {
    async fn new(database: Option<Database>) -> Stage {
        let gate = Arc::new(Gate::default());
        let passed = Arc::clone(&gate);
        let model = Double::answering(move |number, _| {
            passed.pass();
            said(&format!("Reply {number}."))
        });
        Stage {
            gate,
            sandbox: Sandbox::new(),
            api: StandIn::start().await,
            model: model.await,
            database,
        }
    }

    fn options(&self) -> Vec<String> {
        let set = |name: &str, value: &str| format!("{name}={value}");
        let settings = [
            set("openai.url", &self.model.url),
            set("openai.key", "none"),
            set("extraction.method", "off"),
            set("channels.feishu.app_id", "cli_app"),
            set("channels.feishu.app_secret", "an app secret"),
            set("channels.feishu.encrypt_key", ENCRYPT_KEY),
            set("channels.feishu.verification_token", VERIFICATION_TOKEN),
            set("channels.feishu.url", &self.api.url),
            set("channels.slack.signing_secret", SIGNING_SECRET),
            set("channels.slack.bot_token", "xoxb-1"),
            set("channels.slack.url", &self.api.url),
        ];
        let mut options: Vec<String> = settings
            .into_iter()
            .flat_map(|setting| ["-o".to_owned(), setting])
            .collect();
        if let Some(database) = &self.database {
            options.extend(["--database-url".to_owned(), database.address()]);
        }
        options
    }

    fn serve(&self) -> Server {
        let options = self.options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        Server::start_on(&self.sandbox, "127.0.0.1:0", &options)
    }

    /// The replies so far, each once: a platform recognises a reply by its key.
    fn replies(&self, path: &str) -> BTreeSet<String> {
        let calls = self.api.calls(path);
        let key = |body: &Value| match body["uuid"].as_str() {
            Some(uuid) => uuid.to_owned(),
            None => body["metadata"]["event_payload"]["key"].to_string(),
        };
        calls.iter().map(|call| key(&call.body)).collect()
    }

    fn wait_for_replies(&self, path: &str, count: usize) {
        let until = Instant::now() + PATIENCE;
        while self.replies(path).len() < count {
            assert!(Instant::now() < until, "{:?}", self.api.calls(""));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Sends a request as a platform does: without a key of the server.
fn post(server: &Server, platform: &str, webhook: &Webhook) -> (u16, Value) {
    let headers: Vec<(&str, &str)> = webhook
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let body = std::str::from_utf8(&webhook.body).unwrap();
    let (status, body) = server.ask_as("", &format!("POST /channels/{platform}"), &headers, body);
    (status, serde_json::from_str(&body).unwrap())
}

fn question(event: &str) -> Webhook {
    let at = Timestamp::now();
    let message = format!("om_{event}");
    feishu_at(
        &feishu_message_at(at, event, &message, None, "ou_alice", "@_user_1 ask @_user_2"),
        at,
    )
}

async fn stages() -> Vec<Stage> {
    vec![
        Stage::new(None).await,
        Stage::new(Some(Database::new().await)).await,
    ]
}

#[test]
fn an_event_is_acknowledged_before_it_is_answered_and_answered_once() {
    let runtime = Runtime::new().unwrap();
    for stage in runtime.block_on(stages()) {
        let server = stage.serve();
        let asked = question("ev_1");
        // The platform is answered while the model still thinks.
        stage.gate.close();
        assert_eq!(post(&server, "feishu", &asked), (200, json!({})));
        assert!(stage.replies("/reply").is_empty());
        stage.gate.open();
        stage.wait_for_replies("/reply", 1);
        // The memory is that of the person who is mentioned, and the sender is noted.
        let of_john = [("Recalld-User", "user:ou_john")];
        let path = "GET /v1/conversations/feishu:oc_team:om_ev_1/messages";
        let (status, messages) = server.ask_as(&server.admin, path, &of_john, "");
        assert_eq!(status, 200, "{messages}");
        let messages: Value = serde_json::from_str(&messages).unwrap();
        let heard = messages["messages"].as_array().unwrap();
        let heard = heard.iter().find(|message| message["role"] == "user").unwrap();
        assert_eq!(
            (&heard["content"], &heard["sender"]),
            (&json!("ask @John"), &json!("ou_alice"))
        );
        let mut forged = question("ev_2");
        forged
            .headers
            .insert("x-lark-signature".to_owned(), "0".repeat(64));
        let (status, problem) = post(&server, "feishu", &forged);
        assert_eq!((status, &problem["code"]), (401, &json!("unauthenticated")));
        assert_eq!(post(&server, "telegram", &asked).0, 404);
        // Whatever happens in between, the event is answered once.
        assert_eq!(post(&server, "feishu", &asked).0, 200);
        assert_eq!(post(&server, "feishu", &question("ev_3")).0, 200);
        server.kill();
        let server = stage.serve();
        assert_eq!(post(&server, "feishu", &asked).0, 200);
        assert_eq!(post(&server, "feishu", &question("ev_4")).0, 200);
        stage.wait_for_replies("/reply", 3);
        let (_, metrics) = server.ask("GET /metrics", &[], "");
        assert!(metrics.contains("recalld_channel_events_total{"), "{metrics}");
        assert_eq!(stage.replies("/reply").len(), 3);
        assert_eq!(stage.model.asked().len(), 3);
    }
}

#[test]
fn slack_is_answered_in_the_same_way() {
    let runtime = Runtime::new().unwrap();
    let stage = runtime.block_on(Stage::new(None));
    let server = stage.serve();
    let at = Timestamp::now();
    let ts = format!("{}.000100", at.as_second());
    let event = slack_mention("Ev1", &ts, None, "U1", "<@UBOT> hello").to_string();
    let asked = slack_at(&event, at);
    assert_eq!(post(&server, "slack", &asked).0, 200);
    assert_eq!(post(&server, "slack", &asked).0, 200);
    stage.wait_for_replies("/api/chat.postMessage", 1);
    let challenge = json!({ "type": "url_verification", "challenge": "abc" }).to_string();
    assert_eq!(
        post(&server, "slack", &slack_at(&challenge, at)),
        (200, json!({ "challenge": "abc" }))
    );
    assert_eq!(stage.api.calls("/api/chat.postMessage").len(), 1);
}

#[test]
fn a_check_names_the_setting_that_is_wrong() {
    let runtime = Runtime::new().unwrap();
    let stage = runtime.block_on(Stage::new(None));
    let check = |more: &[&str]| {
        let mut arguments = vec!["channels".to_owned(), "--json".to_owned()];
        arguments.extend(stage.options());
        arguments.extend(more.iter().map(|&argument| argument.to_owned()));
        stage.sandbox.run(&arguments)
    };
    let signing = format!("channels.slack.signing_secret={}", "0a".repeat(16));
    let run = check(&["-o", &signing]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(run.json()["channels"][0]["path"], "/channels/feishu");
    let run = check(&["-o", &signing, "-o", "channels.feishu.bot_open_id=ou_else"]);
    assert_eq!(run.code, Some(1));
    let wrong = &run.json()["channels"][0]["checks"][2];
    assert_eq!(wrong["setting"], "channels.feishu.bot_open_id", "{wrong}");
    assert!(wrong["problem"].as_str().unwrap().contains(BOT));
    let run = check(&["-o", &signing, "-o", "channels.feishu.url=http://127.0.0.1:1"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("channels.feishu.url"), "{run:?}");
    let run = check(&["-o", "channels.slack.bot_token="]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.err.contains("channels.slack: bot_token is not set"),
        "{run:?}"
    );
    let run = stage.sandbox.run(&["channels"]);
    assert!(run.out.starts_with("No chat platform is configured."), "{run:?}");
}
