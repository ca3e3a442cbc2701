//! Who calls: a key or a token becomes a [`Caller`], and nothing else does.

mod caller;
mod gate;
mod keys;
mod proof;
mod token;

pub(crate) use caller::{Administrator, Caller, authenticate};
pub(crate) use gate::Gate;
pub use keys::{KeyCreated, create_key};
pub(crate) use token::TokenCheck;
pub use token::{KeySetSource, TokenAlgorithm, TokenKeys, TokenRules};
