//! `recalld channels`: checks the settings of chat platforms against the platforms.

use clap::Args;
use recalld_channels::Channel;
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::output::{BAD, FAINT, GOOD, NAME, Page, Show, escaped};
use crate::session::Session;
use crate::{channels, chat_models, failure::Failure};

/// Checks the settings of chat platforms; exits with 1 if one is wrong
///
/// Feishu, Lark and Slack are asked whether they accept the secrets that are configured.
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld channels", "recalld channels --json | jq -e .healthy"))]
pub(crate) struct Arguments {}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let config = session.config()?;
        let configured = channels::configured(&config.values.channels)?;
        let mut report = Report {
            healthy: true,
            channels: Vec::new(),
        };
        for channel in &configured {
            report.channels.push(checked(channel).await);
        }
        if !configured.is_empty() && chat_models::configured(config)?.is_none() {
            report.channels.push(CheckedChannel {
                name: "chat",
                path: None,
                checks: vec![Check {
                    setting: "chat.model".to_owned(),
                    problem: Some("not set: there is no model that replies (see docs/chat.md)".to_owned()),
                }],
            });
        }
        let mut checks = report.channels.iter().flat_map(|channel| &channel.checks);
        report.healthy = checks.all(|check| check.problem.is_none());
        session.output.answer(&report)?;
        match report.healthy {
            true => Ok(()),
            false => Err(Failure::failed("channels", "a channel is not set up correctly")
                .hint("docs/channels.md says where each setting comes from")),
        }
    }
}

async fn checked(channel: &Channel) -> CheckedChannel {
    let name = channel.platform.name();
    let findings = channel.platform.check().await;
    CheckedChannel {
        name,
        path: Some(format!("/channels/{name}")),
        checks: findings
            .into_iter()
            .map(|finding| Check {
                setting: format!("channels.{name}.{}", finding.what),
                problem: finding.problem,
            })
            .collect(),
    }
}

#[derive(Debug, Serialize)]
struct Report {
    healthy: bool,
    channels: Vec<CheckedChannel>,
}

#[derive(Debug, Serialize)]
struct CheckedChannel {
    name: &'static str,
    /// The path of its webhook.
    path: Option<String>,
    checks: Vec<Check>,
}

#[derive(Debug, Serialize)]
struct Check {
    setting: String,
    problem: Option<String>,
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        if self.channels.is_empty() {
            page.line(format_args!("No chat platform is configured."));
            page.line(format_args!(
                "{FAINT}Set channels.feishu.* or channels.slack.*; docs/channels.md says how.{FAINT:#}"
            ));
        }
        for channel in &self.channels {
            let path = channel.path.as_deref().unwrap_or_default();
            page.line(format_args!(
                "{NAME}{}{NAME:#} {FAINT}{path}{FAINT:#}",
                channel.name
            ));
            for check in &channel.checks {
                let setting = escaped(&check.setting);
                match &check.problem {
                    None => page.line(format_args!("  {GOOD}ok{GOOD:#}       {setting}")),
                    Some(problem) => page.line(format_args!(
                        "  {BAD}problem{BAD:#}  {setting}: {}",
                        escaped(problem)
                    )),
                }
            }
        }
    }

    fn quiet(&self) -> String {
        let checks = self.channels.iter().flat_map(|channel| &channel.checks);
        let wrong = checks.filter(|check| check.problem.is_some());
        wrong.map(|check| format!("{}\n", check.setting)).collect()
    }
}
