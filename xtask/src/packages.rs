//! Tests the client packages and the examples against the debug binary, on SQLite and on
//! PostgreSQL, and generates the typed parts of the packages.
//!
//! The packages are copied into a cache outside the tree and installed there, the way a user
//! installs them: the tree stays clean.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::toolchain::{Database, Node, build_binary, built_binary, cache, check, python};

const REQUIREMENTS: &str = "clients/testing/requirements.txt";

/// What the packages and their tests consist of.
const FOLDERS: [&str; 2] = ["clients", "examples"];

/// What is made where the packages are, and never copied.
const MADE: [&str; 5] = [
    "node_modules",
    "dist",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
];

/// What the command line asks for.
#[derive(Debug, Default)]
struct Options {
    /// The binary under test; none: it is built.
    binary: Option<PathBuf>,
    generate: bool,
    /// Only these parts: python, typescript or examples.
    parts: Vec<String>,
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
                "generate" => options.generate = true,
                part @ ("python" | "typescript" | "examples") => options.parts.push(part.to_owned()),
                other => bail!("unknown argument {other:?}"),
            }
        }
        Ok(options)
    }

    fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }
}

/// Runs the tests of both packages on SQLite, with the binary that the tests of the workspace have
/// built. PostgreSQL and the examples follow at night.
pub fn check_built() -> Result<()> {
    let binary = built_binary().context("the tests of the workspace have built no recalld")?;
    let options = Options {
        parts: vec!["python".to_owned(), "typescript".to_owned()],
        ..Options::default()
    };
    let cache = cache("recalld-packages")?;
    let python = python(&cache, Path::new(REQUIREMENTS))?;
    Suite::install(binary, python, &cache, &options)?.test(&options, None)
}

/// Runs the tests on SQLite and on PostgreSQL, or generates.
pub fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build_binary()?,
    };
    let cache = cache("recalld-packages")?;
    let python = python(&cache, Path::new(REQUIREMENTS))?;
    if options.generate {
        let script = fs::canonicalize("clients/testing/generate.py")?;
        return check(Command::new(python).arg(script).env("RECALLD_BIN", binary));
    }
    let suite = Suite::install(binary, python, &cache, &options)?;
    println!("   on SQLite");
    suite.test(&options, None)?;
    if options.wants("examples") {
        suite.examples()?;
    }
    println!("   on PostgreSQL");
    let database = Database::create(&suite.binary, "packages")?;
    suite.test(&options, Some(&database.address))
}

/// The packages, installed and ready to test.
struct Suite {
    binary: PathBuf,
    python: PathBuf,
    node: Node,
    /// A copy of the folders, with what was installed and built beside them.
    root: PathBuf,
}

impl Suite {
    fn install(binary: PathBuf, python: PathBuf, cache: &Path, options: &Options) -> Result<Suite> {
        let root = cache.join("tree");
        for folder in FOLDERS {
            copy(Path::new(folder), &root.join(folder))?;
        }
        let suite = Suite {
            binary,
            python,
            node: Node::install(cache)?,
            root,
        };
        let package = suite.root.join("clients/python");
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--force-reinstall",
        ];
        check(Command::new(&suite.python).args(pip).arg(&package))?;
        check(suite.python("clients/testing").args(["generate.py", "--check"]))?;
        if options.wants("python") {
            check(suite.python("clients/python").args(["-m", "mypy", "--strict"]))?;
        }
        if options.wants("typescript") || options.wants("examples") {
            suite.install_npm_packages(&suite.root.join("clients/typescript"))?;
            let tsc = "node_modules/typescript/bin/tsc";
            check(&mut suite.typescript(&[tsc, "--project", "tsconfig.build.json"]))?;
            check(&mut suite.typescript(&[tsc, "--noEmit"]))?;
        }
        Ok(suite)
    }

    /// Installs what the lock file of a folder lists, unless that was done.
    fn install_npm_packages(&self, folder: &Path) -> Result<()> {
        let lock = fs::read_to_string(folder.join("package-lock.json"))?;
        let installed = folder.join("node_modules/.installed");
        if fs::read_to_string(&installed).is_ok_and(|installed| installed == lock) {
            return Ok(());
        }
        let quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
        // A peer of one package is older than what the others are tested with.
        let install = ["ci", "--legacy-peer-deps", "--ignore-scripts"];
        check(self.node.npm(folder).args(install).args(quiet))?;
        Ok(fs::write(installed, lock)?)
    }

    /// Makes a command that runs Python in a folder of the copy.
    fn python(&self, folder: &str) -> Command {
        let mut command = Command::new(&self.python);
        command
            .current_dir(self.root.join(folder))
            .env("RECALLD_BIN", &self.binary)
            .env_remove("RECALLD_TEST_DATABASE_URL");
        command
    }

    /// Makes a command that runs Node in the TypeScript package.
    fn typescript(&self, arguments: &[&str]) -> Command {
        let mut command = self.node.command();
        command
            .args(arguments)
            .current_dir(self.root.join("clients/typescript"))
            .env("RECALLD_BIN", &self.binary)
            .env("RECALLD_PYTHON", &self.python)
            .env_remove("RECALLD_TEST_DATABASE_URL");
        command
    }

    /// Runs the tests of both packages on one store.
    fn test(&self, options: &Options, database: Option<&str>) -> Result<()> {
        let mut commands = Vec::new();
        if options.wants("python") {
            let mut command = self.python("clients/python");
            command.args(["-m", "pytest", "--quiet"]);
            commands.push(command);
        }
        if options.wants("typescript") {
            let tests = [
                "--test",
                "--test-concurrency=1",
                "--test-timeout=300000",
                "tests/*.test.ts",
            ];
            commands.push(self.typescript(&tests));
        }
        for mut command in commands {
            if let Some(address) = database {
                command.env("RECALLD_TEST_DATABASE_URL", address);
            }
            check(&mut command)?;
        }
        Ok(())
    }

    /// Runs every example.
    fn examples(&self) -> Result<()> {
        let mut command = self.python("examples");
        let npm = self.node.npm(&self.root);
        // The runner installs and starts the examples in TypeScript with the same Node.
        for (name, value) in npm.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        let program = std::iter::once(npm.get_program()).chain(npm.get_args());
        let words: Vec<String> = program.map(|word| word.to_string_lossy().into_owned()).collect();
        command
            .arg(self.root.join("clients/testing/examples.py"))
            .env("RECALLD_NPM", serde_json::to_string(&words)?)
            .env("RECALLD_WORKSPACE", std::env::current_dir()?);
        check(&mut command)
    }
}

/// Copies a folder. What was installed or built in the copy stays; what is gone from the folder
/// goes.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let mut names = Vec::new();
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        if MADE.iter().any(|made| name == *made) {
            continue;
        }
        let target = to.join(&name);
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
        names.push(name);
    }
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        let name = entry.file_name();
        if names.contains(&name) || MADE.iter().any(|made| name == *made) {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}
