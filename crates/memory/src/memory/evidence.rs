//! What a statement about code rests on, so that it can be looked at again before it is believed.

use serde_json::{Value, json};
use thiserror::Error;

/// A place in the files of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    path: String,
    symbol: Option<String>,
    hash: Option<String>,
    commit: Option<String>,
}

/// Why something cannot be evidence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidEvidence {
    /// A path that leads out of the project.
    #[error("the path {0:?} of the evidence is not a path inside the project")]
    Path(String),
    /// A symbol that is blank, too long or not one line.
    #[error("the symbol of the evidence is blank, longer than {max} bytes or not one line", max = Evidence::BYTES_MAX)]
    Symbol,
    /// Something else than a number in base 16.
    #[error("the {0} of the evidence is not a hexadecimal number of 7 to 64 digits")]
    Digest(&'static str),
    /// More than a memory may have.
    #[error("a memory has at most {max} pieces of evidence", max = Evidence::COUNT_MAX)]
    TooMany,
    /// Not the JSON of evidence.
    #[error("the evidence cannot be read")]
    Unreadable,
}

impl Evidence {
    /// The most bytes of a path or symbol.
    pub const BYTES_MAX: usize = 512;

    /// The most pieces of evidence of one memory.
    pub const COUNT_MAX: usize = 16;

    /// Names a file by its path from the root of the project, with `/` between its parts.
    pub fn of_file(path: &str) -> Result<Evidence, InvalidEvidence> {
        let is_part = |part: &str| !matches!(part, "" | "." | "..");
        let is_plain = !path.contains(['\\', ':']) && !path.chars().any(char::is_control);
        if Self::BYTES_MAX < path.len() || !is_plain || !path.split('/').all(is_part) {
            let shown = path.chars().take(80).collect();
            return Err(InvalidEvidence::Path(shown));
        }
        Ok(Evidence {
            path: path.to_owned(),
            symbol: None,
            hash: None,
            commit: None,
        })
    }

    /// Narrows it to what `symbol` names in the file.
    pub fn with_symbol(mut self, symbol: Option<&str>) -> Result<Evidence, InvalidEvidence> {
        let is_good = |symbol: &str| {
            let is_line = !symbol.chars().any(char::is_control);
            !symbol.trim().is_empty() && symbol.len() <= Self::BYTES_MAX && is_line
        };
        match symbol {
            Some(symbol) if !is_good(symbol) => return Err(InvalidEvidence::Symbol),
            symbol => self.symbol = symbol.map(str::to_owned),
        }
        Ok(self)
    }

    /// Adds the digest of what was there, and the commit at which it was.
    pub fn seen_as(mut self, hash: Option<&str>, commit: Option<&str>) -> Result<Evidence, InvalidEvidence> {
        self.hash = hash.map(|hash| digest("hash", hash)).transpose()?;
        self.commit = commit.map(|commit| digest("commit", commit)).transpose()?;
        Ok(self)
    }

    /// Gives the path from the root of the project.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Gives what is meant in the file.
    pub fn symbol(&self) -> Option<&str> {
        self.symbol.as_deref()
    }

    /// Gives the digest of what was there.
    pub fn hash(&self) -> Option<&str> {
        self.hash.as_deref()
    }

    /// Gives the commit at which it was there.
    pub fn commit(&self) -> Option<&str> {
        self.commit.as_deref()
    }

    /// Writes it as JSON, without what it does not have.
    pub fn to_json(&self) -> Value {
        let mut fields = json!({ "path": self.path });
        let rest = [
            ("symbol", &self.symbol),
            ("hash", &self.hash),
            ("commit", &self.commit),
        ];
        for (name, value) in rest {
            if let Some(value) = value {
                fields[name] = json!(value);
            }
        }
        fields
    }

    fn from_json(value: &Value) -> Result<Evidence, InvalidEvidence> {
        let field = |name: &str| value[name].as_str();
        let path = field("path").ok_or(InvalidEvidence::Unreadable)?;
        Evidence::of_file(path)?
            .with_symbol(field("symbol"))?
            .seen_as(field("hash"), field("commit"))
    }

    /// Writes the evidence of a memory as it is stored; none if it has none.
    pub fn stored(all: &[Evidence]) -> Option<String> {
        let list: Vec<Value> = all.iter().map(Evidence::to_json).collect();
        (!list.is_empty()).then(|| Value::Array(list).to_string())
    }

    /// Reads what was stored.
    pub fn read(stored: &str) -> Result<Vec<Evidence>, InvalidEvidence> {
        let value: Value = serde_json::from_str(stored).map_err(|_| InvalidEvidence::Unreadable)?;
        Evidence::list(&value)
    }

    /// Reads a list of evidence.
    pub fn list(value: &Value) -> Result<Vec<Evidence>, InvalidEvidence> {
        let list = value.as_array().ok_or(InvalidEvidence::Unreadable)?;
        if Self::COUNT_MAX < list.len() {
            return Err(InvalidEvidence::TooMany);
        }
        list.iter().map(Evidence::from_json).collect()
    }
}

fn digest(what: &'static str, raw: &str) -> Result<String, InvalidEvidence> {
    let is_good = (7..=64).contains(&raw.len()) && raw.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_good {
        true => Ok(raw.to_ascii_lowercase()),
        false => Err(InvalidEvidence::Digest(what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_read_as_it_was_written() {
        let all = vec![
            Evidence::of_file("src/main.rs")
                .and_then(|it| it.with_symbol(Some("fn main")))
                .and_then(|it| it.seen_as(Some("ABCDEF0"), Some("0123456789")))
                .unwrap(),
            Evidence::of_file("README.md").unwrap(),
        ];
        let stored = Evidence::stored(&all).unwrap();
        assert_eq!(Evidence::read(&stored).unwrap(), all);
        assert_eq!(Evidence::stored(&[]), None);
    }

    #[test]
    fn evidence_names_nothing_outside_the_project() {
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../b",
            "a//b",
            "C:\\x",
            "a\nb",
            "./a",
        ] {
            assert!(Evidence::of_file(bad).is_err(), "{bad:?}");
        }
        let file = Evidence::of_file("a").unwrap();
        assert!(file.clone().with_symbol(Some(" ")).is_err());
        assert!(file.clone().seen_as(Some("xyz"), None).is_err());
        let many = Value::Array(vec![file.to_json(); Evidence::COUNT_MAX + 1]);
        assert_eq!(Evidence::list(&many), Err(InvalidEvidence::TooMany));
    }
}
