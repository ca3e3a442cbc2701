//! The words that arguments of several tools choose from.

use recalld_memory::memory::Category;
use schemars::JsonSchema;
use serde::Deserialize;

// What a memory is about. No doc comment: it would be repeated to models in every schema.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum CategoryWord {
    Preference,
    WorkContext,
    PersonalContext,
    ReadingHistory,
}

impl CategoryWord {
    pub(super) fn category(self) -> Category {
        let name = match self {
            CategoryWord::Preference => "preference",
            CategoryWord::WorkContext => "work_context",
            CategoryWord::PersonalContext => "personal_context",
            CategoryWord::ReadingHistory => "reading_history",
        };
        Category::new(name).expect("the word is a category")
    }
}

// A category, or all.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum CategoryFilter {
    Preference,
    WorkContext,
    PersonalContext,
    ReadingHistory,
    All,
}

impl CategoryFilter {
    pub(super) fn category(self) -> Option<Category> {
        let word = match self {
            CategoryFilter::Preference => CategoryWord::Preference,
            CategoryFilter::WorkContext => CategoryWord::WorkContext,
            CategoryFilter::PersonalContext => CategoryWord::PersonalContext,
            CategoryFilter::ReadingHistory => CategoryWord::ReadingHistory,
            CategoryFilter::All => return None,
        };
        Some(word.category())
    }
}
