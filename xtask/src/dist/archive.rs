//! The archive of a release: the program, its licences and its documents.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use super::{Release, copy_program, tar_gz};

/// The name of the archive.
pub fn name(release: &Release) -> String {
    format!("recalld-{}-{}.tar.gz", release.version, release.target.name)
}

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let folder = release.folder("archive")?;
    copy_program(&release.binary, &folder.join("recalld"))?;
    let mut names = vec!["recalld"];
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(file, folder.join(file))?;
        names.push(file);
    }
    let path = release.out.join(name(release));
    tar_gz(&folder, &names, &path)?;
    Ok(vec![path])
}
