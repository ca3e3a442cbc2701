//! The Debian package, with a hardened service that is not started by itself.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::{Release, copy_program, make_executable, tool, write};

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let (version, target) = (&release.version, &release.target);
    let root = release.folder("deb")?;
    copy_program(&release.binary, &root.join("usr/bin/recalld"))?;
    write(
        &root.join("usr/lib/systemd/system/recalld.service"),
        &release.filled("systemd/recalld.service", &[])?,
    )?;
    write(
        &root.join("etc/recalld/config.toml"),
        &release.filled("deb/config.toml", &[])?,
    )?;
    let documents = root.join("usr/share/doc/recalld");
    fs::create_dir_all(&documents)?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(file, documents.join(file))?;
    }
    let copyright =
        "License: MIT or Apache-2.0\nThe texts are in LICENSE-MIT and LICENSE-APACHE beside this file.\n";
    write(&documents.join("copyright"), copyright)?;
    for (shell, path) in [
        ("bash", "usr/share/bash-completion/completions/recalld"),
        ("zsh", "usr/share/zsh/vendor-completions/_recalld"),
        ("fish", "usr/share/fish/vendor_completions.d/recalld.fish"),
    ] {
        let script = tool(Command::new(&release.binary).args(["completions", shell]))?;
        write(&root.join(path), &script)?;
    }
    let kilobytes = fs::metadata(&release.binary)?.len() / 1024 + 200;
    let control = release.filled(
        "deb/control",
        &[
            ("deb_architecture", target.deb_architecture),
            ("kilobytes", &kilobytes.to_string()),
            ("glibc", &format!("{}.{}", target.glibc.0, target.glibc.1)),
        ],
    )?;
    write(&root.join("DEBIAN/control"), &control)?;
    write(&root.join("DEBIAN/conffiles"), "/etc/recalld/config.toml\n")?;
    for script in ["postinst", "prerm", "postrm"] {
        let path = root.join("DEBIAN").join(script);
        write(&path, &release.filled(&format!("deb/{script}"), &[])?)?;
        make_executable(&path)?;
    }
    let path = release
        .out
        .join(format!("recalld_{version}_{}.deb", target.deb_architecture));
    tool(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "--build"])
            .arg(&root)
            .arg(&path)
            .env("SOURCE_DATE_EPOCH", "0"),
    )?;
    Ok(vec![path])
}
