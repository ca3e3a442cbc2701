//! Who calls: a key or a token becomes a [`Caller`], and nothing else does.

mod caller;
mod codes;
mod gate;
mod keys;
mod proof;
mod token;

pub(crate) use caller::{Administrator, Caller, authenticate, presented};
pub(crate) use codes::{CODE_LIFETIME, SignInCodes};
pub(crate) use gate::Gate;
pub use keys::{KeyCreated, create_key};
pub(crate) use token::TokenCheck;
pub use token::{KeySetSource, TokenAlgorithm, TokenKeys, TokenRules};
