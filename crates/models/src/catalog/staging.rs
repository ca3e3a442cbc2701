//! Where a model is put together before it is installed: every byte counted, every file digested.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::progress::{Progress, PullError, PulledFile};

/// How deep the files of a model may lie.
const DEPTH_MAX: usize = 3;

/// A directory that is being filled.
pub(super) struct Staging<'s> {
    pub(super) directory: PathBuf,
    pub(super) bytes_max: u64,
    pub(super) bytes_done: u64,
    pub(super) files: Vec<PulledFile>,
    pub(super) progress: &'s (dyn Fn(Progress<'_>) + Send + Sync),
}

/// A file that is being written.
pub(super) struct StagedFile {
    path: PathBuf,
    file: File,
    digest: Sha256,
    bytes: u64,
}

impl Staging<'_> {
    /// Opens a file for writing. `path` must be one that [`wanted`] lets pass.
    pub(super) fn open(&self, path: &Path) -> Result<StagedFile, PullError> {
        let target = self.directory.join(path);
        let failed = |source| PullError::Write {
            path: target.clone(),
            source,
        };
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        let file = File::create_new(&target).map_err(failed)?;
        Ok(StagedFile {
            path: path.to_path_buf(),
            file,
            digest: Sha256::new(),
            bytes: 0,
        })
    }

    /// Appends to a file, as long as the whole stays within its bound.
    pub(super) fn write(&mut self, file: &mut StagedFile, chunk: &[u8]) -> Result<(), PullError> {
        self.bytes_done += chunk.len() as u64;
        if self.bytes_max < self.bytes_done {
            return Err(PullError::TooLarge {
                bytes_max: self.bytes_max,
            });
        }
        file.file.write_all(chunk).map_err(|source| PullError::Write {
            path: self.directory.join(&file.path),
            source,
        })?;
        file.digest.update(chunk);
        file.bytes += chunk.len() as u64;
        (self.progress)(Progress {
            file: &file.path,
            file_bytes: file.bytes,
            bytes: self.bytes_done,
        });
        Ok(())
    }

    /// Closes a file and notes its digest.
    pub(super) fn close(&mut self, file: StagedFile) {
        let sha256 = HEXLOWER.encode(&file.digest.finalize());
        self.files.push(PulledFile {
            path: file.path,
            bytes: file.bytes,
            sha256,
        });
    }

    /// Copies everything that `from` gives into a file.
    pub(super) fn copy(&mut self, path: &Path, mut from: impl Read) -> Result<(), PullError> {
        let mut file = self.open(path)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => self.write(&mut file, &buffer[..count])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => {
                    return Err(PullError::Read {
                        path: path.to_path_buf(),
                        source,
                    });
                }
            }
        }
        self.close(file);
        Ok(())
    }
}

/// Tells whether a file, by its path inside the model, belongs to one: settings, vocabularies,
/// weights and licences do; other formats of the same weights and programs do not.
pub(super) fn wanted(path: &Path) -> bool {
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let hidden = path
        .components()
        .any(|part| part.as_os_str().to_string_lossy().starts_with('.'));
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    let known = ["json", "txt", "safetensors", "model", "md"]
        .iter()
        .any(|end| name.ends_with(&format!(".{end}")));
    let depth = path.components().count();
    plain
        && !hidden
        && depth <= DEPTH_MAX
        && (known || name.starts_with("license") || name.starts_with("notice"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_files_of_a_model_are_wanted_and_none_outside_it() {
        for (path, expected) in [
            ("config.json", true),
            ("1_Pooling/config.json", true),
            ("LICENSE", true),
            ("onnx/model.onnx", false),
            ("pytorch_model.bin", false),
            (".gitattributes", false),
            ("../config.json", false),
            ("/etc/config.json", false),
            ("a/b/c/config.json", false),
        ] {
            assert_eq!(wanted(Path::new(path)), expected, "{path}");
        }
    }
}
