//! What a key may do, within what its kind allows.

use std::fmt;

use thiserror::Error;

use crate::memory::Project;

/// The scopes of a key: reading, writing, or both; one set of tools, or everything; one project, or
/// all that the user has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyScopes {
    read: bool,
    write: bool,
    tool_set: Option<String>,
    project: Option<Project>,
}

/// Why scopes are not acceptable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidScopes {
    /// No scope, so that the key would be good for nothing.
    #[error("a key needs at least one scope: read, write, tools:SET or project:NAME")]
    None,
    /// A word that is no scope.
    #[error("there is no scope {given:?}; the scopes are read, write, tools:SET and project:NAME")]
    Unknown { given: String },
    /// Two sets of tools.
    #[error("a key has one set of tools, not {first} and {second}")]
    SeveralSets { first: String, second: String },
    /// Two projects.
    #[error("a key has one project, not {first} and {second}")]
    SeveralProjects { first: Project, second: Project },
}

impl Default for KeyScopes {
    /// Everything that the kind of the key allows.
    fn default() -> KeyScopes {
        KeyScopes {
            read: true,
            write: true,
            tool_set: None,
            project: None,
        }
    }
}

/// What the scope of a set of tools begins with.
const TOOLS: &str = "tools:";

/// What the scope of a project begins with.
const PROJECT: &str = "project:";

impl KeyScopes {
    /// Reads words such as `read`, `write`, `tools:storage` or `project:shop`. A set of tools or a
    /// project alone is read and written.
    pub fn parse<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<KeyScopes, InvalidScopes> {
        let mut scopes = KeyScopes {
            read: false,
            write: false,
            tool_set: None,
            project: None,
        };
        for word in words {
            scopes.add(word)?;
        }
        let is_narrowed = scopes.tool_set.is_some() || scopes.project.is_some();
        match (scopes.read || scopes.write, is_narrowed) {
            (false, false) => Err(InvalidScopes::None),
            (false, true) => Ok(KeyScopes {
                read: true,
                write: true,
                ..scopes
            }),
            (true, _) => Ok(scopes),
        }
    }

    fn add(&mut self, word: &str) -> Result<(), InvalidScopes> {
        let project = word
            .strip_prefix(PROJECT)
            .and_then(|name| Project::new(name).ok());
        match (word, word.strip_prefix(TOOLS), project) {
            ("read", ..) => self.read = true,
            ("write", ..) => self.write = true,
            (_, Some(set), _) if is_name(set) => match self.tool_set.replace(set.to_owned()) {
                Some(first) if first != set => {
                    let second = set.to_owned();
                    return Err(InvalidScopes::SeveralSets { first, second });
                }
                _ => {}
            },
            (.., Some(second)) => match self.project.replace(second.clone()) {
                Some(first) if first != second => {
                    return Err(InvalidScopes::SeveralProjects { first, second });
                }
                _ => {}
            },
            (given, ..) => {
                let given = given.chars().take(64).collect();
                return Err(InvalidScopes::Unknown { given });
            }
        }
        Ok(())
    }

    /// The same for one project alone.
    pub fn within(self, project: Project) -> KeyScopes {
        KeyScopes {
            project: Some(project),
            ..self
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
        let project = self.project.iter().map(|project| format!("{PROJECT}{project}"));
        let plain = plain.map(|(_, word)| word.to_owned());
        plain.chain(set).chain(project).collect()
    }

    /// Tells whether the key may read.
    pub fn reads(&self) -> bool {
        self.read
    }

    /// Tells whether the key may write.
    pub fn writes(&self) -> bool {
        self.write
    }

    /// The one project to which the key is confined.
    pub fn project(&self) -> Option<&Project> {
        self.project.as_ref()
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
        assert_eq!(parsed("project:Shop").as_deref(), Ok("read write project:shop"));
        assert_eq!(
            parsed("read project:shop tools:storage").as_deref(),
            Ok("read tools:storage project:shop")
        );
        for words in [
            "",
            "admin",
            "Read",
            "tools:",
            "tools:a b",
            "tools:x tools:y",
            "tools:../x",
            "project:",
            "project:a project:b",
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
