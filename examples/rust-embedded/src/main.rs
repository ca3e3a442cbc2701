//! Remembers a statement, or answers a question, without a server:
//! `cargo run -p recalld-example-embedded -- "Prefers window seats"`.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use jiff::Timestamp;
use recalld_memory::change::Actor;
use recalld_memory::id::UserId;
use recalld_memory::memory::Content;
use recalld_memory::ports::{Clock, Ids};
use recalld_memory::recall::{Question, recall};
use recalld_memory::remember::{Statement, remember};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_models::builtin::Builtin;
use recalld_store::SqliteStore;
use uuid::Uuid;

#[derive(Debug)]
struct Machine;

impl Clock for Machine {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

impl Ids for Machine {
    fn next(&self, _now: Timestamp) -> Uuid {
        Uuid::now_v7()
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let text = std::env::args().nth(1).context("say something")?;
    let folder = std::env::var("MEMORIES").unwrap_or_else(|_| "memories".to_owned());
    let store = Arc::new(SqliteStore::open(Path::new(&folder))?);
    let ports = Ports::new(store, Arc::new(Machine), Arc::new(Machine), Settings::default())
        .with_embedder(Builtin::shared());
    // The scope is the only way to a user's space.
    let scope = Scope::of_user(UserId::new("me")?, Actor::new("example"), ports.clock.now());
    if !text.ends_with('?') {
        remember(&ports, &scope, Statement::plain(Content::new(&text)?)).await?;
        println!("I will remember that.");
        return Ok(());
    }
    for hit in recall(&ports, &scope, &Question::new(&text, 3)).await? {
        println!("{:.2}  {}", hit.score, hit.item.content.as_str());
    }
    Ok(())
}
