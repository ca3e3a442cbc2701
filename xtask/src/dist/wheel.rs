//! The Python wheel: the program in the folder of scripts, as maturin writes it for `bin` bindings.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use super::Release;
use super::zipped::Zipped;

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let version = &release.version;
    let (major, minor) = release.target.glibc;
    let tag = format!(
        "py3-none-manylinux_{major}_{minor}_{}",
        release.target.wheel_architecture
    );
    let path = release.out.join(format!("recalld-{version}-{tag}.whl"));
    let info = format!("recalld-{version}.dist-info");
    let metadata = format!(
        "Metadata-Version: 2.4\nName: recalld\nVersion: {version}\nSummary: The memory server for LLM agents\n\
         License-Expression: MIT OR Apache-2.0\nRequires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\n{}",
        fs::read_to_string("README.md")?
    );
    let wheel =
        format!("Wheel-Version: 1.0\nGenerator: xtask ({version})\nRoot-Is-Purelib: false\nTag: {tag}\n");
    let files = [
        (
            format!("recalld-{version}.data/scripts/recalld"),
            fs::read(&release.binary)?,
            0o755,
        ),
        (format!("{info}/METADATA"), metadata.into_bytes(), 0o644),
        (format!("{info}/WHEEL"), wheel.into_bytes(), 0o644),
        (
            format!("{info}/licenses/LICENSE-MIT"),
            fs::read("LICENSE-MIT")?,
            0o644,
        ),
        (
            format!("{info}/licenses/LICENSE-APACHE"),
            fs::read("LICENSE-APACHE")?,
            0o644,
        ),
    ];
    let mut zip = Zipped::create(&path)?;
    let mut record = String::new();
    for (name, bytes, mode) in &files {
        zip.add(name, bytes, 0o100_000 | mode)?;
        let digest = BASE64URL_NOPAD.encode(&Sha256::digest(bytes));
        record += &format!("{name},sha256={digest},{}\n", bytes.len());
    }
    record += &format!("{info}/RECORD,,\n");
    zip.add(&format!("{info}/RECORD"), record.as_bytes(), 0o100_644)?;
    zip.finish()?;
    Ok(vec![path])
}
