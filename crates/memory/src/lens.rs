//! What may be seen of a space: at which time, and from which project.

use jiff::Timestamp;

use crate::memory::{Memory, Project};

/// From where one looks at a space. From a project one sees what belongs to it and what belongs to
/// none, and never what belongs to another; from nowhere in particular, everything.
#[derive(Clone, Copy, Debug)]
pub struct Lens<'a> {
    pub now: Timestamp,
    pub project: Option<&'a Project>,
    /// Whether only what belongs to the project is seen: for changes by who may change nothing
    /// else.
    pub own_only: bool,
}

impl<'a> Lens<'a> {
    /// Sees all projects at `now`.
    pub fn everywhere(now: Timestamp) -> Lens<'a> {
        Lens::of_project(now, None)
    }

    /// Sees what belongs to a project and what belongs to none; all projects, if none is named.
    pub fn of_project(now: Timestamp, project: Option<&'a Project>) -> Lens<'a> {
        Lens {
            now,
            project,
            own_only: false,
        }
    }

    /// Tells whether a memory belongs to what is seen, whatever its standing.
    pub fn sees(self, memory: &Memory) -> bool {
        self.sees_project(memory.project.as_ref().map(Project::as_str))
    }

    /// Tells whether what belongs to `project`, or to none, is seen.
    pub fn sees_project(self, project: Option<&str>) -> bool {
        match (self.project, project) {
            (Some(own), Some(other)) => own.as_str() == other,
            (Some(_), None) => !self.own_only,
            (None, _) => true,
        }
    }

    /// Tells whether a memory is seen and shown: neither retired nor expired.
    pub fn shows(self, memory: &Memory) -> bool {
        memory.is_current(self.now) && self.sees(memory)
    }
}
