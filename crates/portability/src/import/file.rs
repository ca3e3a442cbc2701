//! Opens whatever somebody has: an archive of ours, the archive of another product, or one file of
//! it.

use std::io::{Read, Seek, SeekFrom};

use jiff::Timestamp;
use thiserror::Error;
use zip::ZipArchive;

use super::{Format, Unlike, read};
use crate::archive::{self, ArchiveError, Contents, Limits, Signer};

/// The files of another product's archive that are read.
const INSIDE: [&str; 2] = ["conversations.json", "memories.json"];

/// How many entries of another product's archive are looked at.
const ENTRIES_MAX: usize = 100_000;

/// How a zip file begins, also one without entries.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Why nothing of it can be taken in.
#[derive(Debug, Error)]
pub enum OpenError {
    /// It could not be read at all.
    #[error("it cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// An archive that is damaged, changed, too long or of a later version.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A zip file that holds nothing known.
    #[error("this zip file is no archive of recalld, and holds neither conversations.json nor memories.json")]
    Foreign,
    /// It is not what it was said to be.
    #[error(transparent)]
    Unlike(#[from] Unlike),
    /// Nobody said what it is, and it is like nothing known.
    #[error("{name:?} is not like anything that is known")]
    Unknown { name: String },
    /// Neither a zip file nor text.
    #[error("{name:?} is not valid UTF-8")]
    NotText { name: String },
}

/// Reads what is in `source`, within `limits`. `name` is that of the file, which may tell what it
/// is; `from` is what somebody says that it is.
pub fn open(
    mut source: impl Read + Seek,
    name: &str,
    from: Option<Format>,
    now: Timestamp,
    limits: &Limits,
    signer: Option<&Signer>,
) -> Result<Contents, OpenError> {
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head)?;
    source.seek(SeekFrom::Start(0))?;
    if !ZIP.contains(&head.as_slice()) {
        let mut left = limits.bytes_max;
        let text = text(source, name, &mut left, limits)?;
        return Ok(told(one(name, &text, from, now)?, limits));
    }
    match archive::read(&mut source, limits, signer) {
        Err(ArchiveError::Foreign) => {
            source.seek(SeekFrom::Start(0))?;
            Ok(told(foreign(source, from, now, limits)?, limits))
        }
        read => Ok(read?),
    }
}

/// Reads a text of at most `left` bytes.
fn text(source: impl Read, name: &str, left: &mut u64, limits: &Limits) -> Result<String, OpenError> {
    let mut bytes = Vec::new();
    source.take(left.saturating_add(1)).read_to_end(&mut bytes)?;
    *left = left
        .checked_sub(bytes.len() as u64)
        .ok_or(ArchiveError::TooLong {
            limit: limits.bytes_max,
        })?;
    String::from_utf8(bytes).map_err(|_| OpenError::NotText {
        name: name.to_owned(),
    })
}

fn one(name: &str, text: &str, from: Option<Format>, now: Timestamp) -> Result<Contents, OpenError> {
    let format = from
        .or_else(|| Format::detect(name, text))
        .ok_or_else(|| OpenError::Unknown {
            name: name.to_owned(),
        })?;
    Ok(read(format, text, now)?)
}

/// Reads the archive of another product: only the files that have a meaning, wherever in it they
/// lie.
fn foreign(
    source: impl Read + Seek,
    from: Option<Format>,
    now: Timestamp,
    limits: &Limits,
) -> Result<Contents, OpenError> {
    let broken = |error: zip::result::ZipError| ArchiveError::Zip(error.to_string());
    let mut zip = ZipArchive::new(source).map_err(broken)?;
    let (mut all, mut found, mut left) = (Contents::default(), false, limits.bytes_max);
    for index in 0..zip.len().min(ENTRIES_MAX) {
        let entry = zip.by_index(index).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        let base = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        if !INSIDE.contains(&base.as_str()) {
            continue;
        }
        let some = one(&base, &text(entry, &base, &mut left, limits)?, from, now)?;
        found = true;
        all.versions.extend(some.versions);
        all.conversations.extend(some.conversations);
        all.messages.extend(some.messages);
        all.places.extend(some.places);
        all.faults.extend(some.faults);
    }
    // The same memory may be in two files of it; an archive has each once.
    all.versions.sort_by_key(|version| version.memory.id);
    all.versions
        .dedup_by(|later, first| later.memory.id == first.memory.id);
    match found {
        true => Ok(all),
        false => Err(OpenError::Foreign),
    }
}

