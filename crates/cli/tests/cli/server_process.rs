//! A server that runs, and the ways to talk to it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// How long somebody else may be at the address of a server that is started again.
const TAKEN: Duration = Duration::from_secs(60);

/// A running `recalld serve`. It is killed when it is dropped.
pub struct Server {
    child: Child,
    pub url: String,
    pub key: String,
    pub admin: String,
}

impl Server {
    /// Starts a server on the directory of `sandbox`, on any free port.
    pub fn start(sandbox: &Sandbox) -> Server {
        Server::start_on(sandbox, "127.0.0.1:0", &[])
    }

    pub fn start_on(sandbox: &Sandbox, address: &str, options: &[&str]) -> Server {
        let arguments = [&["serve", "--json", "--listen", address], options].concat();
        let mut command = sandbox.command(&arguments);
        // A log that nobody reads would fill its pipe and stop the server.
        command.stderr(Stdio::null());
        Server::begun(command, sandbox)
    }

    /// Starts one where another was. Somebody may be there for a moment: a client that looked for
    /// it, for one.
    pub fn start_again(sandbox: &Sandbox, address: &str) -> Server {
        let (until, log) = (Instant::now() + TAKEN, sandbox.home().join("again.log"));
        loop {
            let mut command = sandbox.command(&["serve", "--json", "--listen", address]);
            command.stderr(File::create(&log).unwrap());
            if let Some(server) = Server::try_begun(command, sandbox) {
                return server;
            }
            let said = std::fs::read_to_string(&log).unwrap();
            assert!(said.contains("cannot listen on"), "{said}");
            assert!(Instant::now() < until, "{address} stays taken");
        }
    }

    fn begun(command: Command, sandbox: &Sandbox) -> Server {
        Server::try_begun(command, sandbox).expect("the server did not start")
    }

    /// Starts one; none when it ends before it listens.
    fn try_begun(mut command: Command, sandbox: &Sandbox) -> Option<Server> {
        let mut child = command.spawn().unwrap();
        let mut banner = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let begun: Value = loop {
            let read = out.read_line(&mut banner).unwrap();
            if let Ok(begun) = serde_json::from_str(&banner) {
                break begun;
            }
            if read == 0 {
                child.wait().unwrap();
                return None;
            }
        };
        // A server that stores nothing has its keys elsewhere.
        let keys = match begun["keys"].as_str() {
            Some(file) => serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap(),
            None => first_keys(sandbox),
        };
        let key = |name: &str| keys[name].as_str().unwrap_or_default().to_owned();
        Some(Server {
            child,
            url: begun["url"].as_str().unwrap().to_owned(),
            key: key("local"),
            admin: key("admin"),
        })
    }

    /// Starts one that writes all it has to say to `server.log`, and temporary files to `tmp`.
    pub fn start_logged(sandbox: &Sandbox) -> Server {
        let log = File::options()
            .create(true)
            .append(true)
            .open(sandbox.home().join("server.log"));
        // One service key moves everybody in, faster than a key may ask by default.
        let unhurried = "server.per_key_second_max=1000000";
        let mut command = sandbox.command(&[
            "serve",
            "--json",
            "--listen",
            "127.0.0.1:0",
            "-vv",
            "-o",
            unhurried,
            // What is done once a day would be done in the midst of it.
            "-o",
            "extraction.schedule=off",
        ]);
        command
            .env("TMPDIR", sandbox.home().join("tmp"))
            .stderr(log.unwrap());
        Server::begun(command, sandbox)
    }

    /// Gives the id of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Gives the address without the scheme.
    pub fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    /// Kills it at once, as a power failure would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends one request with the user's key, and gives the status and the body.
    pub fn ask(&self, call: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        self.ask_as(&self.key, call, headers, body)
    }

    /// The same with another key or token.
    pub fn ask_as(&self, key: &str, call: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        let mut head = format!(
            "{call} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n",
            self.address()
        );
        head += &format!("authorization: Bearer {key}\r\n");
        head += &format!(
            "content-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        write!(stream, "{head}\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), body.to_owned())
    }
}

/// Reads the keys of the first start: in the data directory, or beside it for a database. A
/// database that has keys is given no others.
fn first_keys(sandbox: &Sandbox) -> Value {
    let beside = std::fs::read_dir(sandbox.data()).into_iter().flatten();
    let beside = beside.map(|entry| entry.unwrap().path());
    let mut files = beside
        .chain([sandbox.data()])
        .map(|place| place.join("keys.json"));
    match files.find(|file| file.is_file()) {
        Some(file) => serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap(),
        None => Value::Null,
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client of `recalld mcp`, one line at a time.
pub struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Client {
    pub fn start(sandbox: &Sandbox, arguments: &[&str]) -> Client {
        Client::of(sandbox.command(arguments))
    }

    pub fn of(mut command: Command) -> Client {
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        Client {
            to: child.stdin.take(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    pub fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Reads the next message; null when the program has ended.
    pub fn read(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or(Value::Null)
    }

    pub fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        self.read()
    }

    /// Opens a session as clients up to 2025-11-25 do.
    pub fn open(&mut self) -> Value {
        let answer = self.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}));
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    /// Calls a tool within a session.
    pub fn call(&mut self, id: u32, tool: &str, arguments: Value) -> Value {
        self.ask(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}}))
    }

    /// Calls a tool as clients of 2026-07-28 do.
    pub fn call_alone(&mut self, id: u32, tool: &str, arguments: Value) -> Value {
        self.ask(
            &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}}}),
        )
    }

    /// Leaves, and tells whether the program ended well.
    pub fn leave(mut self) -> bool {
        drop(self.to.take());
        self.child.wait().unwrap().success()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
