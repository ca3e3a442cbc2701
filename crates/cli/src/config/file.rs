//! Settings from the configuration file, in TOML.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys;
use super::{Given, Origin, platform};
use crate::failure::Failure;

/// The most bytes of a configuration file. All settings with long comments need a hundredth of it.
const BYTES_MAX: u64 = 1024 * 1024;

/// Settings from the file.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) path: Option<PathBuf>,
    pub(super) given: Vec<Given>,
}

/// Reads the named file, or else the default one if it exists.
pub(super) fn read(named: Option<&Path>) -> Result<Contents, Failure> {
    let Some(path) = named.map(Path::to_owned).or_else(platform::config_file) else {
        return Ok(Contents::default());
    };
    let file = match File::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => {
            return Ok(Contents::default());
        }
        opened => opened,
    };
    let mut text = String::new();
    let read = file.and_then(|file| file.take(BYTES_MAX + 1).read_to_string(&mut text));
    read.map_err(|error| {
        let message = format!("cannot read the configuration file {}: {error}", path.display());
        Failure::bad_input("configuration", message)
    })?;
    if BYTES_MAX < text.len() as u64 {
        let message = format!(
            "the configuration file {} is over the limit of {BYTES_MAX} bytes",
            path.display()
        );
        return Err(Failure::bad_input("configuration", message));
    }
    let given = parse_text(&path, &text)?;
    Ok(Contents {
        path: Some(path),
        given,
    })
}

fn parse_text(path: &Path, text: &str) -> Result<Vec<Given>, Failure> {
    let line = |at: usize| {
        1 + text.as_bytes()[..at.min(text.len())]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
    };
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let message = format!("{}, line {}: {}", path.display(), line(at), error.message());
        Failure::bad_input("configuration", message).hint("the file must be TOML")
    })?;
    let mut given = Vec::new();
    for (name, value) in flat(table.get_ref(), "") {
        let line = line(value.span().start);
        let place = format!("{}, line {line}", path.display());
        let key = keys::find(&name).map_err(|guess| keys::unknown(&name, &place, guess))?;
        let Some(text) = scalar(value.get_ref()) else {
            let kind = value.get_ref().type_str();
            let message = format!("{place}: {name} cannot be of type {kind}");
            return Err(Failure::bad_input("configuration", message).hint(format!("{name}: {}", key.about)));
        };
        let path = path.to_owned();
        given.push(Given {
            key,
            text,
            origin: Origin::File { path, line },
        });
    }
    Ok(given)
}

/// Lists the values with their full names. An unknown table is listed as if it were a value.
fn flat<'t, 'i>(table: &'t DeTable<'i>, prefix: &str) -> Vec<(String, &'t Spanned<DeValue<'i>>)> {
    let mut values = Vec::new();
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        let is_known = keys::ALL
            .iter()
            .any(|key| key.name.starts_with(&format!("{name}.")));
        match value.get_ref() {
            DeValue::Table(inner) if is_known => values.extend(flat(inner, &format!("{name}."))),
            _ => values.push((name, value)),
        }
    }
    values
}

fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown = match parse_text(Path::new("config.toml"), text) {
            Ok(given) => given
                .iter()
                .map(|given| format!("{} = {} ({})\n", given.key.name, given.text, given.origin))
                .collect(),
            Err(failure) => format!("{}\n{}\n", failure.message, failure.hint.unwrap_or_default()),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn tables_and_dotted_keys_are_the_same() {
        check(
            "user = \"ana\"\nmemory.daily_days = 30\n",
            expect![[r#"
                memory.daily_days = 30 (config.toml, line 2)
                user = ana (config.toml, line 1)
            "#]],
        );
        check(
            "user = \"ana\"\n\n[memory]\ndaily_days = 30\nspaces_bytes_max = \"1 GiB\"\n",
            expect![[r#"
                memory.daily_days = 30 (config.toml, line 4)
                memory.spaces_bytes_max = 1 GiB (config.toml, line 5)
                user = ana (config.toml, line 1)
            "#]],
        );
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        check(
            "usr = \"ana\"\n",
            expect![[r#"
            config.toml, line 1: unknown setting "usr"
            did you mean `user`?
        "#]],
        );
        check(
            "\n[memory]\ndayly_days = 30\n",
            expect![[r#"
            config.toml, line 3: unknown setting "memory.dayly_days"
            did you mean `memory.daily_days`?
        "#]],
        );
        check(
            "[memry]\ndaily_days = 30\n",
            expect![[r#"
                config.toml, line 1: unknown setting "memry"
                did you mean `memory`?
            "#]],
        );
        check(
            "user = [1]\n",
            expect![[r#"
            config.toml, line 1: user cannot be of type array
            user: user whose memories the commands read and write
        "#]],
        );
        check(
            "user = \n",
            expect![[r#"
            config.toml, line 1: string values must be quoted, expected literal string
            the file must be TOML
        "#]],
        );
    }
}
