//! Values that change while the service runs.

use std::sync::{Arc, PoisonError, RwLock};

/// A value that is replaced while others use it.
#[derive(Debug)]
pub(crate) struct Replaceable<T>(RwLock<Arc<T>>);

impl<T> Replaceable<T> {
    pub(crate) fn new(value: T) -> Replaceable<T> {
        Replaceable(RwLock::new(Arc::new(value)))
    }

    /// Gives the value as it is now.
    pub(crate) fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the value for all who ask from now on.
    pub(crate) fn replace(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
    }
}
