//! What the files are called, and the folder of each user. Any text can be a user id; none may lead
//! out of the folder.

use jiff::civil::Date;
use recalld_memory::id::{Namespace, SpaceId, UserId};
use sha2::{Digest, Sha256};

use crate::keyed_hash::hex;

/// One of the files of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileName {
    /// What is remembered for good.
    Memory,
    /// The notes of a day.
    Day(Date),
}

impl FileName {
    /// Gives the path within the folder of the user.
    pub fn path(self) -> String {
        match self {
            FileName::Memory => "MEMORY.md".to_owned(),
            FileName::Day(date) => format!("memory/{date}.md"),
        }
    }

    /// Reads a path. A day has one name only, and nothing else is a file of ours.
    pub fn parse(path: &str) -> Option<FileName> {
        if path == "MEMORY.md" {
            return Some(FileName::Memory);
        }
        let raw = path.strip_prefix("memory/")?.strip_suffix(".md")?;
        let date: Date = raw.parse().ok()?;
        (date.to_string() == raw).then_some(FileName::Day(date))
    }
}

/// The most characters of a folder's name before it is cut and completed by a hash.
const CHARS_MAX: usize = 120;

/// Names that Windows keeps for devices.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Gives the path of a user's folder: at most two parts, each of lower-case letters, digits, `-`,
/// `_`, `%` and `~`, and `@` before a namespace. Two users never share one. None for the shared
/// space, which is nobody's.
pub fn folder_of(space: &SpaceId) -> Option<String> {
    let user = part(space.user()?);
    match space.namespace() {
        Some(namespace) => Some(format!("@{}/{user}", part(namespace))),
        None => Some(user),
    }
}

/// Gives the space whose folder has that path; none for a path that no space has, or that was cut.
pub fn space_of(folder: &str) -> Option<SpaceId> {
    let (namespace, user) = match folder.strip_prefix('@') {
        Some(rest) => rest
            .split_once('/')
            .map(|(namespace, user)| (Some(namespace), user))?,
        None => (None, folder),
    };
    let user = UserId::new(raw_of(user)?).ok()?;
    let space = match namespace {
        Some(namespace) => SpaceId::of_user_in(&Namespace::new(&raw_of(namespace)?).ok()?, &user),
        None => SpaceId::of_user(&user),
    };
    (folder_of(&space).as_deref() == Some(folder)).then_some(space)
}

fn raw_of(part: &str) -> Option<String> {
    let (mut raw, mut bytes) = (Vec::new(), part.strip_suffix('~').unwrap_or(part).bytes());
    while let Some(byte) = bytes.next() {
        raw.push(match byte {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(raw).ok()
}

/// Capital letters are written as numbers too: some file systems do not tell them from small ones.
fn part(raw: &str) -> String {
    let mut name = String::new();
    for byte in raw.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            _ => name.push_str(&format!("%{byte:02x}")),
        }
    }
    let is_port = |prefix: &str| {
        let number = name.strip_prefix(prefix);
        number.is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    if DEVICES.contains(&name.as_str()) || is_port("com") || is_port("lpt") {
        name.push('~');
    }
    if CHARS_MAX < name.len() {
        let digest = hex(&Sha256::digest(raw));
        name = format!("{}~{}", &name[..60], &digest[..40]);
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_user_id_leads_out_of_the_folder() {
        let long = "x".repeat(256);
        let wide = "é".repeat(128);
        let ids = [
            "../../etc",
            "..",
            ".",
            "/etc/passwd",
            "C:\\Windows",
            "a/b",
            "a\\b",
            "~root",
            "-rf",
            "CON",
            "con",
            "nul",
            "COM1",
            "com1",
            "lpt9",
            "a.",
            "a ",
            " a",
            "A",
            "a",
            "á",
            "a\u{301}",
            "%2e%2e",
            "a%2fb",
            "@acme:ana",
            "acme/ana",
            "$HOME",
            "`id`",
            "a;b",
            "a|b",
            "a\"b",
            "a'b",
            "a*b",
            "a?b",
            "<a>",
            "MEMORY.md",
            "memory",
            ".git",
            &long,
            &wide,
            &long[1..],
        ];
        let mut folders = HashSet::new();
        for id in ids {
            let folder = folder_of(&SpaceId::of_user(&UserId::new(id).unwrap())).unwrap();
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_%~".contains(c);
            assert!(
                !folder.is_empty() && folder.len() <= 124 && folder.chars().all(fits),
                "{folder}"
            );
            let space = SpaceId::of_user(&UserId::new(id).unwrap());
            assert!(
                folder.contains('~') || space_of(&folder) == Some(space),
                "{folder}"
            );
            assert!(folders.insert(folder), "{id:?} shares its folder");
        }
        let inside = SpaceId::of_user_in(&Namespace::new("acme").unwrap(), &UserId::new("ana").unwrap());
        assert_eq!(folder_of(&inside).unwrap(), "@acme/ana");
        assert_eq!(space_of("@acme/ana"), Some(inside));
        for other in [
            "", "@acme", "A", "%2", "%zz", "%41bc/d", "..", ".git", "@/x", "%ff",
        ] {
            assert_eq!(space_of(other), None, "{other}");
        }
        assert_eq!(folder_of(&SpaceId::shared()), None);
    }

    #[test]
    fn a_file_has_one_name() {
        let day = FileName::Day(jiff::civil::date(2026, 3, 1));
        assert_eq!(day.path(), "memory/2026-03-01.md");
        for name in [FileName::Memory, day] {
            assert_eq!(FileName::parse(&name.path()), Some(name));
        }
        for other in [
            "memory/2026-3-1.md",
            "memory/20260301.md",
            "memory/../MEMORY.md",
            "memory.md",
            "",
            "memory/.md",
        ] {
            assert_eq!(FileName::parse(other), None, "{other}");
        }
    }
}
