//! The memory as MCP clients meet it: with the official client of the protocol, in both eras of it,
//! over HTTP and over a stream; and what those are told who must not get in.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

mod bare;
mod stage;

mod door;
mod reading;
mod sessions;
mod tools;
