//! What every handler may reach.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::ports::Keyring;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::Eraser;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::auth::{Authenticator, SignInCodes, TokenRules};
use crate::idempotency::{Idempotency, InFlight};
use crate::import_jobs::ImportJobs;
use crate::limits::Limits;
use crate::mcp_settings::McpSettings;
use crate::outcomes::Outcomes;
use crate::rate_limit::RateLimit;

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
    /// Whether REST answers only to names of its own, as `/mcp` always does.
    pub(crate) checks_host: bool,
    /// Cancelled when the service stops, so that streams without an end of their own end too.
    pub closing: CancellationToken,
    pub(crate) authenticator: Authenticator,
    pub(crate) rate_limit: Arc<RateLimit>,
    pub(crate) in_flight: Arc<InFlight>,
    pub(crate) outcomes: Arc<Outcomes>,
    /// Writes that go on though nobody waits for them.
    pub(crate) writes: TaskTracker,
    pub(crate) sign_in_codes: Arc<SignInCodes>,
    /// How many more clients may follow the audit log.
    pub(crate) followers: Arc<Semaphore>,
    pub(crate) imports: Arc<ImportJobs>,
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
            in_flight: Arc::default(),
            outcomes: Arc::default(),
            writes: TaskTracker::new(),
            sign_in_codes: Arc::default(),
            followers: Arc::new(Semaphore::new(FOLLOWERS_MAX)),
            imports: Arc::default(),
            eraser: None,
            mcp: McpSettings::default(),
            checks_host: false,
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

    /// Sets how MCP clients reach the service, and what they are shown.
    pub fn with_mcp(self, mcp: McpSettings) -> App {
        self.with(|parts| parts.mcp = mcp)
    }

    /// Lets users be erased.
    pub fn with_eraser(self, eraser: Eraser) -> App {
        self.with(|parts| parts.eraser = Some(eraser))
    }

    /// Accepts tokens of an issuer besides keys.
    pub fn with_tokens(self, rules: TokenRules) -> App {
        self.with(|parts| parts.authenticator = parts.authenticator.clone().with_tokens(rules))
    }

    /// Takes into account where the service listens. On a loopback address it answers only requests
    /// that name it in their Host header: otherwise any web page could reach it from the user's
    /// browser, by pointing a name of its own at 127.0.0.1 (DNS rebinding).
    pub fn listening_on(self, address: SocketAddr) -> App {
        self.with(|parts| parts.checks_host = address.ip().to_canonical().is_loopback())
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
