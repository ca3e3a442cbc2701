//! Paths of files, all below `/memories`.

/// The directory that all paths are in.
const ROOT: &str = "/memories";

/// Reads a path into the one below the root, without a slash before or behind; the root is empty.
pub(super) fn relative(path: &str) -> Result<String, String> {
    let Some(rest) = path.strip_prefix(ROOT) else {
        return Err(format!("Path must start with /memories, got: {path}"));
    };
    if path.contains('\0') {
        return Err("embedded null byte".to_owned());
    }
    let escapes = || format!("Path {path} would escape /memories directory");
    let mut parts = vec![&ROOT[1..]];
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(escapes)?;
            }
            part => parts.push(part),
        }
    }
    match parts.split_first() {
        Some((root, inside)) if *root == &ROOT[1..] => Ok(inside.join("/")),
        _ => Err(escapes()),
    }
}

/// Gives the directories above a path, the outermost first.
pub(super) fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Gives the directory that a path is in; the root is empty.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_root() {
        for (given, expected) in [
            ("/memories", ""),
            ("/memories/", ""),
            ("/memories//a/./b/", "a/b"),
            ("/memories/a/../b", "b"),
            ("/memoriesx", "x"),
            ("/memories/../memories/a", "a"),
        ] {
            assert_eq!(relative(given).as_deref(), Ok(expected), "{given}");
        }
        for given in [
            "/memories/..",
            "/memories/../..",
            "/memories/a/../../b",
            "/memories/../../memories/a",
        ] {
            assert!(relative(given).unwrap_err().contains("would escape"), "{given}");
        }
        assert!(
            relative("/etc/passwd")
                .unwrap_err()
                .starts_with("Path must start")
        );
        assert_eq!(above("a/b/c").collect::<Vec<_>>(), ["a", "a/b"]);
    }
}
