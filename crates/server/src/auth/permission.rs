//! What the scopes of a caller's key allow.

use recalld_agent::tools::{Tool, ToolSet};

use super::caller::Caller;
use crate::error::{ApiError, Code};

/// What a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permission {
    Read,
    Write,
}

impl Caller {
    /// Fails unless the key may do what a request needs, with whatever is stored. A key for one set
    /// of tools may not.
    pub(crate) fn require(&self, needed: Permission) -> Result<(), ApiError> {
        if let Some(set) = self.identity.scopes.tool_set() {
            let detail = format!("this key is for the tools of the set {set} alone");
            return Err(ApiError::new(Code::Forbidden, detail).hint("call them on /mcp or /v1/tools"));
        }
        self.require_access(needed)
    }

    /// Fails unless the key may call `tool`.
    pub(crate) fn require_tool(&self, tool: &Tool) -> Result<(), ApiError> {
        if self.tool_set().is_some_and(|own| !own.shows(tool)) {
            let detail = format!("this key may not call tools of the set {}", tool.set.as_str());
            return Err(ApiError::new(Code::Forbidden, detail));
        }
        match tool.hints.read_only {
            true => self.require_access(Permission::Read),
            false => self.require_access(Permission::Write),
        }
    }

    /// The one set of tools that the key is for.
    pub(crate) fn tool_set(&self) -> Option<ToolSet> {
        self.identity.scopes.tool_set().and_then(ToolSet::parse)
    }

    fn require_access(&self, needed: Permission) -> Result<(), ApiError> {
        let scopes = &self.identity.scopes;
        let (may, detail) = match needed {
            Permission::Read => (scopes.reads(), "this key may write, but not read"),
            Permission::Write => (scopes.writes(), "this key may read, but not write"),
        };
        match may {
            true => Ok(()),
            false => {
                Err(ApiError::new(Code::Forbidden, detail).hint("use a key with both scopes, read and write"))
            }
        }
    }
}
