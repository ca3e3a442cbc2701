//! Writes JSON as `serde_json` does, and looks texts over eight bytes at a time.
//!
//! An answer is mostly names of fields and plain text, which `serde_json` looks at byte by byte for
//! something to escape. What does hold something is left to it, as are numbers.

mod items;
mod plain;

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};
use serde_json::{Error, Result};

use items::Items;
use plain::is_plain;

/// Writes `value` after what is in `out`.
pub(crate) fn write<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<()> {
    value.serialize(Writer { out })
}

/// Writes one value.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    fn open(self, start: &[u8], end: &'static [u8]) -> Items<'a> {
        self.out.extend_from_slice(start);
        Items::new(self.out, end)
    }

    /// Opens a variant of an enum: an object with one field, named like the variant.
    fn open_variant(self, name: &str, start: u8, end: &'static [u8]) -> Result<Items<'a>> {
        self.out.push(b'{');
        write(self.out, name)?;
        Ok(self.open(&[b':', start], end))
    }
}

macro_rules! left_to_serde_json {
    ($($name:ident($type:ty))*) => {
        $(fn $name(self, value: $type) -> Result<()> {
            serde_json::to_writer(self.out, &value)
        })*
    };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Items<'a>;
    type SerializeStruct = Items<'a>;
    type SerializeStructVariant = Items<'a>;

    left_to_serde_json! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_f32(f32) serialize_f64(f64) serialize_char(char) serialize_bytes(&[u8])
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        let word: &[u8] = if value { b"true" } else { b"false" };
        self.out.extend_from_slice(word);
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        if !is_plain(text.as_bytes()) {
            return serde_json::to_writer(self.out, text);
        }
        self.out.reserve(text.len() + 2);
        self.out.push(b'"');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'"');
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<()> {
        let start = self.out.len();
        self.out.push(b'"');
        fmt::write(&mut Raw(self.out), format_args!("{value}"))
            .map_err(|_| serde::ser::Error::custom("a value could not be shown"))?;
        if is_plain(&self.out[start + 1..]) {
            self.out.push(b'"');
            return Ok(());
        }
        self.out.truncate(start);
        self.serialize_str(&value.to_string())
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut field = self.open(b"{", b"}");
        serde::ser::SerializeStruct::serialize_field(&mut field, variant, value)?;
        field.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>> {
        self.open_variant(variant, b'[', b"]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items<'a>> {
        Ok(self.open(b"{", b"}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'a>> {
        Ok(self.open(b"{", b"}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>> {
        self.open_variant(variant, b'{', b"}}")
    }
}

/// Takes text as it comes.
struct Raw<'a>(&'a mut Vec<u8>);

impl fmt::Write for Raw<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
