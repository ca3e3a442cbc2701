//! What must hold of written JSON: it is what `serde_json` writes.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

#[track_caller]
fn check<T: Serialize>(value: &T) {
    let mut out = b"before".to_vec();
    super::write(&mut out, value).unwrap();
    let written = String::from_utf8(out).unwrap();
    let expected = serde_json::to_string(value).unwrap();
    assert_eq!(written.strip_prefix("before"), Some(expected.as_str()));
}

#[derive(Serialize)]
enum Shape {
    Unit,
    One(u8),
    Two(i64, f32),
    Named { name: char, size: Option<f64> },
}

#[derive(Serialize)]
struct Everything {
    shapes: Vec<Shape>,
    nothing: (),
    pair: (bool, &'static str),
    by_number: BTreeMap<i32, &'static str>,
    odd: Wrapped,
}

#[derive(Serialize)]
struct Wrapped(String);

#[test]
fn every_kind_of_value_is_written_as_serde_json_does() {
    check(&Everything {
        shapes: vec![
            Shape::Unit,
            Shape::One(7),
            Shape::Two(-5, 0.1),
            Shape::Named {
                name: '"',
                size: None,
            },
            Shape::Named {
                name: 'ß',
                size: Some(1e300),
            },
        ],
        nothing: (),
        pair: (true, "a \"quote\" \u{1}\n\u{7f}"),
        by_number: BTreeMap::from([(-1, "minus"), (1, "")]),
        odd: Wrapped("back\\slash".to_owned()),
    });
    check(&[f32::NAN, f32::INFINITY, 1.0, 0.87654]);
    check(&Vec::<u8>::new());
}

#[test]
fn a_key_that_is_no_text_is_refused() {
    let odd = BTreeMap::from([(vec![1], 1)]);
    assert!(super::write(&mut Vec::new(), &odd).is_err());
}

#[test]
fn what_shows_itself_is_escaped_too() {
    struct Shows(&'static str);
    impl Serialize for Shows {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("{}-{}", self.0, self.0))
        }
    }
    check(&[Shows("plain"), Shows("a\"b"), Shows("")]);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_is_written_as_serde_json_does(value in any_value()) {
        check(&value);
    }
}
