//! What a key may do, within what its kind allows.

use std::fmt;

use thiserror::Error;

/// The scopes of a key: reading, writing, or both; and one set of tools, or everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyScopes {
    read: bool,
    write: bool,
    tool_set: Option<String>,
}

/// Why scopes are not acceptable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidScopes {
    /// No scope, so that the key would be good for nothing.
    #[error("a key needs at least one scope: read, write or tools:SET")]
    None,
    /// A word that is no scope.
    #[error("there is no scope {given:?}; the scopes are read, write and tools:SET")]
    Unknown { given: String },
    /// Two sets of tools.
    #[error("a key has one set of tools, not {first} and {second}")]
    SeveralSets { first: String, second: String },
}

impl Default for KeyScopes {
    /// Everything that the kind of the key allows.
    fn default() -> KeyScopes {
        KeyScopes {
            read: true,
            write: true,
            tool_set: None,
        }
    }
}

/// What the scope of a set of tools begins with.
const TOOLS: &str = "tools:";

impl KeyScopes {
    /// Reads words such as `read`, `write` or `tools:storage`. A set of tools alone is read and
    /// written.
    pub fn parse<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<KeyScopes, InvalidScopes> {
        let mut scopes = KeyScopes {
            read: false,
            write: false,
            tool_set: None,
        };
        for word in words {
            match (word, word.strip_prefix(TOOLS)) {
                ("read", _) => scopes.read = true,
                ("write", _) => scopes.write = true,
                (_, Some(set)) if is_name(set) => match scopes.tool_set.replace(set.to_owned()) {
                    Some(first) if first != set => {
                        let second = set.to_owned();
                        return Err(InvalidScopes::SeveralSets { first, second });
                    }
                    _ => {}
                },
                (given, _) => {
                    let given = given.chars().take(64).collect();
                    return Err(InvalidScopes::Unknown { given });
                }
            }
        }
        match (scopes.read || scopes.write, &scopes.tool_set) {
            (false, None) => Err(InvalidScopes::None),
            (false, Some(_)) => Ok(KeyScopes {
                read: true,
                write: true,
                ..scopes
            }),
            (true, _) => Ok(scopes),
        }
    }

    /// Reads what [`KeyScopes::to_stored`] wrote.
    pub fn from_stored(stored: Option<&str>) -> Result<KeyScopes, InvalidScopes> {
        match stored {
            None => Ok(KeyScopes::default()),
            Some(words) => KeyScopes::parse(words.split(' ')),
        }
    }

    /// Writes them for a store; none if they restrict nothing.
    pub fn to_stored(&self) -> Option<String> {
        (*self != KeyScopes::default()).then(|| self.to_string())
    }

    /// Lists the words.
    pub fn words(&self) -> Vec<String> {
        let plain = [(self.read, "read"), (self.write, "write")];
        let plain = plain.into_iter().filter(|(has, _)| *has);
        let set = self.tool_set.iter().map(|set| format!("{TOOLS}{set}"));
        plain.map(|(_, word)| word.to_owned()).chain(set).collect()
    }

    /// Tells whether the key may read.
    pub fn reads(&self) -> bool {
        self.read
    }

    /// Tells whether the key may write.
    pub fn writes(&self) -> bool {
        self.write
    }

    /// The one set of tools to which the key is confined.
    pub fn tool_set(&self) -> Option<&str> {
        self.tool_set.as_deref()
    }
}

fn is_name(set: &str) -> bool {
    (1..=32).contains(&set.len()) && set.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

impl fmt::Display for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> Result<String, InvalidScopes> {
        KeyScopes::parse(words.split_whitespace()).map(|scopes| scopes.to_string())
    }

    #[test]
    fn words_become_scopes_and_words_again() {
        assert_eq!(parsed("read").as_deref(), Ok("read"));
        assert_eq!(parsed("write read read").as_deref(), Ok("read write"));
        assert_eq!(parsed("tools:storage").as_deref(), Ok("read write tools:storage"));
        assert_eq!(parsed("tools:storage read").as_deref(), Ok("read tools:storage"));
        for words in [
            "",
            "admin",
            "Read",
            "tools:",
            "tools:a b",
            "tools:x tools:y",
            "tools:../x",
        ] {
            assert!(parsed(words).is_err(), "{words}");
        }
    }

    #[test]
    fn what_restricts_nothing_is_not_stored() {
        assert_eq!(KeyScopes::default().to_stored(), None);
        let reading = KeyScopes::parse(["read"]).unwrap();
        assert_eq!(reading.to_stored().as_deref(), Some("read"));
        assert_eq!(KeyScopes::from_stored(Some("read")), Ok(reading));
        assert_eq!(KeyScopes::from_stored(None), Ok(KeyScopes::default()));
    }
}
