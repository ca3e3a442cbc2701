//! A server with two users on a free port, and clients of it. The only place of these tests that
//! knows how it is wired.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use http::Method;
use jiff::Timestamp;
use recalld_agent::settings::AgentSettings;
use recalld_agent::tools::ToolSet;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::UserId;
use recalld_memory::ports::{Clock, Ids, KeyKind};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_server::{App, Limits, McpSettings, create_key, router, serve, serve_stream};
use recalld_store::SqliteStore;
use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, UnixSocketHttpClient};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceError};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream, UnixListener};
use uuid::Uuid;

use crate::bare::Bare;

/// A client of the official SDK.
pub type Client = RunningService<RoleClient, ()>;

/// How a client opens: both ways are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize`, and then a session.
    Handshake,
    /// Every request stands alone.
    Alone,
}

impl Era {
    pub const BOTH: [Era; 2] = [Era::Handshake, Era::Alone];

    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Era::Handshake => ClientLifecycleMode::Initialize,
            Era::Alone => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        }
    }
}

#[derive(Debug)]
struct StillClock;

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        "2026-03-01T10:00:00Z".parse().unwrap()
    }
}

#[derive(Debug, Default)]
struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed) + 1))
    }
}

/// A running server.
pub struct Stage {
    ports: Ports,
    router: Router,
    /// Holds the socket through which clients come.
    directory: TempDir,
    /// A key of the user `ana`.
    pub ana: String,
    /// A key of the user `bob`.
    pub bob: String,
    /// A key that acts for users.
    pub service: String,
}

impl Stage {
    /// Starts a server as it is without configuration.
    pub async fn new() -> Stage {
        Stage::with(McpSettings::default()).await
    }

    /// Starts a server.
    pub async fn with(mcp: McpSettings) -> Stage {
        let store = Arc::new(SqliteStore::in_memory().unwrap());
        let (clock, ids) = (Arc::new(StillClock), Arc::new(CountingIds::default()));
        let ports = Ports::new(store.clone(), clock, ids, Settings::default());
        let key = async |kind| {
            create_key(&*store, kind, None, None, StillClock.now())
                .await
                .unwrap()
                .key
        };
        let user = |name| KeyKind::User {
            user: UserId::new(name).unwrap(),
        };
        let (ana, bob, service) = (
            key(user("ana")).await,
            key(user("bob")).await,
            key(KeyKind::Service).await,
        );
        let app = App::new(
            AgentPorts::new(ports.clone(), AgentSettings::default()),
            store.clone(),
            Limits::default(),
        )
        .with_mcp(mcp);
        let router = router(app.clone());
        let directory = tempfile::tempdir().unwrap();
        let socket = UnixListener::bind(directory.path().join("socket")).unwrap();
        listen(app, socket).await;
        Stage {
            ports,
            router,
            directory,
            ana,
            bob,
            service,
        }
    }

    /// Connects a client over HTTP.
    pub async fn connect(&self, key: &str, era: Era) -> Client {
        self.try_connect(key, era, HashMap::new()).await.unwrap()
    }

    /// Connects a client that sends further headers.
    pub async fn try_connect(
        &self,
        key: &str,
        era: Era,
        headers: HashMap<http::HeaderName, http::HeaderValue>,
    ) -> Result<Client, ClientInitializeError> {
        let config = StreamableHttpClientTransportConfig::with_uri("http://localhost/mcp");
        let config = config.auth_header(key).custom_headers(headers);
        let socket = self.directory.path().join("socket");
        let client = UnixSocketHttpClient::new(socket.to_str().unwrap(), &config.uri);
        let transport = StreamableHttpClientTransport::with_client(client, config);
        ().serve_with_lifecycle(transport, era.lifecycle()).await
    }

    /// Connects a client over a stream, as standard input and output are one, to the memory of
    /// `user`.
    pub async fn connect_stream(&self, user: &str, era: Era) -> Client {
        self.connect_stream_with(user, era, &[]).await
    }

    /// The same with the tools of `sets`.
    pub async fn connect_stream_with(&self, user: &str, era: Era, sets: &'static [ToolSet]) -> Client {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (from_client, to_client) = tokio::io::split(ours);
        let serving = serve_stream(
            self.ports.clone(),
            UserId::new(user).unwrap(),
            sets,
            from_client,
            to_client,
        );
        tokio::spawn(async move { serving.await.unwrap() });
        ().serve_with_lifecycle(theirs, era.lifecycle()).await.unwrap()
    }

    /// Writes a bare message to the endpoint.
    pub fn post(&self, key: &str, message: &Value) -> Bare {
        self.post_unknown(message).key(key)
    }

    /// Writes a bare message without saying who writes it.
    pub fn post_unknown(&self, message: &Value) -> Bare {
        self.bare(Method::POST, "/mcp")
            .header("content-type", "application/json")
            .body(message.to_string())
    }

    /// Makes a bare request.
    pub fn bare(&self, method: Method, path: &'static str) -> Bare {
        Bare::new(self.router.clone(), method, path)
    }
}

/// Serves on a free port, and lets clients reach it through a socket: the client of the SDK that
/// needs no further HTTP library takes no other way.
async fn listen(app: App, socket: UnixListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { serve(listener, app, std::future::pending()).await });
    tokio::spawn(async move {
        while let Ok((mut client, _)) = socket.accept().await {
            let mut server = TcpStream::connect(address).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut client, &mut server).await });
        }
    });
}

/// The message that opens a session.
pub fn initialize() -> Value {
    let client = json!({ "name": "bare", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

/// A request for the list of tools, as part of a session.
pub fn list_tools() -> Value {
    json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" })
}

/// Calls a tool.
pub async fn call(
    client: &Client,
    tool: &'static str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    let mut params = CallToolRequestParams::new(tool);
    params.arguments = arguments.as_object().cloned();
    client.call_tool(params).await
}

/// What the model reads of an answer.
pub fn text(result: &CallToolResult) -> &str {
    &result.content.first().unwrap().as_text().unwrap().text
}

/// The arguments that write a durable memory, or with `daily` a note.
pub fn note(key: &str, value: &str, durability: &str) -> Value {
    json!({ "key": key, "value": value, "category": "personal_context", "durability": durability })
}
