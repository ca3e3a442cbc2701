//! Standing wishes: how the user wants to be answered (*always answer in Spanish*), and what a
//! request of some kind must respect whatever its words (*I am vegetarian* for any meal).
//!
//! Recognised by rules in ten languages. What is not recognised is found by its words and meaning
//! like any other memory.

mod directive;
mod domain;

pub use domain::Domains;

use crate::memory::Memory;
use crate::slots::{Attribute, Slot, Subject};

/// The requests that a standing wish bears on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// All of them.
    Every,
    /// Those about one of these.
    On(Domains),
}

impl Bearing {
    /// Reads what a memory bears on, if it is a standing wish of the user. What somebody else said
    /// is none: it must not steer every answer.
    pub fn of(memory: &Memory) -> Option<Bearing> {
        if !memory.trust.is_users_own() {
            return None;
        }
        let by_key = memory.key.as_ref().and_then(|key| Slot::of_key(key.as_str()));
        Bearing::of_statement(memory.content.as_str(), by_key)
    }

    fn of_statement(statement: &str, by_key: Option<Slot>) -> Option<Bearing> {
        let slot = by_key.or_else(|| Slot::of(statement));
        if directive::is_directive(statement) || slot.as_ref().is_some_and(is_about_answers) {
            return Some(Bearing::Every);
        }
        match slot {
            Some(slot) if slot.subject != Subject::User => None,
            Some(slot) if matches!(slot.attribute, Attribute::Diet | Attribute::Allergy) => {
                Some(Bearing::On(Domains::FOOD))
            }
            _ if directive::is_limit(statement) => {
                let domains = Domains::of(statement);
                (!domains.is_empty()).then_some(Bearing::On(domains))
            }
            _ => None,
        }
    }

    /// Tells whether it bears on a request about `domains`.
    pub fn is_on(self, domains: Domains) -> bool {
        match self {
            Bearing::Every => true,
            Bearing::On(own) => own.meets(domains),
        }
    }
}

fn is_about_answers(slot: &Slot) -> bool {
    let attributes = [
        Attribute::AnswerLanguage,
        Attribute::AnswerLength,
        Attribute::AnswerEmojis,
        Attribute::AnswerStyle,
        Attribute::FormOfAddress,
        Attribute::Pronouns,
    ];
    slot.subject == Subject::User && attributes.contains(&slot.attribute)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearing(statement: &str) -> Option<Bearing> {
        Bearing::of_statement(statement, None)
    }

    #[test]
    fn how_to_answer_bears_on_every_request() {
        for statement in [
            "Always answer in Spanish",
            "Please never use emojis",
            "Keep your answers short",
            "The user prefers concise answers",
            "Call me Max",
            "Antworte immer auf Deutsch",
            "Responde siempre en español",
            "Réponds toujours en français",
            "Sempre responda em português",
            "Rispondi sempre in italiano",
            "Отвечай всегда по-русски",
            "请用中文回答",
            "以后都用英文回复",
            "日本語で答えてください",
        ] {
            assert_eq!(bearing(statement), Some(Bearing::Every), "{statement}");
        }
    }

    #[test]
    fn what_limits_a_kind_of_request_bears_on_that_kind() {
        let food = Some(Bearing::On(Domains::FOOD));
        for statement in [
            "I am vegetarian",
            "Ich bin Veganerin",
            "Soy vegetariana",
            "我吃素",
            "I'm allergic to peanuts",
            "I can't stand spicy food",
            "Ich mag keinen Fisch zum Essen",
        ] {
            assert_eq!(bearing(statement), food, "{statement}");
        }
        assert_eq!(bearing("I never fly"), Some(Bearing::On(Domains::TRAVEL)));
        assert_eq!(
            bearing("I don't take meetings before ten"),
            Some(Bearing::On(Domains::MEETINGS))
        );
    }

    #[test]
    fn facts_are_no_wishes() {
        for statement in [
            "I live in Lisbon",
            "My sister Ana is vegetarian",
            "We had dinner at Luigi's",
            "I answered the letter in Spanish",
            "The server answers in JSON",
            "I like jazz",
            "我住在北京",
            "She always writes to me on Sundays",
        ] {
            assert_eq!(bearing(statement), None, "{statement}");
        }
    }

    #[test]
    fn a_request_meets_the_wishes_of_its_kind() {
        let vegetarian = Bearing::On(Domains::FOOD);
        for request in [
            "What should I cook tonight?",
            "Find me a restaurant in Porto",
            "Was soll ich heute Abend essen?",
            "¿Qué puedo cenar?",
            "今晚吃什么",
            "今夜のレシピを教えて",
        ] {
            assert!(vegetarian.is_on(Domains::of(request)), "{request}");
        }
        assert!(!vegetarian.is_on(Domains::of("How do I sort a list in Rust?")));
        assert!(Bearing::Every.is_on(Domains::of("How do I sort a list in Rust?")));
    }
}
