//! What `recalld serve` needs beside the server itself.

pub(crate) mod address;
pub(crate) mod announce;
pub(crate) mod daily;
pub(crate) mod keys;
mod owned;
pub(crate) mod place;
pub(crate) mod prefetch;
pub(crate) mod stop;
pub(crate) mod upkeep;
