//! `recalld stats`: counts memories.

use std::collections::BTreeMap;

use clap::Args;
use jiff::Timestamp;
use recalld_index::text::tokens;
use recalld_memory::browse::{self, Statistics};
use recalld_wire::Tokens;
use serde::Serialize;

use super::RunCommand;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{FAINT, Page, STRONG, Show, escaped, moment};
use crate::session::Session;

/// Shows statistics about memories
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld stats", "recalld stats --user ana --json"))]
pub(crate) struct Arguments {}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        tokens::warm_up();
        let engine = session.read().await?;
        let scope = engine.scope();
        let counted = browse::statistics(&engine.ports, &scope).await?;
        let store = engine.administration.stats().await?;
        let cap = engine.ports.settings.document_tokens_max;
        session
            .output
            .answer(&Stats::of(scope.user().to_string(), counted, cap, store))
    }
}

/// The statistics of a user's space and of the store.
#[derive(Debug, Serialize)]
struct Stats {
    user: String,
    revision: u64,
    memories: Memories,
    categories: BTreeMap<String, usize>,
    entities: Entities,
    document: Document,
    oldest: Option<Timestamp>,
    newest: Option<Timestamp>,
    /// The size of the space in main memory.
    bytes: usize,
    /// Statistics of the store, across all users.
    store: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
struct Memories {
    current: usize,
    durable: usize,
    daily: usize,
    retired: usize,
    expired: usize,
}

#[derive(Debug, Serialize)]
struct Entities {
    places: usize,
    accounts: usize,
    people: usize,
}

#[derive(Debug, Serialize)]
struct Document {
    facts: usize,
    tokens: Tokens,
    tokens_max: usize,
}

impl Stats {
    fn of(user: String, counted: Statistics, cap: usize, store: Vec<(String, String)>) -> Stats {
        Stats {
            user,
            revision: counted.revision.0,
            memories: Memories {
                current: counted.current,
                durable: counted.durable,
                daily: counted.daily,
                retired: counted.retired,
                expired: counted.expired,
            },
            categories: counted.categories,
            entities: Entities {
                places: counted.places,
                accounts: counted.accounts,
                people: counted.people,
            },
            document: Document {
                facts: counted.document_facts,
                tokens: counted.document_tokens.into(),
                tokens_max: cap,
            },
            oldest: counted.oldest,
            newest: counted.newest,
            bytes: counted.bytes,
            store: store.into_iter().collect(),
        }
    }
}

impl Show for Stats {
    fn show(&self, page: &mut Page) {
        let heading = |page: &mut Page, title: &str| {
            page.gap();
            page.line(format_args!("{STRONG}{title}{STRONG:#}"));
        };
        let Memories {
            current,
            durable,
            daily,
            retired,
            expired,
        } = self.memories;
        heading(page, &format!("Memories of {}", escaped(&self.user)));
        page.field(
            "current",
            format_args!("{current} ({durable} durable, {daily} daily)"),
        );
        page.field(
            "hidden",
            format_args!("{} ({retired} forgotten, {expired} expired)", retired + expired),
        );
        if let (Some(oldest), Some(newest)) = (self.oldest, self.newest) {
            page.field("oldest", moment(oldest, &page.zone));
            page.field("newest", moment(newest, &page.zone));
        }
        if !self.categories.is_empty() {
            heading(page, "Categories");
            let width = self
                .categories
                .keys()
                .map(|name| name.chars().count())
                .max()
                .unwrap_or(0);
            for (category, count) in &self.categories {
                page.line(format_args!("  {FAINT}{category:<width$}{FAINT:#} {count}"));
            }
        }
        let Entities {
            places,
            accounts,
            people,
        } = self.entities;
        heading(page, "Entities");
        page.field("places", places);
        page.field("accounts", accounts);
        page.field("people", people);
        heading(page, "Document");
        let tokens = self
            .document
            .tokens
            .cl100k_base
            .max(self.document.tokens.o200k_base);
        page.field("facts", self.document.facts);
        page.field("tokens", format_args!("{tokens} of {}", self.document.tokens_max));
        heading(page, "Store");
        let width = self.store.keys().map(String::len).max().unwrap_or(0);
        for (name, value) in &self.store {
            page.line(format_args!("  {FAINT}{name:<width$}{FAINT:#} {value}"));
        }
    }
}
