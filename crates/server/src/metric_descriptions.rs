//! What every metric means. A metric that is not described here fails a test.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
    /// In seconds.
    Histogram,
}

use Kind::{Counter, Gauge, Histogram};

/// All metrics.
const ALL: &[(&str, Kind, &str)] = &[
    (
        "recalld_access_log_dropped_total",
        Counter,
        "Lines of the access log that were dropped because the disk was too slow.",
    ),
    (
        "recalld_build_info",
        Gauge,
        "Always 1; the labels tell the version.",
    ),
    (
        "recalld_chat_categories_total",
        Counter,
        "Look-ups of structured user context, by category.",
    ),
    (
        "recalld_chat_conversations_total",
        Counter,
        "Conversations, by arm of the rollout.",
    ),
    (
        "recalld_chat_fell_back_total",
        Counter,
        "Replies that went on without tools because the model refused them.",
    ),
    (
        "recalld_chat_first_word_seconds",
        Histogram,
        "Time from a chat request to the first word of the reply.",
    ),
    (
        "recalld_chat_follow_ups_total",
        Counter,
        "Replies that the user followed up.",
    ),
    (
        "recalld_chat_look_ups_total",
        Counter,
        "Times that a model looked something up.",
    ),
    (
        "recalld_chat_memory_off_total",
        Counter,
        "Replies that were given without memory because it failed.",
    ),
    (
        "recalld_chat_messages_total",
        Counter,
        "Chat messages that were answered.",
    ),
    (
        "recalld_chat_messages_with_calls_total",
        Counter,
        "Chat messages for which the model called tools.",
    ),
    (
        "recalld_chat_misses_total",
        Counter,
        "Look-ups that found nothing.",
    ),
    (
        "recalld_chat_shadow_messages_total",
        Counter,
        "Messages that were also tried in the shadow of the rollout.",
    ),
    (
        "recalld_chat_shadow_tokens_saved_total",
        Counter,
        "Tokens that the other arm would have saved.",
    ),
    (
        "recalld_chat_shadow_would_call_total",
        Counter,
        "Messages for which the other arm would have called a tool.",
    ),
    (
        "recalld_chat_store_questions_total",
        Counter,
        "Questions to the store that chat asked.",
    ),
    (
        "recalld_chat_tokens_in_total",
        Counter,
        "Tokens that models were sent.",
    ),
    (
        "recalld_chat_tokens_out_total",
        Counter,
        "Tokens that models replied.",
    ),
    (
        "recalld_chat_tool_calls_total",
        Counter,
        "Tools that models called.",
    ),
    (
        "recalld_extraction_total",
        Counter,
        "Statements found by extraction, by what became of them.",
    ),
    (
        "recalld_extraction_users_waiting",
        Gauge,
        "Users for whom extraction still has something to do.",
    ),
    (
        "recalld_http_request_duration_seconds",
        Histogram,
        "Time to answer a request, by method, route and class of status.",
    ),
    (
        "recalld_http_requests_total",
        Counter,
        "Requests, by method, route and class of status.",
    ),
    (
        "recalld_spaces_held",
        Gauge,
        "Users whose memories are held in this process.",
    ),
    (
        "recalld_spaces_held_bytes",
        Gauge,
        "Bytes of memories that are held in this process.",
    ),
    (
        "recalld_spans_dropped_total",
        Counter,
        "Spans of traces that were dropped because the collector was slow or away.",
    ),
    (
        "recalld_spans_sent_total",
        Counter,
        "Spans of traces that the collector took.",
    ),
    (
        "recalld_start_time_seconds",
        Gauge,
        "When the server started, in seconds since 1970.",
    ),
    (
        "recalld_store_connections_idle",
        Gauge,
        "Open connections to the database that nobody uses.",
    ),
    (
        "recalld_store_connections_in_use",
        Gauge,
        "Connections to the database that are in use.",
    ),
    (
        "recalld_store_connections_max",
        Gauge,
        "The most connections to the database.",
    ),
    ("recalld_store_up", Gauge, "1 if the store answers, else 0."),
];

/// Describes all metrics to the recorder.
pub(crate) fn describe() {
    for (name, kind, meaning) in ALL {
        match kind {
            Counter => describe_counter!(*name, *meaning),
            Gauge => describe_gauge!(*name, *meaning),
            Histogram => describe_histogram!(*name, Unit::Seconds, *meaning),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of metrics in a text, without what histograms add.
    fn named(text: &str) -> Vec<&str> {
        let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
        let parts = text
            .split(|c| !is_part(c))
            .filter(|part| part.starts_with("recalld_"));
        let ends = ["_bucket", "_sum", "_count"];
        parts
            .map(|name| ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name))
            .collect()
    }

    #[test]
    fn the_dashboard_and_the_alerts_name_metrics_that_exist() {
        let known: Vec<&str> = ALL.iter().map(|(name, _, _)| *name).collect();
        for text in [
            include_str!("../../../docs/operations/grafana.json"),
            include_str!("../../../docs/operations/alerts.yml"),
        ] {
            let named = named(text);
            assert!(5 < named.len());
            for name in named {
                assert!(known.contains(&name), "{name} is no metric");
            }
        }
    }

    #[test]
    fn names_end_as_their_kind_asks() {
        for (name, kind, meaning) in ALL {
            assert_eq!(name.ends_with("_total"), *kind == Counter, "{name}");
            assert!(*kind != Histogram || name.ends_with("_seconds"), "{name}");
            assert!(meaning.ends_with('.'), "{name}");
        }
    }
}
