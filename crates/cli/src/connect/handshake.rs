//! Starts the server as a client would, and asks for its tools.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

use super::launch::Launch;

/// How long a client may have to wait. A package runner may download the program first.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How long the server may take to end.
const END: Duration = Duration::from_secs(5);

/// The revision of the protocol that is offered.
const REVISION: &str = "2025-11-25";

/// Starts the command, exchanges the first messages, and returns the names of the tools.
pub(crate) async fn tools(launch: &Launch) -> Result<Vec<String>, String> {
    let mut child = Command::new(&launch.program)
        .args(&launch.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", launch.program))?;
    let asked = tokio::time::timeout(TIMEOUT, ask(&mut child)).await;
    // Closing its input ends the server.
    drop(child.stdin.take());
    let output = tokio::time::timeout(END, child.wait_with_output()).await;
    match asked {
        Ok(Ok(tools)) => Ok(tools),
        Ok(Err(problem)) => {
            let said = output.ok().and_then(Result::ok);
            let said = said.map_or_else(String::new, |output| {
                String::from_utf8_lossy(&output.stderr).trim().to_owned()
            });
            match said.is_empty() {
                true => Err(problem),
                false => Err(format!("{problem}; it said: {said}")),
            }
        }
        Err(_) => Err(format!("no answer within {} s", TIMEOUT.as_secs())),
    }
}

async fn ask(child: &mut Child) -> Result<Vec<String>, String> {
    let stdin = child.stdin.as_mut().ok_or("it has no standard input")?;
    let stdout = child.stdout.as_mut().ok_or("it has no standard output")?;
    let mut lines = BufReader::new(stdout).lines();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": REVISION,
        "capabilities": {},
        "clientInfo": {"name": "recalld-connect", "version": env!("CARGO_PKG_VERSION")},
    }});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let mut answers = Vec::new();
    for (messages, id) in [(vec![hello], 1), (vec![ready, list], 2)] {
        for message in messages {
            let line = format!("{message}\n");
            let sent = stdin.write_all(line.as_bytes()).await;
            sent.map_err(|_| "it ended before it answered".to_owned())?;
        }
        let answer = loop {
            let line = lines.next_line().await.map_err(|error| error.to_string())?;
            let line = line.ok_or("it ended before it answered")?;
            let message: Value = serde_json::from_str(&line)
                .map_err(|_| format!("it printed something else than MCP: {line:?}"))?;
            if message.get("id") == Some(&json!(id)) {
                break message;
            }
        };
        if let Some(error) = answer.get("error") {
            return Err(format!("it refused: {error}"));
        }
        answers.push(answer);
    }
    let tools = answers
        .last()
        .and_then(|answer| answer.pointer("/result/tools")?.as_array().cloned());
    let tools = tools.ok_or("its list of tools is not a list")?;
    let names = tools
        .iter()
        .filter_map(|tool| tool.get("name")?.as_str().map(str::to_owned));
    Ok(names.collect())
}
