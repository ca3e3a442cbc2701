//! Values of the domain as they are written: straight into the answer, where a `String` would be made, copied and dropped.

use std::fmt::Display;

use serde::{Serialize, Serializer};

/// Something that has one way to be written.
#[derive(Clone, Debug)]
pub(crate) struct Shown<T>(pub(crate) T);

impl<T: Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Something that is a text, and whose clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Said<T>(pub(crate) T);

impl<T: AsRef<str>> Serialize for Said<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_ref())
    }
}
