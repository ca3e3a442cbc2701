//! The configured categories of structured user context.

use std::path::PathBuf;

use recalld_memory::catalogue::{Catalogue, ProfileCategory};

use crate::failure::{Failure, chain};

/// The presets, and the deployment's own categories.
#[derive(Clone, Debug)]
pub(crate) struct ProfileValues {
    pub(crate) presets: Vec<String>,
    /// A JSON file with a list of categories, which add to or replace those of the presets.
    pub(crate) categories: Option<PathBuf>,
}

impl Default for ProfileValues {
    fn default() -> ProfileValues {
        ProfileValues {
            presets: Catalogue::PRESETS.map(str::to_owned).to_vec(),
            categories: None,
        }
    }
}

/// The most bytes of the file. Schemas with long descriptions need a hundredth of it.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

impl ProfileValues {
    /// Combines the categories of the presets and the file.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, Failure> {
        let invalid = |error: &dyn std::error::Error| {
            Failure::bad_input("configuration", format!("profile: {}", chain(error)))
        };
        let mut all = Catalogue::new(Vec::new()).map_err(|error| invalid(&error))?;
        for name in &self.presets {
            let preset = Catalogue::preset(name).map_err(|error| invalid(&error))?;
            all = all
                .with(preset.categories().to_vec())
                .map_err(|error| invalid(&error))?;
        }
        all.with(self.declared()?).map_err(|error| invalid(&error))
    }

    fn declared(&self) -> Result<Vec<ProfileCategory>, Failure> {
        let Some(path) = &self.categories else {
            return Ok(Vec::new());
        };
        let unreadable = |problem: String| {
            let message = format!(
                "cannot read the profile categories in {}: {problem}",
                path.display()
            );
            Failure::bad_input("configuration", message)
                .hint("a JSON list of {\"name\", \"description\", \"fields\", \"answer\", \"schema\"}")
        };
        let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
        if BYTES_MAX < size.len() {
            return Err(unreadable(format!(
                "the file is over the limit of {BYTES_MAX} bytes"
            )));
        }
        let text = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))
    }
}
