//! The container: a root file system with the program, its libraries and certificates, and the file
//! that makes an image of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{Release, copy_program, tool, write};

/// The certificates of the system that builds the image.
const CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let folder = release.folder("container")?;
    let root = folder.join("rootfs");
    copy_program(&release.binary, &root.join("usr/bin/recalld"))?;
    for library in libraries(&release.binary)? {
        copy_program(&library, &inside(&root, &library))?;
    }
    write(
        &root.join("etc/passwd"),
        "recalld:x:65532:65532::/data:/nonexistent\n",
    )?;
    write(&root.join("etc/group"), "recalld:x:65532:\n")?;
    if Path::new(CERTIFICATES).exists() {
        copy_program(Path::new(CERTIFICATES), &inside(&root, Path::new(CERTIFICATES)))?;
    }
    fs::create_dir_all(root.join("data"))?;
    fs::create_dir_all(root.join("tmp"))?;
    let archive = folder.join("rootfs.tar");
    tool(
        Command::new("tar")
            .args([
                "--sort=name",
                "--mtime=@0",
                "--numeric-owner",
                "--create",
                "--file",
            ])
            .arg(&archive)
            .arg("--directory")
            .arg(&root)
            // The user of the program owns its data, and nothing else.
            .args(["--owner=0", "--group=0", "usr", "lib", "lib64", "etc"]),
    )?;
    tool(
        Command::new("tar")
            .args(["--mtime=@0", "--numeric-owner", "--append", "--file"])
            .arg(&archive)
            .arg("--directory")
            .arg(&root)
            .args(["--owner=65532", "--group=65532", "data", "tmp"]),
    )?;
    let file = folder.join("Containerfile");
    write(&file, &release.filled("container/Containerfile", &[])?)?;
    Ok(vec![archive, file])
}

/// Lists the shared libraries that the program needs.
fn libraries(binary: &Path) -> Result<Vec<PathBuf>> {
    let listed = tool(Command::new("ldd").arg(binary))?;
    let paths = listed.lines().filter_map(|line| {
        let path = line.split_whitespace().find(|word| word.starts_with('/'))?;
        Some(PathBuf::from(path))
    });
    let paths: Vec<PathBuf> = paths.collect();
    ensure!(!paths.is_empty(), "ldd lists no libraries");
    Ok(paths)
}

/// Places a file of this system in the root. The loader looks in `/lib64` and `/lib`, which are
/// links on many systems.
fn inside(root: &Path, path: &Path) -> PathBuf {
    let relative = path.strip_prefix("/").unwrap_or(path);
    let relative = relative.strip_prefix("usr").unwrap_or(relative);
    root.join(relative)
}

/// Unpacks what the image copies.
pub fn unpack(release: &Release, into: &Path) -> Result<()> {
    let archive = release.out.join("container.d/rootfs.tar");
    fs::create_dir_all(into)?;
    tool(
        Command::new("tar")
            .arg("--extract")
            .arg("--same-owner")
            .arg("--file")
            .arg(&archive)
            .arg("--directory")
            .arg(into),
    )
    .map(drop)
    .context("cannot unpack the root file system of the container")
}
