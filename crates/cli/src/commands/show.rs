//! `recalld show`: shows one memory with all its properties.

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recalld_wire::{Memory, Standing};
use serde::Serialize;

use super::RunCommand;
use super::memory_ref::MemoryRef;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::memory_name::short_id;
use crate::output::{CAUTION, NAME, Page, STRONG, Show, escaped, moment};
use crate::session::Session;

/// Shows one memory with all its properties
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld show role",
    "recalld show 4f2a91c7        (the end of an id, as lists show it)",
    "recalld show role --json | jq -r .content",
))]
pub(crate) struct Arguments {
    /// Key or id of the memory, or the end of its id
    #[arg(value_name = "MEMORY")]
    memory: String,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let memory_ref = MemoryRef::new(&self.memory)?;
        let engine = session.read().await?;
        let scope = engine.scope();
        let memory = memory_ref.find(&engine, &scope).await?;
        session.output.answer(&One(Memory::at(memory, scope.now)))
    }
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct One(Memory);

impl Show for One {
    fn show(&self, page: &mut Page) {
        let memory = &self.0;
        for line in memory.content.as_str().replace('\t', "    ").lines() {
            page.line(format_args!("{STRONG}{}{STRONG:#}", escaped(line)));
        }
        page.gap();
        if let Some(key) = &memory.key {
            page.field("key", format_args!("{NAME}{}{NAME:#}", escaped(key.as_str())));
        }
        page.field("id", memory.id);
        page.field("category", &memory.category);
        page.field("tier", memory.tier.as_str());
        page.field("confidence", memory.confidence.value());
        let trust = match memory.trust == memory.origin {
            true => String::new(),
            false => format!(" (trusted as {})", memory.trust.as_str()),
        };
        page.field("origin", format_args!("{}{trust}", memory.origin.as_str()));
        let optional = [
            ("source", memory.source.as_ref().map(|source| source.as_str())),
            ("conversation", memory.conversation.as_ref().map(|id| id.as_str())),
            ("message", memory.message.as_ref().map(|id| id.as_str())),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                page.field(name, escaped(value));
            }
        }
        page.field("learned", moment(memory.learned_at, &page.zone));
        if memory.revised_at != memory.learned_at {
            page.field("revised", moment(memory.revised_at, &page.zone));
        }
        if let Some(end) = memory.expires_at {
            page.field("expires", moment(end, &page.zone));
        }
        let day = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
        if let Some(from) = memory.period.from.filter(|from| *from != memory.learned_at) {
            page.field("valid from", day(from));
        }
        if let Some(until) = memory.period.until {
            let newer = memory.period.superseded_by;
            let newer = newer.map(|id| format!(", superseded by {}", short_id(id)));
            page.field(
                "valid until",
                format_args!("{}{}", day(until), newer.unwrap_or_default()),
            );
        }
        page.field("version", memory.version);
        if memory.standing() != Standing::Active {
            let standing = memory.standing().as_str();
            let back = page.prefix.command(&format!("restore {}", short_id(memory.id)));
            page.field(
                "standing",
                format_args!(
                    "{CAUTION}{standing}{CAUTION:#}; restore it with: {}",
                    escaped(&back)
                ),
            );
        }
    }

    fn quiet(&self) -> String {
        self.0
            .content
            .as_str()
            .lines()
            .map(|line| format!("{}\n", escaped(line)))
            .collect()
    }
}
