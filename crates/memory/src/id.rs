//! Who and what is meant: ids as types, so that one cannot stand for another.

mod user_scope;

use std::fmt;
use std::sync::{Arc, LazyLock};

use recalld_index::text::plain;
use thiserror::Error;
use uuid::Uuid;

/// Why a text cannot be an id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidId {
    /// Nothing but white space.
    #[error("the {what} is blank")]
    Blank { what: &'static str },
    /// Longer than an id may be.
    #[error("the {what} is {bytes} bytes, over the limit of {limit}")]
    TooLong {
        what: &'static str,
        bytes: usize,
        limit: usize,
    },
    /// A character that does not belong in an id.
    #[error("the {what} holds {character}, which is not allowed there")]
    Character { what: &'static str, character: String },
    /// Not of the form that such ids have.
    #[error("the {what} {given:?} is not a valid id")]
    Form { what: &'static str, given: String },
}

fn checked(what: &'static str, limit: usize, raw: &str) -> Result<(), InvalidId> {
    if raw.trim().is_empty() {
        return Err(InvalidId::Blank { what });
    }
    if limit < raw.len() {
        return Err(InvalidId::TooLong {
            what,
            bytes: raw.len(),
            limit,
        });
    }
    match raw.chars().find(|&c| c.is_control() || plain::is_bidi_control(c)) {
        Some(c) => Err(InvalidId::Character {
            what,
            character: plain::name_character(c),
        }),
        None => Ok(()),
    }
}

/// Declares a text id: not blank, at most 256 bytes, no control or direction-changing characters.
/// Clones share the text.
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The most bytes such an id may have.
            pub const BYTES_MAX: usize = 256;

            /// Checks and wraps `raw`.
            pub fn new(raw: impl Into<String>) -> Result<$name, InvalidId> {
                let raw = raw.into();
                checked($what, Self::BYTES_MAX, &raw)?;
                Ok($name(raw.into()))
            }

            /// Gives the id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(
    /// A person (or another owner of memories), as the deployment names them.
    UserId,
    "user id"
);
text_id!(
    /// A thread of messages, such as `feishu:oc_x:msg_y`.
    ConversationId,
    "conversation id"
);
text_id!(
    /// One message of a conversation.
    MessageId,
    "message id"
);
text_id!(
    /// A place, account or person that is remembered as a thing of its own.
    EntityId,
    "entity id"
);
text_id!(
    /// A document of the knowledge base.
    DocumentId,
    "document id"
);

impl ConversationId {
    /// What the conversations of coding agents start with.
    const SESSION: &str = "code:";

    /// Names the conversation of a coding agent's session in a project.
    pub fn of_session(project: &str, session: &str) -> Result<ConversationId, InvalidId> {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
        let session: String = session.chars().filter(is_plain).take(64).collect();
        ConversationId::new(format!("{}{project}:{session}", Self::SESSION))
    }

    /// Tells in which project a coding agent's session took place.
    pub fn project(&self) -> Option<&str> {
        project_of_session(&self.0)
    }
}

/// Tells the project of a conversation's name, if it is a coding agent's session.
pub fn project_of_session(conversation: &str) -> Option<&str> {
    let rest = conversation.strip_prefix(ConversationId::SESSION)?;
    rest.split_once(':').map(|(project, _)| project)
}

/// One partition of everything that is stored: a user's own, or the shared one.
///
/// It is made from an authenticated user and from nothing a model or a request body says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpaceId(Arc<str>);

impl SpaceId {
    /// Names the space of `user`.
    pub fn of_user(user: &UserId) -> SpaceId {
        SpaceId(format!("user:{user}").into())
    }

    /// Names the space of `user` inside `namespace`, apart from all users outside it.
    pub fn of_user_in(namespace: &Namespace, user: &UserId) -> SpaceId {
        SpaceId(format!("user@{}:{user}", namespace.as_str()).into())
    }

    /// Names the space for knowledge and global memories, which all may read and only
    /// administrators write.
    pub fn shared() -> SpaceId {
        static SHARED: LazyLock<SpaceId> = LazyLock::new(|| SpaceId("shared".into()));
        SHARED.clone()
    }

    /// Reads back what a store stored.
    pub fn from_stored(raw: String) -> SpaceId {
        SpaceId(raw.into())
    }

    /// Gives the name under which a store keeps this space.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells the user's own id, without the namespace; none for the shared space.
    pub fn user(&self) -> Option<&str> {
        let (scheme, user) = self.0.split_once(':')?;
        (scheme == "user" || scheme.starts_with("user@")).then_some(user)
    }

    /// Tells the namespace of the user; none for a user outside all of them and for the shared
    /// space.
    pub fn namespace(&self) -> Option<&str> {
        let (scheme, _) = self.0.split_once(':')?;
        scheme.strip_prefix("user@")
    }
}

impl fmt::Display for SpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A group of users of one deployment, such as a tenant: lower-case letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Namespace(Arc<str>);

impl Namespace {
    /// The most bytes a namespace may have.
    pub const BYTES_MAX: usize = 64;

    /// Checks and wraps `raw`.
    pub fn new(raw: impl Into<String>) -> Result<Namespace, InvalidId> {
        let raw = raw.into();
        checked("namespace", Self::BYTES_MAX, &raw)?;
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        match raw.chars().all(fits) {
            true => Ok(Namespace(raw.into())),
            false => Err(InvalidId::Form {
                what: "namespace",
                given: raw,
            }),
        }
    }

    /// Gives the namespace as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One memory. Ids grow with time, so their order is the order of learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryId(Uuid);

impl MemoryId {
    /// Wraps a fresh id.
    pub fn from_uuid(uuid: Uuid) -> MemoryId {
        MemoryId(uuid)
    }

    /// Reads an id that was written as text.
    pub fn parse(raw: &str) -> Result<MemoryId, InvalidId> {
        let invalid = |_| InvalidId::Form {
            what: "memory id",
            given: plain::shorten(raw, 60),
        };
        Uuid::try_parse(raw).map(MemoryId).map_err(invalid)
    }

    /// How many characters of an id name it to people and models: 32 random bits, so that two of a
    /// user's memories hardly ever share them. If two do, neither is found by them.
    pub const SHORT_CHARS: usize = 8;

    /// Gives the last characters of the id, by which it can be named.
    pub fn short(&self) -> String {
        let whole = self.0.simple().to_string();
        whole[whole.len() - Self::SHORT_CHARS..].to_owned()
    }

    /// Tells whether `raw` can be the end of an id: hexadecimal, and as long as a short id or
    /// longer.
    pub fn may_end_in(raw: &str) -> bool {
        (Self::SHORT_CHARS..32).contains(&raw.len()) && raw.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// Tells whether the id ends in `tail`.
    pub fn ends_in(&self, tail: &str) -> bool {
        self.0.simple().to_string().ends_with(&tail.to_ascii_lowercase())
    }

    /// Gives the id as the store has it.
    pub fn as_uuid(&self) -> Uuid {
        self.0
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_cannot_name_another_space() {
        let user = |raw: &str| SpaceId::of_user(&UserId::new(raw).unwrap());
        let tenant = Namespace::new("acme").unwrap();
        let inside = SpaceId::of_user_in(&tenant, &UserId::new("ana").unwrap());
        for attempt in ["acme:ana", "@acme:ana", "shared", "user@acme:ana"] {
            assert_ne!(user(attempt), inside);
            assert_ne!(user(attempt), SpaceId::shared());
        }
        assert_eq!(user("a:b").user(), Some("a:b"));
        assert_eq!(inside.user(), Some("ana"));
        assert_eq!(inside.namespace(), Some("acme"));
        assert_eq!(user("user@acme:ana").namespace(), None);
        assert_eq!(SpaceId::shared().user(), None);
    }

    #[test]
    fn ids_that_could_deceive_are_refused() {
        for raw in ["", "  ", "a\0b", "a\nb", "a\u{202e}b", &"x".repeat(257)] {
            assert!(UserId::new(raw).is_err(), "{raw:?}");
        }
        assert!(
            UserId::new("../../etc").is_ok(),
            "a path is an ordinary id: nothing here is a path"
        );
        assert!(Namespace::new("a:b").is_err());
    }
}
