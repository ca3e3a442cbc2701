//! What somebody wants remembered, and where it is seen.

use crate::lens::Lens;
use crate::memory::{Category, Confidence, Content, Evidence, Key, Origin, Project, Source, Tier};
use crate::scope::Scope;
use crate::slots::Slot;
use crate::validity::Period;

/// What somebody wants remembered.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub key: Option<Key>,
    pub content: Content,
    pub category: Category,
    pub tier: Tier,
    pub confidence: Confidence,
    pub origin: Origin,
    pub source: Option<Source>,
    /// What is said about when it holds in the world.
    pub period: Period,
    /// Where it is seen.
    pub reach: Reach,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
}

/// Where a statement is seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// In the project in which it is said; a preference, what is true of the person whatever they
    /// work on, and what is said in no project, everywhere.
    #[default]
    WhereSaid,
    /// Everywhere.
    Everywhere,
    /// In this project.
    Project(Project),
}

impl Reach {
    /// The project that it names, if it names one, or none of them.
    pub fn named(&self) -> Option<Option<&Project>> {
        match self {
            Reach::WhereSaid => None,
            Reach::Everywhere => Some(None),
            Reach::Project(project) => Some(Some(project)),
        }
    }
}

impl Statement {
    /// A durable, certain statement of the user's own, with neither key nor category.
    pub fn plain(content: Content) -> Statement {
        Statement {
            key: None,
            content,
            category: Category::unsorted(),
            tier: Tier::Durable,
            confidence: Confidence::CERTAIN,
            origin: Origin::User,
            source: None,
            period: Period::default(),
            reach: Reach::WhereSaid,
            evidence: Vec::new(),
        }
    }

    /// Tells which project it belongs to when it is said in this scope.
    pub fn project<'a>(&'a self, scope: &'a Scope) -> Option<&'a Project> {
        match &self.reach {
            _ if scope.confined => scope.project.as_ref(),
            Reach::WhereSaid => scope.project.as_ref().filter(|_| !self.is_of_person()),
            Reach::Everywhere => None,
            Reach::Project(project) => Some(project),
        }
    }

    /// Tells whether it is about the user, whatever they work on.
    fn is_of_person(&self) -> bool {
        let slot = || {
            let named = self.key.as_ref().and_then(|key| Slot::of_key(key.as_str()));
            named.or_else(|| Slot::of(self.content.as_str()))
        };
        self.category.as_str() == PREFERENCE || slot().is_some_and(|slot| slot.attribute.is_of_person())
    }

    /// Gives what is seen from where it belongs.
    pub(super) fn lens<'a>(&'a self, scope: &'a Scope) -> Lens<'a> {
        Lens {
            own_only: scope.confined,
            ..Lens::of_project(scope.now, self.project(scope))
        }
    }
}

/// The category of what somebody likes, which does not depend on what they work on.
const PREFERENCE: &str = "preference";
