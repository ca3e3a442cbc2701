//! What should change, and the memory as it then is.

use jiff::Timestamp;

use super::Relabel;
use crate::memory::{Category, Confidence, Content, Key, Memory, Origin, Project, Source, Tier};
use crate::policy::duplicates::differ_in_substance;
use crate::policy::retention;
use crate::scope::Scope;
use crate::settings::Settings;
use crate::validity::Period;

/// What should change; what is none stays.
#[derive(Clone, Debug)]
pub struct Edit {
    pub key: Relabel<Key>,
    pub content: Option<Content>,
    pub category: Option<Category>,
    pub tier: Option<Tier>,
    pub confidence: Option<Confidence>,
    pub source: Relabel<Source>,
    /// When it begins to hold in the world, and when it stops.
    pub valid_from: Relabel<Timestamp>,
    pub valid_until: Relabel<Timestamp>,
    /// Which project it belongs to from now on.
    pub project: Relabel<Project>,
    /// Who says so.
    pub origin: Origin,
    /// Only if the memory is still at this version.
    pub version: Option<u32>,
}

impl Edit {
    /// Changes nothing yet.
    pub fn by(origin: Origin) -> Edit {
        Edit {
            key: Relabel::Keep,
            content: None,
            category: None,
            tier: None,
            confidence: None,
            source: Relabel::Keep,
            valid_from: Relabel::Keep,
            valid_until: Relabel::Keep,
            project: Relabel::Keep,
            origin,
            version: None,
        }
    }

    /// Gives the memory as it then is.
    pub fn apply(&self, was: &Memory, scope: &Scope, settings: &Settings) -> Memory {
        let confidence = self.confidence.unwrap_or(was.confidence);
        let tier = retention::place(self.tier.unwrap_or(was.tier), confidence, settings).tier;
        // A user's own words start a new lineage; anybody else's cannot make it more trusted than
        // it was.
        let said = self.content.as_ref().filter(|content| **content != was.content);
        let trust = match (self.origin, said) {
            (Origin::User, _) if self.content.is_some() => Origin::User,
            (origin, Some(content)) => scope.trust(content.as_str(), origin).least_trusted(was.trust),
            (_, None) => was.trust,
        };
        was.revised(scope.now, |memory| {
            // A key stands in prompts with its memory, so whoever is trusted less does not name it.
            if self.origin.may_replace(was.trust) {
                memory.key = self.key.apply(was.key.as_ref());
            }
            if let Some(content) = said {
                memory.content = content.clone();
                memory.origin = self.origin;
            }
            if let Some(category) = &self.category {
                memory.category = category.clone();
            }
            memory.tier = tier;
            memory.confidence = confidence;
            memory.trust = trust;
            memory.source = self.source.apply(was.source.as_ref());
            memory.project = self.project.apply(was.project.as_ref());
            if let Some(conversation) = &scope.conversation {
                memory.conversation = Some(conversation.clone());
            }
            if let Some(message) = &scope.message {
                memory.message = Some(message.clone());
            }
            if tier != was.tier {
                memory.expires_at = retention::expiry(tier, scope.now, settings);
            }
            if trust.is_users_own() {
                memory.amends = None;
            }
            memory.period = self.period(was, said, scope.now);
            memory.in_document = memory.belongs_in_document();
        })
    }

    /// When the memory then holds. Another value begins to hold when it is said, unless the edit
    /// says otherwise; a mended wording changes nothing.
    fn period(&self, was: &Memory, said: Option<&Content>, now: Timestamp) -> Period {
        let is_other = |content: &&Content| differ_in_substance(was.content.as_str(), content.as_str());
        let of_content = match said.filter(is_other) {
            Some(_) => Period {
                from: Some(now),
                ..Period::default()
            },
            None => was.period,
        };
        let until = self.valid_until.apply(of_content.until.as_ref());
        Period {
            from: self.valid_from.apply(of_content.from.as_ref()),
            until,
            // What holds again was not replaced.
            superseded_by: of_content.superseded_by.filter(|_| until.is_some()),
        }
    }

    /// Tells whether it says what is trusted less than what `was` says, and so must not replace it.
    pub(crate) fn is_less_trusted_than(&self, was: &Memory, scope: &Scope) -> bool {
        let said = self.content.as_ref().filter(|content| **content != was.content);
        said.is_some_and(|content| {
            let trust = scope.trust(content.as_str(), self.origin);
            !trust.may_replace(was.trust)
        })
    }
}
