//! What a person can attach to a conversation: the memory document, the memories and the notes of a
//! day as Markdown, and the working memory. The Markdown is that of `/v1/files`, to the byte.

use jiff::civil::Date;
use recalld_memory::scope::Scope;
use recalld_memory::screening::invisible::visible;
use recalld_memory::space::{SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use recalld_memory::working_memory::{self, Of};
use recalld_portability::files::{self, FileName};
use rmcp::model::{CacheScope, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

const DOCUMENT: &str = "memory://document";
const MEMORY: &str = "memory://MEMORY.md";
const WORKING_MEMORY: &str = "memory://working-memory";
const NOTES: &str = "memory://notes/";

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// Of how many days the notes are listed; those of other days can be read all the same.
const DAYS_LISTED_MAX: usize = 31;

/// Something that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Document,
    Memory,
    WorkingMemory,
    Notes(Date),
}

impl Named {
    fn parse(uri: &str) -> Option<Named> {
        match uri {
            DOCUMENT => Some(Named::Document),
            MEMORY => Some(Named::Memory),
            WORKING_MEMORY => Some(Named::WorkingMemory),
            _ => {
                let raw = uri.strip_prefix(NOTES)?;
                let date = raw.parse::<Date>().ok()?;
                // Only this way of writing a date, so that a day has one name.
                (date.to_string() == raw).then_some(Named::Notes(date))
            }
        }
    }
}

/// Lists what the user has: three resources always, and the days of which there are notes, the
/// newest first.
pub(super) async fn list(ports: &Ports, scope: &Scope) -> Result<Vec<Resource>, SpaceError> {
    let days = |view: &SpaceView| files::days(view, scope.lens());
    let days = ports.spaces.read(scope.space(), days).await?;
    let mut listed = vec![
        Resource::new(MEMORY, "MEMORY.md")
            .with_title("Memories")
            .with_description("What is remembered for good, by category")
            .with_mime_type(MARKDOWN),
        Resource::new(DOCUMENT, "document")
            .with_title("Memory document")
            .with_description("Facts and places as one JSON document under a token cap")
            .with_mime_type(JSON),
        Resource::new(WORKING_MEMORY, "working-memory")
            .with_title("Working memory")
            .with_description("What agents keep of the task at hand; null if nothing")
            .with_mime_type(JSON),
    ];
    let days = days.into_iter().rev().take(DAYS_LISTED_MAX);
    listed.extend(days.map(|day| {
        Resource::new(format!("{NOTES}{day}"), format!("{day}.md"))
            .with_title(format!("Notes of {day}"))
            .with_mime_type(MARKDOWN)
    }));
    Ok(listed)
}

/// Lists the shapes of further resources.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let notes = ResourceTemplate::new(format!("{NOTES}{{date}}"), "notes")
        .with_title("Notes of a day")
        .with_description("The daily notes of a date, written YYYY-MM-DD (UTC)")
        .with_mime_type(MARKDOWN);
    vec![notes]
}

/// Reads the resource at `uri`; none when there is no such resource.
pub(super) async fn read(
    ports: &Ports,
    scope: &Scope,
    uri: &str,
) -> Result<Option<ReadResourceResult>, SpaceError> {
    let Some(named) = Named::parse(uri) else {
        return Ok(None);
    };
    let space = scope.space();
    let (text, kind) = match named {
        Named::Document => (
            ports
                .spaces
                .read(space, |view| view.document(scope.lens()).to_json())
                .await?,
            JSON,
        ),
        Named::Memory | Named::Notes(_) => {
            let name = match named {
                Named::Notes(day) => FileName::Day(day),
                _ => FileName::Memory,
            };
            let write = |view: &SpaceView| files::project(view, scope.lens(), name);
            (ports.spaces.read(space, write).await?, MARKDOWN)
        }
        Named::WorkingMemory => {
            let kept = working_memory::read(ports, scope, &Of::User).await?;
            (
                kept.map_or_else(|| "null".to_owned(), |record| format!("{:#}", record.value)),
                JSON,
            )
        }
    };
    let contents = ResourceContents::text(visible(&text).into_owned(), uri).with_mime_type(kind);
    Ok(Some(
        ReadResourceResult::new(vec![contents]).with_cache_scope(CacheScope::Private),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_name() {
        let day = jiff::civil::date(2026, 11, 15);
        assert_eq!(Named::parse("memory://notes/2026-11-15"), Some(Named::Notes(day)));
        let others = [
            "20261115",
            "2026-11-15T00:00",
            "2026-02-30",
            "+002026-11-15",
            "",
            "../document",
            "2026-11-15/",
        ];
        for raw in others {
            assert_eq!(Named::parse(&format!("memory://notes/{raw}")), None, "{raw}");
        }
    }

    #[test]
    fn only_what_is_listed_has_a_name() {
        assert_eq!(Named::parse("memory://document"), Some(Named::Document));
        assert_eq!(Named::parse("memory://Document"), None);
        assert_eq!(Named::parse("file:///etc/passwd"), None);
    }
}
