//! `recalld learn`: learns from what was said before, or shows what would be learned from a
//! message.

mod explanation;
mod harvest;

use std::path::PathBuf;

use clap::{Args, ValueHint};
use recalld_memory::id::ConversationId;
use recalld_memory::remember::Remembered;
use recalld_memory::remember_many::{AT_ONCE_MAX, remember_many};
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::coding::transcripts::From;
use crate::config::platform;
use crate::failure::Failure;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, STRONG, Show, escaped, one_line};
use crate::session::Session;
use explanation::Explanation;
use harvest::{Harvest, Progress};

/// Learns from earlier sessions of coding agents, or explains what a message teaches
///
/// `--from` reads what is on this machine already, shows what it would remember for each project
/// with your own words, and asks. Only rules read it: no model is asked and nothing leaves the
/// machine. What is learned counts as imported until you confirm it (`recalld review`), and all of
/// it can be undone at once. What was read before is not read again.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld learn --from claude-code",
    "recalld learn --from git --yes",
    "recalld learn --explain \"I live in Lisbon and I prefer tea\"",
))]
pub(crate) struct Arguments {
    /// Where to read what you said
    #[arg(
        long,
        value_enum,
        conflicts_with = "explain",
        required_unless_present = "explain"
    )]
    from: Option<From>,

    /// Folder to read instead: a home directory, or a repository for git
    #[arg(long, requires = "from", value_name = "DIR", value_hint = ValueHint::DirPath)]
    path: Option<PathBuf>,

    /// Shows what would be remembered, and remembers nothing
    #[arg(long, requires = "from", conflicts_with = "yes")]
    print: bool,

    /// Remembers without asking
    #[arg(short, long, requires = "from")]
    yes: bool,

    /// Reads everything again
    #[arg(long, requires = "from")]
    again: bool,

    /// The message to explain; nothing is stored
    #[arg(long, value_name = "MESSAGE")]
    explain: Option<String>,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        match (&self.explain, self.from) {
            (Some(message), _) => session.output.answer(&Explanation::of(message)),
            (None, Some(from)) => self.learn(session, from).await,
            (None, None) => Err(Failure::bad_input("usage", "give --from or --explain")),
        }
    }
}

impl Arguments {
    async fn learn(self, session: &Session, from: From) -> Result<(), Failure> {
        let data = session.config()?.data()?;
        let mut progress = match self.again {
            true => Progress::default(),
            false => Progress::read(data),
        };
        let folder = match (&self.path, from) {
            (Some(path), _) => session.path(path),
            (None, From::Git) => session.path(std::path::Path::new(".")),
            (None, _) => platform::home()
                .ok_or_else(|| Failure::bad_input("configuration", "there is no home directory"))?,
        };
        let mut harvest = Harvest::of(from, &folder, &mut progress);
        let found = harvest.statements.len();
        harvest.statements.truncate(AT_ONCE_MAX);
        let mut answer = Answer::of(from, &harvest, found);
        if harvest.statements.is_empty() || self.print {
            return session.output.answer(&answer);
        }
        if !self.yes {
            session.output.styled(&answer.page(session))?;
            match session.output.ask("Remember this?") {
                Some(true) => {}
                Some(false) => return Err(Failure::failed("declined", "nothing was remembered")),
                None => {
                    let message = "refusing to remember without confirmation (no terminal)";
                    return Err(Failure::bad_input("consent", message)
                        .hint("look at it with --print, then add --yes"));
                }
            }
        }
        let engine = session.write().await?;
        let mut scope = engine.scope();
        // All of it has one conversation, so that it can be undone at once.
        let name = format!("learn:{}:{}", from.name(), scope.now.strftime("%Y%m%dT%H%M%S"));
        let conversation = ConversationId::new(name)?;
        scope.conversation = Some(conversation.clone());
        let became = remember_many(&engine.ports, &scope, harvest.statements).await?;
        let is_stored = |one: &Result<Remembered, _>| matches!(one, Ok(Remembered::Stored { .. }));
        answer.remembered = became.iter().filter(|one| is_stored(one)).count();
        answer.conversation = Some(conversation.to_string());
        // Written last: what was not remembered is read again.
        progress.write(data);
        session.output.answer(&answer)
    }
}

#[derive(Debug, Serialize)]
struct Answer {
    from: &'static str,
    /// How many files or commits were read.
    read: usize,
    /// How many statements were found; those beyond what fits into one change come the next time.
    found: usize,
    projects: Vec<OfProject>,
    remembered: usize,
    /// By which all of it can be undone.
    conversation: Option<String>,
    #[serde(skip)]
    secrets: usize,
}

#[derive(Debug, Serialize)]
struct OfProject {
    project: Option<String>,
    statements: Vec<Quoted>,
}

#[derive(Debug, Serialize)]
struct Quoted {
    content: String,
    quote: String,
}

impl Answer {
    fn of(from: From, harvest: &Harvest, found: usize) -> Answer {
        let mut projects: Vec<OfProject> = Vec::new();
        for statement in &harvest.statements {
            let project = harvest::project_of(statement);
            let quoted = Quoted {
                content: statement.content.to_string(),
                quote: statement
                    .source
                    .as_ref()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
            };
            match projects.iter_mut().find(|known| known.project == project) {
                Some(known) => known.statements.push(quoted),
                None => projects.push(OfProject {
                    project,
                    statements: vec![quoted],
                }),
            }
        }
        Answer {
            from: from.name(),
            read: harvest.read,
            found,
            projects,
            remembered: 0,
            conversation: None,
            secrets: harvest.secrets,
        }
    }

    fn page(&self, session: &Session) -> String {
        let mut page = session.output.page();
        self.list(&mut page);
        page.text().to_owned()
    }

    fn list(&self, page: &mut Page) {
        for of in &self.projects {
            let name = of.project.as_deref().unwrap_or("everywhere");
            page.line(format_args!("{STRONG}{}{STRONG:#}", escaped(name)));
            for quoted in &of.statements {
                page.line(format_args!(
                    "  {NAME}{}{NAME:#}",
                    escaped(&one_line(&quoted.content))
                ));
                page.line(format_args!(
                    "    {FAINT}{}{FAINT:#}",
                    escaped(&one_line(&quoted.quote))
                ));
            }
        }
        if 0 < self.secrets {
            let count = self.secrets;
            page.line(format_args!(
                "{CAUTION}{count} left out: they look like secrets{CAUTION:#}"
            ));
        }
    }
}

impl Show for Answer {
    fn show(&self, page: &mut Page) {
        match &self.conversation {
            None if self.found == 0 => {
                let read = self.read;
                page.line(format_args!(
                    "Read {read} from {}; nothing new to remember.",
                    self.from
                ));
            }
            None => {
                self.list(page);
                page.line(format_args!("{CAUTION}Nothing was remembered.{CAUTION:#}"));
            }
            Some(conversation) => {
                page.line(format_args!("{GOOD}Remembered {}.{GOOD:#}", self.remembered));
                page.line(format_args!(
                    "{FAINT}undo: recalld undo --conversation {conversation}{FAINT:#}"
                ));
                if self.found > self.projects.iter().map(|of| of.statements.len()).sum() {
                    page.line("There is more: run it again.");
                }
            }
        }
    }
}
