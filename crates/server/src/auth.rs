//! Who calls: a key or a token becomes a [`Caller`], and nothing else does.

mod authenticator;
mod caller;
mod codes;
mod identity;
mod key_cache;
mod keys;
mod token;

pub(crate) use authenticator::{Authenticator, Unproven, presented};
pub(crate) use caller::{Administrator, Caller};
pub(crate) use codes::{CODE_LIFETIME, SignInCodes};
pub use keys::{KeyCreated, create_key};
pub use token::{KeySetSource, TokenAlgorithm, TokenKeys, TokenRules};
