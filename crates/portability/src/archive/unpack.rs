//! Reads an archive from wherever it came: within bounds, with its checksums, and line by line.

use std::io::{self, Read, Seek};

use jiff::Timestamp;
use recalld_memory::change::Version;
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::entity::Entity;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::record::Record;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::entity_line::EntityLine;
use super::error::{ArchiveError, unreadable};
use super::kind::Kind;
use super::limits::Limits;
use super::lines::{
    ArchivedEvent, ConversationLine, DocumentLine, EventLine, Invalid, MessageLine, RecordLine,
};
use super::memory_line::VersionLine;
use super::secret_check::is_secret_name;
use super::signature::{Signature, Signer};
use super::staged::Staged;
use super::staging::Staging;
use super::zip_file::{Budget, ZipSource};
use super::{
    CONVERSATIONS, DOCUMENTS, ENTITIES, EVENTS, FORMAT, MANIFEST, MEMORIES, MESSAGES, Manifest, RECORDS,
    SIGNATURE, VERSION,
};
use crate::bounded::{Lines, Shape};
use crate::keyed_hash::hex;

/// The most bytes of a manifest.
const MANIFEST_BYTES_MAX: u64 = 8 << 20;

/// The most bytes of a signature that are read.
const SIGNATURE_BYTES_MAX: u64 = 1024;

/// The files that are read, in an order in which no line needs one that comes later.
const FILES: [&str; 7] = [
    MEMORIES,
    ENTITIES,
    CONVERSATIONS,
    MESSAGES,
    RECORDS,
    DOCUMENTS,
    EVENTS,
];

/// Reads an archive whole and checks every line of it. `now` decides which memories have expired.
pub fn read(
    source: impl Read + Seek,
    limits: &Limits,
    signer: Option<&Signer>,
    now: Timestamp,
) -> Result<Staged, ArchiveError> {
    let is_wanted = |name: &str| FILES.contains(&name) || name == MANIFEST || name == SIGNATURE;
    let mut zip = ZipSource::open(source, is_wanted)?;
    let names = zip.names();
    for (number, name) in names.iter().enumerate() {
        if names[..number].contains(name) {
            return Err(ArchiveError::Zip(format!("it holds {name} twice")));
        }
    }
    let mut budget = Budget::new(limits.bytes_max);
    let (manifest, signature) = manifest(&mut zip, &names, &mut budget, signer)?;
    let mut staging = Staging::new(now, limits)?;
    for name in FILES {
        let Some(listed) = manifest.files.iter().find(|file| file.name == name) else {
            continue;
        };
        let changed = || ArchiveError::Changed {
            name: name.to_owned(),
        };
        let number = names.iter().position(|known| known == name).ok_or_else(changed)?;
        let mut file = Checked {
            reader: zip.read(number, &mut budget)?,
            digest: Sha256::new(),
            bytes: 0,
        };
        stage(name, &mut file, &mut staging)?;
        if listed.bytes != file.bytes || listed.sha256 != hex(&file.digest.finalize()) {
            return Err(changed());
        }
        if name == MEMORIES {
            staging.end_memories();
        }
    }
    Ok(staging.finish(signature)?)
}

