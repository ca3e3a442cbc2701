//! As whom a transaction runs. The role and the claims hold for that transaction alone, as
//! PostgREST sets them, so that the same policies serve both.

use std::borrow::Cow;

use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use serde_json::{Value, json};

use super::ask::Ask;

/// A role of the database, and what the policies are told of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) role: Cow<'static, str>,
    pub(super) claims: String,
}

impl Identity {
    /// Whoever a space belongs to, and nobody else.
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
        })
    }

    /// Jobs and figures across spaces.
    pub(super) fn upkeep() -> Identity {
        Identity::plain("recalld_upkeep")
    }

    /// The keys by which callers prove who they are.
    pub(super) fn gate() -> Identity {
        Identity::plain("recalld_gate")
    }

    fn plain(role: &'static str) -> Identity {
        Identity {
            role: Cow::Borrowed(role),
            claims: json!({ "role": role }).to_string(),
        }
    }

    /// Whoever a space belongs to, in the role that a deployment gives its signed-in users.
    pub(super) fn signed_in(space: &SpaceId, role: &str) -> Result<Identity, StoreError> {
        let own = Identity::of(space)?;
        let mut claims: Value = serde_json::from_str(&own.claims).expect("we wrote them ourselves");
        claims["role"] = json!(role);
        Ok(Identity {
            role: Cow::Owned(role.to_owned()),
            claims: claims.to_string(),
        })
    }

    /// Makes the transaction that has just begun run as this, until it ends, and end when it takes
    /// too long.
    pub(super) fn assume(&self, timeout_ms: i64) -> Ask {
        Ask::new(ASSUME)
            .with(&*self.role)
            .with(self.claims.as_str())
            .with(timeout_ms.to_string().as_str())
    }
}

// `true` makes each of them local: the end of the transaction takes it back.
const ASSUME: &str = "
    SELECT set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
           set_config('statement_timeout', $3, true), set_config('idle_in_transaction_session_timeout', $3, true)";

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
    fn a_space_of_nobody_has_no_identity() {
        for name in ["", "usher:ana", "shared:ana", "user"] {
            assert!(
                Identity::of(&SpaceId::from_stored(name.to_owned())).is_err(),
                "{name}"
            );
        }
    }
}
