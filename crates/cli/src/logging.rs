//! The log, on standard error.

use std::fmt;
use std::io;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::{FmtContext, SubscriberBuilder};
use tracing_subscriber::registry::LookupSpan;

use crate::arguments::GlobalArgs;
use crate::output::{BAD, CAUTION, FAINT, Output};

/// Starts logging at the level of `directives`; `-v` and `-q` override it.
pub(crate) fn start(directives: &str, globals: &GlobalArgs, output: &Output) {
    let directives = match (globals.quiet, globals.verbose) {
        (true, _) => "error",
        (false, 0) => directives,
        (false, 1) => "info",
        (false, 2) => "debug",
        (false, _) => "trace",
    };
    let log: SubscriberBuilder = tracing_subscriber::fmt();
    let log = log
        .with_writer(|| anstream::AutoStream::auto(io::stderr()))
        .with_env_filter(EnvFilter::builder().parse_lossy(without_content(directives)));
    // A test may have started a log already.
    let _ = match output.is_json() {
        true => log.json().flatten_event(true).try_init(),
        false => log.with_ansi(false).event_format(Short).try_init(),
    };
}

/// Libraries that log what passes through them, and the level at which they do not.
const LIBRARIES: [(&str, &str); 2] = [
    // Logs calls and their results, arguments included, and quotes refused ones as warnings.
    ("rmcp", "off"),
    // Logs the parameters of statements at the debug level.
    ("tokio_postgres", "info"),
];

/// Restricts libraries that would log content, at every level and even when they are named.
fn without_content(directives: &str) -> String {
    let is_ours = |directive: &&str| {
        let target = directive.trim().split(['=', ':', '[']).next().unwrap_or_default();
        !LIBRARIES.iter().any(|(library, _)| *library == target)
    };
    let libraries = LIBRARIES.map(|(library, level)| format!("{library}={level}"));
    let directives = directives.split(',').filter(is_ours);
    let all: Vec<&str> = directives.chain(libraries.iter().map(String::as_str)).collect();
    all.join(",")
}

/// One line for a person at a terminal: level, message and fields.
struct Short;

impl<S, N> FormatEvent<S, N> for Short
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let (style, name) = match *event.metadata().level() {
            Level::ERROR => (BAD, "error"),
            Level::WARN => (CAUTION, "warning"),
            Level::INFO => (FAINT, "info"),
            Level::DEBUG => (FAINT, "debug"),
            Level::TRACE => (FAINT, "trace"),
        };
        write!(writer, "{style}{name}:{style:#} ")?;
        context.field_format().format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_that_log_content_are_restricted_at_every_level() {
        for directives in ["warn", "trace", "info,recalld=debug"] {
            let restricted = format!("{directives},rmcp=off,tokio_postgres=info");
            assert_eq!(without_content(directives), restricted);
        }
        assert_eq!(
            without_content("warn,rmcp::service=trace,tokio_postgres=debug, rmcp=info"),
            "warn,rmcp=off,tokio_postgres=info"
        );
    }
}
