//! Secrets that are in files of their own, as orchestrators mount them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::parse;

/// What the value of a secret begins with whose text is in a file.
pub(super) const PREFIX: &str = "file:";

/// The most bytes of a secret.
const BYTES_MAX: u64 = 64 * 1024;

/// Reads the secret in the file that `named` names, without the line's end. Relative paths start
/// from `base`. The error completes the sentence "the value of NAME …".
pub(super) fn read(named: &str, base: &Path) -> Result<String, String> {
    let path = base.join(parse::path(named)?);
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(BYTES_MAX + 1).read_to_string(&mut text));
    read.map_err(|error| format!("names {}, which cannot be read: {error}", path.display()))?;
    if BYTES_MAX < text.len() as u64 {
        return Err(format!(
            "names {}, which is too long for a secret",
            path.display()
        ));
    }
    match text.trim() {
        "" => Err(format!("names {}, which is empty", path.display())),
        secret => Ok(secret.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_without_the_end_of_its_line() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("one"), "s3cret\n").unwrap();
        std::fs::write(folder.path().join("blank"), " \n").unwrap();
        std::fs::write(folder.path().join("long"), "x".repeat(70_000)).unwrap();
        assert_eq!(read("one", folder.path()), Ok("s3cret".to_owned()));
        for name in ["blank", "long", "missing", "."] {
            let problem = read(name, folder.path()).unwrap_err();
            assert!(problem.starts_with("names "), "{problem}");
        }
    }
}
