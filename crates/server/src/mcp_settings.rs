//! What a deployment may say about MCP.

use recalld_agent::tools::ToolSet;

/// How the MCP endpoint is reached and what it shows. The defaults are for clients on the same
/// machine.
#[derive(Clone, Debug)]
pub struct McpSettings {
    /// Where clients from outside reach the endpoint, such as `https://memory.example/mcp`. Its
    /// host is allowed.
    pub url: Option<String>,
    /// Further names by which the server may be addressed, each with or without a port, such as
    /// `memory.example`.
    pub hosts: Vec<String>,
    /// Pages of these origins may connect, such as `https://app.example` or `http://localhost:*`.
    pub origins: Vec<String>,
    /// The issuers whose tokens are accepted, for clients that obtain one by themselves.
    pub authorization_servers: Vec<String>,
    /// The sets of tools that are shown; those of every day, if empty.
    pub tool_sets: Vec<ToolSet>,
    /// Whether this server signs clients in itself, unless there is another issuer.
    pub signs_in: bool,
}

impl McpSettings {
    /// Tells whether clients are signed in here, and not by another issuer.
    pub(crate) fn signs_in_itself(&self) -> bool {
        self.signs_in && self.authorization_servers.is_empty()
    }
}

impl Default for McpSettings {
    fn default() -> McpSettings {
        McpSettings {
            url: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            authorization_servers: Vec::new(),
            tool_sets: Vec::new(),
            signs_in: true,
        }
    }
}
