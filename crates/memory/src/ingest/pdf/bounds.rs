//! Refuses PDFs that would take too much memory, time or stack to read, before they are read.
//!
//! A PDF is a set of packed streams that may call each other. A few kilobytes can unpack to
//! gigabytes, and a form that draws itself would never end.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

/// The most bytes of all streams of a file together, unpacked.
const INFLATED_BYTES_MAX: usize = 32 << 20;

/// The most objects of a file.
const OBJECTS_MAX: usize = 200_000;

/// The most pages that are read.
const PAGES_MAX: usize = 5_000;

/// The most bytes of a name.
const NAME_BYTES_MAX: usize = 256;

/// How deep forms may be drawn within forms.
const FORM_DEPTH_MAX: usize = 10;

/// How many forms may be drawn on all pages together.
const FORMS_DRAWN_MAX: u64 = 100_000;

/// Looks at the bytes of a file before any of it is parsed.
pub(super) fn check_bytes(bytes: &[u8]) -> Result<(), String> {
    let (mut left, mut objects) = (INFLATED_BYTES_MAX, 0);
    for (at, window) in bytes.windows(6).enumerate() {
        if window.starts_with(b" obj") {
            objects += 1;
            if OBJECTS_MAX < objects {
                return Err(format!("it holds more than {OBJECTS_MAX} objects"));
            }
        }
        if window == b"stream" && !bytes[..at].ends_with(b"end") {
            let data = &bytes[at + 6..];
            let data = data.strip_prefix(b"\r").unwrap_or(data);
            let data = data.strip_prefix(b"\n").unwrap_or(data);
            left = inflated(data, left).ok_or_else(too_large)?;
        }
    }
    Ok(())
}

fn too_large() -> String {
    format!("it unpacks to more than {INFLATED_BYTES_MAX} bytes")
}

/// Unpacks a stream as the reader would, and keeps nothing of it. Gives what is left of `left`.
fn inflated(data: &[u8], left: usize) -> Option<usize> {
    match drained(ZlibDecoder::new(data), left)? {
        0 if 2 < data.len() => Some(left - drained(DeflateDecoder::new(&data[2..]), left)?),
        count => Some(left - count),
    }
}

/// Counts what comes out of a reader; none if it is more than `most`.
fn drained(mut reader: impl Read, most: usize) -> Option<usize> {
    let (mut buffer, mut count) = ([0; 16 * 1024], 0);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) | Err(_) => return Some(count),
            Ok(more) => count += more,
        }
        if most < count {
            return None;
        }
    }
}

/// Looks at a file that was parsed, before its pages are read.
pub(super) fn check_document(document: &Document) -> Result<(), String> {
    if document.is_encrypted() {
        return Err("it is encrypted".to_owned());
    }
    let pages = document.get_pages();
    if PAGES_MAX < pages.len() {
        return Err(format!("it has more than {PAGES_MAX} pages"));
    }
    let mut left = INFLATED_BYTES_MAX;
    for stream in document
        .objects
        .values()
        .filter_map(|object| object.as_stream().ok())
    {
        check_filters(stream)?;
        left = inflated(&stream.content, left).ok_or_else(too_large)?;
    }
    // A page that is there many times is read as often.
    let content: usize = pages
        .values()
        .map(|page| {
            document
                .get_page_content(*page)
                .map_or(0, |content| content.len())
        })
        .sum();
    if INFLATED_BYTES_MAX < content {
        return Err(too_large());
    }
    Forms::of(document).check()
}

/// One filter may unpack; several on top of each other may not, since each multiplies.
fn check_filters(stream: &Stream) -> Result<(), String> {
    let filters = stream.filters().unwrap_or_default();
    let packed = filters
        .iter()
        .filter(|filter| matches!(**filter, b"FlateDecode" | b"LZWDecode"))
        .count();
    match filters.contains(&b"LZWDecode".as_slice()) || 1 < packed {
        true => Err("a stream of it is packed in a way that is not read".to_owned()),
        false => Ok(()),
    }
}

/// What is drawn within what.
struct Forms {
    /// For each stream that may be drawn: how often it draws something, and what that may be.
    draws: HashMap<ObjectId, (u64, Vec<ObjectId>)>,
}

