//! Visual Studio Code: the user's servers are in `mcp.json`. Its rules belong to a project.

use super::super::client::{Client, Format, RulesFile};

pub(super) const CLIENT: Client = Client {
    id: "vscode",
    name: "VS Code",
    program: Some("code"),
    directory: |at| at.applications.join("Code/User"),
    file: |at| at.applications.join("Code/User/mcp.json"),
    format: Format::Json {
        table: "servers",
        entry: super::typed_command_and_args,
    },
    rules: |at| RulesFile::shared(at.project.join("AGENTS.md")),
    hooks: None,
    restart: "open the chat view in agent mode; VS Code asks whether to trust the server",
};
