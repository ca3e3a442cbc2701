//! Reads the lists of a JSON text entry by entry: those of a text that is a list, or of the fields
//! of a text that is an object. One entry is in memory at a time.

use std::io::{self, BufRead, BufReader, Read};

use thiserror::Error;

use crate::bounded::{ROW_BYTES_MAX, Shape, TooLarge};

/// Why the lists cannot be read on.
#[derive(Debug, Error)]
pub(super) enum RowsError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// Not JSON.
    #[error("it is not valid JSON near byte {at}: {expected} is missing")]
    Syntax { at: u64, expected: &'static str },
}

/// An entry of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row<'a> {
    /// The field whose list it is in; none when the whole text is a list.
    pub(super) field: Option<&'a str>,
    /// Its JSON, if it is not too large. Whether it is valid is not known yet.
    pub(super) text: Result<&'a [u8], TooLarge>,
}

/// The most bytes of a field's name.
const NAME_BYTES_MAX: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    /// In a list, before its first entry or after one.
    List {
        is_first: bool,
    },
    /// In the outermost object, before its first field or after one.
    Object {
        is_first: bool,
    },
    End,
}

/// The entries of all lists of a JSON text.
#[derive(Debug)]
pub(super) struct JsonRows<R> {
    reader: BufReader<R>,
    at: u64,
    state: State,
    field: Option<String>,
    entry: Vec<u8>,
    /// Whether there was a list at all.
    pub(super) has_list: bool,
}

impl<R: Read> JsonRows<R> {
    pub(super) fn new(reader: R) -> JsonRows<R> {
        JsonRows {
            reader: BufReader::new(reader),
            at: 0,
            state: State::Start,
            field: None,
            entry: Vec::new(),
            has_list: false,
        }
    }

    /// Reads the next entry; none at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, RowsError> {
        loop {
            match self.state {
                State::Start => self.start()?,
                State::Object { is_first } => self.next_field(is_first)?,
                State::List { is_first } => {
                    if self.has_entry(is_first)? {
                        let fault = self.value(Use::Entry)?;
                        let text = fault.map_or(Ok(self.entry.as_slice()), Err);
                        let field = self.field.as_deref();
                        return Ok(Some(Row { field, text }));
                    }
                }
                State::End => return Ok(None),
            }
        }
    }

    fn start(&mut self) -> Result<(), RowsError> {
        self.state = match self.next_sign()? {
            Some(b'[') => {
                self.has_list = true;
                State::List { is_first: true }
            }
            Some(b'{') => State::Object { is_first: true },
            _ => return Err(self.missing("a list or an object")),
        };
        self.pass(1);
        Ok(())
    }

    /// Goes to the next entry of a list, or to what follows the list.
    fn has_entry(&mut self, is_first: bool) -> Result<bool, RowsError> {
        match self.next_sign()? {
            Some(b']') => {
                self.pass(1);
                match self.field.take() {
                    Some(_) => self.state = State::Object { is_first: false },
                    None => self.end()?,
                }
                return Ok(false);
            }
            Some(b',') if !is_first => {
                self.pass(1);
                self.next_sign()?;
            }
            Some(_) if is_first => {}
            _ => return Err(self.missing("a comma or the end of a list")),
        }
        self.state = State::List { is_first: false };
        Ok(true)
    }

    /// Goes to the next list of the object; other values are passed over.
    fn next_field(&mut self, is_first: bool) -> Result<(), RowsError> {
        match self.next_sign()? {
            Some(b'}') => {
                self.pass(1);
                return self.end();
            }
            Some(b',') if !is_first => {
                self.pass(1);
                self.next_sign()?;
            }
            Some(_) if is_first => {}
            _ => return Err(self.missing("a comma or the end of an object")),
        }
        if self.next_sign()? != Some(b'"') {
            return Err(self.missing("the name of a field"));
        }
        self.value(Use::Name)?;
        let name: Option<String> = serde_json::from_slice(&self.entry).ok();
        if self.next_sign()? != Some(b':') {
            return Err(self.missing("a colon"));
        }
        self.pass(1);
        self.state = State::Object { is_first: false };
        match self.next_sign()? {
            Some(b'[') => {
                self.pass(1);
                self.has_list = true;
                self.field = Some(name.unwrap_or_default());
                self.state = State::List { is_first: true };
            }
            _ => {
                self.value(Use::None)?;
            }
        }
        Ok(())
    }

    /// Sees that nothing follows.
    fn end(&mut self) -> Result<(), RowsError> {
        self.state = State::End;
        match self.next_sign()? {
            None => Ok(()),
            Some(_) => Err(self.missing("the end of the text")),
        }
    }

    /// Reads one value whole. Gives what is too large about it.
    fn value(&mut self, wanted: Use) -> Result<Option<TooLarge>, RowsError> {
        let bytes_max = wanted.bytes_max();
        self.entry.clear();
        let (mut shape, mut is_too_long, mut length) = (Shape::default(), false, 0_u64);
        loop {
            let piece = self.reader.fill_buf()?;
            let mut taken = 0;
            let mut is_whole = piece.is_empty();
            for byte in piece {
                let is_outside = shape.depth == 0 && !shape.is_in_text();
                let ends = matches!(byte, b',' | b']' | b'}' | b':') || byte.is_ascii_whitespace();
                if is_outside && ends {
                    is_whole = true;
                    break;
                }
                shape.see(*byte);
                taken += 1;
                let is_closed = shape.depth == 0 && !shape.is_in_text();
                if is_closed && matches!(byte, b']' | b'}' | b'"') {
                    is_whole = true;
                    break;
                }
            }
            is_too_long |= bytes_max < self.entry.len() + taken;
            if !is_too_long {
                self.entry.extend_from_slice(&piece[..taken]);
            }
            length += taken as u64;
            self.pass(taken);
            if is_whole {
                break;
            }
        }
        if length == 0 || 0 < shape.depth || shape.is_in_text() {
            return Err(self.missing("the rest of a value"));
        }
        match is_too_long {
            true => {
                self.entry = Vec::new();
                Ok(Some(TooLarge::Bytes))
            }
            false => Ok(shape.fault()),
        }
    }

    /// Passes white space, and looks at what follows it.
    fn next_sign(&mut self) -> Result<Option<u8>, RowsError> {
        loop {
            let piece = self.reader.fill_buf()?;
            if piece.is_empty() {
                return Ok(None);
            }
            let blank = piece.iter().position(|byte| !byte.is_ascii_whitespace());
            let (count, found) = (blank.unwrap_or(piece.len()), blank.map(|at| piece[at]));
            self.pass(count);
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    fn pass(&mut self, count: usize) {
        self.reader.consume(count);
        self.at += count as u64;
    }

    fn missing(&self, expected: &'static str) -> RowsError {
        RowsError::Syntax {
            at: self.at,
            expected,
        }
    }
}

/// What a value is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Entry,
    Name,
    /// To be passed over.
    None,
}

