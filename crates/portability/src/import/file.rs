//! Opens whatever somebody has: an archive of ours, the archive of another product, or one file of
//! it.

use std::io::{Read, Seek, SeekFrom};

use jiff::Timestamp;
use thiserror::Error;

use super::detect::detect;
use super::{Format, ReadError, Unlike, read};
use crate::archive::{self, ArchiveError, Budget, Limits, Signature, Signer, Staged, Staging, ZipSource};

/// The files of another product's archive that are read.
const INSIDE: [&str; 2] = ["conversations.json", "memories.json"];

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
    #[error("{name:?} is not in a known format")]
    Unknown { name: String },
    /// Neither a zip file nor text.
    #[error("{name:?} is not valid UTF-8")]
    NotText { name: String },
}

/// Reads what is in `source`, within `limits`, into a temporary file. `name` is that of the file,
/// which may show what it is; `from` is what somebody says that it is.
pub fn open(
    mut source: impl Read + Seek,
    name: &str,
    from: Option<Format>,
    now: Timestamp,
    limits: &Limits,
    signer: Option<&Signer>,
) -> Result<Staged, OpenError> {
    source.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head)?;
    source.seek(SeekFrom::Start(0))?;
    if !ZIP.contains(&head.as_slice()) {
        let mut staging = Staging::new(now, limits)?;
        if limits.bytes_max < source.seek(SeekFrom::End(0))? {
            let limit = limits.bytes_max;
            return Err(ArchiveError::TooLong { limit }.into());
        }
        one(source, name, from, now, &mut staging)?;
        return Ok(staging.finish(Signature::Unverified)?);
    }
    match archive::read(&mut source, limits, signer, now) {
        Err(ArchiveError::Foreign) => {
            source.seek(SeekFrom::Start(0))?;
            foreign(source, from, now, limits)
        }
        read => Ok(read?),
    }
}

/// Reads one file of another product.
fn one(
    mut source: impl Read + Seek,
    name: &str,
    from: Option<Format>,
    now: Timestamp,
    staging: &mut Staging,
) -> Result<(), OpenError> {
    source.seek(SeekFrom::Start(0))?;
    let found = match from {
        Some(format) => Some(format),
        None => detect(name, &mut source)?,
    };
    let format = found.ok_or_else(|| OpenError::Unknown {
        name: name.to_owned(),
    })?;
    source.seek(SeekFrom::Start(0))?;
    read(format, source, now, staging).map_err(|error| match error {
        ReadError::Unlike(reason) => OpenError::Unlike(Unlike {
            format: format.as_str(),
            reason,
        }),
        ReadError::NotText => OpenError::NotText {
            name: name.to_owned(),
        },
        ReadError::Archive(error) => OpenError::Archive(error),
        ReadError::Io(error) => OpenError::Read(error),
    })
}

/// Reads the archive of another product: only the files that have a meaning, wherever in it they
/// are. Each is unpacked to a temporary file, since it is read more than once.
fn foreign(
    source: impl Read + Seek,
    from: Option<Format>,
    now: Timestamp,
    limits: &Limits,
) -> Result<Staged, OpenError> {
    let base = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let mut zip = ZipSource::open(source, |name| INSIDE.contains(&base(name).as_str()))?;
    let mut staging = Staging::new(now, limits)?;
    let mut budget = Budget::new(limits.bytes_max);
    let names = zip.names();
    for (number, name) in names.iter().enumerate() {
        let mut file = tempfile::tempfile()?;
        let copied = std::io::copy(&mut zip.read(number, &mut budget)?, &mut file);
        copied.map_err(archive::unreadable)?;
        one(file, &base(name), from, now, &mut staging)?;
    }
    match names.is_empty() {
        true => Err(OpenError::Foreign),
        false => Ok(staging.finish(Signature::Unverified)?),
    }
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

    fn opened(source: Cursor<Vec<u8>>, name: &str, bytes_max: u64) -> Result<Staged, OpenError> {
        let limits = Limits {
            bytes_max,
            rows_max: 60,
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
        assert_eq!(contents.items(), 1);
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
        let many = opened(Cursor::new(b"likes tea\n".repeat(61)), "a.txt", 1000);
        assert!(
            matches!(
                many,
                Err(OpenError::Archive(ArchiveError::TooManyRows { limit: 60 }))
            ),
            "{many:?}"
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
            .faults()
            .iter()
            .map(|fault| fault.reason.as_str())
            .collect();
        assert_eq!((contents.items(), reasons.len()), (1, 3));
        assert_eq!(reasons[2], "1 more entries are not acceptable");
    }
}
