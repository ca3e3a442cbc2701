//! Says what JSON was expected in the words of JSON, where a type of this program would mean
//! nothing to the reader.

/// What the reader of a type says that it expected, and what a person or a model is told.
const TYPES: [(&str, &str); 11] = [
    ("u8", "a whole number"),
    ("u32", "a whole number"),
    ("u64", "a whole number"),
    ("usize", "a whole number"),
    ("i64", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a boolean", "true or false"),
    ("a sequence", "an array"),
    ("a map", "an object"),
    ("unit", "null"),
];

/// Rewrites the end of a message of serde that names a type.
pub fn in_json_words(reason: &str) -> String {
    const MARK: &str = ", expected ";
    let Some((found, expected)) = reason.rsplit_once(MARK) else {
        return reason.to_owned();
    };
    // Where it was, as JSON that is read from text has it.
    let (expected, place) = match expected.find(" at line ") {
        Some(at) => expected.split_at(at),
        None => (expected, ""),
    };
    let known = TYPES.iter().find(|(name, _)| *name == expected);
    let told = match known {
        Some((_, told)) => told,
        None if expected.starts_with("struct ") => "an object",
        None => expected,
    };
    format!("{found}{MARK}{told}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_as_json() {
        for (said, expected) in [
            ("missing field `query`", "missing field `query`"),
            (
                "invalid type: string \"x\", expected f64 at line 1 column 9",
                "invalid type: string \"x\", expected a number at line 1 column 9",
            ),
            (
                "invalid length 2, expected struct NewMemory with 6 elements",
                "invalid length 2, expected an object",
            ),
            (
                "invalid type: integer `7`, expected a string",
                "invalid type: integer `7`, expected a string",
            ),
            (
                "invalid type: string \", expected f64\", expected u32",
                "invalid type: string \", expected f64\", expected a whole number",
            ),
        ] {
            assert_eq!(in_json_words(said), expected);
        }
    }
}
