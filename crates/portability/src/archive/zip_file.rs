//! The files of a zip that have a meaning here, read within bounds. Names in a zip lead nowhere:
//! nothing is written to where they point.

use std::io::{self, Read, Seek};

use zip::ZipReadOptions;
use zip::read::{Config, ZipFileEntry};
use zip::unstable::read::ZipIterable;

use super::error::ArchiveError;

/// The most files of a zip: more than one a day of Markdown, for a lifetime.
pub(crate) const ENTRIES_MAX: usize = 50_000;

/// So much may come out of any zip, however small it is.
const INFLATED_BYTES_FREE: u64 = 16 << 20;

/// Beyond that, a file may be so many times as long as it was packed. What people write is about
/// ten times as long; only zip bombs come near a thousand.
const INFLATION_MAX: u64 = 250;

/// The files of a zip that somebody wants, and the means to read them.
pub(crate) struct ZipSource<R> {
    zip: ZipIterable<R>,
    entries: Vec<(String, Option<ZipFileEntry<'static>>)>,
}

impl<R: Read + Seek> ZipSource<R> {
    /// Looks for the files whose names `is_wanted`. Of other files nothing stays in memory.
    pub(crate) fn open(source: R, is_wanted: impl Fn(&str) -> bool) -> Result<ZipSource<R>, ArchiveError> {
        let broken = |error: zip::result::ZipError| ArchiveError::Zip(error.to_string());
        let mut zip = ZipIterable::try_new(source, Config::default()).map_err(broken)?;
        if ENTRIES_MAX < zip.len() {
            return Err(ArchiveError::TooManyEntries {
                entries: zip.len(),
                limit: ENTRIES_MAX,
            });
        }
        let mut entries = Vec::new();
        for entry in zip.files().map_err(broken)? {
            let entry = entry.map_err(broken)?;
            let name = entry.name().map_err(broken)?.into_owned();
            if is_wanted(&name) && entries.len() < WANTED_MAX {
                entries.push((name, Some(entry)));
            }
        }
        Ok(ZipSource { zip, entries })
    }

    /// Lists the names of the wanted files.
    pub(crate) fn names(&self) -> Vec<String> {
        self.entries.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Opens the wanted file of that number, once.
    pub(crate) fn read<'a>(
        &'a mut self,
        number: usize,
        budget: &'a mut Budget,
    ) -> Result<Metered<'a, impl Read + 'a>, ArchiveError> {
        let broken = |error: zip::result::ZipError| ArchiveError::Zip(error.to_string());
        let taken = || ArchiveError::Zip("a file is read twice".to_owned());
        let entry = self.entries[number].1.take().ok_or_else(taken)?;
        let packed = entry.compressed_size();
        let files = self.zip.files().map_err(broken)?;
        let reader = entry
            .with_reader(files.reader_mut(), ZipReadOptions::new())
            .map_err(broken)?;
        let inflated_max = packed.saturating_mul(INFLATION_MAX).max(INFLATED_BYTES_FREE);
        Ok(Metered {
            reader,
            budget,
            inflated: 0,
            inflated_max,
        })
    }
}

/// The most wanted files of one zip.
const WANTED_MAX: usize = 1_000;

/// How many bytes may still be read in all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
    limit: u64,
}

impl Budget {
    pub(crate) fn new(limit: u64) -> Budget {
        Budget { left: limit, limit }
    }
}

/// Fails when more comes out than may.
pub(crate) struct Metered<'a, R> {
    reader: R,
    budget: &'a mut Budget,
    inflated: u64,
    inflated_max: u64,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.inflated += count as u64;
        if self.inflated_max < self.inflated {
            return Err(io::Error::other(ArchiveError::Bomb {
                factor: INFLATION_MAX,
            }));
        }
        match self.budget.left.checked_sub(count as u64) {
            Some(left) => self.budget.left = left,
            None => {
                let limit = self.budget.limit;
                return Err(io::Error::other(ArchiveError::TooLong { limit }));
            }
        }
        Ok(count)
    }
}
