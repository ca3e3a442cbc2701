//! Chat platforms: a verified event becomes a chat turn, and the reply goes back to its thread.
//!
//! A platform is one file (with a folder for its parts) that implements [`Platform`]. Everything
//! else is the same for all of them: an event is accepted once, stored before it is acknowledged,
//! answered by a [`Worker`], and not forgotten when the platform fails.

mod http;
mod message;
mod outgoing;
mod platform;
mod turn;

mod inbox;
mod worker;

pub mod feishu;
pub mod slack;

pub use inbox::{Acknowledgement, Channel, Inbox, InboxError};
pub use message::{IncomingMessage, Person, ReplyTarget};
pub use outgoing::{OutgoingReply, split};
pub use platform::{Delivery, Finding, Platform, Received, Refusal, SendError, WebhookRequest};
pub use worker::Worker;
