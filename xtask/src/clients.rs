//! Drives the vendors' own SDKs, installed from their registries, against the debug binary: once on
//! SQLite, and once on PostgreSQL.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::toolchain::{Database, Node, build_binary, built_binary, cache, check, python};

/// The scripts, relative to the root of the workspace. Each file there is one, but those that start
/// with an underscore.
const SCRIPTS: &str = "crates/server/tests/clients/sdks";

/// The model behind them, which plays a fixed part.
const MODEL: &str = "crates/server/tests/clients/model.py";

/// What runs before every change: each vendor once, and one SDK in JavaScript. The others run at
/// night.
const BEFORE_CHANGES: [&str; 8] = [
    "anthropic_memory_tool.py",
    "anthropic_messages.py",
    "langgraph_store.py",
    "mem0_client.py",
    "openai_conversations.py",
    "openai_responses.mjs",
    "openapi.py",
    "two_users.py",
];

/// What the command line asks for.
#[derive(Debug, Default)]
struct Options {
    /// The binary under test; none: it is built.
    binary: Option<PathBuf>,
    /// Only these scripts.
    files: Vec<String>,
    only_sqlite: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options> {
        let mut options = Options::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--binary" => {
                    let path = arguments.next().context("--binary needs a path")?;
                    options.binary =
                        Some(fs::canonicalize(path).with_context(|| format!("cannot find {path}"))?);
                }
                "--sqlite" => options.only_sqlite = true,
                file if file.ends_with(".py") || file.ends_with(".mjs") => {
                    options.files.push(file.to_owned())
                }
                other => bail!("unknown argument {other:?}"),
            }
        }
        Ok(options)
    }
}

/// Runs the main scripts on SQLite, with the binary that the tests of the workspace have built.
pub fn check_built() -> Result<()> {
    let binary = built_binary().context("the tests of the workspace have built no recalld")?;
    let options = Options {
        files: BEFORE_CHANGES.map(str::to_owned).to_vec(),
        ..Options::default()
    };
    Suite::install(binary)?.run(&options, None)
}

/// Runs every script on both stores.
pub fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build_binary()?,
    };
    let suite = Suite::install(binary)?;
    println!("   on SQLite");
    suite.run(&options, None)?;
    if options.only_sqlite {
        return Ok(());
    }
    println!("   on PostgreSQL");
    let database = Database::create(&suite.binary, "clients")?;
    suite.run(&options, Some(&database.address))
}

/// The scripts beside their packages, where Node looks for them.
struct Suite {
    binary: PathBuf,
    python: PathBuf,
    node: Node,
    folder: PathBuf,
}

impl Suite {
    fn install(binary: PathBuf) -> Result<Suite> {
        let cache = cache("recalld-clients")?;
        let python = python(&cache, &Path::new(SCRIPTS).join("_requirements.txt"))?;
        let node = Node::install(&cache)?;
        let folder = cache.join("scripts");
        fs::create_dir_all(&folder)?;
        for file in fs::read_dir(SCRIPTS)? {
            let file = file?;
            fs::copy(file.path(), folder.join(file.file_name()))?;
        }
        fs::copy(MODEL, folder.join("model.py"))?;
        let list = fs::read_to_string(folder.join("_package.json"))?;
        let installed = folder.join("installed.txt");
        if fs::read_to_string(&installed).ok().as_deref() != Some(&list) {
            fs::write(folder.join("package.json"), &list)?;
            let install = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
            // Some packages ask for older peers than the others are tested with.
            let lenient = ["--legacy-peer-deps", "--ignore-scripts"];
            check(node.npm(&folder).args(install).args(lenient))?;
            fs::write(installed, list)?;
        }
        Ok(Suite {
            binary,
            python,
            node,
            folder,
        })
    }

    fn run(&self, options: &Options, database: Option<&str>) -> Result<()> {
        for file in self.scripts(options)? {
            println!("   {file}");
            let mut command = match file.ends_with(".py") {
                true => Command::new(&self.python),
                false => self.node.command(),
            };
            command
                .current_dir(&self.folder)
                .arg(&file)
                .env("RECALLD_BIN", &self.binary)
                .env("PYTHON", &self.python)
                .env("NODE", self.node.program())
                .env("MEM0_TELEMETRY", "false")
                .env("MEM0_DIR", self.folder.join("mem0"));
            if let Some(database) = database {
                command.env("RECALLD_TEST_DATABASE", database);
            }
            check(&mut command).with_context(|| format!("{file} failed"))?;
        }
        Ok(())
    }

    fn scripts(&self, options: &Options) -> Result<Vec<String>> {
        if !options.files.is_empty() {
            return Ok(options.files.clone());
        }
        let mut files = Vec::new();
        for file in fs::read_dir(SCRIPTS)? {
            let name = file?.file_name().to_string_lossy().into_owned();
            if !name.starts_with('_') && (name.ends_with(".py") || name.ends_with(".mjs")) {
                files.push(name);
            }
        }
        files.sort();
        Ok(files)
    }
}
