//! When the daily run takes place.

use std::str::FromStr;

use croner::Cron;

/// Parses a cron expression; `None` if the daily run is off. The error completes the sentence "the
/// value of NAME …".
pub(crate) fn parse(text: &str) -> Result<Option<Cron>, String> {
    match text.trim() {
        "off" | "" => Ok(None),
        text => Cron::from_str(text)
            .map(Some)
            .map_err(|error| format!("is not a cron expression such as 0 23 * * *: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_can_be_off_and_must_be_a_cron_expression() {
        assert!(parse("off").unwrap().is_none());
        assert!(parse("0 23 * * *").unwrap().is_some());
        assert!(parse("at noon").is_err());
    }
}
