//! How busy a store is.

/// How the connections to a database are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    pub in_use: usize,
    /// Open, and free to use.
    pub idle: usize,
    pub most: usize,
}
