//! Reads an archive from wherever it came: within bounds, with its checksums, and line by line.

use std::io::{Read, Seek};

use recalld_index::text::plain;
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::entity::Entity;
use recalld_memory::record::Record;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use thiserror::Error;
use zip::ZipArchive;

use super::contents::{Contents, Fault};
use super::lines::{
    ArchivedEvent, ConversationLine, DocumentLine, EntityLine, EventLine, Invalid, MessageLine, RecordLine,
};
use super::memory_line::VersionLine;
use super::signature::{Signature, Signer};
use super::{
    CONVERSATIONS, DOCUMENTS, ENTITIES, EVENTS, FORMAT, MANIFEST, MEMORIES, MESSAGES, Manifest, RECORDS,
    SIGNATURE, VERSION,
};
use crate::keyed_hash::hex;

/// How much of an archive is read.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of all files together, unpacked.
    pub bytes_max: u64,
    /// The most faults that are told.
    pub faults_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes_max: 2 << 30,
            faults_max: 1000,
        }
    }
}

/// More entries than an archive can have: one a day of Markdown, for centuries.
const ENTRIES_MAX: usize = 100_000;

/// The most bytes of a manifest.
const MANIFEST_BYTES_MAX: u64 = 64 << 20;

/// The most bytes of a signature that are read.
const SIGNATURE_BYTES_MAX: u64 = 1024;

/// Why an archive cannot be read at all.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// Not a zip file, or a damaged one.
    #[error("this is not an archive that can be read: {0}")]
    Zip(String),
    /// A zip file of something else.
    #[error("this is a zip file, but not an archive of recalld")]
    Foreign,
    /// Written by a later version of recalld.
    #[error("the archive has version {found}, and this version of recalld reads up to {known}")]
    Newer { found: u32, known: u32 },
    /// More than may be read.
    #[error("the archive unpacks to more than the limit of {limit} bytes")]
    TooLong { limit: u64 },
    /// A file that the manifest names is missing, or not as it was written.
    #[error("the file {name:?} of the archive is missing or was changed")]
    Changed { name: String },
}

/// Reads an archive whole and checks every line of it. Only files that have a meaning are looked
/// at; nothing is ever written to where a name in the archive points.
pub fn read(
    source: impl Read + Seek,
    limits: &Limits,
    signer: Option<&Signer>,
) -> Result<Contents, ArchiveError> {
    let mut zip = ZipArchive::new(source).map_err(|error| ArchiveError::Zip(error.to_string()))?;
    if ENTRIES_MAX < zip.len() {
        return Err(ArchiveError::Zip(format!("it has {} entries", zip.len())));
    }
    let (manifest, signature) = manifest(&mut zip, signer)?;
    let mut reading = Reading {
        zip,
        manifest,
        left: limits.bytes_max,
        limits: *limits,
        faults: Vec::new(),
        unread: 0,
    };
    let mut contents = Contents {
        signature,
        versions: reading.lines::<VersionLine, _>(MEMORIES)?,
        entities: reading.lines::<EntityLine, Entity>(ENTITIES)?,
        records: reading.lines::<RecordLine, Record>(RECORDS)?,
        conversations: reading.lines::<ConversationLine, Conversation>(CONVERSATIONS)?,
        messages: reading.lines::<MessageLine, Message>(MESSAGES)?,
        documents: reading.lines::<DocumentLine, _>(DOCUMENTS)?,
        events: reading.lines::<EventLine, ArchivedEvent>(EVENTS)?,
        ..Contents::default()
    };
    for version in &mut contents.versions {
        signature.lower(&mut version.memory);
    }
    contents.faults = reading.faults;
    if 0 < reading.unread {
        contents.faults.push(Fault {
            place: "archive".to_owned(),
            reason: format!("{} more lines are not acceptable", reading.unread),
        });
    }
    Ok(contents)
}

