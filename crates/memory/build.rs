//! Tells this source of the engine from all others, so that nothing that another version worked out
//! of memories is taken for the work of this one.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What is worked out of a text depends on these folders.
const FOLDERS: [&str; 2] = ["src", "../index/src"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        let folder = root.join(folder);
        let mut files = Vec::new();
        list(&folder, &mut files)?;
        files.sort();
        for file in files {
            // By name and content: where the source lies makes no difference.
            let name = file.strip_prefix(&folder).unwrap_or(&file).to_string_lossy();
            sum = fnv(fnv(sum, name.as_bytes()), &fs::read(&file)?);
        }
    }
    println!("cargo::rustc-env=RECALLD_ENGINE_SOURCE={sum:016x}");
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// FNV-1a: it tells versions apart, and nobody gains from two that agree.
fn fnv(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
