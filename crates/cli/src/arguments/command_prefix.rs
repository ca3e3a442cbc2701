//! The global arguments that a suggested command repeats, so that it works on the same memories.

use recalld_index::text::plain;

use super::GlobalArgs;

/// The settings that select the memories, when given with `-o`.
const SELECTING: [&str; 3] = ["user", "data", "database.url"];

/// Replaces a password, which belongs neither on a screen nor in a log.
const PASSWORD: &str = "…";

/// The arguments to repeat, each with a space before it. The environment and the configuration file
/// still apply, so they are not repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandPrefix(String);

impl CommandPrefix {
    /// Selects the arguments that determine which memories are used.
    pub(crate) fn of(globals: &GlobalArgs) -> CommandPrefix {
        let mut repeated = String::new();
        let url = globals.database_url.as_deref().map(without_password);
        for (flag, value) in [
            ("--config", globals.config.as_deref()),
            ("--data", globals.data.as_deref()),
            ("--database-url", url.as_deref()),
            ("--user", globals.user.as_deref()),
            ("--project", globals.project.as_deref()),
        ] {
            if let Some(value) = value {
                // A value that starts with a dash would be parsed as an option.
                let between = if value.starts_with('-') { "=" } else { " " };
                repeated += &format!(" {flag}{between}{}", quoted(value));
            }
        }
        for option in &globals.options {
            if let Some((name, value)) = option.split_once('=')
                && SELECTING.contains(&name.trim())
            {
                repeated += &format!(
                    " -o {}",
                    quoted(&format!("{}={}", name.trim(), without_password(value.trim())))
                );
            }
        }
        CommandPrefix(repeated)
    }

    /// Restores a prefix that another process sent as text.
    pub(crate) fn from_text(text: String) -> CommandPrefix {
        CommandPrefix(text)
    }

    /// Returns the arguments as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a command line that works in the same shell.
    pub(crate) fn command(&self, rest: &str) -> String {
        format!("recalld{} {rest}", self.0)
    }

    /// Inserts the arguments into the commands of a text, which stand between backticks.
    pub(crate) fn complete(&self, text: &str) -> String {
        text.replace("`recalld ", &format!("`recalld{} ", self.0))
    }
}

/// Quotes a word for the shell, if it needs quotes.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Quotes a memory's key for the shell, so that a command does not parse it as an option.
pub(crate) fn quoted_key(key: &str) -> String {
    match key.starts_with('-') {
        true => quoted(&format!("key:{key}")),
        false => quoted(key),
    }
}

fn without_password(url: &str) -> String {
    let hidden = || {
        let (scheme, rest) = url.split_once("://")?;
        let (login, place) = rest.rsplit_once('@')?;
        let (name, _) = login.split_once(':')?;
        Some(format!("{scheme}://{name}:{PASSWORD}@{place}"))
    };
    hidden().unwrap_or_else(|| plain::shorten(url, 400))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(globals: GlobalArgs) -> String {
        CommandPrefix::of(&globals).command("list")
    }

    #[test]
    fn only_arguments_that_select_memories_are_repeated() {
        assert_eq!(of(GlobalArgs::default()), "recalld list");
        let globals = GlobalArgs {
            user: Some("ana".to_owned()),
            data: Some("my data".to_owned()),
            options: vec!["model=none".to_owned(), "user = it's".to_owned()],
            json: true,
            ..GlobalArgs::default()
        };
        assert_eq!(
            of(globals),
            r"recalld --data 'my data' --user ana -o 'user=it'\''s' list"
        );
    }

    #[test]
    fn a_password_is_not_repeated() {
        let globals = GlobalArgs {
            database_url: Some("postgres://me:s3cret@host/db".to_owned()),
            ..GlobalArgs::default()
        };
        assert_eq!(
            of(globals),
            "recalld --database-url 'postgres://me:…@host/db' list"
        );
    }

    #[test]
    fn commands_in_a_text_are_completed() {
        let prefix = CommandPrefix::of(&GlobalArgs {
            user: Some("-rf".to_owned()),
            ..GlobalArgs::default()
        });
        assert_eq!(
            prefix.complete("`recalld list` shows what recalld has"),
            "`recalld --user=-rf list` shows what recalld has"
        );
    }

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(quoted("role"), "role");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$(touch x)"), "'$(touch x)'");
        assert_eq!(quoted_key("-x y"), "'key:-x y'");
    }
}
