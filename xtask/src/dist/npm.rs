//! The npm packages: one that everybody installs, and one a platform with the program.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Release, copy_program, make_executable, tar_gz, write};

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let (version, target) = (&release.version, &release.target);
    let platform = format!("{}-{}", target.node_platform, target.node_architecture);
    let folder = release.folder("npm")?;

    let own = folder.join("platform/package");
    copy_program(&release.binary, &own.join("bin/recalld"))?;
    let about = json!({
        "name": format!("@recalld/{platform}"),
        "version": version,
        "description": format!("The program recalld for {platform}"),
        "license": "MIT OR Apache-2.0",
        "os": [target.node_platform],
        "cpu": [target.node_architecture],
        "libc": ["glibc"],
        "preferUnplugged": true,
        "files": ["bin"],
    });
    write(&own.join("package.json"), &pretty(&about))?;

    let main = folder.join("main/package");
    let about = json!({
        "name": "recalld",
        "version": version,
        "description": "The memory server for LLM agents",
        "keywords": ["memory", "llm", "agent", "mcp"],
        "license": "MIT OR Apache-2.0",
        "bin": {"recalld": "bin/recalld.js"},
        "engines": {"node": ">=18"},
        "files": ["bin"],
        "optionalDependencies": {format!("@recalld/{platform}"): version},
    });
    write(&main.join("package.json"), &pretty(&about))?;
    write(&main.join("README.md"), &std::fs::read_to_string("README.md")?)?;
    let script = main.join("bin/recalld.js");
    write(&script, &release.filled("npm/recalld.js", &[])?)?;
    make_executable(&script)?;

    let main_archive = release.out.join(format!("recalld-{version}.tgz"));
    let own_archive = release.out.join(format!("recalld-{platform}-{version}.tgz"));
    tar_gz(&folder.join("main"), &["package"], &main_archive)?;
    tar_gz(&folder.join("platform"), &["package"], &own_archive)?;
    Ok(vec![main_archive, own_archive])
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a manifest is plain data") + "\n"
}
