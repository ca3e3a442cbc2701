//! The keyring: digests of keys, outside all spaces.

use async_trait::async_trait;
use jiff::Timestamp;
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::{KeyKind, KeyRecord, KeyScopes, Keyring, StoreError};
use rusqlite::{Row, params};

use super::error::SqlResult;
use super::query::collect;
use super::{SqliteStore, rows};

#[async_trait]
impl Keyring for SqliteStore {
    async fn put_key(&self, key: &KeyRecord) -> Result<(), StoreError> {
        let key = key.clone();
        let put = move |connection: &rusqlite::Connection| -> SqlResult<()> {
            let (kind, user) = kind_columns(&key.kind);
            connection.prepare_cached(PUT)?.execute(params![
                key.id,
                key.digest,
                kind,
                user,
                key.namespace.as_ref().map(|namespace| namespace.as_str()),
                key.name,
                key.created_at.as_microsecond(),
                key.last_used_at.map(|at| at.as_microsecond()),
                key.revoked_at.map(|at| at.as_microsecond()),
                key.scopes.to_stored(),
                key.expires_at.map(|at| at.as_microsecond()),
            ])?;
            Ok(())
        };
        self.writer.ask(put).await
    }

    async fn key(&self, digest: &[u8; 32]) -> Result<Option<KeyRecord>, StoreError> {
        let digest = *digest;
        self.ask(move |connection| Ok(collect(connection, ONE, [digest], key)?.pop()))
            .await
    }

    async fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.ask(|connection| collect(connection, ALL, [], key)).await
    }

    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError> {
        let id = id.to_owned();
        let revoke = move |connection: &rusqlite::Connection| {
            let revoked = connection
                .prepare_cached("UPDATE keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")?
                .execute(params![id, at.as_microsecond()])?;
            Ok(0 < revoked)
        };
        self.writer.ask(revoke).await
    }

    async fn expire_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError> {
        let id = id.to_owned();
        let expire = move |connection: &rusqlite::Connection| {
            let found = connection
                .prepare_cached(EXPIRE)?
                .execute(params![id, at.as_microsecond()])?;
            Ok(0 < found)
        };
        self.writer.ask(expire).await
    }

    async fn key_used(&self, id: &str, at: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        let note = move |connection: &rusqlite::Connection| {
            connection
                .prepare_cached(USED)?
                .execute(params![id, at.as_microsecond()])?;
            Ok(())
        };
        self.writer.ask(note).await
    }
}

fn kind_columns(kind: &KeyKind) -> (&'static str, Option<&str>) {
    match kind {
        KeyKind::User { user } => ("user", Some(user.as_str())),
        KeyKind::Service => ("service", None),
        KeyKind::Admin => ("admin", None),
    }
}

/// Reads a key from the columns in their order.
fn key(row: &Row<'_>) -> SqlResult<KeyRecord> {
    let id: String = row.get(0)?;
    let bad = |column: &str, error: &dyn std::fmt::Display| {
        rows::unreadable(&format!("{column} of key {id}"), error)
    };
    let kind: String = row.get(2)?;
    let user: Option<String> = row.get(3)?;
    let namespace: Option<String> = row.get(4)?;
    let scopes: Option<String> = row.get(9)?;
    let time = |index| -> SqlResult<Option<Timestamp>> {
        row.get::<_, Option<i64>>(index)?.map(rows::time).transpose()
    };
    Ok(KeyRecord {
        digest: row.get(1)?,
        kind: match (kind.as_str(), user) {
            ("user", Some(user)) => KeyKind::User {
                user: UserId::new(user).map_err(|e| bad("user", &e))?,
            },
            ("service", None) => KeyKind::Service,
            ("admin", None) => KeyKind::Admin,
            _ => return Err(bad("kind", &kind)),
        },
        namespace: namespace
            .map(Namespace::new)
            .transpose()
            .map_err(|e| bad("namespace", &e))?,
        name: row.get(5)?,
        created_at: rows::time(row.get(6)?)?,
        last_used_at: time(7)?,
        revoked_at: time(8)?,
        scopes: KeyScopes::from_stored(scopes.as_deref()).map_err(|e| bad("scopes", &e))?,
        expires_at: time(10)?,
        id,
    })
}

const PUT: &str = "
    INSERT INTO keys (id, digest, kind, user, namespace, name, created_at, last_used_at, revoked_at,
        scopes, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

const ONE: &str = "
    SELECT id, digest, kind, user, namespace, name, created_at, last_used_at, revoked_at,
        scopes, expires_at
    FROM keys WHERE digest = ?1";

const ALL: &str = "
    SELECT id, digest, kind, user, namespace, name, created_at, last_used_at, revoked_at,
        scopes, expires_at
    FROM keys ORDER BY created_at, id";

// Uses may be reported late, so an earlier one does not replace a later one.
const USED: &str = "
    UPDATE keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)";

const EXPIRE: &str = "
    UPDATE keys SET expires_at = min(coalesce(expires_at, ?2), ?2) WHERE id = ?1 AND revoked_at IS NULL";
