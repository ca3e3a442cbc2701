//! A server that a test may stop, starve and set up badly, in a directory of its own.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use recalld_store::PostgresStore;
use recalld_store::postgres::{MigrateOptions, Settings};
use tempfile::TempDir;

const PROGRAMS: &str = "RECALLD_TEST_POSTGRES_BIN";

/// Postgres does not run as root.
const UNPRIVILEGED: &str = "nobody";

/// How long somebody else may be at the port of a server that is started again.
const TAKEN: Duration = Duration::from_secs(60);

/// How many ports are tried for a new server.
const PORTS_MAX: usize = 10;

/// What became of a start.
enum Launch {
    Done,
    /// Somebody else has the port.
    Taken,
}

/// A server, stopped when this is dropped.
pub struct PostgresServer {
    directory: TempDir,
    programs: PathBuf,
    pub port: u16,
}

impl PostgresServer {
    /// Makes and starts one with `options`, and a role to serve with.
    pub fn start(options: &str) -> PostgresServer {
        let mut server = PostgresServer::laid_out();
        let data = server.data();
        std::fs::create_dir(&data).unwrap();
        server.hand_over(&data);
        let initdb = [
            "-U",
            "postgres",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C",
            "-D",
        ];
        server.run(
            "initdb",
            initdb.map(str::to_owned).into_iter().chain([shown(&data)]),
        );
        server.launch_anywhere(options);
        for sql in [
            "CREATE ROLE recalld_test_owner LOGIN CREATEROLE",
            "CREATE ROLE recalld_test_server LOGIN NOINHERIT",
            "CREATE DATABASE memories OWNER recalld_test_owner",
        ] {
            server.administer(sql);
        }
        server.ask("CREATE EXTENSION vector");
        server.migrate();
        server
    }

    fn laid_out() -> PostgresServer {
        let Some(programs) = std::env::var_os(PROGRAMS) else {
            panic!(
                "{PROGRAMS} names no programs. Run the tests with a server of their own: \
                 cargo xtask postgres -- cargo test --workspace"
            );
        };
        let directory = tempfile::tempdir().unwrap();
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(directory.path(), open).unwrap();
        PostgresServer {
            directory,
            programs: PathBuf::from(programs),
            port: free_port(),
        }
    }

    /// Makes a copy that follows this server, and starts it.
    pub fn follower(&self) -> PostgresServer {
        let mut follower = PostgresServer::laid_out();
        let data = follower.data();
        std::fs::create_dir(&data).unwrap();
        follower.hand_over(&data);
        let from = format!(
            "host=127.0.0.1 port={} user=postgres application_name=follower",
            self.port
        );
        let arguments = ["-R", "-X", "stream", "--no-sync", "-c", "fast", "-d"].map(str::to_owned);
        follower.run(
            "pg_basebackup",
            arguments.into_iter().chain([from, "-D".to_owned(), shown(&data)]),
        );
        follower.launch_anywhere("");
        follower
    }

    /// Starts it again where it was. Somebody may be there for a moment: a client that looked for
    /// it, for one.
    pub fn launch(&self, options: &str) {
        let until = Instant::now() + TAKEN;
        while let Launch::Taken = self.try_launch(options) {
            assert!(Instant::now() < until, "the port {} stays taken", self.port);
        }
    }

    /// Starts it for the first time, elsewhere when somebody came before it.
    fn launch_anywhere(&mut self, options: &str) {
        for _ in 0..PORTS_MAX {
            match self.try_launch(options) {
                Launch::Done => return,
                Launch::Taken => self.port = free_port(),
            }
        }
        panic!("{PORTS_MAX} ports were taken, one after the other");
    }

    fn try_launch(&self, options: &str) -> Launch {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= {options}",
            self.port
        );
        let log = self.data().join("log");
        let before = std::fs::read_to_string(&log).map_or(0, |said| said.len());
        let place = ["-D".to_owned(), shown(&self.data()), "-l".to_owned(), shown(&log)];
        let start = ["-o", &options, "-w", "-t", "60", "start"].map(str::to_owned);
        if self.status("pg_ctl", place.into_iter().chain(start)).success() {
            return Launch::Done;
        }
        let said = std::fs::read_to_string(&log).unwrap_or_default();
        let said = &said[before..];
        assert!(
            said.contains("could not bind"),
            "the server did not start: {said}"
        );
        Launch::Taken
    }

    /// Kills it, as a crash would.
    pub fn kill(&self) {
        self.pg_ctl(["-m", "immediate", "-w", "stop"]);
    }

    /// Migrates the database as its owner, on a thread that may wait: tests call this from tasks
    /// too.
    fn migrate(&self) {
        let address = format!("postgres://recalld_test_owner@127.0.0.1:{}/memories", self.port);
        let migrating = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let options = MigrateOptions {
                serving_role: Some("recalld_test_server".to_owned()),
                partitions: None,
                citus: None,
            };
            let settings = Settings::default();
            runtime
                .block_on(PostgresStore::migrate(&address, &settings, &options))
                .unwrap();
        });
        migrating.join().unwrap();
    }

    /// Makes a follower the one to write to.
    pub fn promote(&self) {
        self.pg_ctl(["-w", "promote"]);
    }

    pub fn address(&self) -> String {
        format!("postgres://recalld_test_server@127.0.0.1:{}/memories", self.port)
    }

    /// Gives the address by which a server reaches this one and then another that may take its
    /// place.
    pub fn address_with(&self, other: &PostgresServer) -> String {
        format!(
            "postgres://recalld_test_server@127.0.0.1:{},127.0.0.1:{}/memories",
            self.port, other.port
        )
    }

    /// Does one statement as the administrator.
    pub fn administer(&self, sql: &str) {
        let address = format!("postgres://postgres@127.0.0.1:{}/postgres", self.port);
        let arguments = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, &address];
        self.run("psql", arguments.map(str::to_owned));
    }

    /// Gives what a question to the memories finds, asked by the administrator: one line a row.
    pub fn ask(&self, sql: &str) -> String {
        let address = format!("postgres://postgres@127.0.0.1:{}/memories", self.port);
        let output = Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-c", sql, &address])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Acknowledges nothing any more that the follower does not have.
    pub fn wait_for_follower(&self) {
        self.administer("ALTER SYSTEM SET synchronous_standby_names = 'follower'");
        self.administer("SELECT pg_reload_conf()");
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn pg_ctl<const N: usize>(&self, arguments: [&str; N]) {
        let place = ["-D".to_owned(), shown(&self.data())];
        self.run("pg_ctl", place.into_iter().chain(arguments.map(str::to_owned)));
    }

    fn run(&self, program: &str, arguments: impl IntoIterator<Item = String>) {
        let status = self.status(program, arguments);
        assert!(status.success(), "{program} ended with {status}");
    }

    fn status(&self, program: &str, arguments: impl IntoIterator<Item = String>) -> ExitStatus {
        let program = self.programs.join(program);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("setpriv");
                command
                    .args([&format!("--reuid={UNPRIVILEGED}"), "--clear-groups"])
                    .arg(&program);
                command
            }
            false => Command::new(&program),
        };
        // A started server keeps the pipes of whoever started it, so nothing is read from it.
        command
            .args(arguments)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap()
    }

    fn hand_over(&self, directory: &Path) {
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(directory, private).unwrap();
        if is_root() {
            let status = Command::new("chown").arg(UNPRIVILEGED).arg(directory).status();
            assert!(status.unwrap().success());
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if self.data().join("postmaster.pid").exists() {
            self.kill();
        }
    }
}

/// Finds a port that nobody has now; somebody may before it is used.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn shown(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}
