//! What every handler may reach.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::ports::Keyring;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::Eraser;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::auth::{Gate, SignInCodes, TokenCheck, TokenRules};
use crate::import_jobs::ImportJobs;
use crate::layers::Rates;
use crate::mcp::McpSettings;
use crate::once::Underway;

/// The state of the service. Every layer of every request takes a clone, so that is one count more
/// and no copy.
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
    pub ports: Ports,
    /// The same ports together with what chat and extraction need.
    pub agent: AgentPorts,
    pub keyring: Arc<dyn Keyring>,
    pub limits: Limits,
    /// None: users cannot be erased here.
    pub(crate) eraser: Option<Eraser>,
    pub(crate) mcp: McpSettings,
    /// Cancelled when the service stops, so that streams without an end of their own end too.
    pub closing: CancellationToken,
    /// None: only keys are accepted.
    pub(crate) tokens: Option<Arc<TokenCheck>>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) rates: Arc<Rates>,
    pub(crate) underway: Arc<Underway>,
    pub(crate) sign_in_codes: Arc<SignInCodes>,
    /// How many clients may follow the audit log at a time.
    pub(crate) followers: Arc<Semaphore>,
    pub(crate) imports: Arc<ImportJobs>,
}

/// More clients than this cannot follow the audit log at a time.
const FOLLOWERS_MAX: usize = 256;

/// What a client may ask of the service, and how long it may take to ask.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most bytes of a request's body.
    pub body_bytes_max: usize,
    /// The most bytes of a request's body that carries a document, which base64 makes longer.
    pub document_body_bytes_max: usize,
    /// How deep JSON may be nested.
    pub json_depth_max: usize,
    /// How many requests are served at a time; more are answered 503.
    pub concurrent_max: usize,
    /// How many requests a key may make each second; more are answered 429.
    pub per_key_second_max: u32,
    /// How long a client may take to send the head of a request.
    pub head_timeout: Duration,
    /// How long the body may pause.
    pub body_timeout: Duration,
    /// How long a request may take in all.
    pub request_timeout: Duration,
    /// How long an import is waited for; one that takes longer is answered 202 and goes on.
    pub import_wait: Duration,
    /// How long running requests may take when the service stops.
    pub drain_timeout: Duration,
    /// Pages of these origins may call from a browser; none, if empty.
    pub cors_origins: Vec<String>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes_max: 1024 * 1024,
            document_body_bytes_max: 44 * 1024 * 1024,
            json_depth_max: 32,
            concurrent_max: 512,
            per_key_second_max: 2_000,
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(60),
            import_wait: Duration::from_secs(30),
            drain_timeout: Duration::from_secs(20),
            cors_origins: Vec::new(),
        }
    }
}

impl App {
    /// Puts the service together.
    pub fn new(agent: AgentPorts, keyring: Arc<dyn Keyring>, limits: Limits) -> App {
        App(Arc::new(Parts {
            gate: Arc::new(Gate::new(Arc::clone(&keyring))),
            rates: Arc::new(Rates::new(limits.per_key_second_max)),
            underway: Arc::default(),
            sign_in_codes: Arc::default(),
            followers: Arc::new(Semaphore::new(FOLLOWERS_MAX)),
            imports: Arc::default(),
            tokens: None,
            eraser: None,
            mcp: McpSettings::default(),
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

    /// Says how MCP clients reach the service, and what they are shown.
    pub fn with_mcp(self, mcp: McpSettings) -> App {
        self.with(|parts| parts.mcp = mcp)
    }

    /// Lets users be erased.
    pub fn with_eraser(self, eraser: Eraser) -> App {
        self.with(|parts| parts.eraser = Some(eraser))
    }

    /// Accepts tokens of an issuer besides keys.
    pub fn with_tokens(self, rules: TokenRules) -> App {
        self.with(|parts| parts.tokens = Some(Arc::new(TokenCheck::new(rules))))
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
