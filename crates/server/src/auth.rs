//! Who calls: a key or a token becomes a [`Caller`], and nothing else does.

mod authenticator;
mod authorization_codes;
mod caller;
mod codes;
mod identity;
mod key_cache;
mod keys;
mod permission;
mod token;

pub(crate) use authenticator::{Authenticator, REFRESH_PREFIX, Unproven, presented};
pub(crate) use authorization_codes::{AuthorizationCodes, Granted, Presented, Redeemed, is_challenge};
pub(crate) use caller::{Administrator, Caller};
pub(crate) use codes::{CODE_LIFETIME, SignInCodes};
pub use keys::{KeyCreated, NewKey, adopt_key, create_key, rotate_key};
pub(crate) use keys::{holds_key, random_bytes};
pub(crate) use permission::{Extent, Permission};
pub use token::{KeySetSource, TokenAlgorithm, TokenKeys, TokenRules};
