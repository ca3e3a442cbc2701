//! Slots: what a statement is about, so that a newer one about the same can take its place.
//!
//! A slot is a subject (the user, their partner, a person by name …) and an attribute (home, name,
//! diet …). The scheme is data: [`Attribute::values`] says how many values each may have at a time.
//! [`Slot::of`] reads the slot of a statement in any of seven languages, and [`Slot::of_key`] that
//! of a key. `docs/learning.md` writes the scheme down.

mod attribute;
mod change_words;
mod cues;
mod subject;

#[cfg(test)]
mod tests;

use std::fmt;

pub use attribute::{Attribute, Values};
pub(crate) use change_words::tell_a_change;
pub use subject::Subject;

/// Compiles the cues on a thread of its own, so that the first search does not wait for them.
pub fn warm_up() {
    std::thread::spawn(|| Slot::of("I live in Lisbon"));
}

/// Tells whether a statement neither is about something that has one value at a time nor tells of a
/// change: then it can be no version of a fact by what it says.
pub(crate) fn is_versionless(statement: &str) -> bool {
    match Slot::of(statement) {
        Some(slot) => slot.values() != Values::One,
        None => !tell_a_change(statement),
    }
}

/// What a statement is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    pub subject: Subject,
    pub attribute: Attribute,
    /// Which one, where an attribute has many: `colour` of the favourites.
    pub topic: Option<String>,
}

impl Slot {
    /// A slot of the user.
    pub fn of_user(attribute: Attribute) -> Slot {
        Slot {
            subject: Subject::User,
            attribute,
            topic: None,
        }
    }

    /// Reads the slot of a statement, in the first person or the third: *I live in Lisbon* and
    /// *Lives in Lisbon* are about the home of the user, *Ana lives in Porto* about Ana's.
    pub fn of(statement: &str) -> Option<Slot> {
        cues::read(statement)
    }

    /// Reads the slot that a key names: `home`, `partner_name`, `favourite_colour`.
    pub fn of_key(key: &str) -> Option<Slot> {
        let key = key.to_lowercase().replace(['-', ' ', '.'], "_");
        let favourite = key
            .strip_prefix("favourite_")
            .or_else(|| key.strip_prefix("favorite_"));
        if let Some(topic) = favourite.filter(|topic| !topic.is_empty()) {
            return Some(Slot {
                topic: Some(topic.to_owned()),
                ..Slot::of_user(Attribute::Favourite)
            });
        }
        if let Some(attribute) = Attribute::of_key(&key) {
            return Some(Slot::of_user(attribute));
        }
        let (subject, attribute) = key.split_once('_').unwrap_or((&key, "name"));
        Some(Slot {
            subject: Subject::of_key(subject)?,
            attribute: Attribute::of_key(attribute)?,
            topic: None,
        })
    }

    /// The same slot under the name that all statements about it share: who the boss is called, and
    /// whom the user reports to, are one question.
    pub fn canonical(self) -> Slot {
        match (&self.subject, self.attribute) {
            (Subject::Boss, Attribute::Name) => Slot::of_user(Attribute::Boss),
            _ => self,
        }
    }

    /// Tells how many values it may have at a time.
    pub fn values(&self) -> Values {
        match (&self.subject, self.attribute) {
            // A person may have several children, pets, siblings and friends, and they are told
            // apart by their names alone.
            (subject, _) if subject.may_be_several() => Values::Many,
            (_, Attribute::Favourite) if self.topic.is_some() => Values::One,
            (_, attribute) => attribute.values(),
        }
    }

    /// The key under which the one value of this slot is stored; none if there may be several.
    pub fn key(&self) -> Option<String> {
        (self.values() == Values::One).then(|| self.to_string().replace(['.', ' '], "_"))
    }
}

impl fmt::Display for Slot {
    /// `home`, `partner.name`, `favourite.colour`, `ana.employer`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.subject != Subject::User {
            write!(f, "{}.", self.subject)?;
        }
        f.write_str(self.attribute.as_str())?;
        match &self.topic {
            Some(topic) => write!(f, ".{topic}"),
            None => Ok(()),
        }
    }
}
