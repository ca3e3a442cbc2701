//! `recalld models`: the models for semantic search.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use recalld_models::catalog::{self, Progress, PullOptions, Purpose};
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::{examples, quoted};
use crate::config::{Origin, keys, set_in_file};
use crate::failure::{Failure, chain, shortened};
use crate::models::directory;
use crate::output::{BAD, CAUTION, Cell, FAINT, GOOD, NAME, Page, Show, Table, escaped};
use crate::session::Session;

/// Lists, installs and selects models for semantic search
///
/// The built-in model needs no installation. A sentence encoder of the BERT family (safetensors and
/// tokenizer) finds more, and takes milliseconds instead of microseconds.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld models list",
    "recalld models pull e5-small",
    "recalld models pull ./all-MiniLM-L6-v2",
    "recalld models pull ./model.zip --name minilm",
    "recalld models use minilm",
    "recalld models use builtin",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Lists the available models
    List,
    /// Installs a model by its name on a hub, or from a directory, a .zip or .whl archive, or an
    /// http(s) URL of one
    Pull {
        /// `owner/model`, a short name (minilm, e5-small, bge-small, gte-small, ms-marco-minilm,
        /// bge-reranker), directory, archive or URL
        source: String,
        /// Name of the model [default: the name of the source]
        #[arg(long)]
        name: Option<String>,
        /// URL of the hub that models are fetched from by name
        #[arg(long, value_name = "URL", default_value = catalog::HUB_DEFAULT)]
        hub: String,
    },
    /// Selects a model: `builtin`, `none`, `endpoint`, or an installed one; a cross-encoder is used
    /// for reranking
    Use {
        /// Name of the model
        name: String,
    },
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        match self.action {
            Action::List => list(session),
            Action::Pull { source, name, hub } => pull(session, &source, name, hub).await,
            Action::Use { name } => choose(session, &name),
        }
    }
}

fn list(session: &Session) -> Result<(), Failure> {
    let config = session.config()?;
    let installed = catalog::list(&directory(config)?)
        .map_err(|error| Failure::failed("models", format!("cannot list the installed models: {error}")))?;
    let used = &config.values.model;
    let own = |name: &str, about: &str| Model {
        name: name.to_owned(),
        purpose: Some("embedding"),
        about: about.to_owned(),
        bytes: None,
        used: used == name,
        problem: None,
    };
    let mut models = vec![
        own("builtin", "static, part of the program"),
        own("none", "keyword search only"),
    ];
    models.extend(installed.into_iter().map(|model| Model {
        used: *used == model.name || config.values.reranker == model.name,
        purpose: model.description.as_ref().ok().map(|found| match found.purpose {
            Purpose::Embedding => "embedding",
            Purpose::Reranking => "reranking",
        }),
        about: model.description.as_ref().map_or_else(
            |_| String::new(),
            |found| {
                let (kind, size) = (&found.architecture, found.dimension);
                format!(
                    "{kind}, {} layers, {size} dimensions, {}",
                    found.layers, found.tokenizer
                )
            },
        ),
        problem: model.description.err(),
        bytes: Some(model.bytes),
        name: model.name,
    }));
    session.output.answer(&Models { models })
}

#[derive(Debug, Serialize)]
struct Models {
    models: Vec<Model>,
}

#[derive(Debug, Serialize)]
struct Model {
    name: String,
    purpose: Option<&'static str>,
    about: String,
    bytes: Option<u64>,
    used: bool,
    problem: Option<String>,
}

