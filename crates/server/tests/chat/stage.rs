//! A service with a scripted model. The only place of these tests that knows how to call it.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use recalld_agent::extract::{Worker, WorkerSettings};
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::UserId;
use recalld_memory::ports::{ChatModels, Clock, KeyKind, Keyring};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_models::chat::{ChatConfig, ChatLimits, Protocol, RemoteChat};
use recalld_models::remote::RetryLimits;
use recalld_server::{App, Limits, create_key, router};
use recalld_testing::chat_server::{Act, Double, said};
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::watched::Watched;

/// The service, and who may call it.
pub struct Stage {
    router: Router,
    pub ana: String,
    pub service: String,
    pub admin: String,
    pub worker: Worker,
    pub store: Arc<Watched>,
    pub double: Double,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// The data of its events, those that are JSON.
    pub fn events(&self) -> Vec<Value> {
        let data = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter_map(|data| serde_json::from_str(data).ok()).collect()
    }
}

/// Tells whether a request wants facts and not an answer.
pub fn wants_facts(body: &Value) -> bool {
    body["response_format"]["json_schema"]["name"] == "facts"
}

/// The last message of a request.
pub fn last(body: &Value) -> &Value {
    body["messages"].as_array().unwrap().last().unwrap()
}

impl Stage {
    /// A service whose model says `text` whatever it is asked.
    pub async fn saying(text: &'static str) -> Stage {
        Stage::playing(AgentSettings::default(), move |_| said(text)).await
    }

    /// A service whose model plays `script` when it is asked for an answer; it finds no facts.
    pub async fn playing(
        settings: AgentSettings,
        script: impl Fn(&Value) -> Act + Send + Sync + 'static,
    ) -> Stage {
        let script = move |body: &Value| match wants_facts(body) {
            true => said("{\"facts\": []}"),
            false => script(body),
        };
        Stage::with(settings, Double::answering(move |_, body| script(body)).await).await
    }

    /// A service with that model.
    pub async fn with(settings: AgentSettings, double: Double) -> Stage {
        Stage::with_store(settings, double, Watched::new()).await
    }

    /// A service without a model.
    pub async fn without_model() -> Stage {
        let stage = Stage::saying("").await;
        let mut agent = stage.worker.agent.clone();
        agent.models = None;
        let keyring: Arc<dyn Keyring> = stage.store.clone();
        Stage {
            router: router(App::new(agent.clone(), keyring, Limits::default())),
            worker: Worker {
                agent,
                ..stage.worker.clone()
            },
            ..stage
        }
    }

    /// The same service, where models may spend that many tokens a day for a user: another server
    /// on the same store.
    pub fn with_model_tokens(self, most: u64) -> Stage {
        let mut agent = self.worker.agent.clone();
        agent.memory.settings = Arc::new(Settings {
            model_tokens_per_day_max: Some(most),
            ..Settings::default()
        });
        let keyring: Arc<dyn Keyring> = self.store.clone();
        Stage {
            router: router(App::new(agent.clone(), keyring, Limits::default())),
            worker: Worker {
                agent,
                ..self.worker.clone()
            },
            ..self
        }
    }

    /// A service with that model on that store.
    pub async fn with_store(mut settings: AgentSettings, double: Double, store: Arc<Watched>) -> Stage {
        settings.extraction.buffer_idle = Duration::ZERO;
        let keyring: Arc<dyn Keyring> = store.clone();
        let clock = Arc::new(SteppingClock::in_steps_of(1_000));
        let now = clock.now();
        let limits = ChatLimits {
            stall_timeout: Duration::from_millis(300),
            retry: RetryLimits {
                pause_first: Duration::from_millis(1),
                ..RetryLimits::default()
            },
            ..ChatLimits::default()
        };
        let model = RemoteChat::new(ChatConfig {
            protocol: Protocol::OpenAiChat,
            base_url: double.url.clone(),
            key: None,
            model: "double".to_owned(),
            limits,
        });
        let models = ChatModels::new("main", Arc::new(model.unwrap()));
        let ports = Ports::new(
            store.clone(),
            clock,
            Arc::new(TimeOrderedIds),
            Settings::default(),
        );
        let agent = AgentPorts::new(ports, settings).with_models(models);
        let make = async |kind| create_key(&*keyring, kind, None, None, now).await.unwrap().key;
        let user = UserId::new("ana").unwrap();
        let ana = make(KeyKind::User { user }).await;
        let (service, admin) = (make(KeyKind::Service).await, make(KeyKind::Admin).await);
        let worker = Worker {
            agent: agent.clone(),
            administration: store.inner.clone(),
            settings: WorkerSettings::default(),
            metrics: agent.learning.clone(),
        };
        let app = App::new(agent, Arc::clone(&keyring), Limits::default());
        Stage {
            router: router(app),
            ana,
            service,
            admin,
            worker,
            store,
            double,
        }
    }

    /// Lets `time` go by for whatever waits or remembers.
    pub async fn pass_time(&self, time: Duration) {
        tokio::time::pause();
        tokio::time::advance(time).await;
        tokio::time::resume();
    }

    /// Sends `call` (method and path) with `key`.
    pub async fn ask(&self, key: &str, call: &str, headers: &[(&str, &str)], body: Option<Value>) -> Reply {
        let (method, path) = call.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(path);
        request = request.header("authorization", format!("Bearer {key}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.map_or(Body::empty(), |body| Body::from(body.to_string()));
        let request = request
            .header("content-type", "application/json")
            .body(body)
            .unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    /// Ana sends a body, and gets what is asked for.
    #[track_caller]
    pub fn put(&self, call: &str, body: Value) -> impl Future<Output = Value> {
        let sent = self.ask(&self.ana, call, &[], Some(body));
        async {
            let reply = sent.await;
            assert!(reply.status < 300, "{}", reply.text);
            reply.json()
        }
    }

    /// Ana says something in a conversation.
    pub async fn say(&self, conversation: Option<&str>, message: &str) -> Value {
        let body = json!({ "message": message, "session_id": conversation });
        self.put("POST /api/chat", body).await
    }

    /// How many conversations of Ana are kept.
    pub async fn say_count(&self) -> usize {
        let page = self
            .ask(&self.ana, "GET /v1/conversations", &[], None)
            .await
            .json();
        page["conversations"].as_array().unwrap().len()
    }

    /// The texts of all memories of Ana that are shown.
    pub async fn memories(&self) -> Vec<String> {
        let page = self
            .ask(&self.ana, "GET /v1/memories?limit=500", &[], None)
            .await
            .json();
        let memories = page["memories"].as_array().unwrap();
        memories
            .iter()
            .map(|memory| memory["content"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Reads what was promised to be read, until nothing is left.
    pub async fn learn(&self) {
        for _ in 0..100 {
            if self.worker.work().await.is_none() {
                return;
            }
        }
        panic!("there is always more to read");
    }

    /// The requests for answers that the model got.
    pub fn asked(&self) -> Vec<Value> {
        let asked = self.double.asked().into_iter().map(|asked| asked.body);
        asked.filter(|body| !wants_facts(body)).collect()
    }

    /// The system prompt of the last of them.
    pub fn system(&self) -> String {
        let asked = self.asked();
        asked.last().unwrap()["messages"][0]["content"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

/// Counts the answers of tools that a model has got by now.
pub fn tools_answered(request: &Value) -> usize {
    let messages = request["messages"].as_array().unwrap().iter();
    messages.filter(|message| message["role"] == "tool").count()
}
