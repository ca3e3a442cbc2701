//! What the user typed.

/// Input from the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Line(String),
    /// Ctrl-C.
    Stop,
    /// The end of the input.
    End,
}
