//! `recalld config`: the effective configuration, and where each value came from.

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::config::{Config, Key, Origin, keys, schedule};
use crate::failure::Failure;
use crate::output::{Cell, FAINT, NAME, Page, Show, Table};
use crate::session::Session;
use crate::suggest;

/// Shows the effective configuration, and where each value came from
///
/// Later sources override earlier ones: the defaults, the configuration file (TOML), the
/// environment (RECALLD_…), the arguments.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld config",
    "recalld config --template > ~/.config/recalld/config.toml",
    "RECALLD_MEMORY_DAILY_DAYS=30 recalld config --json",
    "recalld config check --config /etc/recalld.toml",
))]
pub(crate) struct Arguments {
    /// Prints a configuration file with every setting, its meaning and its default
    #[arg(long)]
    template: bool,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Checks that a server would start with the configuration; exits with 1 if it would not
    Check,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        if self.template {
            return session.output.verbatim(&template());
        }
        let config = session.config()?;
        if self.action.is_some() {
            return check(config, session);
        }
        session.output.answer(&Effective::of(config))?;
        for variable in &config.unknown_variables {
            session
                .output
                .note(&format!("{variable} is set, but is not a setting"));
        }
        Ok(())
    }
}

/// Checks what a start would check. The settings themselves were checked when they were read.
fn check(config: &Config, session: &Session) -> Result<(), Failure> {
    if let Some(variable) = config.unknown_variables.first() {
        let name = variable.trim_start_matches("RECALLD_").to_lowercase();
        let known = keys::ALL.iter().map(Key::variable);
        let known: Vec<String> = known.collect();
        let nearest = suggest::nearest(variable, known.iter().map(String::as_str));
        let message = format!("the environment sets {variable}, which is not a setting");
        return Err(Failure::bad_input("configuration", message).hint(match nearest {
            Some(near) => format!("did you mean {near}?"),
            None => format!("`recalld config` lists the settings; there is none like {name:?}"),
        }));
    }
    config.check_supabase()?;
    config.values.server.token_rules()?;
    schedule::parse(&config.values.schedule)
        .map_err(|problem| Failure::bad_input("configuration", format!("extraction.schedule {problem}")))?;
    super::serve::check_address(&config.values.server)?;
    let file = config.file.as_ref().map(|path| path.display().to_string());
    session.output.answer(&Checked { file, ok: true })
}

/// A configuration with which a server starts.
#[derive(Debug, Serialize)]
struct Checked {
    /// The file that was read.
    file: Option<String>,
    ok: bool,
}

impl Show for Checked {
    fn show(&self, page: &mut Page) {
        if let Some(file) = &self.file {
            page.line(format_args!("Read {file}."));
        }
        page.line("No problems found.");
    }
}

/// The effective configuration.
#[derive(Debug, Serialize)]
struct Effective {
    /// The file that was read.
    file: Option<String>,
    settings: Vec<Setting>,
    unknown_variables: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Setting {
    key: &'static str,
    value: Value,
    /// default, file, environment or argument
    from: &'static str,
    /// Where exactly: the file and line, the variable, or the argument.
    place: Option<String>,
    variable: String,
    about: &'static str,
}

impl Effective {
    fn of(config: &Config) -> Effective {
        let setting = |key: &Key| {
            let (from, place) = match config.origin(key) {
                Origin::Default => ("default", None),
                Origin::File { path, line } => ("file", Some(format!("{}:{line}", path.display()))),
                Origin::Environment(name) => ("environment", Some(name)),
                Origin::Argument(name) => ("argument", Some(name)),
            };
            Setting {
                key: key.name,
                value: (key.get)(&config.values),
                from,
                place,
                variable: key.variable(),
                about: key.about,
            }
        };
        Effective {
            file: config.file.as_ref().map(|path| path.display().to_string()),
            settings: keys::ALL.iter().map(setting).collect(),
            unknown_variables: config.unknown_variables.clone(),
        }
    }
}

impl Show for Effective {
    fn show(&self, page: &mut Page) {
        let mut table = Table::new(["SETTING", "VALUE", "FROM"]);
        for setting in &self.settings {
            let place = setting
                .place
                .as_ref()
                .map(|place| format!(" {place}"))
                .unwrap_or_default();
            table.row([
                Cell::styled(NAME, setting.key),
                Cell::plain(&plain(&setting.value)),
                Cell::styled(FAINT, &format!("{}{place}", setting.from)),
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        let line = |setting: &Setting| format!("{}={}\n", setting.key, plain(&setting.value));
        self.settings.iter().map(line).collect()
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Every setting with its default, commented out.
fn template() -> String {
    let defaults = Config::defaults();
    let mut text = String::from("# Configuration of recalld. Commented lines show the defaults.\n");
    let mut table = None;
    for key in keys::ALL.iter() {
        let (of_table, name) = match key.name.rsplit_once('.') {
            Some((table, name)) => (Some(table), name),
            None => (None, key.name),
        };
        if let Some(name) = of_table.filter(|_| of_table != table) {
            text += &format!("\n[{name}]\n");
        }
        table = of_table;
        // The default directory depends on the machine.
        let value = match (key.get)(&defaults.values) {
            _ if key.name == "data" => "\"/path/to/data\"".to_owned(),
            value => value.to_string(),
        };
        text += &format!("\n# {} ({}).\n# {name} = {value}\n", key.about, key.variable());
    }
    text
}
