//! The log: on standard error, warnings only unless more is asked for.

use std::fmt;
use std::io;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::{FmtContext, SubscriberBuilder};
use tracing_subscriber::registry::LookupSpan;

use crate::arguments::Globals;
use crate::output::{BAD, CAUTION, FAINT, Output};

/// Tells whether `directives` can be a log level or a list of `target=level`.
pub(crate) fn is_valid(directives: &str) -> bool {
    // A word alone could also be a target, but it is likelier a level mistyped.
    let is_level = |directive: &str| {
        let level = directive.rsplit_once('=').map_or(directive, |(_, level)| level);
        !level.trim().is_empty() && level.trim().parse::<LevelFilter>().is_ok()
    };
    directives.split(',').all(is_level) && EnvFilter::builder().parse(directives).is_ok()
}

/// Starts to log what is at least as grave as `directives` say; `-v` and `-q` have the last word.
pub(crate) fn start(directives: &str, globals: &Globals, output: &Output) {
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
        .with_env_filter(EnvFilter::builder().parse_lossy(without_noise(directives)));
    // A log that runs already is one a test started: it stays.
    let _ = match output.is_json() {
        true => log.json().flatten_event(true).try_init(),
        false => log.with_ansi(false).event_format(Short).try_init(),
    };
}

/// Leaves out what the MCP library says of every refused call and every client that leaves, and
/// which may quote them, unless it is asked for by name or for finding a fault.
fn without_noise(directives: &str) -> String {
    let wants_all = |directive: &str| {
        let level = directive.trim().parse::<LevelFilter>();
        level.is_ok_and(|level| LevelFilter::DEBUG <= level)
    };
    match directives.contains("rmcp") || directives.split(',').any(wants_all) {
        true => directives.to_owned(),
        false => format!("{directives},rmcp=off"),
    }
}

/// One line for a person at a terminal: how grave, what, and the figures.
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
    fn the_library_speaks_when_it_is_asked() {
        assert_eq!(without_noise("warn"), "warn,rmcp=off");
        assert_eq!(without_noise("info,recalld=debug"), "info,recalld=debug,rmcp=off");
        for asked in ["debug", "trace", "warn,rmcp=info"] {
            assert_eq!(without_noise(asked), asked);
        }
    }

    #[test]
    fn a_level_is_told_from_a_slip() {
        for good in ["warn", "INFO", "off", "recalld=debug", "warn,recalld_store=trace"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", "loud", "recalld=loud", "warn,,", "recalld"] {
            assert!(!is_valid(bad), "{bad}");
        }
    }
}
