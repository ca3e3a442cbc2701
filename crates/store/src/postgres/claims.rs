//! Which server works on which space.
//!
//! A server lists free spaces without locking them and then takes them one by one, each by a
//! statement that names its space. So a distributed database sends each statement to one node, and
//! two servers that list the same space agree on who has it: the row is free only for the first.
//! What a dead server had is free when its time has passed.

use std::time::Duration;

use recalld_memory::ports::Claim;

use super::statement::{Statement, limit};

/// Returns the statements that find new work and list free spaces; the last one returns the names.
pub(super) fn list_free(claim: &Claim<'_>, most: usize) -> Vec<Statement> {
    vec![
        Statement::new(FIND)
            .with(claim.work.as_str())
            .with(claim.job)
            .with(limit(most)),
        Statement::new(LIST_FREE).with(claim.job).with(limit(most)),
    ]
}

/// Returns the statements that take these spaces. Each returns the name if the space was still
/// free. Sorted, so that servers lock rows in the same order and never wait for each other in a
/// circle.
pub(super) fn take(claim: &Claim<'_>, mut spaces: Vec<String>) -> Vec<Statement> {
    spaces.sort_unstable();
    let take = |space: &String| {
        Statement::new(TAKE)
            .with(space.as_str())
            .with(claim.job)
            .with(claim.holder)
            .with(micros(claim.lasts))
    };
    spaces.iter().map(take).collect()
}

/// Gives back what the holder has taken for the job.
pub(super) fn release(claim: &Claim<'_>) -> Statement {
    Statement::new("DELETE FROM recalld.claims WHERE job = $1 AND holder = $2")
        .with(claim.job)
        .with(claim.holder)
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX / 4)
}

const FIND: &str = "
    INSERT INTO recalld.claims (space, job, holder, until)
    SELECT DISTINCT r.space, $2, '', 0 FROM recalld.records r
    WHERE r.kind = $1 AND NOT EXISTS (SELECT FROM recalld.claims c WHERE c.space = r.space AND c.job = $2)
    LIMIT $3 ON CONFLICT DO NOTHING";

const LIST_FREE: &str = "
    SELECT space FROM recalld.claims WHERE job = $1 AND until <= recalld.now() ORDER BY until, space LIMIT $2";

const TAKE: &str = "
    UPDATE recalld.claims SET holder = $3, until = recalld.now() + $4
    WHERE space = $1 AND job = $2 AND until <= recalld.now() RETURNING space";
