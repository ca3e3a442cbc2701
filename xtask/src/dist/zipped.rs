//! Writes zip files that are the same each time.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A zip file under way.
pub struct Zipped {
    writer: ZipWriter<File>,
}

impl Zipped {
    pub fn create(path: &Path) -> Result<Zipped> {
        Ok(Zipped {
            writer: ZipWriter::new(File::create(path)?),
        })
    }

    /// Adds a file with these permissions.
    pub fn add(&mut self, name: &str, bytes: &[u8], mode: u32) -> Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(mode);
        self.writer.start_file(name, options)?;
        self.writer.write_all(bytes)?;
        Ok(())
    }

    pub fn finish(self) -> Result<()> {
        self.writer.finish()?.sync_all()?;
        Ok(())
    }
}
