//! The folders of all languages, as they were when this was compiled.

use std::sync::LazyLock;

use super::Language;

/// Every language: one line each.
const FOLDERS: [(&str, &str); 7] = [
    (
        include_str!("../../../languages/en/words.toml"),
        include_str!("../../../languages/en/rules.toml"),
    ),
    (
        include_str!("../../../languages/zh/words.toml"),
        include_str!("../../../languages/zh/rules.toml"),
    ),
    (
        include_str!("../../../languages/de/words.toml"),
        include_str!("../../../languages/de/rules.toml"),
    ),
    (
        include_str!("../../../languages/fr/words.toml"),
        include_str!("../../../languages/fr/rules.toml"),
    ),
    (
        include_str!("../../../languages/es/words.toml"),
        include_str!("../../../languages/es/rules.toml"),
    ),
    (
        include_str!("../../../languages/pt/words.toml"),
        include_str!("../../../languages/pt/rules.toml"),
    ),
    (
        include_str!("../../../languages/ja/words.toml"),
        include_str!("../../../languages/ja/rules.toml"),
    ),
];

/// All languages, read on first use.
pub(in crate::extract) fn all() -> &'static [Language] {
    static ALL: LazyLock<Vec<Language>> = LazyLock::new(|| {
        let read = |(words, rules): &(&str, &str)| {
            Language::read(words, rules).expect("a language that its tests read")
        };
        FOLDERS.iter().map(read).collect()
    });
    &ALL
}
