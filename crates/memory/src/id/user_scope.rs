//! The user scope, as chat agents write it: `user:<id>`.

use super::{InvalidId, UserId};

impl UserId {
    /// The prefix of a user scope, as chat agents write it.
    const SCOPE: &str = "user:";

    /// Reads a user as callers name them: by the id, or by the user scope `user:<id>`.
    pub fn named(raw: impl Into<String>) -> Result<UserId, InvalidId> {
        let raw = raw.into();
        match raw.strip_prefix(UserId::SCOPE) {
            Some(id) => UserId::new(id),
            None => UserId::new(raw),
        }
    }

    /// Writes the user scope: `user:<id>`.
    pub fn scope(&self) -> String {
        format!("{}{self}", UserId::SCOPE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_named_by_the_id_or_by_the_user_scope() {
        let ana = UserId::new("ana").unwrap();
        assert_eq!(ana.scope(), "user:ana");
        for named in ["ana", "user:ana"] {
            assert_eq!(UserId::named(named).unwrap(), ana);
        }
        let odd = UserId::new("user:ana").unwrap();
        assert_eq!(UserId::named(odd.scope()).unwrap(), odd, "any id can be named");
        assert!(UserId::named("user:").is_err());
    }
}
