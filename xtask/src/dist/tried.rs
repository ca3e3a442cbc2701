//! Installs the packages in an empty root, as a user would, and runs the first commands there.
//!
//! The root is a directory with a minimal system without Rust, which `debootstrap` makes. Each
//! package is tried in a copy of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{Release, container, tool};

/// The first commands of the README, and an agent's handshake.
const FIRST_COMMANDS: &str = r#"
set -eu
recalld --version
recalld add "I prefer window seats" --category preference
recalld search "seat preference" | grep window
mkdir -p "$HOME/.cursor" && echo '{}' > "$HOME/.cursor/mcp.json"
recalld connect cursor --yes | grep "is connected"
recalld connect cursor --remove --yes
test "$(cat "$HOME/.cursor/mcp.json")" = '{}'
"#;

/// Sessions of Claude Code with a scripted model: the second knows what the first was told. There
/// is no network but loopback already.
const AGENT_SESSIONS: &str = r#"
RECALLD_ALONE=1 python3 /agents/tools/run.py --recalld "$(command -v recalld)" --agents /agents claude-code
"#;

/// What every package is tried in.
pub struct Base {
    root: PathBuf,
    /// A folder in which Claude Code was installed with npm.
    agents: Option<PathBuf>,
}

impl Base {
    pub fn new(root: PathBuf, agents: Option<PathBuf>) -> Result<Base> {
        ensure!(root.join("bin/sh").exists(), "{} is not a root", root.display());
        if let Some(folder) = &agents {
            let program = folder.join(CLAUDE_CODE);
            ensure!(program.is_dir(), "{} does not exist", program.display());
        }
        Ok(Base { root, agents })
    }

    /// Copies the root, and the agent into it.
    fn copy_to(&self, root: &Path) -> Result<()> {
        copy(&self.root, root)?;
        let Some(agents) = &self.agents else { return Ok(()) };
        let inside = root.join("agents");
        let modules = inside.join(CLAUDE_CODE);
        fs::create_dir_all(modules.parent().unwrap_or(&inside))?;
        fs::create_dir_all(inside.join("node_modules/.bin"))?;
        copy(&agents.join(CLAUDE_CODE), &modules)?;
        let link = inside.join("node_modules/.bin/claude");
        std::os::unix::fs::symlink("../@anthropic-ai/claude-code/bin/claude.exe", link)?;
        copy(Path::new("tools/agents"), &inside.join("tools"))
    }
}

const CLAUDE_CODE: &str = "node_modules/@anthropic-ai/claude-code";

fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut cp = Command::new("cp");
    tool(cp.args(["--archive", "--reflink=auto"]).arg(from).arg(to))?;
    Ok(())
}

pub fn all(release: &Release, base: &Base) -> Result<()> {
    let (version, target) = (&release.version, &release.target);
    let (major, minor) = target.glibc;
    let wheel = format!(
        "recalld-{version}-py3-none-manylinux_{major}_{minor}_{}.whl",
        target.wheel_architecture
    );
    let platform = format!("{}-{}", target.node_platform, target.node_architecture);
    let npm = [
        format!("recalld-{version}.tgz"),
        format!("recalld-{platform}-{version}.tgz"),
    ];
    let deb = format!("recalld_{version}_{}.deb", target.deb_architecture);
    try_one(
        release,
        base,
        &[&wheel],
        &format!(
            "python3 -m venv /opt/v && /opt/v/bin/pip install --no-index --quiet /packages/{wheel}\nexport PATH=/opt/v/bin:$PATH"
        ),
    )?;
    try_one(
        release,
        base,
        &[&deb],
        &format!("dpkg --install /packages/{deb}\ntest -f /usr/lib/systemd/system/recalld.service"),
    )?;
    if let Some(node) = node() {
        let install = format!(
            "mkdir -p /opt/n/node_modules/@recalld && cd /opt/n/node_modules\n\
             mkdir recalld @recalld/{platform}\n\
             tar -xzf /packages/{} -C recalld --strip-components=1\n\
             tar -xzf /packages/{} -C @recalld/{platform} --strip-components=1\n\
             mkdir -p /opt/n/bin && ln -s /opt/n/node_modules/recalld/bin/recalld.js /opt/n/bin/recalld\n\
             export PATH=/opt/n/bin:$PATH && cd /",
            npm[0], npm[1]
        );
        try_with_node(release, base, &[&npm[0], &npm[1]], &install, &node)?;
    } else {
        println!("   npm: not tried, there is no Node 18 or newer");
    }
    try_container(release)
}

