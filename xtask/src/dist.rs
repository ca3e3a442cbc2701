//! Makes the packages: wheel, npm, deb, container, MCP bundle, archives and a Homebrew formula.
//!
//! All of them contain the same program. It is built once with the profile `dist`, or given with
//! `--binary`. The version comes from the workspace's `Cargo.toml` and from nowhere else.

mod archive;
mod container;
mod deb;
mod homebrew;
mod mcpb;
mod npm;
mod sbom;
mod target;
mod tried;
mod wheel;
mod zipped;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::build;
use target::Target;

/// What the packages are made from.
pub struct Release {
    pub version: String,
    pub binary: PathBuf,
    pub target: Target,
    /// Where the packages go.
    pub out: PathBuf,
}

const CHECKSUMS: &str = "SHA256SUMS";

type Make = fn(&Release) -> Result<Vec<PathBuf>>;

/// All packages, in the order in which they are made: the formula needs the archive.
const PACKAGES: [(&str, Make); 8] = [
    ("wheel", wheel::make),
    ("npm", npm::make),
    ("deb", deb::make),
    ("container", container::make),
    ("mcpb", mcpb::make),
    ("archive", archive::make),
    ("sbom", sbom::make),
    ("homebrew", homebrew::make),
];

/// Makes the packages that are named, or all.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut binary = None;
    let mut out = PathBuf::from("target/packages");
    let mut wanted: Vec<&str> = Vec::new();
    let mut root = None;
    let mut agents = None;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = |name: &str| words.next().with_context(|| format!("{name} needs a path"));
        match word.as_str() {
            "--binary" => binary = Some(PathBuf::from(value("--binary")?)),
            "--out" => out = PathBuf::from(value("--out")?),
            "--try-in" => root = Some(PathBuf::from(value("--try-in")?)),
            "--agents" => agents = Some(PathBuf::from(value("--agents")?)),
            name if PACKAGES.iter().any(|(known, _)| *known == name) => wanted.push(name),
            other => bail!("unknown argument {other:?}"),
        }
    }
    let binary = match binary {
        Some(binary) => {
            fs::canonicalize(&binary).with_context(|| format!("cannot find {}", binary.display()))?
        }
        None => build::packaged_binary()?,
    };
    fs::create_dir_all(&out)?;
    let release = Release {
        version: version()?,
        target: Target::of(&binary)?,
        binary,
        out: fs::canonicalize(&out)?,
    };
    release.check_version()?;
    for (name, make) in PACKAGES {
        if wanted.is_empty() || wanted.contains(&name) {
            let files = make(&release).with_context(|| format!("cannot make the package {name}"))?;
            for file in &files {
                let bytes = fs::metadata(file)?.len();
                println!("{:>9.1} MB  {}", bytes as f64 / 1e6, file.display());
            }
        }
    }
    checksums(&release.out)?;
    match root {
        Some(root) => tried::all(&release, &tried::Base::new(root, agents)?),
        None => Ok(()),
    }
}

impl Release {
    /// The program says which version it is, so that no package claims another.
    fn check_version(&self) -> Result<()> {
        let output = Command::new(&self.binary)
            .arg("--version")
            .output()
            .with_context(|| format!("cannot run {}", self.binary.display()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let said = said.trim().strip_prefix("recalld ").unwrap_or_default();
        ensure!(
            said == self.version,
            "the program is version {said:?}, the workspace is {:?}",
            self.version
        );
        Ok(())
    }

    /// Fills the gaps of a template of `packaging/`.
    fn filled(&self, template: &str, more: &[(&str, &str)]) -> Result<String> {
        let path = Path::new("packaging").join(template);
        let mut text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        text = text.replace("{{version}}", &self.version);
        for (name, value) in more {
            text = text.replace(&format!("{{{{{name}}}}}"), value);
        }
        ensure!(!text.contains("{{"), "{template} has a gap that nothing fills");
        Ok(text)
    }

    /// Returns an empty folder to build a package in.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.out.join(format!("{name}.d"));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

/// Reads the version of the workspace.
fn version() -> Result<String> {
    let manifest: toml::Value = toml::from_str(&fs::read_to_string("Cargo.toml")?)?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version.context("the workspace has no version")?.to_owned())
}

/// Writes a file and its folder.
fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Copies a program and makes it executable.
fn copy_program(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to)?;
    make_executable(to)
}

fn make_executable(path: &Path) -> Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// Runs a program that packages are made with.
fn tool(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed with {}: {}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout),
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Packs a folder into a compressed archive that is the same each time.
fn tar_gz(folder: &Path, names: &[&str], archive: &Path) -> Result<()> {
    let mut command = Command::new("tar");
    command
        .args([
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            "--mtime=@0",
        ])
        .args(["--use-compress-program", "gzip -9n", "--create", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(folder)
        .args(names);
    tool(&mut command).map(drop)
}

/// Lists the checksums of all packages that are there, also those of an earlier run.
fn checksums(out: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name() != CHECKSUMS {
            names.push(entry.file_name());
        }
    }
    names.sort();
    let text = tool(Command::new("sha256sum").args(names).current_dir(out))?;
    write(&out.join(CHECKSUMS), &text)
}