impl Show for Models {
    fn show(&self, page: &mut Page) {
        let mut table = Table::new(["", "NAME", "PURPOSE", "SIZE", "ABOUT"]);
        for model in &self.models {
            let size = model
                .bytes
                .map_or(String::new(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6));
            let about = match &model.problem {
                Some(problem) => Cell::styled(BAD, problem),
                None => Cell::plain(&model.about),
            };
            table.row([
                Cell::styled(GOOD, if model.used { "*" } else { "" }),
                Cell::styled(NAME, &model.name),
                Cell::plain(model.purpose.unwrap_or_default()),
                Cell::styled(FAINT, &size),
                about,
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        self.models
            .iter()
            .map(|model| format!("{}\n", model.name))
            .collect()
    }
}

async fn pull(session: &Session, source: &str, name: Option<String>, hub: String) -> Result<(), Failure> {
    let options = PullOptions {
        name,
        hub,
        ..PullOptions::default()
    };
    let models = directory(session.config()?)?;
    let shown = !session.output.is_json() && std::io::stderr().is_terminal();
    let progress = move |at: Progress<'_>| {
        if shown {
            anstream::eprint!(
                "\r{FAINT}{:>8.1} MB  {}{FAINT:#}   ",
                at.bytes as f64 / 1e6,
                at.file.display()
            );
        }
    };
    let pulled = catalog::pull(source, &models, &options, &progress).await;
    if shown {
        anstream::eprintln!();
    }
    let pulled = pulled.map_err(|error| Failure::failed("models", chain(&error)))?;
    session.output.answer(&Installed {
        name: pulled.name,
        directory: pulled.directory,
        dimension: pulled.checked.dimension,
        load_ms: pulled.checked.load_time.as_millis() as u64,
        probe_ms: pulled.checked.probe_time.as_millis() as u64,
        files: pulled
            .files
            .into_iter()
            .map(|file| (file.path.display().to_string(), file.sha256))
            .collect(),
    })
}

#[derive(Debug, Serialize)]
struct Installed {
    name: String,
    directory: PathBuf,
    dimension: Option<usize>,
    load_ms: u64,
    probe_ms: u64,
    /// Path inside the model, and SHA-256.
    files: Vec<(String, String)>,
}

impl Show for Installed {
    fn show(&self, page: &mut Page) {
        let name = escaped(&self.name);
        page.line(format_args!("{GOOD}Installed{GOOD:#} {NAME}{name}{NAME:#}"));
        for (path, digest) in &self.files {
            page.line(format_args!("  {FAINT}{digest}{FAINT:#}  {}", escaped(path)));
        }
        let (load, probe) = (self.load_ms, self.probe_ms);
        page.line(format_args!(
            "Loading takes {load} ms, embedding a sentence {probe} ms."
        ));
        let choose = page.prefix.command(&format!("models use {}", quoted(&self.name)));
        page.line(format_args!("Use it with: {NAME}{}{NAME:#}", escaped(&choose)));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.name)
    }
}

/// Writes the selection where the models are, so that it holds for this data directory alone. A
/// configuration file that names a model is changed instead: it would override the selection.
fn choose(session: &Session, name: &str) -> Result<(), Failure> {
    let config = session.config()?;
    let mut key = "model";
    if !matches!(name, "builtin" | "none" | "endpoint") {
        let found = directory(config)?.join(name);
        let described = catalog::describe(&found).map_err(|error| {
            let message = format!("model {:?} cannot be used: {}", shortened(name), chain(&error));
            Failure::not_found(message)
                .hint("`recalld models list` shows the models, `recalld models pull` installs one")
        })?;
        if described.purpose == Purpose::Reranking {
            key = "reranker";
        }
    }
    let origin = keys::find(key).map_or(Origin::Default, |key| config.origin(key));
    let file = match &origin {
        Origin::File { path, .. } => path.clone(),
        _ => config.selection_file()?,
    };
    set_in_file(&file, key, name)?;
    session.output.answer(&Chosen {
        model: name.to_owned(),
        file,
    })?;
    if matches!(origin, Origin::Environment(_) | Origin::Argument(_)) {
        session.output.note(&format!("{origin} overrides the selection"));
    }
    Ok(())
}

#[derive(Debug, Serialize)]
struct Chosen {
    model: String,
    file: PathBuf,
}

impl Show for Chosen {
    fn show(&self, page: &mut Page) {
        let model = escaped(&self.model);
        page.line(format_args!(
            "{GOOD}Selected{GOOD:#} {NAME}{model}{NAME:#} in {}.",
            self.file.display()
        ));
        page.line(format_args!(
            "{CAUTION}A running server uses it after a restart.{CAUTION:#}"
        ));
    }
}
