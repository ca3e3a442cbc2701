//! One statement with its values. Every value has a declared type, so no statement needs to be
//! prepared under a name: behind a pooler each transaction has another connection.

use std::borrow::Cow;

use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

/// A statement that is ready to be sent.
pub(super) struct Statement {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<(Box<dyn ToSql + Sync + Send>, Type)>,
    /// Whether it may be prepared.
    may_prepare: bool,
}

/// The most rows in the lists of a prepared statement. A plan that is kept does not know how long a
/// list is and compares with all of it; for long ones, planning again costs less.
const ROWS_PREPARED_MAX: usize = 32;

impl Statement {
    /// Starts a statement without values.
    pub(super) fn new(sql: impl Into<Cow<'static, str>>) -> Statement {
        Statement {
            sql: sql.into(),
            values: Vec::new(),
            may_prepare: true,
        }
    }

    /// Says how many rows its lists are about.
    pub(super) fn for_rows(mut self, rows: usize) -> Statement {
        self.may_prepare = rows <= ROWS_PREPARED_MAX;
        self
    }

    /// Returns its text if it is always the same and may be prepared.
    pub(super) fn preparable(&self) -> Option<&'static str> {
        match self.sql {
            Cow::Borrowed(sql) if self.may_prepare => Some(sql),
            _ => None,
        }
    }

    /// Adds the next value.
    pub(super) fn with(mut self, value: impl Value) -> Statement {
        self.values.push(value.boxed());
        self
    }
}

/// A type that can be a value of a statement.
pub(super) trait Value {
    fn boxed(self) -> (Box<dyn ToSql + Sync + Send>, Type);
}

macro_rules! value {
    ($($rust:ty: $sql:ident)+) => {
        $(impl Value for $rust {
            fn boxed(self) -> (Box<dyn ToSql + Sync + Send>, Type) {
                (Box::new(self), Type::$sql)
            }
        })+
    };
}

value! {
    i64: INT8
    Option<i64>: INT8
    bool: BOOL
    Uuid: UUID
    Vec<u8>: BYTEA
    Vec<f32>: FLOAT4_ARRAY
    Vec<i64>: INT8_ARRAY
    Vec<Option<i64>>: INT8_ARRAY
    Vec<f64>: FLOAT8_ARRAY
    Vec<bool>: BOOL_ARRAY
    Vec<Uuid>: UUID_ARRAY
    Vec<Option<Uuid>>: UUID_ARRAY
}

impl Value for &str {
    fn boxed(self) -> (Box<dyn ToSql + Sync + Send>, Type) {
        (Box::new(storable(self)), Type::TEXT)
    }
}

impl Value for Option<&str> {
    fn boxed(self) -> (Box<dyn ToSql + Sync + Send>, Type) {
        (Box::new(self.map(storable)), Type::TEXT)
    }
}

impl Value for Vec<&str> {
    fn boxed(self) -> (Box<dyn ToSql + Sync + Send>, Type) {
        let texts: Vec<String> = self.into_iter().map(storable).collect();
        (Box::new(texts), Type::TEXT_ARRAY)
    }
}

impl Value for Vec<Option<&str>> {
    fn boxed(self) -> (Box<dyn ToSql + Sync + Send>, Type) {
        let texts: Vec<Option<String>> = self.into_iter().map(|text| text.map(storable)).collect();
        (Box::new(texts), Type::TEXT_ARRAY)
    }
}

/// Replaces NUL, which PostgreSQL cannot store, with the replacement character, in what is written
/// and in what is searched for alike.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Converts a count or revision. A revision that does not fit is later than every write.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Converts a limit.
pub(super) fn limit(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Quotes a text so that it remains nothing but that text, whatever `standard_conforming_strings`
/// says.
pub(super) fn literal(text: &str) -> String {
    let escaped = storable(text).replace('\\', "\\\\").replace('\'', "''");
    format!(" E'{escaped}'")
}

/// Quotes a name.
pub(super) fn identifier(name: &str) -> String {
    format!("\"{}\"", storable(name).replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_nothing_but_its_text() {
        assert_eq!(literal("user:o'hara\\"), " E'user:o''hara\\\\'");
        assert_eq!(literal("\\'; DROP TABLE x; --"), " E'\\\\''; DROP TABLE x; --'");
        assert_eq!(literal("a\0"), " E'a\u{fffd}'");
    }

    #[test]
    fn nul_is_replaced_in_values_of_every_type() {
        let shown = |(value, _): (Box<dyn ToSql + Sync + Send>, Type)| format!("{value:?}");
        assert_eq!(shown("a\0b".boxed()), "\"a\u{fffd}b\"");
        assert_eq!(shown(Some("\0").boxed()), "Some(\"\u{fffd}\")");
        assert_eq!(shown(vec!["\0"].boxed()), "[\"\u{fffd}\"]");
        assert_eq!(
            shown(vec![Some("\0"), None].boxed()),
            "[Some(\"\u{fffd}\"), None]"
        );
    }
}
