//! Who is at the work of a space. Servers that look for work at the same moment pass by what
//! another is just taking, and what a dead one had is free when its time has passed.

use std::time::Duration;

use recalld_memory::ports::Claim;

use super::statement::{Statement, limit};

/// Gives the statements that find new work and take what is free; the last of them gives the
/// spaces.
pub(super) fn take(claim: &Claim<'_>, most: usize) -> Vec<Statement> {
    vec![
        Statement::new(FIND)
            .with(claim.work.as_str())
            .with(claim.job)
            .with(limit(most)),
        Statement::new(TAKE)
            .with(claim.job)
            .with(claim.holder)
            .with(micros(claim.lasts))
            .with(limit(most)),
    ]
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

const TAKE: &str = "
    WITH free AS (
        SELECT c.space FROM recalld.claims c
        WHERE c.job = $1 AND c.until <= recalld.now()
        ORDER BY c.until, c.space LIMIT $4 FOR UPDATE SKIP LOCKED)
    UPDATE recalld.claims c SET holder = $2, until = recalld.now() + $3
    FROM free WHERE c.space = free.space AND c.job = $1 RETURNING c.space";