/// Cuts the faults to what is told.
fn told(mut contents: Contents, limits: &Limits) -> Contents {
    if let Some(more @ 1..) = contents.faults.len().checked_sub(limits.faults_max) {
        contents.faults.truncate(limits.faults_max);
        contents.faults.push(archive::Fault {
            place: "file".to_owned(),
            reason: format!("{more} more entries are not acceptable"),
        });
    }
    contents
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zipped(files: &[(&str, &[u8])]) -> Cursor<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        Cursor::new(zip.finish().unwrap().into_inner())
    }

    fn opened(source: Cursor<Vec<u8>>, name: &str, bytes_max: u64) -> Result<Contents, OpenError> {
        let limits = Limits {
            bytes_max,
            faults_max: 2,
        };
        open(source, name, None, Timestamp::UNIX_EPOCH, &limits, None)
    }

    const SAVED: &[u8] = br#"[{"id": "a", "content": "Has a dog"}]"#;

    #[test]
    fn what_lies_deep_in_an_archive_is_found_once() {
        let twice = zipped(&[
            ("chatgpt/conversations.json", SAVED),
            ("../../etc/memories.json", SAVED),
            ("user.json", b"{}"),
        ]);
        let contents = opened(twice, "export.zip", 1000).unwrap();
        assert_eq!(contents.versions.len(), 1);
    }

    #[test]
    fn what_is_too_long_together_is_refused() {
        let bomb: Vec<(String, &[u8])> = (0..50)
            .map(|number| (format!("{number}/memories.json"), SAVED))
            .collect();
        let bomb: Vec<(&str, &[u8])> = bomb.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
        let refused = opened(zipped(&bomb), "export.zip", 1000).unwrap_err();
        assert!(
            matches!(refused, OpenError::Archive(ArchiveError::TooLong { limit: 1000 })),
            "{refused}"
        );
        let long = Cursor::new(b"likes tea\n".repeat(101));
        assert!(matches!(
            opened(long, "a.txt", 1000),
            Err(OpenError::Archive(ArchiveError::TooLong { .. }))
        ));
    }

    #[test]
    fn what_is_like_nothing_is_told_apart() {
        let refused = |bytes: &[u8], name: &str| opened(Cursor::new(bytes.to_vec()), name, 1000).unwrap_err();
        assert!(matches!(refused(b"{}", "a.json"), OpenError::Unknown { .. }));
        assert!(matches!(refused(b"\xff\xfe", "a.txt"), OpenError::NotText { .. }));
        assert!(matches!(refused(b"PK\x03\x04", "a"), OpenError::Archive(_)));
        assert!(matches!(
            opened(zipped(&[]), "a.zip", 1000),
            Err(OpenError::Foreign)
        ));
        assert!(matches!(
            opened(zipped(&[("../../evil", b"x")]), "a.zip", 1000),
            Err(OpenError::Foreign)
        ));
    }

    #[test]
    fn the_faults_that_are_told_have_a_bound() {
        let contents = opened(Cursor::new(b"a\n\x08\n\x08\n\x08\n".to_vec()), "a.txt", 1000).unwrap();
        let reasons: Vec<&str> = contents
            .faults
            .iter()
            .map(|fault| fault.reason.as_str())
            .collect();
        assert_eq!((contents.versions.len(), reasons.len()), (1, 3));
        assert_eq!(reasons[2], "1 more entries are not acceptable");
    }
}
