//! The platform of a program, read from the program itself.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::tool;

/// A platform, by the names that packages have for it.
pub struct Target {
    /// As in release archives: `x86_64-linux`.
    pub name: String,
    pub deb_architecture: &'static str,
    /// As in Node: `x64`.
    pub node_architecture: &'static str,
    pub node_platform: &'static str,
    /// As in wheels: `x86_64`.
    pub wheel_architecture: &'static str,
    /// The oldest glibc that has everything that the program uses.
    pub glibc: (u32, u32),
}

impl Target {
    /// Reads the platform from an ELF file.
    pub fn of(binary: &Path) -> Result<Target> {
        let head = std::fs::read(binary).with_context(|| format!("cannot read {}", binary.display()))?;
        let machine = match head.get(..20) {
            Some(head) if head.starts_with(b"\x7fELF") => u16::from_le_bytes([head[18], head[19]]),
            _ => bail!(
                "{} is not a Linux program: packages for other systems are made there",
                binary.display()
            ),
        };
        let (name, deb_architecture, node_architecture) = match machine {
            0x3e => ("x86_64", "amd64", "x64"),
            0xb7 => ("aarch64", "arm64", "arm64"),
            other => bail!("unknown machine {other:#x}"),
        };
        Ok(Target {
            name: format!("{name}-linux"),
            deb_architecture,
            node_architecture,
            node_platform: "linux",
            wheel_architecture: name,
            glibc: glibc(binary)?,
        })
    }
}

/// Returns the newest version of glibc that a symbol of the program asks for.
fn glibc(binary: &Path) -> Result<(u32, u32)> {
    let symbols = tool(Command::new("objdump").arg("-T").arg(binary))?;
    let versions = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (major, minor) = rest[..end].split_once('.')?;
        let minor = minor.split('.').next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    versions.max().context("the program uses no glibc")
}
