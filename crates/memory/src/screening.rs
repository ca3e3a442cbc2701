//! Looks at texts before they are stored or shown: secrets, instructions in disguise, characters
//! that nobody sees. Pure functions over text that know nothing of memories.

pub mod instructions;
pub mod invisible;
pub mod secrets;