fn manifest<R: Read + Seek>(
    zip: &mut ZipArchive<R>,
    signer: Option<&Signer>,
) -> Result<(Manifest, Signature), ArchiveError> {
    let entry = zip.by_name(MANIFEST).map_err(|_| ArchiveError::Foreign)?;
    let mut text = Vec::new();
    entry
        .take(MANIFEST_BYTES_MAX)
        .read_to_end(&mut text)
        .map_err(|error| ArchiveError::Zip(error.to_string()))?;
    // The version first: what else a later one says is not known.
    let value: serde_json::Value = serde_json::from_slice(&text).map_err(|_| ArchiveError::Foreign)?;
    if value["format"] != FORMAT {
        return Err(ArchiveError::Foreign);
    }
    match value["version"].as_u64() {
        Some(version) if version <= u64::from(VERSION) => {}
        Some(found) => {
            return Err(ArchiveError::Newer {
                found: u32::try_from(found).unwrap_or(u32::MAX),
                known: VERSION,
            });
        }
        None => return Err(ArchiveError::Foreign),
    }
    let manifest: Manifest = serde_json::from_value(value).map_err(|_| ArchiveError::Foreign)?;
    let signature = match (signer, given_signature(zip)) {
        (Some(signer), Some(given)) => signer.check(&manifest.user, &text, &given),
        _ => Signature::Unverified,
    };
    Ok((manifest, signature))
}

/// Reads the signature, if there is one.
fn given_signature<R: Read + Seek>(zip: &mut ZipArchive<R>) -> Option<String> {
    let mut given = String::new();
    let entry = zip.by_name(SIGNATURE).ok()?;
    entry.take(SIGNATURE_BYTES_MAX).read_to_string(&mut given).ok()?;
    Some(given)
}

struct Reading<R> {
    zip: ZipArchive<R>,
    manifest: Manifest,
    /// How many bytes may still be unpacked.
    left: u64,
    limits: Limits,
    faults: Vec<Fault>,
    /// Faults that are counted and not told.
    unread: usize,
}

impl<R: Read + Seek> Reading<R> {
    /// Reads a file, checks it against the manifest, and makes of its lines what they stand for.
    fn lines<L, T>(&mut self, name: &'static str) -> Result<Vec<T>, ArchiveError>
    where
        L: DeserializeOwned,
        T: TryFrom<L, Error = Invalid>,
    {
        let Some(text) = self.file(name)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for (line, number) in text.split(|byte| *byte == b'\n').zip(1_usize..) {
            if line.is_empty() {
                continue;
            }
            let parsed = serde_json::from_slice::<L>(line).map_err(|error| Invalid(error.to_string()));
            match parsed.and_then(T::try_from) {
                Ok(one) => found.push(one),
                Err(Invalid(reason)) => self.fault(format!("{name}:{number}"), reason),
            }
        }
        Ok(found)
    }

    fn file(&mut self, name: &'static str) -> Result<Option<Vec<u8>>, ArchiveError> {
        let Some(listed) = self.manifest.files.iter().find(|file| file.name == name) else {
            return Ok(None);
        };
        let changed = || ArchiveError::Changed {
            name: name.to_owned(),
        };
        let entry = self.zip.by_name(name).map_err(|_| changed())?;
        let mut text = Vec::new();
        entry
            .take(self.left + 1)
            .read_to_end(&mut text)
            .map_err(|error| ArchiveError::Zip(error.to_string()))?;
        let bytes = text.len() as u64;
        if self.left < bytes {
            let limit = self.limits.bytes_max;
            return Err(ArchiveError::TooLong { limit });
        }
        self.left -= bytes;
        match listed.bytes == bytes && listed.sha256 == hex(&Sha256::digest(&text)) {
            true => Ok(Some(text)),
            false => Err(changed()),
        }
    }

    fn fault(&mut self, place: String, reason: String) {
        match self.faults.len() < self.limits.faults_max {
            true => self.faults.push(Fault {
                place,
                reason: plain::shorten(&reason, 300),
            }),
            false => self.unread += 1,
        }
    }
}