impl Forms {
    fn of(document: &Document) -> Forms {
        let mut drawn = HashMap::new();
        for object in document.objects.values() {
            targets(document, object, 0, &mut drawn);
        }
        let names: HashSet<&[u8]> = drawn.values().flatten().map(Vec::as_slice).collect();
        let draws = drawn.keys().filter_map(|id| {
            let stream = document.get_object(*id).ok()?.as_stream().ok()?;
            let content = stream.get_plain_content().unwrap_or_default();
            let count = drawings(&content, &names);
            let mut within = HashMap::new();
            match stream.dict.get(b"Resources") {
                _ if count == 0 => {}
                Ok(resources) => targets(document, resources, 0, &mut within),
                // Without resources of its own it uses those of whoever draws it.
                Err(_) => within.extend(drawn.keys().map(|id| (*id, HashSet::new()))),
            }
            Some((*id, (count, within.into_keys().collect())))
        });
        Forms {
            draws: draws.collect(),
        }
    }

    fn check(&self) -> Result<(), String> {
        let mut known = HashMap::new();
        let mut all = 0_u64;
        for id in self.draws.keys() {
            let drawn = self.drawn_by(*id, 0, &mut known);
            let drawn =
                drawn.ok_or_else(|| format!("its forms are nested more than {FORM_DEPTH_MAX} deep"))?;
            all = all.saturating_add(drawn);
        }
        match FORMS_DRAWN_MAX < all {
            true => Err(format!("it draws more than {FORMS_DRAWN_MAX} forms")),
            false => Ok(()),
        }
    }

    /// How many forms are drawn at most when this one is; none if they are nested too deep.
    fn drawn_by(&self, id: ObjectId, depth: usize, known: &mut HashMap<ObjectId, u64>) -> Option<u64> {
        if FORM_DEPTH_MAX < depth {
            return None;
        }
        if let Some(count) = known.get(&id) {
            return Some(*count);
        }
        let Some((count, within)) = self.draws.get(&id).filter(|(count, _)| 0 < *count) else {
            return Some(1);
        };
        let mut most = 0;
        for inner in within {
            most = most.max(self.drawn_by(*inner, depth + 1, known)?);
        }
        let all = count.saturating_mul(most).saturating_add(1);
        known.insert(id, all);
        Some(all)
    }
}

/// Counts how often something that has one of `names` is drawn: `/Name Do`. Pictures hold any
/// bytes, so that `Do` alone means nothing.
fn drawings(content: &[u8], names: &HashSet<&[u8]>) -> u64 {
    let is_drawing = |at: &usize| {
        let before = &content[..*at];
        let word = before.trim_ascii_end();
        let word = &word[word.len().saturating_sub(NAME_BYTES_MAX)..];
        let start = word.iter().rposition(|byte| *byte == b'/');
        let name = start.map(|start| &word[start + 1..]);
        // A name may be written with escapes.
        before.last().is_some_and(u8::is_ascii_whitespace)
            && name.is_some_and(|name| names.contains(name) || name.contains(&b'#'))
    };
    let found = content.windows(2).enumerate().filter(|(_, pair)| *pair == b"Do");
    found.map(|(at, _)| at).filter(is_drawing).count() as u64
}

/// What may be drawn, and the names it has.
type Targets = HashMap<ObjectId, HashSet<Vec<u8>>>;

/// Collects what the `XObject` dictionaries in `object` name.
fn targets(document: &Document, object: &Object, depth: usize, into: &mut Targets) {
    const DEPTH_MAX: usize = 8;
    if DEPTH_MAX < depth {
        return;
    }
    let dictionary: &Dictionary = match object {
        Object::Dictionary(dictionary) => dictionary,
        Object::Stream(stream) => &stream.dict,
        Object::Reference(id) if depth < 2 => {
            if let Ok(object) = document.get_object(*id) {
                targets(document, object, depth + 2, into);
            }
            return;
        }
        _ => return,
    };
    if let Ok(named) = dictionary.get(b"XObject") {
        let named = document.dereference(named).map(|(_, object)| object);
        if let Ok(Object::Dictionary(named)) = named {
            for (name, target) in named {
                if let Ok(id) = target.as_reference() {
                    into.entry(id).or_default().insert(name.clone());
                }
            }
        }
    }
    for (_, value) in dictionary {
        if matches!(value, Object::Dictionary(_)) {
            targets(document, value, depth + 1, into);
        }
    }
}
