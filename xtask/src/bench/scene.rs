//! The program that does the work, and the stores it works on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::toolchain::check;

/// How many memories the user has.
pub const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// Whether the sentence encoder reads questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoder {
    Never,
    Auto,
}

impl Encoder {
    /// As the setting `search.encoder` has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Encoder::Never => "never",
            Encoder::Auto => "auto",
        }
    }
}

/// The example `hot_paths` of the server.
pub struct Program(PathBuf);

impl Program {
    /// Builds it.
    pub fn build(profile: &str) -> Result<Program> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "--profile", profile]);
        match profile {
            // What tests have built already, with the features that they were built with.
            "dev" => cargo.args(["--workspace", "--lib", "--bins", "--tests", "--examples"]),
            _ => cargo.args(["--package", "recalld-server", "--example", "hot_paths"]),
        };
        check(&mut cargo)?;
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
        let folder = match profile {
            "dev" => "debug",
            "bench" => "release",
            other => other,
        };
        let path = target.join(folder).join("examples/hot_paths");
        Ok(Program(
            path.canonicalize()
                .with_context(|| format!("cannot find {}", path.display()))?,
        ))
    }

    /// Takes one that is built.
    pub fn at(path: PathBuf) -> Program {
        Program(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// A store with the memories of one user.
pub struct Scene {
    directory: TempDir,
    pub encoder: Encoder,
}

impl Scene {
    /// Fills a new one.
    pub fn prepare(program: &Program, encoder: Encoder, memories: usize) -> Result<Scene> {
        let directory = tempfile::tempdir()?;
        let status = Command::new(program.path())
            .arg("prepare")
            .arg(directory.path().join("data"))
            .args(["--memories", &memories.to_string(), "--encoder", encoder.as_str()])
            .status()?;
        ensure!(status.success(), "cannot prepare a store: {status}");
        Ok(Scene { directory, encoder })
    }

    /// Copies it: each run begins with the same.
    pub fn copy(&self) -> Result<TempDir> {
        let copy = tempfile::tempdir()?;
        copy_folder(&self.directory.path().join("data"), copy.path())?;
        Ok(copy)
    }
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(&target)?;
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
