//! Writes an archive, entry by entry, into a buffer that is emptied meanwhile.

use std::io::{self, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest, Sha256};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{DateTime, ZipWriter};

use super::signature::Signer;
use super::{FORMAT, FileEntry, MANIFEST, Manifest, SIGNATURE, VERSION};
use crate::keyed_hash::hex;

/// An archive in the making.
pub(super) struct Packer {
    zip: ZipWriter<StreamWriter<Buffer>>,
    buffer: Buffer,
    /// The file that is being written, and the digest of it so far.
    open: Option<(FileEntry, Sha256)>,
    manifest: Manifest,
    signer: Option<Signer>,
}

/// What was written and not yet taken.
#[derive(Clone, Debug, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock();
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Packer {
    /// Begins an archive of `user`, which `signer` signs at the end.
    pub(super) fn new(user: &str, signer: Option<&Signer>) -> Packer {
        let buffer = Buffer::default();
        Packer {
            zip: ZipWriter::new_stream(buffer.clone()),
            buffer,
            open: None,
            manifest: Manifest {
                format: FORMAT.to_owned(),
                version: VERSION,
                user: user.to_owned(),
                files: Vec::new(),
            },
            signer: signer.cloned(),
        }
    }

    /// Begins the next file.
    pub(super) fn begin(&mut self, name: &str) -> io::Result<()> {
        self.end();
        self.zip.start_file(name, options())?;
        let entry = FileEntry {
            name: name.to_owned(),
            lines: 0,
            bytes: 0,
            sha256: String::new(),
        };
        self.open = Some((entry, Sha256::new()));
        Ok(())
    }

    /// Writes a line of the present file.
    pub(super) fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.text(&text)
    }

    /// Writes text of the present file.
    pub(super) fn text(&mut self, text: &[u8]) -> io::Result<()> {
        if let Some((entry, digest)) = &mut self.open {
            entry.bytes += text.len() as u64;
            entry.lines += text.iter().filter(|byte| **byte == b'\n').count() as u64;
            digest.update(text);
        }
        self.zip.write_all(text)
    }

    /// Tells how much has been packed and not taken.
    pub(super) fn packed(&self) -> usize {
        self.buffer.0.lock().len()
    }

    /// Takes what has been packed so far.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut *self.buffer.0.lock())
    }

    /// Writes the manifest, its signature and the end, and takes the rest.
    pub(super) fn finish(mut self) -> io::Result<Vec<u8>> {
        self.end();
        let manifest = serde_json::to_vec_pretty(&self.manifest)?;
        self.zip.start_file(MANIFEST, options())?;
        self.zip.write_all(&manifest)?;
        if let Some(signer) = &self.signer {
            self.zip.start_file(SIGNATURE, options())?;
            self.zip.write_all(signer.sign(&manifest).as_bytes())?;
        }
        self.zip.finish()?;
        let rest = std::mem::take(&mut *self.buffer.0.lock());
        Ok(rest)
    }

    fn end(&mut self) {
        if let Some((mut entry, digest)) = self.open.take() {
            entry.sha256 = hex(&digest.finalize());
            self.manifest.files.push(entry);
        }
    }
}

/// Nothing that depends on the moment or the machine.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .last_modified_time(DateTime::default())
        .unix_permissions(0o600)
        .large_file(true)
}