impl Use {
    fn bytes_max(self) -> usize {
        match self {
            Use::Entry => ROW_BYTES_MAX,
            Use::Name => NAME_BYTES_MAX,
            Use::None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn rows(text: &str) -> Result<Vec<(Option<String>, String)>, String> {
        let mut rows = JsonRows::new(text.as_bytes());
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(|error| error.to_string())? {
            let text = match row.text {
                Ok(text) => String::from_utf8(text.to_vec()).unwrap(),
                Err(error) => error.to_string(),
            };
            all.push((row.field.map(str::to_owned), text));
        }
        Ok(all)
    }

    #[test]
    fn the_entries_of_a_list_and_of_the_lists_of_an_object_are_read() {
        assert_eq!(rows(" [ ] ").unwrap(), []);
        let plain = rows(r#"[1, "a]b", {"c": [2, "}"]}, null]"#).unwrap();
        let texts: Vec<&str> = plain.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["1", r#""a]b""#, r#"{"c": [2, "}"]}"#, "null"]);
        let fields = rows(r#"{"n": 1, "a": [1], "o": {"x": [9]}, "b": [ {} , 2 ], "e": []}"#).unwrap();
        let named: Vec<(&str, &str)> = fields
            .iter()
            .map(|(field, text)| (field.as_deref().unwrap(), text.as_str()))
            .collect();
        assert_eq!(named, [("a", "1"), ("b", "{}"), ("b", "2")]);
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            "7",
            "x",
            "[1",
            "[1 2]",
            "[1,]",
            "[,1]",
            "[1]]",
            "[1] x",
            "{",
            "{1: 2}",
            r#"{"a" 1}"#,
            r#"{"a": [1}"#,
            r#"["abc"#,
            "[[1]",
            r#"{"a": 1 "b": 2}"#,
        ] {
            assert!(rows(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_entry_that_is_too_large_is_left_out_and_the_next_is_read() {
        let long = format!(
            "[\"{}\", 1, {}{}, 2]",
            "x".repeat(ROW_BYTES_MAX),
            "[".repeat(100),
            "]".repeat(100)
        );
        let texts: Vec<String> = rows(&long).unwrap().into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            texts,
            [
                &TooLarge::Bytes.to_string(),
                "1",
                &TooLarge::Depth.to_string(),
                "2"
            ]
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::hash_map(".{0,5}", inner, 0..5)
                    .prop_map(|map| Value::from(serde_json::Map::from_iter(map))),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_list_is_read_as_it_is(list in prop::collection::vec(any_json(), 0..8), is_pretty: bool, is_field: bool) {
            let value = match is_field {
                true => json!({"before": {"a": [1]}, "list": list, "after": "x"}),
                false => Value::from(list.clone()),
            };
            let text = match is_pretty {
                true => serde_json::to_string_pretty(&value).unwrap(),
                false => value.to_string(),
            };
            let found: Vec<Value> = rows(&text)
                .unwrap()
                .into_iter()
                .map(|(_, text)| serde_json::from_str(&text).unwrap())
                .collect();
            prop_assert_eq!(found, list);
        }

        #[test]
        fn no_text_stops_it(text in r#"[\[\]{}",:a1 \\]{0,40}"#) {
            let _ = rows(&text);
        }
    }
}
