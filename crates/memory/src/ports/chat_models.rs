//! The talking models of a deployment: by name, and by what they are for.

use std::sync::Arc;

use super::ChatModel;

/// What a model is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatRole {
    /// Answers users.
    Chat,
    /// Finds facts in what users said.
    Extraction,
    /// Folds long conversations.
    Summary,
    /// Judges whether look-ups were needed. No other model takes its place.
    Judge,
}

/// Models under the names that the deployment gives them. The first one is used where nothing else
/// is said.
#[derive(Clone, Debug)]
pub struct ChatModels {
    first: (String, Arc<dyn ChatModel>),
    others: Vec<(String, Arc<dyn ChatModel>)>,
    extraction: Option<Arc<dyn ChatModel>>,
    summary: Option<Arc<dyn ChatModel>>,
    judge: Option<Arc<dyn ChatModel>>,
}

impl ChatModels {
    /// A deployment with one model for everything.
    pub fn new(name: impl Into<String>, model: Arc<dyn ChatModel>) -> ChatModels {
        ChatModels {
            first: (name.into(), model),
            others: Vec::new(),
            extraction: None,
            summary: None,
            judge: None,
        }
    }

    /// Adds a model that requests may name.
    pub fn with(mut self, name: impl Into<String>, model: Arc<dyn ChatModel>) -> ChatModels {
        self.others.push((name.into(), model));
        self
    }

    /// Gives a role to a model.
    pub fn with_role(self, role: ChatRole, model: Arc<dyn ChatModel>) -> ChatModels {
        match role {
            ChatRole::Chat => {
                let first = (model.name().to_owned(), model);
                ChatModels { first, ..self }
            }
            ChatRole::Extraction => ChatModels {
                extraction: Some(model),
                ..self
            },
            ChatRole::Summary => ChatModels {
                summary: Some(model),
                ..self
            },
            ChatRole::Judge => ChatModels {
                judge: Some(model),
                ..self
            },
        }
    }

    /// Gives the model for a role.
    pub fn of(&self, role: ChatRole) -> Arc<dyn ChatModel> {
        let own = match role {
            ChatRole::Chat => None,
            ChatRole::Extraction => self.extraction.as_ref(),
            ChatRole::Summary => self.summary.as_ref(),
            ChatRole::Judge => self.judge.as_ref(),
        };
        Arc::clone(own.unwrap_or(&self.first.1))
    }

    /// Gives the model that judges, if one was chosen for it.
    pub fn judge(&self) -> Option<Arc<dyn ChatModel>> {
        self.judge.clone()
    }

    /// Finds a model by the deployment's name for it, or by the provider's.
    pub fn find(&self, name: &str) -> Option<Arc<dyn ChatModel>> {
        let known = |(own, model): &&(String, Arc<dyn ChatModel>)| own == name || model.name() == name;
        std::iter::once(&self.first)
            .chain(&self.others)
            .find(known)
            .map(|(_, model)| Arc::clone(model))
    }

    /// Lists the deployment's names, the first model first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.first)
            .chain(&self.others)
            .map(|(name, _)| name.as_str())
    }
}
