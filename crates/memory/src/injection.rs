//! What may stand in a prompt without being asked for.

use crate::entity::Entity;
use crate::memory::{Memory, Origin};

/// Whose statements the always-injected block holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inject {
    /// What the user said, and what was inferred from it.
    User,
    /// That, and what agents noted about the user.
    #[default]
    UserAndAssistant,
    /// That, and what was imported.
    All,
}

impl Inject {
    /// All choices, the narrowest first.
    pub const ALL: [Inject; 3] = [Inject::User, Inject::UserAndAssistant, Inject::All];

    /// Gives the choice's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Inject::User => "user",
            Inject::UserAndAssistant => "user+assistant",
            Inject::All => "all",
        }
    }

    /// Reads a choice's name.
    pub fn parse(raw: &str) -> Option<Inject> {
        Inject::ALL.into_iter().find(|inject| inject.as_str() == raw)
    }

    /// Tells whether `memory` may be injected. Documents, tools and what is quarantined never are.
    pub fn admits(self, memory: &Memory) -> bool {
        self.admits_origin(memory.trust) && memory.quarantine().is_none()
    }

    /// Tells whether `entity` may be injected.
    pub fn admits_entity(self, entity: &Entity) -> bool {
        self.admits_origin(entity.trust) && entity.quarantine().is_none()
    }

    /// Tells whether what comes from there may be injected.
    pub fn admits_origin(self, trust: Origin) -> bool {
        match trust {
            Origin::User | Origin::Inferred => true,
            Origin::Assistant => self != Inject::User,
            Origin::Import => self == Inject::All,
            Origin::Tool | Origin::Document => false,
        }
    }
}
