//! The state of the work in a project, so that another agent goes on where this one stops. It is
//! the working memory of the project.

use recalld_memory::memory::Project;
use recalld_memory::render::screened_line;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;
use recalld_memory::wiring::Ports;
use recalld_memory::working_memory::{self, Of};
use serde_json::Value;

/// The fields, in the order in which they are shown.
pub(crate) const FIELDS: [&str; 6] = ["goal", "decisions", "open", "files", "commit", "at"];

/// Reads the handoff of a project.
pub(crate) async fn read(
    ports: &Ports,
    scope: &Scope,
    project: &Project,
) -> Result<Option<Value>, SpaceError> {
    let kept = working_memory::read(ports, scope, &Of::Project(project.clone())).await?;
    Ok(kept.map(|record| record.value.clone()))
}

/// Writes it as data for an agent. An agent has written it, so it is screened like everything that
/// agents write.
pub(crate) fn lines(handoff: &Value) -> Vec<String> {
    let known = FIELDS.into_iter().filter(|field| !handoff[*field].is_null());
    known
        .map(|field| screened_line(field, &handoff[field]).trim_end().to_owned())
        .collect()
}
