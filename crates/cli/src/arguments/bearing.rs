//! What a command that is suggested must repeat of the one that was given, so that it means the
//! same memories.

use recalld_index::text::plain;

use super::Globals;

/// The settings that say which memories are meant, and the arguments that stand for them.
const MEANT: [&str; 3] = ["user", "data", "database.url"];

/// What is written instead of a password, which belongs neither on a screen nor in a log.
const PASSWORD: &str = "…";

/// The arguments to repeat, each with a space before it. The environment and the configuration file
/// stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bearing(String);

impl Bearing {
    /// Takes from the arguments what says which memories are meant.
    pub(crate) fn of(globals: &Globals) -> Bearing {
        let mut repeated = String::new();
        let url = globals.database_url.as_deref().map(without_password);
        for (flag, value) in [
            ("--config", globals.config.as_deref()),
            ("--data", globals.data.as_deref()),
            ("--database-url", url.as_deref()),
            ("--user", globals.user.as_deref()),
        ] {
            if let Some(value) = value {
                // What starts with a dash would be taken for an option.
                let between = if value.starts_with('-') { "=" } else { " " };
                repeated += &format!(" {flag}{between}{}", quoted(value));
            }
        }
        for option in &globals.options {
            if let Some((name, value)) = option.split_once('=')
                && MEANT.contains(&name.trim())
            {
                repeated += &format!(
                    " -o {}",
                    quoted(&format!("{}={}", name.trim(), without_password(value.trim())))
                );
            }
        }
        Bearing(repeated)
    }

    /// The same, as another process has written it.
    pub(crate) fn from_text(text: String) -> Bearing {
        Bearing(text)
    }

    /// Gives the arguments as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Writes a command that works in the same shell.
    pub(crate) fn command(&self, rest: &str) -> String {
        format!("recalld{} {rest}", self.0)
    }

    /// Completes the commands in a text, which stand between backticks.
    pub(crate) fn complete(&self, text: &str) -> String {
        text.replace("`recalld ", &format!("`recalld{} ", self.0))
    }
}

/// Writes a word so that a shell takes it for one.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Writes a memory's key so that a command takes it for one.
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

    fn of(globals: Globals) -> String {
        Bearing::of(&globals).command("list")
    }

    #[test]
    fn only_what_says_whose_memories_is_repeated() {
        assert_eq!(of(Globals::default()), "recalld list");
        let globals = Globals {
            user: Some("ana".to_owned()),
            data: Some("my data".to_owned()),
            options: vec!["model=none".to_owned(), "user = it's".to_owned()],
            json: true,
            ..Globals::default()
        };
        assert_eq!(
            of(globals),
            r"recalld --data 'my data' --user ana -o 'user=it'\''s' list"
        );
    }

    #[test]
    fn a_password_is_not_repeated() {
        let globals = Globals {
            database_url: Some("postgres://me:s3cret@host/db".to_owned()),
            ..Globals::default()
        };
        assert_eq!(
            of(globals),
            "recalld --database-url 'postgres://me:…@host/db' list"
        );
    }

    #[test]
    fn commands_in_a_text_are_completed() {
        let bearing = Bearing::of(&Globals {
            user: Some("-rf".to_owned()),
            ..Globals::default()
        });
        assert_eq!(
            bearing.complete("`recalld list` shows what recalld has"),
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
