//! The log, on standard error.

use std::fmt;
use std::io;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
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

/// Caps what libraries log, and silences the MCP library: at finer levels they write down what they
/// send and receive, and no level of the log may show what users store or ask.
fn without_content(directives: &str) -> String {
    let capped = |directive: &str| {
        let directive = directive.trim();
        let (target, level) = match directive.rsplit_once('=') {
            Some((target, level)) => (Some(target.trim()), level.trim()),
            None => (None, directive),
        };
        let is_ours = target.is_some_and(|target| target.starts_with(OURS));
        match level.parse::<LevelFilter>() {
            Ok(level) if !is_ours && LIBRARIES_MAX < level => match target {
                Some(target) => format!("{target}={LIBRARIES_MAX}"),
                None => format!("{LIBRARIES_MAX},{OURS}={level}"),
            },
            _ => directive.to_owned(),
        }
    };
    let is_mcp = |directive: &&str| directive.trim().starts_with(MCP);
    let directives = directives.split(',').filter(|directive| !is_mcp(directive));
    let directives: Vec<String> = directives.map(capped).collect();
    format!("{},{MCP}=off", directives.join(","))
}

/// How the targets of our own crates begin.
const OURS: &str = "recalld";

/// How the targets of the MCP library begin. It quotes calls in its warnings too.
const MCP: &str = "rmcp";

/// The finest level at which libraries log.
const LIBRARIES_MAX: LevelFilter = LevelFilter::INFO;

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
    fn libraries_never_log_what_they_send_and_receive() {
        for (asked, applied) in [
            ("warn", "warn,rmcp=off"),
            ("debug", "info,recalld=debug,rmcp=off"),
            ("trace", "info,recalld=trace,rmcp=off"),
            ("info,recalld=debug", "info,recalld=debug,rmcp=off"),
            ("warn,rmcp=info", "warn,rmcp=off"),
            ("warn,rmcp::service=trace", "warn,rmcp=off"),
            (
                "warn,hyper=trace,recalld_store=trace",
                "warn,hyper=info,recalld_store=trace,rmcp=off",
            ),
        ] {
            assert_eq!(without_content(asked), applied, "{asked}");
        }
    }
}
