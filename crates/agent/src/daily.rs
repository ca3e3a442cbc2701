//! The daily extraction: once a day a model goes through what each user did, searches what is
//! known, and updates or writes memories.
//!
//! There is one run a user at a time, and every interaction is read by one run, however long no
//! server ran: a run reads what no run has read, in portions, and moves a cursor over each portion
//! that it has finished. A run that was broken off is taken up again where it stopped.

mod claim;
mod extract;
mod plan;
mod reader;
mod record;

use recalld_index::text::plain::shorten;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;

pub use plan::Planned;
pub use reader::Selection;
pub use record::{Run, Status, runs};

use crate::wiring::AgentPorts;
use claim::Claim;
use reader::Reader;

/// How often a run that fails is taken up again.
const ATTEMPTS_MAX: u32 = 3;

/// The most portions of one run.
const PORTIONS_MAX: usize = 200;

/// Runs the extraction `name` for the user of `scope`. None if there is nothing to do: it was done,
/// another run is under way, or there is nothing to read.
pub async fn run(
    agent: &AgentPorts,
    scope: &Scope,
    name: &str,
    selection: Selection,
) -> Result<Option<Run>, SpaceError> {
    let ports = &agent.memory;
    if is_over(record::read(ports, scope, name).await?.as_ref()) {
        return Ok(None);
    }
    let mut reader = Reader::new(ports, scope, selection).await?;
    if reader.next(ports, scope).await?.is_empty() {
        return Ok(None);
    }
    let Some(claim) = Claim::take(ports, scope).await? else {
        return Ok(None);
    };
    // Another run may have ended since it was looked at: only what is read under the claim counts.
    let known = record::read(ports, scope, name).await?;
    if is_over(known.as_ref()) {
        claim.release_with(Vec::new()).await?;
        return Ok(None);
    }
    let mut run = Run::begun(name, scope.now, known.map_or(0, |run| run.attempts) + 1);
    let worked = work(agent, scope, selection, &claim, &mut run).await;
    run.finished_at = Some(ports.clock.now());
    (run.status, run.error) = match &worked {
        Ok(Ok(status)) => (*status, None),
        Ok(Err(reason)) => (Status::Failed, Some(shorten(reason, 300))),
        Err(error) => (Status::Failed, Some(shorten(&error.to_string(), 300))),
    };
    claim.release_with(vec![record::stored(scope, &run)]).await?;
    worked?.ok();
    tracing::info!(
        target: "recalld::extract",
        user = %scope.user(), run = name, status = run.status.as_str(), interactions = run.interactions,
        tokens = run.tokens(), tool_calls = run.tool_calls, "a daily extraction ended"
    );
    Ok(Some(run))
}

fn is_over(run: Option<&Run>) -> bool {
    run.is_some_and(|run| match run.status {
        Status::Done | Status::Partial => true,
        Status::Running | Status::Failed => ATTEMPTS_MAX <= run.attempts,
    })
}

/// Reads portions until nothing is left or a bound is reached. The inner error is the model's.
async fn work(
    agent: &AgentPorts,
    scope: &Scope,
    selection: Selection,
    claim: &Claim<'_>,
    run: &mut Run,
) -> Result<Result<Status, String>, SpaceError> {
    const LOST: &str = "another server took the run over";
    let ports = &agent.memory;
    let tokens_max = agent.settings.extraction.daily_tokens_max;
    if !claim.renew_with(vec![record::stored(scope, run)]).await? {
        return Ok(Err(LOST.to_owned()));
    }
    let mut reader = Reader::new(ports, scope, selection).await?;
    for _ in 0..PORTIONS_MAX {
        let portion = reader.next(ports, scope).await?;
        if portion.is_empty() {
            return Ok(Ok(Status::Done));
        }
        let tokens_left = tokens_max.saturating_sub(run.tokens());
        if tokens_left == 0 {
            break;
        }
        let extracted = extract::extract(agent, scope, &portion, tokens_left).await?;
        run.tool_calls += extracted.tool_calls;
        run.tokens_in += extracted.usage.tokens_in;
        run.tokens_out += extracted.usage.tokens_out;
        if let Some(reason) = extracted.failure {
            return Ok(Err(reason));
        }
        run.interactions += portion.interactions.len();
        let mut effects = vec![record::stored(scope, run)];
        if selection == Selection::Unread {
            effects.push(reader.cursor(scope, ports.clock.now().max(scope.now)));
        }
        if !claim.renew_with(effects).await? {
            return Ok(Err(LOST.to_owned()));
        }
    }
    Ok(Ok(Status::Partial))
}

/// Returns what a run would change, and changes nothing.
pub async fn rehearse(
    agent: &AgentPorts,
    scope: &Scope,
    selection: Selection,
) -> Result<Vec<Planned>, SpaceError> {
    let ports = &agent.memory;
    let mut reader = Reader::new(ports, scope, selection).await?;
    let mut planned = Vec::new();
    let mut tokens_left = agent.settings.extraction.daily_tokens_max;
    for _ in 0..PORTIONS_MAX {
        let portion = reader.next(ports, scope).await?;
        if portion.is_empty() || tokens_left == 0 {
            break;
        }
        let (changes, usage) = extract::rehearse(agent, scope, &portion, tokens_left).await?;
        planned.extend(changes);
        tokens_left = tokens_left.saturating_sub(usage.tokens_in + usage.tokens_out);
    }
    Ok(planned)
}
