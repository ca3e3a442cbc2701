//! `recalld console`: the memories in a browser.

use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::serve;
use crate::arguments::examples;
use crate::carry::running;
use crate::failure::Failure;
use crate::output::{NAME, Page, Show, painted};
use crate::serve::{keys, place};
use crate::session::Session;

/// Opens the web console, where you see and correct what is remembered
///
/// If a server runs on the data directory, its console is opened; else a server is started and runs
/// until it is stopped. The link signs in once and expires after ten minutes.
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld console", "recalld console --no-open"))]
pub(crate) struct Arguments {
    /// Shows the link and opens nothing
    #[arg(long)]
    no_open: bool,

    /// Address to listen on if no server runs [default: 127.0.0.1:7077]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

impl Arguments {
    /// Opens it.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let opening = match self.no_open {
            true => serve::Opening::Nothing,
            false => serve::Opening::Browser,
        };
        match link(session).await? {
            Some(url) => {
                session.output.answer(&Link { url: url.clone() })?;
                if opening == serve::Opening::Browser {
                    open(&url);
                }
                Ok(())
            }
            None => serve::Arguments::opening(self.listen, opening).run(session).await,
        }
    }
}

/// Asks the running server for a link; none if no server runs here.
async fn link(session: &Session) -> Result<Option<String>, Failure> {
    let directory = place::of(session.config()?)?;
    let Some(address) = running(&directory).and_then(|running| running.address) else {
        return Ok(None);
    };
    let Some(keys) = keys::read_in(&directory)? else {
        let message = "the keys of the first start were put away";
        return Err(Failure::failed("keys", message.to_owned())
            .hint(format!("open http://{address}/ and sign in with a key of yours")));
    };
    let failed = |error: reqwest::Error| {
        let message = format!("the server at {address} gives no link: {error}");
        Failure::failed("console", message).hint(format!("open http://{address}/ and sign in with a key"))
    };
    // Nobody between this process and the server on the same machine.
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build();
    let asked = client
        .map_err(failed)?
        .post(format!("http://{address}/v1/sign-in-links"))
        .bearer_auth(&keys.admin)
        .send()
        .await;
    let made: MadeLink = asked
        .and_then(reqwest::Response::error_for_status)
        .map_err(failed)?
        .json()
        .await
        .map_err(failed)?;
    Ok(Some(format!("http://{address}{}", made.path)))
}

/// How long the server is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Deserialize)]
struct MadeLink {
    path: String,
}

/// Where the console is.
#[derive(Debug, Serialize)]
struct Link {
    url: String,
}

impl Show for Link {
    fn show(&self, page: &mut Page) {
        page.line(format_args!("The console is at {}", painted(NAME, &self.url)));
    }

    fn bare(&self) -> String {
        format!("{}\n", self.url)
    }
}

/// Opens a link in the person's browser. Where there is none, the link that was shown has to do.
pub(super) fn open(url: &str) {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(first)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        tracing::warn!(%error, program, "the browser could not be opened");
    }
}
