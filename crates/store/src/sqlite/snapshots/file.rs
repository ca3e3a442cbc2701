//! One file: what was given, and behind it whose it is and a checksum over all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use crc32fast::Hasher;
use recalld_memory::id::SpaceId;

use super::super::directory::private_file;

/// The last bytes of a file, with the version of its form.
const END: &[u8; 16] = b"recalld snap v1\n";

/// The length of the space's name, the checksum, and [`END`].
const FOOT_BYTES: usize = 4 + 4 + END.len();

/// A larger file is not read: no space that is held is as large.
const BYTES_MAX: u64 = 1 << 30;

/// Makes an empty file for its owner alone.
pub(super) fn create(path: &Path) -> io::Result<File> {
    // A file that was there may be open elsewhere.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    private_file().create_new(true).open(path)
}

/// Writes all of it, and waits until it is on the disk.
pub(super) fn write(file: &mut File, space: &SpaceId, bytes: &[u8]) -> io::Result<()> {
    let name = space.as_str().as_bytes();
    let length = u32::try_from(name.len()).map_err(io::Error::other)?.to_le_bytes();
    let sum = sum(&[bytes, name, &length]);
    for part in [bytes, name, &length, &sum, END] {
        file.write_all(part)?;
    }
    file.sync_data()
}

/// Reads what was written for this space. None if it is missing, another's, of another form or
/// damaged.
pub(super) fn read(path: &Path, space: &SpaceId) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    if BYTES_MAX < size {
        return None;
    }
    let mut bytes = Vec::with_capacity(size as usize);
    file.read_to_end(&mut bytes).ok()?;
    let foot = bytes.len().checked_sub(FOOT_BYTES)?;
    let (body, foot) = bytes.split_at(foot);
    let (length, rest) = foot.split_at(4);
    let (stored, end) = rest.split_at(4);
    let name = u32::from_le_bytes(length.try_into().ok()?) as usize;
    let content = body.len().checked_sub(name)?;
    let is_sound =
        end == END && &body[content..] == space.as_str().as_bytes() && sum(&[body, length]) == stored;
    bytes.truncate(content);
    is_sound.then_some(bytes)
}

fn sum(parts: &[&[u8]]) -> [u8; 4] {
    let mut sum = Hasher::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.finalize().to_le_bytes()
}
