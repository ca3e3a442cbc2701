//! Puts a server together: once, and once more when its database is back.

use std::net::SocketAddr;
use std::sync::Arc;

use croner::Cron;
use recalld_channels::{Channel, Inbox};
use recalld_memory::trace::SpanSink;
use recalld_models::otlp::OtlpSink;
use recalld_server::{AccessLog, App, Persistence, TokenRules};

use super::observing;
use crate::channels::{InboxWebhooks, NotNow};
use crate::config::Config;
use crate::engine::Engine;
use crate::jobs::{JobContext, RunningJobs};

/// What a server is made of, besides its memories.
#[derive(Clone, Debug)]
pub(super) struct Assembly {
    pub(super) config: Config,
    pub(super) address: SocketAddr,
    pub(super) token_rules: Option<TokenRules>,
    pub(super) schedule: Option<Cron>,
    pub(super) channels: Vec<Channel>,
    pub(super) access_log: Option<Arc<AccessLog>>,
    pub(super) spans: Option<Arc<OtlpSink>>,
}

impl Assembly {
    /// Makes the service of an engine, and the jobs that go with it.
    pub(super) fn start(&self, engine: &Engine, persistence: Persistence) -> (App, RunningJobs) {
        let server = &self.config.values.server;
        let mut app = App::new(engine.agent.clone(), engine.keyring.clone(), server.limits())
            .with_mcp(server.mcp())
            .with_persistence(persistence)
            .listening_on(self.address);
        app = observing::observed(app, server, self.access_log.clone());
        if let Some(spans) = &self.spans {
            app = app.with_spans(Arc::clone(spans) as Arc<dyn SpanSink>);
        }
        // Erasing a user has to reach everything that is stored about them.
        if persistence != Persistence::Fallback {
            app = app.with_eraser(engine.eraser.clone());
        }
        if let Some(rules) = self.token_rules.clone() {
            app = app.with_tokens(rules);
        }
        let inbox = self
            .inbox(engine)
            .filter(|_| persistence != Persistence::Fallback);
        app = match &inbox {
            Some(inbox) => app.with_webhooks(webhooks(inbox.clone(), engine)),
            None if !self.channels.is_empty() => app.with_webhooks(Arc::new(NotNow)),
            None => app,
        };
        let jobs = RunningJobs::start(&JobContext {
            server_name: server_name(engine),
            engine: engine.clone(),
            schedule: self.schedule.clone(),
            inbox,
        });
        (app, jobs)
    }

    fn inbox(&self, engine: &Engine) -> Option<Inbox> {
        (!self.channels.is_empty()).then(|| Inbox::new(engine.ports.clone(), self.channels.clone()))
    }
}

/// Makes the inbox a part of the server.
fn webhooks(inbox: Inbox, engine: &Engine) -> Arc<InboxWebhooks> {
    if engine.agent.models.is_none() {
        tracing::warn!("chat platforms are configured without a chat model; people get an apology");
    }
    let clock = Arc::clone(&engine.ports.clock);
    Arc::new(InboxWebhooks { inbox, clock })
}

/// Distinguishes this server from others that work on the same memories.
fn server_name(engine: &Engine) -> String {
    let ports = &engine.ports;
    match engine.postgres {
        // One process at a time holds the data directory: the claims of a dead one are free.
        None => "local".to_owned(),
        // Servers of one database must not mistake each other's claims for their own.
        Some(_) => ports.ids.next(ports.clock.now()).to_string(),
    }
}
