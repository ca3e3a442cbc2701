//! The keyring: digests of keys, outside all spaces.

use async_trait::async_trait;
use jiff::Timestamp;
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::{KeyKind, KeyRecord, KeyScopes, Keyring, StoreError};
use tokio_postgres::Row;

use super::PostgresStore;
use super::error::DbResult;
use super::identity::Identity;
use super::rows::{self, each, get};
use super::statement::Statement;
use super::transaction;

#[async_trait]
impl Keyring for PostgresStore {
    async fn put_key(&self, key: &KeyRecord) -> Result<(), StoreError> {
        let (kind, user) = kind_columns(&key.kind);
        let put = Statement::new(PUT)
            .with(key.id.as_str())
            .with(key.digest.to_vec())
            .with(kind)
            .with(user)
            .with(key.namespace.as_ref().map(|namespace| namespace.as_str()))
            .with(key.name.as_deref())
            .with(key.created_at.as_microsecond())
            .with(key.last_used_at.map(|at| at.as_microsecond()))
            .with(key.revoked_at.map(|at| at.as_microsecond()))
            .with(key.scopes.to_stored().as_deref())
            .with(key.expires_at.map(|at| at.as_microsecond()));
        self.change_keys(put).await?;
        Ok(())
    }

    async fn key(&self, digest: &[u8; 32]) -> Result<Option<KeyRecord>, StoreError> {
        let statement = Statement::new(ONE).with(digest.to_vec());
        let found = transaction::read(&self.pool, Identity::gate(), vec![statement]).await?;
        Ok(each(&found[0], key)?.pop())
    }

    async fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        let found = transaction::read(&self.pool, Identity::gate(), vec![Statement::new(ALL)]).await?;
        Ok(each(&found[0], key)?)
    }

    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError> {
        let revoked = self
            .change_keys(Statement::new(REVOKE).with(id).with(at.as_microsecond()))
            .await?;
        Ok(0 < revoked)
    }

    async fn expire_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError> {
        let found = self
            .change_keys(Statement::new(EXPIRE).with(id).with(at.as_microsecond()))
            .await?;
        Ok(0 < found)
    }

    async fn key_used(&self, id: &str, at: Timestamp) -> Result<(), StoreError> {
        self.change_keys(Statement::new(USED).with(id).with(at.as_microsecond()))
            .await?;
        Ok(())
    }
}

impl PostgresStore {
    async fn change_keys(&self, statement: Statement) -> Result<usize, StoreError> {
        let found = transaction::write(&self.pool, Identity::gate(), vec![statement]).await?;
        Ok(found[0].len())
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
fn key(row: &Row) -> DbResult<KeyRecord> {
    let id: String = get(row, 0)?;
    let bad = |column: &str, error: &dyn std::fmt::Display| {
        rows::unreadable(&format!("{column} of key {id}"), error)
    };
    let digest: &[u8] = get(row, 1)?;
    let (kind, user): (&str, Option<String>) = (get(row, 2)?, get(row, 3)?);
    let scopes: Option<&str> = get(row, 9)?;
    let time = |index| -> DbResult<Option<Timestamp>> {
        get::<Option<i64>>(row, index)?.map(rows::time).transpose()
    };
    Ok(KeyRecord {
        digest: digest.try_into().map_err(|e| bad("digest", &e))?,
        kind: match (kind, user) {
            ("user", Some(user)) => KeyKind::User {
                user: UserId::new(user).map_err(|e| bad("user", &e))?,
            },
            ("service", None) => KeyKind::Service,
            ("admin", None) => KeyKind::Admin,
            _ => return Err(bad("kind", &kind)),
        },
        namespace: get::<Option<String>>(row, 4)?
            .map(Namespace::new)
            .transpose()
            .map_err(|e| bad("namespace", &e))?,
        name: get(row, 5)?,
        created_at: rows::time(get(row, 6)?)?,
        last_used_at: time(7)?,
        revoked_at: time(8)?,
        scopes: KeyScopes::from_stored(scopes).map_err(|e| bad("scopes", &e))?,
        expires_at: time(10)?,
        id,
    })
}

const PUT: &str = "
    INSERT INTO recalld.keys (id, digest, kind, owner, namespace, name, created_at, last_used_at, revoked_at,
        scopes, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

const ONE: &str = "
    SELECT id, digest, kind, owner, namespace, name, created_at, last_used_at, revoked_at,
        scopes, expires_at
    FROM recalld.keys WHERE digest = $1";

const ALL: &str = "
    SELECT id, digest, kind, owner, namespace, name, created_at, last_used_at, revoked_at,
        scopes, expires_at
    FROM recalld.keys ORDER BY created_at, id";

const REVOKE: &str = "
    UPDATE recalld.keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING 1";

// It may be told late: what was noted of a later use stays.
const USED: &str = "
    UPDATE recalld.keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";

const EXPIRE: &str = "
    UPDATE recalld.keys SET expires_at = least(coalesce(expires_at, $2), $2)
    WHERE id = $1 AND revoked_at IS NULL RETURNING 1";
