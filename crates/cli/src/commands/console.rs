//! `recalld console`: the memories in a browser.

use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::serve::{self, browser, first_keys, state_directory};
use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::failure::Failure;
use crate::forward::find_running_server;
use crate::output::{NAME, Page, Show, painted};
use crate::session::Session;

/// Opens the web console, which shows memories and lets you correct them
///
/// If a server runs on the data directory, opens its console. Otherwise starts a server, which runs
/// until it is stopped. The link signs in once and expires after ten minutes.
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld console", "recalld console --no-open"))]
pub(crate) struct Arguments {
    /// Shows the link without opening it
    #[arg(long)]
    no_open: bool,

    /// Address to listen on if no server runs [default: 127.0.0.1:7077]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Server
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let opening = match self.no_open {
            true => serve::Opening::Nothing,
            false => serve::Opening::Browser,
        };
        match link(session).await? {
            Some(url) => {
                session.output.answer(&Link { url: url.clone() })?;
                if opening == serve::Opening::Browser {
                    browser::open(&url);
                }
                Ok(())
            }
            None => serve::Arguments::opening(self.listen, opening).run(session).await,
        }
    }
}

/// Asks the running server for a link; `None` if no server runs.
async fn link(session: &Session) -> Result<Option<String>, Failure> {
    let directory = state_directory::create(session.config()?)?;
    let Some(address) = find_running_server(&directory).and_then(|server| server.address) else {
        return Ok(None);
    };
    let Some(keys) = first_keys::read_in(&directory)? else {
        let message = "the file with the first keys was removed";
        return Err(Failure::failed("keys", message.to_owned())
            .hint(format!("open http://{address}/ and sign in with a key")));
    };
    let failed = |error: reqwest::Error| {
        let message = format!("cannot get a link from the server at {address}: {error}");
        Failure::failed("console", message).hint(format!("open http://{address}/ and sign in with a key"))
    };
    // The server is on this machine: no proxy.
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(LINK_TIMEOUT)
        .build();
    let asked = client
        .map_err(failed)?
        .post(format!("http://{address}/v1/sign-in-links"))
        .bearer_auth(&keys.admin)
        .send()
        .await;
    let link: CreatedLink = asked
        .and_then(reqwest::Response::error_for_status)
        .map_err(failed)?
        .json()
        .await
        .map_err(failed)?;
    Ok(Some(format!("http://{address}{}", link.path)))
}

/// How long to wait for the link.
const LINK_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Deserialize)]
struct CreatedLink {
    path: String,
}

/// The address of the console.
#[derive(Debug, Serialize)]
struct Link {
    url: String,
}

impl Show for Link {
    fn show(&self, page: &mut Page) {
        page.line(format_args!("The console is at {}", painted(NAME, &self.url)));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.url)
    }
}
