//! The place of a span in a trace, and the header in which it travels (W3C Trace Context).

/// A span as others refer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanContext {
    pub trace_id: [u8; 16],
    pub span_id: [u8; 8],
    /// Whether the trace is recorded.
    pub is_sampled: bool,
}

impl SpanContext {
    /// Reads the header `traceparent`. What does not follow the specification is not a context:
    /// a trace is then begun anew.
    pub fn parse(header: &str) -> Option<SpanContext> {
        let mut parts = header.trim().split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let [version] = bytes(version)?;
        // Version 0 has four parts; later versions may have more, and 255 is not one.
        if version == 255 || (version == 0 && parts.next().is_some()) {
            return None;
        }
        let context = SpanContext {
            trace_id: bytes(trace)?,
            span_id: bytes(span)?,
            is_sampled: bytes::<1>(flags)?[0] & 1 == 1,
        };
        let is_whole = context.trace_id != [0; 16] && context.span_id != [0; 8];
        is_whole.then_some(context)
    }

    /// Writes the header `traceparent`.
    pub fn traceparent(&self) -> String {
        let trace = u128::from_be_bytes(self.trace_id);
        let span = u64::from_be_bytes(self.span_id);
        format!("00-{trace:032x}-{span:016x}-{:02x}", u8::from(self.is_sampled))
    }
}

/// Reads lower-case hexadecimal of exactly `N` bytes.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    let is_lower_hex = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != 2 * N || !digits.iter().all(is_lower_hex) {
        return None;
    }
    let mut read = [0; N];
    for (byte, pair) in read.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).ok()?;
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_header_is_read_and_written_alike() {
        let context = SpanContext::parse(GIVEN).unwrap();
        assert!(context.is_sampled);
        assert_eq!(context.traceparent(), GIVEN);
        let unsampled = GIVEN.replace("-01", "-00");
        assert_eq!(SpanContext::parse(&unsampled).unwrap().traceparent(), unsampled);
        let later = GIVEN.replacen("00", "01", 1) + "-more";
        assert_eq!(SpanContext::parse(&later), Some(context));
    }

    #[test]
    fn what_breaks_the_specification_is_no_context() {
        for bad in [
            "",
            "00",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-éééééééééééééééé-00f067aa0ba902b7-01",
        ] {
            assert_eq!(SpanContext::parse(bad), None, "{bad:?}");
        }
    }
}
