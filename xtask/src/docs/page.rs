//! The shell blocks of a page.

use anyhow::{Result, bail, ensure};

/// A fenced block of shell commands.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of the fence, from 1.
    pub line: usize,
    pub commands: String,
    pub running: Running,
}

/// How a block is run.
#[derive(Debug, PartialEq, Eq)]
pub enum Running {
    /// To its end.
    ToItsEnd,
    /// In the background, until the page ends.
    InBackground,
    Not {
        reason: String,
    },
}

/// Finds the shell blocks of a page. Fails on a mark that belongs to no block, so that none is
/// mistyped.
pub fn blocks(text: &str) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut mark: Option<(usize, Running)> = None;
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let trimmed = line.trim_start();
        if let Some(found) = parse_mark(trimmed) {
            ensure!(mark.is_none(), "line {}: two marks for one block", at + 1);
            mark = Some((at + 1, found));
            continue;
        }
        let Some(language) = trimmed.strip_prefix("```") else {
            if let (Some((line, _)), false) = (&mark, trimmed.is_empty()) {
                bail!("line {line}: the mark stands before no block");
            }
            continue;
        };
        let indent = line.len() - trimmed.len();
        let mut commands = String::new();
        for (_, line) in lines.by_ref() {
            if line.trim_start().starts_with("```") {
                break;
            }
            commands.push_str(line.get(indent..).unwrap_or(line.trim_start()));
            commands.push('\n');
        }
        let is_shell = matches!(language.trim(), "sh" | "bash" | "shell" | "zsh");
        match (mark.take(), is_shell) {
            (Some((line, _)), false) => bail!("line {line}: the mark stands before no shell block"),
            (mark, true) => blocks.push(Block {
                line: at + 1,
                commands,
                running: mark.map_or(Running::ToItsEnd, |(_, running)| running),
            }),
            (None, false) => {}
        }
    }
    Ok(blocks)
}

fn parse_mark(line: &str) -> Option<Running> {
    let text = line.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    if text == "stays running" {
        return Some(Running::InBackground);
    }
    let reason = text.strip_prefix("not run:")?.trim();
    Some(Running::Not {
        reason: reason.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_blocks_are_found_with_their_marks() {
        let text = "a\n```sh\nx\n```\n<!-- not run: no network -->\n```bash\ny\n```\n```json\n{}\n```\n\
                    - item\n  <!-- stays running -->\n\n  ```sh\n  z\n    w\n  ```\n";
        let found = blocks(text).unwrap();
        let plain: Vec<(usize, &str)> = found
            .iter()
            .map(|block| (block.line, block.commands.as_str()))
            .collect();
        assert_eq!(plain, [(2, "x\n"), (6, "y\n"), (15, "z\n  w\n")]);
        let reason = "no network".to_owned();
        assert_eq!(found[1].running, Running::Not { reason });
        assert_eq!(found[2].running, Running::InBackground);
    }

    #[test]
    fn a_mark_without_its_block_is_an_error() {
        assert!(blocks("<!-- not run: x -->\ntext\n```sh\ny\n```\n").is_err());
        assert!(blocks("<!-- stays running -->\n```json\n{}\n```\n").is_err());
    }
}
