//! Settings of structured user context.

use serde_json::json;

use super::super::key::Key;
use super::super::parse;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "profile.presets",
        about: "built-in categories of user context, separated by commas: b2b, account",
        set: |values, text, _| {
            let named = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            values.profile.presets = named.map(str::to_owned).collect();
            Ok(())
        },
        get: |values| json!(values.profile.presets.join(",")),
    },
    Key {
        name: "profile.categories",
        about: "JSON file with your own categories; a category with the name of a preset's category replaces it",
        set: |values, text, base| {
            values.profile.categories = match text.is_empty() {
                true => None,
                false => Some(base.join(parse::path(text)?)),
            };
            Ok(())
        },
        get: |values| {
            json!(
                values
                    .profile
                    .categories
                    .as_ref()
                    .map_or_else(String::new, |path| path.display().to_string())
            )
        },
    },
];
