//! `recalld doctor`: checks everything, and says what to do about problems.

mod checks;

use clap::Args;
use serde::Serialize;

use super::RunCommand;
use crate::arguments::examples;
use crate::failure::{Failure, RESTORE_HINT};
use crate::output::{BAD, CAUTION, FAINT, GOOD, Page, Show, escaped};
use crate::session::Session;

/// Checks the configuration, the data directory, the store and the models; exits with 1 if there is
/// a problem
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld doctor", "recalld doctor --json | jq -e .healthy"))]
pub(crate) struct Arguments {}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let report = Report::of(checks::all(session).await);
        session.output.answer(&report)?;
        let problems = report
            .checks
            .iter()
            .filter(|check| check.state == State::Problem)
            .count();
        match problems {
            0 => Ok(()),
            1 => Err(Failure::failed("unhealthy", "one check failed")),
            several => Err(Failure::failed("unhealthy", format!("{several} checks failed"))),
        }
    }
}

/// The results of all checks.
#[derive(Debug, Serialize)]
struct Report {
    healthy: bool,
    checks: Vec<Check>,
}

impl Report {
    fn of(checks: Vec<Check>) -> Report {
        Report {
            healthy: checks.iter().all(|check| check.state != State::Problem),
            checks,
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    detail: String,
    hint: Option<String>,
    /// The parts of a detail that may be too long for one line.
    #[serde(skip)]
    parts: Vec<String>,
}

/// The most characters of a line with several parts.
const PARTS_CHARS_MAX: usize = 72;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ok,
    Warning,
    Problem,
}

impl Check {
    fn new(name: &'static str, state: State, detail: impl Into<String>) -> Check {
        Check {
            name,
            state,
            detail: detail.into(),
            hint: None,
            parts: Vec::new(),
        }
    }

    /// A check that only lists facts.
    fn list(name: &'static str, parts: Vec<String>) -> Check {
        Check {
            parts: parts.clone(),
            ..Check::new(name, State::Ok, parts.join(", "))
        }
    }

    /// Wraps the detail.
    fn lines(&self) -> Vec<String> {
        if self.parts.is_empty() {
            return vec![self.detail.clone()];
        }
        let mut lines: Vec<String> = Vec::new();
        for part in &self.parts {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 2 + part.chars().count() <= PARTS_CHARS_MAX => {
                    *line += &format!(", {part}");
                }
                _ => lines.push(part.clone()),
            }
        }
        lines
    }

    fn hint(self, hint: impl Into<String>) -> Check {
        Check {
            hint: Some(hint.into()),
            ..self
        }
    }

    fn failed(name: &'static str, failure: Failure) -> Check {
        // `doctor` itself must not refer to `doctor`.
        let circular = |hint: &String| hint.contains("`recalld doctor`");
        let hint = match failure.hint {
            Some(hint) if circular(&hint) => Some(RESTORE_HINT.to_owned()),
            hint => hint,
        };
        Check {
            hint,
            ..Check::new(name, State::Problem, failure.message)
        }
    }
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        for check in &self.checks {
            let (style, mark) = match check.state {
                State::Ok => (GOOD, "ok"),
                State::Warning => (CAUTION, "warning"),
                State::Problem => (BAD, "problem"),
            };
            for (number, line) in check.lines().iter().enumerate() {
                let line = escaped(line);
                match number {
                    0 => page.line(format_args!(
                        "{style}{mark:<8}{style:#} {:<14} {line}",
                        check.name
                    )),
                    _ => page.line(format_args!("{:<23} {line}", "")),
                }
            }
            if let Some(hint) = &check.hint {
                let hint = &page.prefix.complete(hint);
                page.line(format_args!("{:<23} {FAINT}{}{FAINT:#}", "", escaped(hint)));
            }
        }
    }

    fn quiet(&self) -> String {
        let wrong = self.checks.iter().filter(|check| check.state != State::Ok);
        wrong
            .map(|check| format!("{}: {}\n", check.name, escaped(&check.detail)))
            .collect()
    }
}
