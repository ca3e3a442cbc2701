//! MCP over standard input and output, for a client that starts the process itself.

use recalld_agent::tools::ToolSet;
use recalld_memory::wiring::Ports;
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::stdio_pipes;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};

use super::handler::{Handler, LocalUser};

/// Why a client could not be served.
#[derive(Debug, Error)]
pub enum StdioError {
    /// What the client sent first is no opening of the protocol.
    #[error("the client did not open the protocol")]
    Opening(#[source] Box<ServerInitializeError>),
    /// The task that serves it failed.
    #[error("serving the client failed")]
    Serving(#[source] tokio::task::JoinError),
}

/// Serves the memory of `user` on standard input and output until the client leaves, with the tools
/// of `sets` (see [`crate::McpSettings::tool_sets`]). Nothing else may write to standard output
/// meanwhile.
pub async fn serve_stdio(
    ports: Ports,
    user: impl Into<LocalUser>,
    sets: &[ToolSet],
) -> Result<(), StdioError> {
    let (from_client, to_client) = stdio_pipes();
    serve_stream(ports, user, sets, from_client, to_client).await
}

/// Serves the memory of `user` to the client at the other end of two streams, until it leaves.
pub async fn serve_stream(
    ports: Ports,
    user: impl Into<LocalUser>,
    sets: &[ToolSet],
    from_client: impl AsyncRead + Send + Unpin + 'static,
    to_client: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), StdioError> {
    let handler = Handler::of_user(ports, user.into(), sets);
    match serve_server(handler, (from_client, to_client)).await {
        Ok(running) => running.waiting().await.map(drop).map_err(StdioError::Serving),
        // Clients start a server and leave at once to see whether it is there.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(StdioError::Opening(Box::new(error))),
    }
}
