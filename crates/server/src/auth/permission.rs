//! What the scopes of a caller's key allow.

use recalld_agent::tools::{Tool, ToolSet};
use recalld_memory::memory::Project;

use super::caller::Caller;
use crate::error::{ApiError, Code};

/// What a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permission {
    Read,
    Write,
}

/// What of the user's data a route reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Memories, as they are seen from the project of the request.
    Project,
    /// Anything.
    Everything,
}

impl Caller {
    /// Fails unless the key may do what a request needs, with whatever is stored. A key for one set
    /// of tools or one project may not.
    pub(crate) fn require(&self, needed: Permission) -> Result<(), ApiError> {
        self.require_within(needed, Extent::Everything)
    }

    /// The same with no more than `extent`.
    pub(crate) fn require_within(&self, needed: Permission, extent: Extent) -> Result<(), ApiError> {
        if let Some(set) = self.identity.scopes.tool_set() {
            let detail = format!("this key is for the tools of the set {set} alone");
            return Err(ApiError::new(Code::Forbidden, detail).hint("call them on /mcp or /v1/tools"));
        }
        if let (Some(project), Extent::Everything) = (self.identity.scopes.project(), extent) {
            let detail = format!("this key is for memories of the project {project} alone");
            return Err(ApiError::new(Code::Forbidden, detail)
                .hint("call /v1/memories, /v1/search, /v1/context or the tools for memories"));
        }
        self.require_access(needed)
    }

    /// Fails unless the key may write what belongs to `project`, or what belongs to none: a key for
    /// one project writes there alone.
    pub(crate) fn require_reach(&self, reach: Option<Option<&Project>>) -> Result<(), ApiError> {
        match (self.identity.scopes.project(), reach) {
            (Some(own), Some(wanted)) if wanted != Some(own) => {
                let detail = format!("this key writes into the project {own} alone");
                Err(ApiError::new(Code::Forbidden, detail).hint("leave out project"))
            }
            _ => Ok(()),
        }
    }

    /// Fails unless the key may call `tool`.
    pub(crate) fn require_tool(&self, tool: &Tool) -> Result<(), ApiError> {
        let sees_projects = matches!(tool.set, ToolSet::Storage | ToolSet::Semantic);
        if self.identity.scopes.project().is_some() && !sees_projects {
            let detail = "a key for one project may call the tools of the sets storage and semantic alone";
            return Err(ApiError::new(Code::Forbidden, detail));
        }
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
