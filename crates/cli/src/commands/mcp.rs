//! `recalld mcp`: the memory tools for a program that starts its MCP servers itself.

use clap::Args;
use recalld_memory::id::UserId;
use recalld_server::serve_stdio;

use crate::arguments::examples;
use crate::failure::{Failure, chain};
use crate::session::Session;

/// Serves the memory tools over MCP on standard input and output
///
/// For Claude Desktop, Cursor and other programs that start MCP servers themselves. A program that can reach a running
/// `recalld serve` uses its /mcp instead.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld mcp",
    "claude mcp add memory -- recalld mcp --user ana",
))]
pub(crate) struct Arguments {}

impl Arguments {
    /// Serves until the client leaves.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let user = UserId::new(&session.config()?.values.user)?;
        let engine = session.write()?;
        serve_stdio(engine.ports.clone(), user)
            .await
            .map_err(|error| Failure::failed("mcp", chain(&error)))
    }
}
