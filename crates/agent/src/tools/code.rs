//! Memory is natural language: what looks like source code is not stored.

use super::ToolError;

/// Lines that end like this are statements or blocks of a program.
const ENDINGS: [&str; 4] = [";", "{", "}", "});"];

/// Words with which a line of a program begins.
const BEGINNINGS: [&str; 12] = [
    "def ",
    "class ",
    "fn ",
    "func ",
    "function ",
    "import ",
    "#include",
    "public ",
    "const ",
    "let ",
    "return ",
    "SELECT ",
];

/// Refuses an argument that holds a code block, or several lines of a program.
pub(super) fn refuse_code(argument: &str, text: &str) -> Result<(), ToolError> {
    match is_code(text) {
        true => Err(ToolError::arguments(format!(
            "argument {argument:?}: holds code, which is not stored; say in words what it tells about the user"
        ))),
        false => Ok(()),
    }
}

fn is_code(text: &str) -> bool {
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let of_program = |line: &&str| {
        let line = line.trim();
        ENDINGS.iter().any(|end| line.ends_with(end))
            || BEGINNINGS.iter().any(|begin| line.starts_with(begin))
    };
    text.lines().any(is_fence) || 2 <= text.lines().filter(of_program).count()
}

#[cfg(test)]
mod tests {
    use super::is_code;

    #[test]
    fn programs_are_code_and_sentences_are_not() {
        for code in [
            "Uses this:\n```rust\nfn main() {}\n```",
            "def f(x):\n    return x + 1",
            "const a = 1;\nconst b = 2;",
            "if (a) {\n  b();\n}",
        ] {
            assert!(is_code(code), "{code}");
        }
        for words in [
            "Prefers fn main over scripts",
            "Let us meet at nine; bring tea.",
            "Likes:\n- tea\n- coffee",
            "Writes `let x = 5;` in Rust",
            "class starts at nine\nlunch at noon",
        ] {
            assert!(!is_code(words), "{words}");
        }
    }
}
