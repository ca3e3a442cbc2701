//! The role and the claims of a transaction. They apply to that transaction alone, as PostgREST
//! sets them, so the same policies serve both.

use std::borrow::Cow;
use std::time::Duration;

use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use serde_json::{Value, json};

use super::statement::{identifier, literal};

/// A role of the database, and the claims that the policies read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) role: Cow<'static, str>,
    pub(super) claims: String,
    /// The spaces whose revisions may be read; only for that role.
    spaces: Option<String>,
}

impl Identity {
    /// The owner of a space.
    pub(super) fn of(space: &SpaceId) -> Result<Identity, StoreError> {
        let name = space.as_str();
        if name == SpaceId::shared().as_str() {
            return Ok(Identity::plain("recalld_shared"));
        }
        let (scheme, user) = name.split_once(':').unwrap_or_default();
        let claims = match (scheme, scheme.strip_prefix("user@")) {
            ("user", _) => json!({ "role": "recalld_user", "sub": user }),
            (_, Some(namespace)) => json!({
                "role": "recalld_user",
                "sub": user,
                "recalld_namespace": namespace,
            }),
            _ => {
                return Err(StoreError::Failed(
                    format!("no user owns the space {name:?}").into(),
                ));
            }
        };
        Ok(Identity {
            role: Cow::Borrowed("recalld_user"),
            claims: claims.to_string(),
            spaces: None,
        })
    }

    /// Maintenance across spaces.
    pub(super) fn upkeep() -> Identity {
        Identity::plain("recalld_upkeep")
    }

    /// The lookup and administration of API keys.
    pub(super) fn gate() -> Identity {
        Identity::plain("recalld_gate")
    }

    /// The owner of the schema, for migrations.
    pub(super) fn owner(role: &str) -> Identity {
        Identity {
            role: Cow::Owned(role.to_owned()),
            claims: "{}".to_owned(),
            spaces: None,
        }
    }

    /// A role with these claims, to see what they lead to.
    pub(super) fn with_claims(role: &'static str, claims: &str) -> Identity {
        Identity {
            claims: claims.to_owned(),
            ..Identity::plain(role)
        }
    }

    /// Who reads the revisions of these spaces, and nothing else.
    pub(super) fn revisions(spaces: &[String]) -> Identity {
        Identity {
            spaces: Some(spaces.join("\n")),
            ..Identity::plain("recalld_revisions")
        }
    }

    fn plain(role: &'static str) -> Identity {
        Identity {
            role: Cow::Borrowed(role),
            claims: json!({ "role": role }).to_string(),
            spaces: None,
        }
    }

    /// The owner of a space, in the role that the deployment gives its signed-in users.
    pub(super) fn signed_in(space: &SpaceId, role: &str) -> Result<Identity, StoreError> {
        let own = Identity::of(space)?;
        let mut claims: Value = serde_json::from_str(&own.claims).expect("we wrote them ourselves");
        claims["role"] = json!(role);
        Ok(Identity {
            role: Cow::Owned(role.to_owned()),
            claims: claims.to_string(),
            spaces: None,
        })
    }

    /// Returns the statements that begin a transaction as this identity. `SET LOCAL` ends with the
    /// transaction, and as text it also reaches the nodes of a distributed database.
    pub(super) fn begin(&self, begin: &str, timeout: Duration) -> Vec<String> {
        let timeout_ms = timeout.as_millis().min(TIMEOUT_MS_MAX);
        let spaces = self.spaces.as_ref();
        let mut statements = vec![
            begin.to_owned(),
            format!("SET LOCAL ROLE {}", identifier(&self.role)),
            format!("SET LOCAL request.jwt.claims ={}", literal(&self.claims)),
            format!("SET LOCAL statement_timeout = {timeout_ms}"),
            format!("SET LOCAL idle_in_transaction_session_timeout = {timeout_ms}"),
        ];
        statements.extend(spaces.map(|names| format!("SET LOCAL recalld.spaces ={}", literal(names))));
        statements
    }
}

/// The longest time-out that PostgreSQL accepts.
const TIMEOUT_MS_MAX: u128 = 2_147_483_647;

#[cfg(test)]
mod tests {
    use recalld_memory::id::{Namespace, UserId};

    use super::*;

    #[test]
    fn claims_name_the_owner_of_the_space_whatever_the_name() {
        let claims = |space: &SpaceId| Identity::of(space).unwrap().claims;
        let user = |raw: &str| SpaceId::of_user(&UserId::new(raw).unwrap());
        assert_eq!(claims(&user("ana")), r#"{"role":"recalld_user","sub":"ana"}"#);
        assert_eq!(
            claims(&user("@acme:a\"b")),
            r#"{"role":"recalld_user","sub":"@acme:a\"b"}"#
        );
        let inside = SpaceId::of_user_in(&Namespace::new("acme").unwrap(), &UserId::new("a:b").unwrap());
        assert_eq!(
            claims(&inside),
            r#"{"role":"recalld_user","sub":"a:b","recalld_namespace":"acme"}"#
        );
        assert_eq!(claims(&SpaceId::shared()), r#"{"role":"recalld_shared"}"#);
    }

    #[test]
    fn role_and_claims_are_set_as_text_for_the_transaction_alone() {
        let owner = Identity::of(&SpaceId::of_user(&UserId::new("o'hara \\").unwrap())).unwrap();
        assert_eq!(
            owner.begin("BEGIN", Duration::from_secs(1)).join("; "),
            "BEGIN; SET LOCAL ROLE \"recalld_user\"; \
             SET LOCAL request.jwt.claims = E'{\"role\":\"recalld_user\",\"sub\":\"o''hara \\\\\\\\\"}'; \
             SET LOCAL statement_timeout = 1000; SET LOCAL idle_in_transaction_session_timeout = 1000"
        );
    }

    #[test]
    fn a_space_of_nobody_has_no_identity() {
        for name in ["", "usher:ana", "shared:ana", "user"] {
            assert!(
                Identity::of(&SpaceId::from_stored(name.to_owned())).is_err(),
                "{name}"
            );
        }
    }
}
