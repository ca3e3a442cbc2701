//! Which project a directory belongs to. Worktrees and clones of one remote are one project; a
//! folder without git is known by its path. Nothing is started to find out: a hook has no time.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use recalld_memory::memory::Project;
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The most bytes of a file of git that are read.
const BYTES_MAX: u64 = 256 * 1024;

/// A project in the files of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CodeProject {
    /// Its name, the same for all clones and worktrees.
    pub(crate) label: Project,
    /// The directory with the files.
    pub(crate) root: PathBuf,
}

/// The most characters that a project's name takes over from that of its directory.
const NAME_CHARS_MAX: usize = 60;

/// Finds the project that an argument names: a directory, or a name as it is.
pub(crate) fn named(argument: Option<&str>, folder: &Path) -> Result<Option<Project>, Failure> {
    let Some(argument) = argument else {
        return Ok(None);
    };
    let is_path = matches!(argument, "." | "..") || argument.contains(['/', '\\']);
    let directory = folder.join(argument);
    match is_path {
        true if directory.is_dir() => Ok(Some(CodeProject::of(&directory).label)),
        true => {
            let message = format!("the project {} is no directory", directory.display());
            Err(Failure::bad_input("project", message).hint("give a directory, or the name of a project"))
        }
        false => Ok(Some(Project::new(argument)?)),
    }
}

impl CodeProject {
    /// Finds the project of a directory.
    pub(crate) fn of(directory: &Path) -> CodeProject {
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        CodeProject::of_repository(&directory).unwrap_or_else(|| {
            let identity = directory.display().to_string();
            CodeProject::new(directory, &identity)
        })
    }

    /// Finds the project of a directory that belongs to a repository.
    pub(crate) fn of_repository(directory: &Path) -> Option<CodeProject> {
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let (root, common) = repository(&directory)?;
        let identity = remote(&common).unwrap_or_else(|| common.display().to_string());
        Some(CodeProject::new(root, &identity))
    }

    fn new(root: PathBuf, identity: &str) -> CodeProject {
        let name = identity
            .rsplit(['/', '\\'])
            .find(|part| !part.is_empty() && *part != ".git")
            .unwrap_or("project");
        let plain = |c: char| match c.is_ascii_alphanumeric() || matches!(c, '_' | '.') {
            true => c,
            false => '-',
        };
        let name: String = name.chars().map(plain).take(NAME_CHARS_MAX).collect();
        let digest = HEXLOWER.encode(&Sha256::digest(identity.as_bytes()));
        let label = format!("{name}-{}", &digest[..16]);
        CodeProject {
            label: Project::new(&label).expect("it has no other characters"),
            root,
        }
    }

    /// Whether the project asks to be left alone. A file that is checked in may only lower what is
    /// captured and injected.
    pub(crate) fn is_off(&self) -> bool {
        self.root.join(".recalld-off").exists()
    }
}

/// Returns the root of the working tree and the directory that all worktrees share.
fn repository(directory: &Path) -> Option<(PathBuf, PathBuf)> {
    for root in directory.ancestors() {
        let git = root.join(".git");
        if git.is_dir() {
            return Some((root.to_owned(), git));
        }
        // A worktree has a file that names its own directory, which names the common one.
        if let Some(text) = read(&git) {
            let own = root.join(text.trim().strip_prefix("gitdir:")?.trim());
            let common = read(&own.join("commondir")).map(|text| own.join(text.trim()));
            let common = common.unwrap_or_else(|| own.clone());
            return Some((root.to_owned(), common.canonicalize().unwrap_or(common)));
        }
    }
    None
}

/// Returns the commit that is checked out.
pub(crate) fn head_commit(root: &Path) -> Option<String> {
    let (root, common) = repository(root)?;
    let git = root.join(".git");
    let own = match read(&git) {
        Some(text) => root.join(text.trim().strip_prefix("gitdir:")?.trim()),
        None => git,
    };
    let head = read(&own.join("HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref:").map(str::trim) else {
        return Some(head.trim().to_owned());
    };
    if name.contains("..") {
        return None;
    }
    let loose = read(&own.join(name)).or_else(|| read(&common.join(name)));
    let packed = || {
        let packed = read(&common.join("packed-refs"))?;
        let line = packed.lines().find(|line| line.ends_with(&format!(" {name}")))?;
        line.split(' ').next().map(str::to_owned)
    };
    loose.map(|text| text.trim().to_owned()).or_else(packed)
}

/// Returns the address of the remote, without what differs between clones: protocol, user, ending.
fn remote(common: &Path) -> Option<String> {
    let config = read(&common.join("config"))?;
    let mut section = "";
    let mut first = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if section.starts_with("[remote ")
            && let Some((name, url)) = line.split_once('=')
            && name.trim() == "url"
        {
            if section == "[remote \"origin\"]" {
                return Some(normal(url.trim()));
            }
            first.get_or_insert_with(|| normal(url.trim()));
        }
    }
    first
}

fn normal(url: &str) -> String {
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let url = match url.split_once('@') {
        Some((user, rest)) if !user.contains('/') => rest,
        _ => url,
    };
    let url = url.trim_end_matches('/');
    let url = url.strip_suffix(".git").unwrap_or(url);
    // `host:path`, as ssh has it, is `host/path`.
    match url.split_once(':') {
        Some((host, path)) if !host.contains('/') && !path.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{}/{}", host.to_lowercase(), path.trim_start_matches('/'))
        }
        _ => url.to_owned(),
    }
}

fn read(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    (about.is_file() && about.len() <= BYTES_MAX).then(|| fs::read_to_string(path).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn clones_and_worktrees_are_one_project_and_others_are_not() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let config = |url: &str| format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {url}\n");
        put(&at("a/.git/config"), &config("git@example.com:team/app.git"));
        put(&at("b/.git/config"), &config("https://ana@example.com/team/app"));
        put(
            &at("other/.git/config"),
            &config("https://example.com/team/else.git"),
        );
        put(
            &at("tree/.git"),
            &format!("gitdir: {}\n", at("a/.git/worktrees/tree").display()),
        );
        put(&at("a/.git/worktrees/tree/commondir"), "../..\n");
        fs::create_dir_all(at("a/src/deep")).unwrap();
        fs::create_dir_all(at("plain")).unwrap();
        let id = |name: &str| CodeProject::of(&at(name)).label;
        assert_eq!(id("a"), id("b"));
        assert_eq!(id("a"), id("a/src/deep"));
        assert_eq!(id("a"), id("tree"));
        assert_ne!(id("a"), id("other"));
        assert_ne!(id("plain"), id("other"));
        assert!(id("a").as_str().starts_with("app-"));
        assert!(id("plain").as_str().starts_with("plain-"));
        assert_eq!(CodeProject::of_repository(&at("plain")), None);
        let dot = named(Some("."), &at("a/src")).unwrap();
        assert_eq!(dot, Some(id("a")));
        assert_eq!(
            named(Some("App"), &at("a")).unwrap(),
            Some(Project::new("app").unwrap())
        );
        assert!(named(Some("./nowhere"), &at("a")).is_err());
    }
}
