//! One statement with its values. Every value names its type, so that nothing has to be prepared
//! under a name: that is what works behind a pooler which gives each transaction another
//! connection.

use std::borrow::Cow;

use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

/// A statement that is ready to be sent.
pub(super) struct Ask {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<(Box<dyn ToSql + Sync + Send>, Type)>,
}

impl Ask {
    /// Begins with a statement.
    pub(super) fn new(sql: impl Into<Cow<'static, str>>) -> Ask {
        Ask {
            sql: sql.into(),
            values: Vec::new(),
        }
    }

    /// Adds its next value.
    pub(super) fn with(mut self, value: impl Value) -> Ask {
        self.values.push(value.boxed());
        self
    }
}

/// What can be a value of a statement.
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

/// The one character that PostgreSQL does not keep becomes the one that stands for what could not
/// be kept, in what is written and in what is asked for alike.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// A count or revision as the database counts. Nothing was written after what is too large for it.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A limit as the database counts.
pub(super) fn limit(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_kept_is_replaced_in_every_shape() {
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
