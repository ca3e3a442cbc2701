//! The command with which a client starts the server.

use std::path::Path;

use crate::config::{Config, platform};
use crate::failure::Failure;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
}

impl Launch {
    /// Returns the command that starts `recalld mcp` as this process was started: the same program,
    /// on the same memories.
    pub(crate) fn of_this_program(config: &Config) -> Result<Launch, Failure> {
        let mut launch = Launch::program()?;
        launch.arguments.extend(selecting(config)?);
        launch.arguments.push("mcp".to_owned());
        Ok(launch)
    }

    /// Returns this program, without arguments. Desktop programs do not search the user's `PATH`,
    /// so the path is absolute.
    fn program() -> Result<Launch, Failure> {
        let path = std::env::current_exe()
            .map_err(|error| Failure::failed("program", format!("cannot find this program: {error}")))?;
        if let Some(runner) = runner(&path) {
            return Ok(runner);
        }
        // A package manager may replace what a link points to: the link stays.
        let linked = platform::find_program("recalld")
            .filter(|found| found.canonicalize().ok() == path.canonicalize().ok());
        Ok(Launch {
            program: linked.unwrap_or(path).display().to_string(),
            arguments: Vec::new(),
        })
    }

    /// Returns the program and its arguments as one list.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = vec![self.program.clone()];
        words.extend(self.arguments.iter().cloned());
        words
    }
}

/// Returns the command that runs the program from a cache that is emptied now and then: `npx` and
/// `uvx` make one for a single use.
fn runner(path: &Path) -> Option<Launch> {
    let has = |name: &str| path.components().any(|part| part.as_os_str() == name);
    let launch = |program: &str, arguments: &[&str]| Launch {
        program: program.to_owned(),
        arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
    };
    if has("_npx") {
        return Some(launch("npx", &["-y", "recalld"]));
    }
    (has("uv") && (has("archive-v0") || has("environments-v2"))).then(|| launch("uvx", &["recalld"]))
}

/// Returns the arguments that select the memories, if they were given to this process.
fn selecting(config: &Config) -> Result<Vec<String>, Failure> {
    let mut arguments = Vec::new();
    if config.is_argument("database.url") {
        let message = "a client's configuration file is no place for the URL of a database";
        return Err(Failure::bad_input("configuration", message).hint(
            "set database.url in the configuration file of recalld (`recalld config` shows its path)",
        ));
    }
    if config.is_argument("data") {
        let data = std::path::absolute(config.data()?).map_err(|error| {
            Failure::bad_input(
                "data_directory",
                format!("the data directory has no path: {error}"),
            )
        })?;
        arguments.extend(["--data".to_owned(), data.display().to_string()]);
    }
    if let Some(file) = config.file.as_ref().filter(|_| config.is_named_file) {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        arguments.extend(["--config".to_owned(), file.display().to_string()]);
    }
    if let Some(user) = config.user_argument() {
        arguments.extend(["--user".to_owned(), user.to_owned()]);
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_in_a_cache_is_started_by_what_filled_the_cache() {
        let of = |path: &str| runner(Path::new(path)).map(|launch| launch.words().join(" "));
        assert_eq!(
            of("/h/.npm/_npx/1f/node_modules/@recalld/linux-x64/bin/recalld").as_deref(),
            Some("npx -y recalld")
        );
        assert_eq!(
            of("/h/.cache/uv/archive-v0/x/bin/recalld").as_deref(),
            Some("uvx recalld")
        );
        assert_eq!(of("/h/.cargo/bin/recalld"), None);
        assert_eq!(of("/h/uv/bin/recalld"), None);
    }
}
