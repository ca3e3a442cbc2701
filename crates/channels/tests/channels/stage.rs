//! An engine with a scripted model, and channels that lead to stand-ins of their platforms.

use std::sync::Arc;

use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_channels::feishu::{Feishu, FeishuSettings, UserIdKind};
use recalld_channels::slack::{Slack, SlackSettings};
use recalld_channels::{Acknowledgement, Channel, Inbox, InboxError, Worker};
use recalld_memory::conversation::Role;
use recalld_memory::id::{ConversationId, SpaceId, UserId};
use recalld_memory::ports::store::MessagePage;
use recalld_memory::ports::{Administration, ChatModels, Store};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_models::chat::{ChatConfig, ChatLimits, Protocol, RemoteChat};
use recalld_store::SqliteStore;
use recalld_testing::chat_server::{Act, Double};
use recalld_testing::clock::{FixedClock, TimeOrderedIds};
use recalld_testing::postgres_database::Database;
use serde_json::Value;

use crate::fixtures::{BOT, ENCRYPT_KEY, SIGNING_SECRET, VERIFICATION_TOKEN, Webhook, now};
use crate::stand_in::StandIn;

/// Settings of Feishu that lead to a stand-in.
pub fn feishu_settings(url: &str) -> FeishuSettings {
    FeishuSettings {
        app_id: "cli_app".to_owned(),
        app_secret: "an app secret".to_owned(),
        encrypt_key: Some(ENCRYPT_KEY.to_owned()),
        verification_token: Some(VERIFICATION_TOKEN.to_owned()),
        base_url: url.to_owned(),
        user_id_kind: UserIdKind::OpenId,
        bot_open_id: Some(BOT.to_owned()),
    }
}

/// Settings of Slack that lead to a stand-in.
pub fn slack_settings(url: &str) -> SlackSettings {
    SlackSettings {
        signing_secret: SIGNING_SECRET.to_owned(),
        bot_token: "a bot token".to_owned(),
        base_url: url.to_owned(),
    }
}

/// A store of each kind, with its name.
pub async fn stores() -> Vec<(&'static str, StoreOfTest)> {
    let database = Database::new().await;
    let postgres = Arc::new(database.open().await);
    let sqlite = Arc::new(SqliteStore::in_memory().unwrap());
    vec![
        (
            "sqlite",
            StoreOfTest {
                store: sqlite.clone(),
                administration: sqlite,
                _database: None,
            },
        ),
        (
            "postgres",
            StoreOfTest {
                store: postgres.clone(),
                administration: postgres,
                _database: Some(database),
            },
        ),
    ]
}

pub struct StoreOfTest {
    store: Arc<dyn Store>,
    administration: Arc<dyn Administration>,
    _database: Option<Database>,
}

impl StoreOfTest {
    pub fn sqlite() -> StoreOfTest {
        let store = Arc::new(SqliteStore::in_memory().unwrap());
        StoreOfTest {
            store: store.clone(),
            administration: store,
            _database: None,
        }
    }
}

pub struct Stage {
    pub worker: Worker,
    pub model: Arc<Double>,
    pub api: StandIn,
    store: StoreOfTest,
}

impl Stage {
    /// A stage on SQLite whose model answers by a script.
    pub async fn new(api: StandIn, script: impl Fn(usize, &Value) -> Act + Send + Sync + 'static) -> Stage {
        Stage::on(StoreOfTest::sqlite(), api, script).await
    }

    /// The same on a store that is given.
    pub async fn on(
        store: StoreOfTest,
        api: StandIn,
        script: impl Fn(usize, &Value) -> Act + Send + Sync + 'static,
    ) -> Stage {
        let model = Arc::new(Double::answering(script).await);
        let worker = worker(&store, &api, &model.url, "server-1");
        Stage {
            worker,
            model,
            api,
            store,
        }
    }

    /// Another server on the same store.
    pub fn other_server(&self) -> Worker {
        worker(&self.store, &self.api, &self.model.url, "server-2")
    }

    /// A request arrives at a platform's webhook.
    pub async fn take(&self, platform: &str, webhook: &Webhook) -> Result<Acknowledgement, InboxError> {
        take(&self.worker.inbox, platform, webhook).await
    }

    /// What a thread of a user holds: roles and texts, the oldest first.
    pub async fn said(&self, user: &str, platform: &str, chat: &str, root: &str) -> Vec<(Role, String)> {
        let space = SpaceId::of_user(&UserId::new(user).unwrap());
        let conversation = ConversationId::of_thread(platform, chat, root).unwrap();
        let page = MessagePage {
            before: None,
            limit: 100,
        };
        let messages = self
            .store
            .store
            .messages(&space, &conversation, &page)
            .await
            .unwrap();
        let said = messages
            .into_iter()
            .filter(|message| message.role != Role::System);
        said.map(|message| (message.role, message.content.as_str().to_owned()))
            .collect()
    }
}

/// A request arrives at the webhook of a server.
pub async fn take(inbox: &Inbox, platform: &str, webhook: &Webhook) -> Result<Acknowledgement, InboxError> {
    let header = |name: &str| webhook.headers.get(name).map(String::as_str);
    let request = recalld_channels::WebhookRequest {
        header: &header,
        body: &webhook.body,
        now: now(),
    };
    inbox.take(platform, &request).await
}

fn worker(store: &StoreOfTest, api: &StandIn, model: &str, name: &str) -> Worker {
    let model = RemoteChat::new(ChatConfig {
        protocol: Protocol::OpenAiChat,
        base_url: model.to_owned(),
        key: None,
        model: "double".to_owned(),
        limits: ChatLimits::default(),
    });
    let models = ChatModels::new("main", Arc::new(model.unwrap()));
    let ports = Ports::new(
        store.store.clone(),
        Arc::new(FixedClock(now())),
        Arc::new(TimeOrderedIds),
        Settings::default(),
    );
    let channels = vec![
        Channel {
            platform: Arc::new(Feishu::new(feishu_settings(&api.url)).unwrap()),
            user_prefix: String::new(),
        },
        Channel {
            platform: Arc::new(Slack::new(slack_settings(&api.url)).unwrap()),
            user_prefix: "slack:".to_owned(),
        },
    ];
    Worker {
        agent: AgentPorts::new(ports.clone(), AgentSettings::default()).with_models(models),
        administration: store.administration.clone(),
        inbox: Inbox::new(ports, channels),
        name: name.to_owned(),
    }
}
