//! `recalld users`: who has memories here.

use clap::Args;
use recalld_memory::id::SpaceId;
use recalld_memory::users;
use recalld_wire::UserList;

use super::RunCommand;
use crate::arguments::{examples, number};
use crate::failure::Failure;
use crate::output::{Cell, FAINT, NAME, Page, Show, Table, ago};
use crate::session::Session;

/// Lists the users of the deployment: how much they have, and when they were last active
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld users",
    "recalld users ana",
    "recalld users --json | jq '.users[] | select(.bytes > 1000000) | .id'",
))]
pub(crate) struct Arguments {
    /// Only users whose id contains this text
    query: Option<String>,

    /// Maximum number of users
    #[arg(short = 'n', long, default_value_t = 100, value_name = "N", value_parser = number::at_least::<usize>(1))]
    limit: usize,

    /// Goes on after a list that was longer: its `next_page`
    #[arg(long, value_name = "PAGE")]
    after: Option<String>,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let engine = session.read().await?;
        let query = self.query.unwrap_or_default();
        let shows = |space: &SpaceId| users::is_like(space, &query);
        let after = self.after.map(SpaceId::from_stored);
        let (store, administration) = (&*engine.ports.store, &*engine.administration);
        let now = engine.ports.clock.now();
        let page = users::list(store, administration, shows, after, self.limit, now).await?;
        session.output.answer(&UserList::from(page))
    }
}

impl Show for UserList {
    fn show(&self, page: &mut Page) {
        if self.users.is_empty() {
            page.line("No users found.");
            return;
        }
        let mut table = Table::new([
            "USER",
            "NAMESPACE",
            "MEMORIES",
            "MESSAGES",
            "BYTES",
            "TOKENS TODAY",
            "LAST CHANGE",
        ]);
        for user in &self.users {
            let active = user
                .last_active_at
                .map_or("never".to_owned(), |at| ago(at.0, page.now, &page.zone));
            table.row([
                Cell::styled(NAME, &user.id),
                Cell::plain(user.namespace.as_deref().unwrap_or_default()),
                Cell::plain(&user.memories.to_string()),
                Cell::plain(&user.messages.to_string()),
                Cell::plain(&user.bytes.to_string()),
                Cell::plain(&user.model_tokens_today.to_string()),
                Cell::styled(FAINT, &active),
            ]);
        }
        table.write(page);
        if let Some(next) = &self.next_page {
            page.line(format_args!("More: recalld users --after {next:?}"));
        }
    }

    fn quiet(&self) -> String {
        self.users.iter().map(|user| format!("{}\n", user.id)).collect()
    }
}
