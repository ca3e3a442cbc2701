//! Pages through memories.

use axum::extract::State;
use recalld_memory::as_of;
use recalld_memory::browse::{self, Filter, Showing};
use recalld_memory::id::{ConversationId, MemoryId};
use recalld_memory::memory::{Category, Origin, Project, Tier};
use recalld_memory::wiring::Ports;
use recalld_wire as wire;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Query;
use crate::rest::moment::moment;

/// Whether hidden memories are listed.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum WireShowing {
    Current,
    Hidden,
    All,
}

impl From<WireShowing> for Showing {
    fn from(showing: WireShowing) -> Showing {
        match showing {
            WireShowing::Current => Showing::Current,
            WireShowing::Hidden => Showing::Hidden,
            WireShowing::All => Showing::All,
        }
    }
}

/// Which memories are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only this category.
    #[param(min_length = 1, max_length = 64)]
    category: Option<String>,
    /// Only this tier.
    #[param(inline)]
    tier: Option<wire::WireTier>,
    /// `current` if none is given.
    #[param(inline)]
    showing: Option<WireShowing>,
    /// Only this origin: user, import, assistant, inferred, tool or document.
    origin: Option<String>,
    /// Only memories with less confidence than this.
    #[param(minimum = 0, maximum = 1)]
    confidence_below: Option<f64>,
    /// Only memories learned since then: a date (its end, UTC), or a date and time.
    since: Option<String>,
    /// Only memories that came out of this conversation.
    #[param(min_length = 1, max_length = 256)]
    conversation: Option<String>,
    /// Only memories that belong to this project.
    #[param(min_length = 1, max_length = 128)]
    project: Option<String>,
    /// The most memories of a page; 50 if none is given.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// The `next_page` of the page before.
    after: Option<String>,
    /// As it was then: a date (its end, UTC), or a date and time.
    at: Option<String>,
}

impl ListParams {
    fn filter(self) -> Result<(Filter, usize), ApiError> {
        let invalid = |reason: String| ApiError::new(Code::InvalidRequest, reason);
        let category = self.category.map(|category| Category::new(&category)).transpose();
        let after = self.after.map(|after| MemoryId::parse(&after)).transpose();
        let origin = self.origin.as_deref().map(origin).transpose()?;
        let since = self
            .since
            .as_deref()
            .map(|since| moment("since", since))
            .transpose()?;
        let project = self.project.as_deref().map(Project::new).transpose();
        let conversation = self.conversation.map(ConversationId::new).transpose();
        if self
            .confidence_below
            .is_some_and(|most| !(0.0..=1.0).contains(&most))
        {
            return Err(invalid("confidence_below must be from 0 to 1".to_owned()));
        }
        let limit = self.limit.unwrap_or(50);
        if !(1..=500).contains(&limit) {
            return Err(invalid("limit must be from 1 to 500".to_owned()));
        }
        let filter = Filter {
            category: category.map_err(|error| invalid(error.to_string()))?,
            tier: self.tier.map(Tier::from),
            showing: self.showing.map_or(Showing::Current, Showing::from),
            origin,
            confidence_below: self.confidence_below,
            since,
            conversation: conversation.map_err(|error| invalid(format!("conversation: {error}")))?,
            project: project.map_err(|error| invalid(error.to_string()))?,
            after: after.map_err(|_| invalid("after is not a next_page of this list".to_owned()))?,
        };
        Ok((filter, limit as usize))
    }
}

/// Pages through the memories, the newest first, as they are or as they were at some time.
#[utoipa::path(get, path = "/v1/memories", tag = "memories", params(ListParams),
    responses((status = 200, body = wire::MemoryPage)))]
pub(super) async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Result<axum::Json<wire::MemoryPage>, ApiError> {
    let at = params.at.as_deref().map(|at| moment("at", at)).transpose()?;
    let (filter, limit) = params.filter()?;
    let scope = caller.scope()?;
    let listing = match at {
        Some(at) => as_of::list(&ports, &scope, at, &filter, limit).await?,
        None => browse::list(&ports, &scope, &filter, limit).await?,
    };
    Ok(axum::Json(wire::MemoryPage::new(
        listing,
        at.unwrap_or(scope.now),
    )))
}

/// Reads the name of an origin.
fn origin(raw: &str) -> Result<Origin, ApiError> {
    let found = Origin::ALL.into_iter().find(|origin| origin.as_str() == raw);
    found.ok_or_else(|| {
        let names: Vec<&str> = Origin::ALL.iter().map(|origin| origin.as_str()).collect();
        let detail = format!("origin is none of {}", names.join(", "));
        ApiError::new(Code::InvalidRequest, detail)
    })
}
