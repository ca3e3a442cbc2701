//! The function that every policy calls.

use std::sync::Arc;

use recalld_memory::ports::StoreError;

use super::policies::bare;
use crate::postgres::identity::Identity;
use crate::postgres::pool::Pool;
use crate::postgres::rows::get;
use crate::postgres::statement::Statement;
use crate::postgres::transaction;
use crate::postgres::violation::Violation;

/// Checks what the function returns, and that its body is the one of the schema.
pub(super) async fn violation(pool: &Arc<Pool>) -> Result<Option<Violation>, StoreError> {
    for (claims, wanted) in PROBES {
        let identity = Identity::with_claims("recalld_user", claims);
        let statements = vec![Statement::new("SELECT recalld.own_space()"), Statement::new(BODY)];
        let is_right = match transaction::read(pool, identity, statements).await {
            Ok(found) => {
                let space: Option<String> = get(&found[0][0], 0)?;
                let body: Option<String> = found[1].first().map_or(Ok(None), |row| get(row, 0))?;
                space.as_deref() == wanted && body.is_some_and(|body| is_expected(&body))
            }
            Err(failure) if failure.is_lost() => return Err(failure.into()),
            Err(_) => false,
        };
        if !is_right {
            return Ok(Some(Violation::new(
                "the function recalld.own_space() was altered",
                format!("{}{};", HEAD, expected_body()),
            )));
        }
    }
    Ok(None)
}

/// Compares a body as PostgreSQL writes it, with a branch for everything else.
fn is_expected(body: &str) -> bool {
    bare(body).replace("ELSENULLEND", "END") == bare(&expected_body())
}

/// Takes the body from the step of the schema that creates the function.
fn expected_body() -> String {
    let (_, from) = STEP.split_once(HEAD).unwrap_or_default();
    let (body, _) = from.split_once("\nEND;").unwrap_or_default();
    format!("{body}\nEND")
}

const HEAD: &str =
    "CREATE OR REPLACE FUNCTION recalld.own_space() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE\n";

/// The step of the schema that creates the function as it is now.
const STEP: &str = include_str!("../../migrations/postgres/0010_lookout.sql");

/// Claims, and the space that they name.
const PROBES: [(&str, Option<&str>); 4] = [
    ("", None),
    ("{}", None),
    (r#"{"sub":"a:b"}"#, Some("user:a:b")),
    (r#"{"sub":"a","recalld_namespace":"n"}"#, Some("user@n:a")),
];

const BODY: &str = "
    SELECT pg_get_function_sqlbody(p.oid) FROM pg_catalog.pg_proc p
    JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = 'recalld' AND p.proname = 'own_space' AND p.pronargs = 0
      AND NOT p.prosecdef AND p.proconfig IS NULL";