fn try_one(release: &Release, base: &Base, packages: &[&str], install: &str) -> Result<()> {
    try_prepared(release, base, packages, install, |_| Ok(()))
}

fn try_with_node(
    release: &Release,
    base: &Base,
    packages: &[&str],
    install: &str,
    node: &Path,
) -> Result<()> {
    try_prepared(release, base, packages, install, |root| {
        fs::copy(node, root.join("usr/local/bin/node"))?;
        Ok(())
    })
}

/// Copies the root, installs, and runs the first commands as a user who is not root.
fn try_prepared(
    release: &Release,
    base: &Base,
    packages: &[&str],
    install: &str,
    prepare: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let place = tempfile::tempdir_in(base.root.parent().unwrap_or(Path::new("/tmp")))?;
    let root = place.path().join("root");
    base.copy_to(&root)?;
    fs::create_dir_all(root.join("packages"))?;
    for package in packages {
        fs::copy(release.out.join(package), root.join("packages").join(package))
            .with_context(|| format!("{package} was not made"))?;
    }
    prepare(&root)?;
    let script = format!(
        "set -eu\nmount -t proc proc /proc 2>/dev/null || true\nip link set lo up 2>/dev/null || true\n{install}\nuseradd --create-home ana 2>/dev/null || true\n\
         printf '%s' \"$FIRST\" > /first.sh\n\
         if id ana >/dev/null 2>&1; then exec setpriv --reuid=ana --regid=ana --clear-groups env HOME=/home/ana PATH=\"$PATH\" sh /first.sh; fi\n\
         exec env HOME=/root sh /first.sh\n"
    );
    let first = match base.agents {
        Some(_) => format!("{FIRST_COMMANDS}{AGENT_SESSIONS}"),
        None => FIRST_COMMANDS.to_owned(),
    };
    let begun = std::time::Instant::now();
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--pid", "--fork", "--net", "chroot"])
        .arg(&root)
        .args(["/bin/sh", "-c", &script])
        .env_clear()
        .env(
            "PATH",
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        )
        .env("LANG", "C.UTF-8")
        .env("FIRST", first);
    let said = tool(&mut command)?;
    for line in said.lines().filter(|line| line.starts_with("claude-code")) {
        println!("      {line}");
    }
    println!(
        "   {}: tried in {:.1} s",
        packages[0],
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Runs the program of the container in what the image contains, as the image's user.
fn try_container(release: &Release) -> Result<()> {
    let place = tempfile::tempdir()?;
    let root = place.path().join("root");
    container::unpack(release, &root)?;
    for arguments in [
        &["add", "I prefer window seats"][..],
        &["search", "seat preference"],
        &["doctor"],
    ] {
        let mut command = Command::new("chroot");
        command
            .args(["--userspec=65532:65532"])
            .arg(&root)
            .arg("/usr/bin/recalld")
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", "/data")
            .env("RECALLD_DATA", "/data");
        tool(&mut command)?;
    }
    println!("   container: tried as its own user in its own files");
    Ok(())
}

/// Finds a Node that is one file and new enough.
fn node() -> Option<PathBuf> {
    let given = std::env::var_os("NODE").map(PathBuf::from);
    let found = given.or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .map(|folder| folder.join("node"))
            .find(|node| node.is_file())
    })?;
    let said = Command::new(&found).arg("--version").output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let major: u32 = said.trim().strip_prefix('v')?.split('.').next()?.parse().ok()?;
    (18 <= major).then_some(found)
}
