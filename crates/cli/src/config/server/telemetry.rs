//! The configured traces.

use std::fmt;

use recalld_models::otlp::OtlpConfig;

/// Where traces go, and what they hold.
#[derive(Clone)]
pub(crate) struct TelemetryValues {
    /// The collector; none: there are no traces.
    pub(crate) endpoint: Option<String>,
    /// `name=value`, separated by commas.
    pub(crate) headers: Option<String>,
    pub(crate) service: String,
    pub(crate) sampled_share: f64,
    pub(crate) shows_content: bool,
    pub(crate) shows_users: bool,
}

impl Default for TelemetryValues {
    fn default() -> TelemetryValues {
        TelemetryValues {
            endpoint: None,
            headers: None,
            service: "recalld".to_owned(),
            sampled_share: 1.0,
            shows_content: false,
            shows_users: false,
        }
    }
}

impl fmt::Debug for TelemetryValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Headers hold keys.
        f.debug_struct("TelemetryValues")
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

impl TelemetryValues {
    /// Returns how traces are sent, if they are.
    pub(crate) fn otlp(&self) -> Option<OtlpConfig> {
        Some(OtlpConfig {
            endpoint: self.endpoint.clone()?,
            headers: pairs(self.headers.as_deref().unwrap_or_default()).unwrap_or_default(),
            service: self.service.clone(),
            sampled_share: self.sampled_share,
            shows_content: self.shows_content,
            shows_users: self.shows_users,
        })
    }
}

/// Reads `name=value,name=value`. The error completes the sentence "the value of NAME …".
pub(in crate::config) fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let given = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    let read = given.map(|pair| match pair.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        // The text is not repeated: it may be a key.
        _ => Err("is not a list such as name=value,name=value".to_owned()),
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_pairs_and_never_repeated() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            pairs("x-team = a=b , b=c,"),
            Ok(vec![pair("x-team", "a=b"), pair("b", "c")])
        );
        assert!(!pairs("s3cret").unwrap_err().contains("s3cret"));
    }
}
