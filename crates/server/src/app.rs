//! What every handler may reach.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::ports::Keyring;
use recalld_memory::trace::SpanSink;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::Eraser;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::access_log::AccessLog;
use crate::auth::{Authenticator, AuthorizationCodes, SignInCodes, TokenRules};
use crate::idempotency::{Idempotency, InFlight};
use crate::import_jobs::ImportJobs;
use crate::limits::Limits;
use crate::mcp_settings::McpSettings;
use crate::outcomes::Outcomes;
use crate::rate_limit::{RateLimit, WriteLimit};
use crate::webhook_port::Webhooks;

/// The state of the service. Cloning it copies nothing.
#[derive(Clone, Debug)]
pub struct App(Arc<Parts>);

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// What the state is made of.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Everything that use cases of memory need.
    pub ports: Ports,
    /// The same ports together with what chat and extraction need.
    pub agent: AgentPorts,
    /// Where keys are stored.
    pub keyring: Arc<dyn Keyring>,
    /// What clients may ask.
    pub limits: Limits,
    /// None: users cannot be erased here.
    pub(crate) eraser: Option<Eraser>,
    pub(crate) mcp: McpSettings,
    /// None: no chat platform is connected.
    pub(crate) webhooks: Option<Arc<dyn Webhooks>>,
    pub(crate) persistence: Persistence,
    /// Whether REST answers only to names of its own, as `/mcp` always does.
    pub(crate) checks_host: bool,
    /// Whether everybody may see the metrics; else administrators alone.
    pub(crate) shows_metrics: bool,
    pub(crate) access_log: Option<Arc<AccessLog>>,
    /// None: requests are not traced.
    pub(crate) spans: Option<Arc<dyn SpanSink>>,
    /// Cancelled when the service stops, so that streams without an end of their own end too.
    pub closing: CancellationToken,
    pub(crate) authenticator: Authenticator,
    pub(crate) rate_limit: Arc<RateLimit>,
    pub(crate) write_limit: Arc<WriteLimit>,
    pub(crate) in_flight: Arc<InFlight>,
    pub(crate) outcomes: Arc<Outcomes>,
    /// Writes that go on though nobody waits for them.
    pub(crate) writes: TaskTracker,
    pub(crate) sign_in_codes: Arc<SignInCodes>,
    pub(crate) authorization_codes: Arc<AuthorizationCodes>,
    /// How many more clients may follow the audit log.
    pub(crate) followers: Arc<Semaphore>,
    pub(crate) imports: Arc<ImportJobs>,
}

/// Whether what is written outlives the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    Stored,
    /// It does not, because the operator wants it so.
    Volatile,
    /// It does not, because the database cannot be reached: every write says so.
    Fallback,
}

/// More clients than this cannot follow the audit log at a time.
const FOLLOWERS_MAX: usize = 256;

impl App {
    /// Puts the service together.
    pub fn new(agent: AgentPorts, keyring: Arc<dyn Keyring>, limits: Limits) -> App {
        let clock = Arc::clone(&agent.memory.clock);
        App(Arc::new(Parts {
            authenticator: Authenticator::new(Arc::clone(&keyring), clock),
            rate_limit: Arc::new(RateLimit::new(limits.per_key_second_max)),
            write_limit: Arc::new(WriteLimit::new(limits.writes_per_minute_max)),
            in_flight: Arc::default(),
            outcomes: Arc::default(),
            writes: TaskTracker::new(),
            sign_in_codes: Arc::default(),
            authorization_codes: Arc::default(),
            followers: Arc::new(Semaphore::new(FOLLOWERS_MAX)),
            imports: Arc::default(),
            eraser: None,
            mcp: McpSettings::default(),
            webhooks: None,
            persistence: Persistence::Stored,
            checks_host: false,
            shows_metrics: true,
            access_log: None,
            spans: None,
            closing: CancellationToken::new(),
            ports: agent.memory.clone(),
            agent,
            keyring,
            limits,
        }))
    }

    /// Makes a code with which a browser signs in once, within ten minutes, as the holder of `key`.
    pub fn sign_in_code(&self, key: &str) -> String {
        self.sign_in_codes.issue(key)
    }

    /// Traces requests.
    pub fn with_spans(self, spans: Arc<dyn SpanSink>) -> App {
        self.with(|parts| parts.spans = Some(spans))
    }

    /// Sets how MCP clients reach the service, and what they are shown.
    pub fn with_mcp(self, mcp: McpSettings) -> App {
        self.with(|parts| parts.mcp = mcp)
    }

    /// Lets users be erased.
    pub fn with_eraser(self, eraser: Eraser) -> App {
        self.with(|parts| parts.eraser = Some(eraser))
    }

    /// Says that what is written is not stored.
    pub fn with_persistence(self, persistence: Persistence) -> App {
        self.with(|parts| parts.persistence = persistence)
    }

    /// Connects chat platforms.
    pub fn with_webhooks(self, webhooks: Arc<dyn Webhooks>) -> App {
        self.with(|parts| parts.webhooks = Some(webhooks))
    }

    /// Accepts tokens of an issuer besides keys.
    pub fn with_tokens(self, rules: TokenRules) -> App {
        self.with(|parts| parts.authenticator = parts.authenticator.clone().with_tokens(rules))
    }

    /// Takes into account where the service listens. On a loopback address it answers only requests
    /// that name it in their Host header: otherwise any web page could reach it from the user's
    /// browser, by pointing a name of its own at 127.0.0.1 (DNS rebinding).
    ///
    /// On any other address, only administrators see the metrics.
    pub fn listening_on(self, address: SocketAddr) -> App {
        let is_loopback = address.ip().to_canonical().is_loopback();
        self.with(|parts| {
            parts.checks_host = is_loopback;
            parts.shows_metrics = is_loopback;
        })
    }

    /// Takes over what can change while the service runs: how many requests and writes are allowed,
    /// and which tokens are accepted.
    pub(crate) fn reload(&self, limits: &Limits, tokens: Option<TokenRules>) {
        self.rate_limit.replace(limits.per_key_second_max);
        self.write_limit.replace(limits.writes_per_minute_max);
        self.authenticator.set_tokens(tokens);
        self.authenticator.forget_keys();
    }

    /// Shows the metrics to everybody, wherever the service listens.
    pub fn with_public_metrics(self) -> App {
        self.with(|parts| parts.shows_metrics = true)
    }

    /// Logs every request.
    pub fn with_access_log(self, log: Arc<AccessLog>) -> App {
        self.with(|parts| parts.access_log = Some(log))
    }

    pub(crate) fn idempotency(&self) -> Idempotency<'_> {
        Idempotency {
            ports: &self.ports,
            in_flight: &self.in_flight,
            outcomes: &self.outcomes,
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> App {
        change(Arc::make_mut(&mut self.0));
        self
    }
}

impl FromRef<App> for AgentPorts {
    fn from_ref(app: &App) -> AgentPorts {
        app.agent.clone()
    }
}

impl FromRef<App> for Ports {
    fn from_ref(app: &App) -> Ports {
        app.ports.clone()
    }
}