/// Reads a file of the zip, and computes its checksum meanwhile.
struct Checked<R> {
    reader: R,
    digest: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.digest.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

/// What the manifest says first, whatever else a later version says.
#[derive(serde::Deserialize)]
struct Head {
    format: String,
    version: u64,
}

fn manifest<R: Read + Seek>(
    zip: &mut ZipSource<R>,
    names: &[String],
    budget: &mut Budget,
    signer: Option<&Signer>,
) -> Result<(Manifest, Signature), ArchiveError> {
    let mut file = |name: &str, bytes_max: u64| -> Result<Option<Vec<u8>>, ArchiveError> {
        let Some(number) = names.iter().position(|known| known == name) else {
            return Ok(None);
        };
        let mut text = Vec::new();
        let reader = zip.read(number, budget)?;
        reader
            .take(bytes_max)
            .read_to_end(&mut text)
            .map_err(unreadable)?;
        Ok(Some(text))
    };
    let text = file(MANIFEST, MANIFEST_BYTES_MAX)?.ok_or(ArchiveError::Foreign)?;
    let head: Head = serde_json::from_slice(&text).map_err(|_| ArchiveError::Foreign)?;
    if head.format != FORMAT {
        return Err(ArchiveError::Foreign);
    }
    if u64::from(VERSION) < head.version {
        return Err(ArchiveError::Newer {
            found: u32::try_from(head.version).unwrap_or(u32::MAX),
            known: VERSION,
        });
    }
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| ArchiveError::Foreign)?;
    let given = file(SIGNATURE, SIGNATURE_BYTES_MAX)?.and_then(|given| String::from_utf8(given).ok());
    let signature = match (signer, given) {
        (Some(signer), Some(given)) => signer.check(&manifest.user, &text, &given),
        _ => Signature::Unverified,
    };
    Ok((manifest, signature))
}

/// Whether a line is acceptable; the outer error ends the import.
type LineOutcome = Result<Result<(), Invalid>, ArchiveError>;

/// Reads the lines of one file.
fn stage(name: &str, file: &mut impl Read, staging: &mut Staging) -> Result<(), ArchiveError> {
    let mut lines = Lines::new(file);
    while let Some((number, line)) = lines.next().map_err(unreadable)? {
        let place = format!("{name}:{number}");
        let line = match line {
            Ok(b"") => continue,
            Ok(line) => line,
            Err(error) => {
                staging.count_row()?;
                staging.fault(&place, &error.to_string());
                continue;
            }
        };
        staging.count_row()?;
        if let Err(Invalid(reason)) = stage_line(name, line, &place, staging)? {
            staging.fault(&place, &reason);
        }
    }
    Ok(())
}

/// Reads one line. What is wrong with it is the inner error.
fn stage_line(name: &str, line: &[u8], place: &str, staging: &mut Staging) -> LineOutcome {
    match name {
        MEMORIES => with::<VersionLine, Version>(line, |version| {
            staging.version(&version, line, &version.memory.id.to_string())
        }),
        ENTITIES => with::<EntityLine, Entity>(line, |entity| match is_secret_name(&entity) {
            true => {
                staging.refuse(Kind::Entity, place, "it looks like it holds a secret");
                Ok(())
            }
            false => staging.put(Kind::Entity, entity.id.as_str(), line, place),
        }),
        CONVERSATIONS => with::<ConversationLine, Conversation>(line, |conversation| {
            staging.put(Kind::Conversation, conversation.id.as_str(), line, place)
        }),
        MESSAGES => with::<MessageLine, Message>(line, |message| staging.message_line(&message, line, place)),
        RECORDS => with::<RecordLine, Record>(line, |record| staging.record_line(&record, line, place)),
        DOCUMENTS => with::<DocumentLine, (KnowledgeDocument, Vec<Chunk>)>(line, |(document, _)| {
            staging.put(Kind::Document, document.id.as_str(), line, place)
        }),
        _ => with::<EventLine, ArchivedEvent>(line, |_| staging.append(Kind::Event, line)),
    }
}

/// Parses a line and hands it on.
fn with<L, T>(line: &[u8], put: impl FnOnce(T) -> Result<(), ArchiveError>) -> LineOutcome
where
    L: DeserializeOwned,
    T: TryFrom<L, Error = Invalid>,
{
    let parsed = Shape::check(line)
        .map_err(|error| Invalid(error.to_string()))
        .and_then(|()| serde_json::from_slice::<L>(line).map_err(|error| Invalid(error.to_string())))
        .and_then(T::try_from);
    match parsed {
        Ok(thing) => put(thing).map(Ok),
        Err(invalid) => Ok(Err(invalid)),
    }
}
