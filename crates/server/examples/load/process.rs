//! The servers that are measured, each a process of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use axum::Router;
use axum::routing::get;
use serde_json::{Value, json};

use recalld_testing::words;

use super::{Failed, client};

/// The argument that makes this program the floor.
pub const FLOOR: &str = "--floor";

/// Serves "hello" and nothing else, as axum does it by itself.
pub async fn serve_floor() -> Result<(), Failed> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let router = Router::new().route("/", get(async || "hello"));
    Ok(axum::serve(listener, router).await?)
}

/// A running floor. It ends when it is dropped.
pub struct Floor {
    child: Child,
    pub address: SocketAddr,
}

impl Floor {
    pub fn start() -> Result<Floor, Failed> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut child = command.arg(FLOOR).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        Ok(Floor {
            child,
            address: line.trim().parse()?,
        })
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// A running `recalld serve`. It ends when it is dropped.
pub struct Recalld {
    child: Child,
    pub address: SocketAddr,
    user_key: String,
    admin_key: String,
}

impl Recalld {
    pub fn start(binary: &Path, data: &Path) -> Result<Recalld, Failed> {
        Recalld::start_on(binary, data, &[])
    }

    /// Starts one with more arguments, which may name a database.
    pub fn start_on(binary: &Path, data: &Path, more: &[&str]) -> Result<Recalld, Failed> {
        let mut child = Command::new(binary)
            .args(["serve", "--json", "--listen", "127.0.0.1:0"])
            .args(["-o", "server.per_key_second_max=1000000", "--data"])
            .arg(data)
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut out = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut banner = String::new();
        let said: Value = loop {
            if out.read_line(&mut banner)? == 0 {
                return Err(format!("recalld did not start: {banner}").into());
            }
            if let Ok(said) = serde_json::from_str(&banner) {
                break said;
            }
        };
        let address = said["url"].as_str().and_then(|url| url.strip_prefix("http://"));
        let keys: Value = serde_json::from_slice(&first_keys(data)?)?;
        let key = |name: &str| keys[name].as_str().unwrap_or_default().to_owned();
        Ok(Recalld {
            child,
            address: address.ok_or("no address")?.parse()?,
            user_key: key("local"),
            admin_key: key("admin"),
        })
    }

    /// Makes the request that writes memory `number`, of the first user or of one of many.
    pub fn write(&self, user: Option<usize>, number: usize) -> Vec<u8> {
        let content = words::statement(user.unwrap_or(0), number);
        let body = json!({ "content": content, "category": "preference" }).to_string();
        client::post(self.address, "/v1/memories", &self.headers(user), &body)
    }

    /// Makes a request that searches.
    pub fn search(&self, user: Option<usize>, number: usize) -> Vec<u8> {
        let body = json!({ "query": words::question(number) }).to_string();
        client::post(self.address, "/v1/search", &self.headers(user), &body)
    }

    fn headers(&self, user: Option<usize>) -> String {
        match user {
            None => format!("authorization: Bearer {}\r\n", self.user_key),
            Some(user) => format!(
                "authorization: Bearer {}\r\nrecalld-user: user-{user}\r\n",
                self.admin_key
            ),
        }
    }

    /// Tells how much memory the process has resident.
    pub fn memory_mib(&self) -> Result<u64, Failed> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib: u64 = line
            .and_then(|line| line.split_whitespace().next())
            .ok_or("the system does not tell")?
            .parse()?;
        Ok(kib / 1024)
    }
}

/// Reads the keys of the first start: in the data directory, or beside it for a database.
fn first_keys(data: &Path) -> std::io::Result<Vec<u8>> {
    let beside = std::fs::read_dir(data)?.filter_map(|entry| Some(entry.ok()?.path()));
    let files = beside
        .chain([data.to_owned()])
        .map(|place| place.join("keys.json"));
    let found = files.into_iter().find(|file| file.is_file());
    std::fs::read(found.ok_or(std::io::ErrorKind::NotFound)?)
}

impl Drop for Recalld {
    fn drop(&mut self) {
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}
