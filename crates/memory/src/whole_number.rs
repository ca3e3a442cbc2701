//! Whole numbers as JSON has them: `5.0` is one, as JSON Schema says, and some languages write no
//! other.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

/// Above this, a float no longer tells one whole number from the next.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// Reads an optional whole number, for `#[serde(default, deserialize_with = …)]`.
pub fn optional<'de, D, N>(deserializer: D) -> Result<Option<N>, D::Error>
where
    D: Deserializer<'de>,
    N: TryFrom<u64>,
{
    deserializer.deserialize_option(WholeNumber(PhantomData))
}

struct WholeNumber<N>(PhantomData<N>);

impl<'de, N: TryFrom<u64>> Visitor<'de> for WholeNumber<N> {
    type Value = Option<N>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number from 0")
    }

    fn visit_none<E: Error>(self) -> Result<Option<N>, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<N>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<N>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<N>, E> {
        let out_of_range = |_| E::invalid_value(Unexpected::Unsigned(number), &"a smaller whole number");
        N::try_from(number).map(Some).map_err(out_of_range)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<N>, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<N>, E> {
        if number.fract() != 0.0 || !(0.0..=EXACT_MAX).contains(&number) {
            return Err(E::invalid_value(Unexpected::Float(number), &self));
        }
        // Whole, and within what a float holds exactly.
        self.visit_u64(number as u64)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Body {
        #[serde(default, deserialize_with = "super::optional")]
        limit: Option<u32>,
    }

    fn read(limit: &str) -> Result<Option<u32>, String> {
        let body: Result<Body, _> = serde_json::from_str(&format!("{{{limit}}}"));
        body.map(|body| body.limit).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_number_may_have_a_point() {
        for (text, expected) in [
            ("", None),
            (r#""limit":null"#, None),
            (r#""limit":0"#, Some(0)),
            (r#""limit":5"#, Some(5)),
            (r#""limit":5.0"#, Some(5)),
            (r#""limit":-0.0"#, Some(0)),
            (r#""limit":1e2"#, Some(100)),
            (r#""limit":4294967295"#, Some(u32::MAX)),
        ] {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_whole_number_is_refused_with_what_is_wanted() {
        for text in ["5.5", "-1", "-1.0", "1e300", "\"5\"", "true", "[5]", "{}"] {
            let error = read(&format!(r#""limit":{text}"#)).unwrap_err();
            assert!(error.contains("expected a whole number from 0"), "{error}");
        }
        let error = read(r#""limit":4294967296"#).unwrap_err();
        assert!(error.contains("a smaller whole number"), "{error}");
    }
}
