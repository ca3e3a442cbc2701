//! What the machine itself takes, measured in the same run.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::time::Instant;

use anyhow::Result;

/// The floor of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// The median of writing a page again and waiting until it is on the disk.
    pub fdatasync_us: f64,
}

const WRITES: usize = 200;
const PAGE: [u8; 4096] = [7; 4096];

/// Measures it, where temporary files are.
pub fn measure() -> Result<Floor> {
    let mut file: File = tempfile::tempfile()?;
    file.write_all(&PAGE)?;
    file.sync_all()?;
    let mut times = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        file.seek(SeekFrom::Start(0))?;
        let start = Instant::now();
        file.write_all(&PAGE)?;
        file.sync_data()?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(Floor {
        fdatasync_us: times[WRITES / 2],
    })
}
