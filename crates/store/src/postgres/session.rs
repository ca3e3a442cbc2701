//! One connection, and the statements that are prepared on it.
//!
//! A statement that is used a second time on a connection is prepared under a name, so that the
//! database parses it once and may keep its plan. That is safe only where this process is the one
//! user of the connection at the database: behind a pooler a name may stand for another client's
//! statement. So each connection is opened with a random setting, and statements are prepared only
//! where the database shows that setting. A pooler either refuses it or does not pass it on.

use std::borrow::Cow;
use std::collections::HashMap;

use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::sending;
use super::statement::Statement;

/// The setting by which a connection is recognised at the database.
pub(super) const MARK: &str = "recalld.connection";

/// A connection to the database.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) client: Client,
    /// What was used on it; none if nothing may be prepared.
    prepared: Option<HashMap<Key, Use>>,
}

/// A statement in a role. A plan holds the policies of the role for which it was made.
type Key = (Cow<'static, str>, &'static str);

#[derive(Debug)]
enum Use {
    Once,
    Prepared(tokio_postgres::Statement),
}

impl Session {
    /// A connection on which nothing is prepared.
    pub(super) fn unprepared(client: Client) -> Session {
        Session {
            client,
            prepared: None,
        }
    }

    /// A connection that was opened with `mark`. Statements are prepared on it if the database
    /// knows the mark.
    pub(super) async fn marked(client: Client, mark: &str) -> Session {
        let found = client
            .query_typed(&format!("SELECT current_setting('{MARK}', true)"), &[])
            .await;
        let known = found
            .ok()
            .and_then(|rows| rows.first()?.try_get::<_, Option<String>>(0).ok()?);
        Session {
            client,
            prepared: (known.as_deref() == Some(mark)).then(HashMap::new),
        }
    }

    /// Counts the statements that are prepared on it.
    pub(super) fn count_prepared(&self) -> usize {
        let known = self.prepared.iter().flat_map(HashMap::values);
        known.filter(|known| matches!(known, Use::Prepared(_))).count()
    }

    /// Returns the prepared form of a statement.
    #[expect(clippy::ptr_arg, reason = "the role is a part of the key, which owns it")]
    pub(super) fn prepared(
        &self,
        role: &Cow<'static, str>,
        statement: &Statement,
    ) -> Option<&tokio_postgres::Statement> {
        let sql = statement.preparable()?;
        match self.prepared.as_ref()?.get(&(role.clone(), sql))? {
            Use::Prepared(prepared) => Some(prepared),
            Use::Once => None,
        }
    }

    /// Prepares those statements that were used on this connection before. `begin` begins a
    /// transaction in their role. If it fails, this connection prepares nothing any more.
    #[expect(clippy::ptr_arg, reason = "the role is a part of the key, which owns it")]
    pub(super) async fn prepare(
        &mut self,
        role: &Cow<'static, str>,
        begin: &str,
        statements: &[Statement],
    ) -> bool {
        let Some(known) = &mut self.prepared else {
            return false;
        };
        let mut wanted: Vec<(&'static str, Vec<Type>)> = Vec::new();
        for statement in statements {
            let Some(sql) = statement.preparable() else {
                continue;
            };
            match known.get(&(role.clone(), sql)) {
                None => drop(known.insert((role.clone(), sql), Use::Once)),
                Some(Use::Once) if wanted.iter().all(|(other, _)| *other != sql) => {
                    wanted.push((
                        sql,
                        statement.values.iter().map(|(_, kind)| kind.clone()).collect(),
                    ));
                }
                Some(_) => {}
            }
        }
        if wanted.is_empty() {
            return false;
        }
        match sending::prepare(&self.client, begin, &wanted).await {
            Ok(prepared) => {
                let prepared = wanted.into_iter().zip(prepared);
                known.extend(prepared.map(|((sql, _), made)| ((role.clone(), sql), Use::Prepared(made))));
            }
            Err(error) => {
                tracing::debug!(%error, "statements are not prepared on this connection");
                self.prepared = None;
            }
        }
        true
    }
}
