//! Runs the end-to-end tests of the console in a real browser, on both stores, and makes the
//! screenshots of its documentation.
//!
//! Node and the npm packages are installed into a cache outside the tree; Chromium comes from the
//! system. What is missing and cannot be installed is an error, never a reason to skip.

mod runs;

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::toolchain::{Database, Node, build_binary, built_binary, cache, check};

/// The tests, relative to the root of the workspace.
const TESTS: &str = "tests/console";

/// Where the screenshots go.
const SCREENSHOTS: &str = "docs/console";

/// How many memories the long list has with `--full`.
const MANY_FULL: &str = "20000";

/// What the command line asks for.
#[derive(Debug, Default)]
struct Options {
    /// The binary under test; none: it is built.
    binary: Option<PathBuf>,
    screenshots: bool,
    /// Whether the long list is as long as the console must bear.
    full: bool,
    /// Only these test files.
    files: Vec<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options> {
        let mut options = Options::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--binary" => {
                    let path = arguments.next().context("--binary needs a path")?;
                    options.binary =
                        Some(fs::canonicalize(path).with_context(|| format!("cannot find {path}"))?);
                }
                "screenshots" => options.screenshots = true,
                "--full" => options.full = true,
                file if file.ends_with(".test.mjs") => options.files.push(file.to_owned()),
                other => bail!("unknown argument {other:?}"),
            }
        }
        Ok(options)
    }
}

/// Runs the tests on SQLite and on PostgreSQL, or makes the screenshots.
pub fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build_binary()?,
    };
    let suite = Suite::install(&binary)?;
    match options.screenshots {
        true => suite.make_screenshots(),
        false => suite.test_on_both(&options).map(drop),
    }
}

/// Runs the tests with the binary that the tests of the workspace have built. Gives the files that
/// failed beside others and passed alone.
pub fn check_built() -> Result<Vec<String>> {
    let binary = built_binary().context("the tests of the workspace have built no recalld")?;
    Suite::install(&binary)?.test_on_both(&Options::default())
}

/// The tests, ready to run.
struct Suite {
    /// A copy of the tests for this run, beside their packages: Node looks for packages there.
    folder: PathBuf,
    node: Node,
    chromium: PathBuf,
    binary: PathBuf,
}

impl Suite {
    fn install(binary: &Path) -> Result<Suite> {
        let cache = cache("recalld-console")?;
        let node = Node::install(&cache)?;
        let packages = packages(&cache, &node)?;
        let folder = std::env::temp_dir().join(format!("recalld-console-tests-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        for file in fs::read_dir(TESTS)? {
            let file = file?;
            if file.file_type()?.is_file() {
                fs::copy(file.path(), folder.join(file.file_name()))?;
            }
        }
        std::os::unix::fs::symlink(packages.join("node_modules"), folder.join("node_modules"))?;
        Ok(Suite {
            folder,
            node,
            chromium: chromium()?,
            binary: binary.to_owned(),
        })
    }

    fn node(&self) -> Command {
        let mut command = self.node.command();
        command
            .current_dir(&self.folder)
            .env("RECALLD_BIN", &self.binary)
            .env("CHROMIUM", &self.chromium);
        command
    }

    fn make_screenshots(&self) -> Result<()> {
        let folder = std::env::current_dir()?.join(SCREENSHOTS);
        fs::create_dir_all(&folder)?;
        check(self.node().arg("screenshots.mjs").arg(folder))
    }

    fn test_on_both(&self, options: &Options) -> Result<Vec<String>> {
        println!("   on SQLite");
        let mut flaky = self.test(options, None)?;
        println!("   on PostgreSQL");
        let database = Database::create(&self.binary, "console")?;
        flaky.extend(self.test(options, Some(&database.address))?);
        Ok(flaky)
    }

    fn test(&self, options: &Options, database: Option<&str>) -> Result<Vec<String>> {
        let files = match options.files.as_slice() {
            [] => self.test_files()?,
            files => files.to_vec(),
        };
        runs::run(&files, &|file| {
            let mut command = self.node();
            command.args(["--test", "--test-reporter=spec", "--test-timeout=900000", file]);
            if options.full {
                command.env("RECALLD_CONSOLE_MANY", MANY_FULL);
            }
            if let Some(address) = database {
                command.env("RECALLD_TEST_DATABASE_URL", address);
            }
            command
        })
    }

    fn test_files(&self) -> Result<Vec<String>> {
        let mut files = Vec::new();
        for file in fs::read_dir(&self.folder)? {
            let name = file?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".test.mjs") {
                files.push(name);
            }
        }
        files.sort();
        Ok(files)
    }
}

impl Drop for Suite {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Installs the npm packages of the tests, once for each list of them, and gives their folder.
fn packages(cache: &Path, node: &Node) -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    fs::read(Path::new(TESTS).join("package-lock.json"))?.hash(&mut hasher);
    let folder = cache.join(format!("packages-{:016x}", hasher.finish()));
    if folder.exists() {
        return Ok(folder);
    }
    // An interrupted run leaves nothing that looks finished.
    let unfinished = cache.join(format!("unfinished-{}", std::process::id()));
    fs::create_dir_all(&unfinished)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(Path::new(TESTS).join(file), unfinished.join(file))?;
    }
    let quietly = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    check(node.npm(&unfinished).args(quietly))?;
    match fs::rename(&unfinished, &folder) {
        // Another run was quicker.
        Err(_) if folder.exists() => fs::remove_dir_all(&unfinished)?,
        renamed => renamed?,
    }
    Ok(folder)
}

/// Finds Chromium, or installs it where that is possible.
fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(PathBuf::from(named));
    }
    let usual = PathBuf::from("/usr/bin/chromium");
    if !usual.exists() {
        println!("   installing Chromium");
        let _ = check(Command::new("apt-get").args(["update", "-qq"]));
        let _ = check(Command::new("apt-get").args(["install", "-y", "-qq", "chromium"]));
    }
    ensure!(
        usual.exists(),
        "Chromium is not installed; install it, or set CHROMIUM to its path"
    );
    Ok(usual)
}
