//! One remembered thing as one line of text.

use crate::conversation::Message;
use crate::entity::Entity;
use crate::memory::Memory;

/// What stands behind a memory that came from a document or a tool.
pub const UNCONFIRMED: &str = " (unconfirmed: from a document or tool)";

/// Writes a memory as a dated quotation, so that a model reads it as data and not as an
/// instruction.
pub fn memory_line(memory: &Memory) -> String {
    let date = memory.learned_at.to_zoned(jiff::tz::TimeZone::UTC).date();
    let key = memory
        .key
        .as_ref()
        .map(|key| format!("{}: ", one_line(key.as_str())))
        .unwrap_or_default();
    let caution = match memory.trust.may_be_injected() {
        true => "",
        false => UNCONFIRMED,
    };
    format!("- [{date}] {key}{}{caution}\n", quoted(memory.content.as_str()))
}

/// Writes a place with how often it came up.
pub fn place_line(place: &Entity) -> String {
    let notes = place
        .notes
        .as_ref()
        .map(|notes| format!(", {}", quoted(notes.as_str())))
        .unwrap_or_default();
    let count = place.conversations();
    let conversations = if count == 1 {
        "conversation"
    } else {
        "conversations"
    };
    format!(
        "- {}{notes} (mentioned in {count} {conversations})\n",
        quoted(place.name.as_str())
    )
}

/// Writes a message as a dated quotation of who said it.
pub fn message_line(message: &Message) -> String {
    let date = message.at.to_zoned(jiff::tz::TimeZone::UTC).date();
    let sender = message
        .sender
        .as_ref()
        .map(|sender| format!(" {}", one_line(sender)));
    format!(
        "- [{date}] {}{}: {}\n",
        message.role.as_str(),
        sender.unwrap_or_default(),
        quoted(message.content.as_str())
    )
}

/// Puts text in quotation marks that it cannot close itself.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        one_line(text).replace('\\', "\\\\").replace('"', "\\\"")
    )
}

/// Puts text on one line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
