//! The items of a list, or the fields of an object.

use serde::Serialize;
use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use serde_json::{Error, Result};

use super::plain::is_plain;
use super::write;

/// A list or an object that is open.
pub(super) struct Items<'a> {
    out: &'a mut Vec<u8>,
    is_first: bool,
    end: &'static [u8],
}

impl<'a> Items<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>, end: &'static [u8]) -> Items<'a> {
        Items {
            out,
            is_first: true,
            end,
        }
    }

    fn separate(&mut self) {
        if !self.is_first {
            self.out.push(b',');
        }
        self.is_first = false;
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.separate();
        write(self.out, value)
    }

    /// Names of fields are written in the program, so that they need not be looked over in each
    /// answer.
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        debug_assert!(is_plain(name.as_bytes()), "the field {name:?} needs an escape");
        self.out.reserve(name.len() + r#","":"#.len());
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        write(self.out, value)
    }

    pub(super) fn close(self) -> Result<()> {
        self.out.extend_from_slice(self.end);
        Ok(())
    }
}

macro_rules! of_items {
    ($($part:ident::$add:ident)*) => {
        $(impl $part for Items<'_> {
            type Ok = ();
            type Error = Error;

            fn $add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }

            fn end(self) -> Result<()> {
                self.close()
            }
        })*
    };
}

macro_rules! of_fields {
    ($($part:ident)*) => {
        $(impl $part for Items<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.field(name, value)
            }

            fn end(self) -> Result<()> {
                self.close()
            }
        })*
    };
}

of_items! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

of_fields! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.separate();
        let start = self.out.len();
        write(self.out, key)?;
        match self.out[start..] {
            [b'"', ..] => Ok(()),
            // JSON has texts for keys and nothing else.
            [b'-' | b'0'..=b'9' | b't' | b'f', ..] => {
                self.out.insert(start, b'"');
                self.out.push(b'"');
                Ok(())
            }
            _ => Err(Error::custom("a key must be a text")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.out.push(b':');
        write(self.out, value)
    }

    fn end(self) -> Result<()> {
        self.close()
    }
}
