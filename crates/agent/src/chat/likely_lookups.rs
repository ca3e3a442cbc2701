//! What a message will probably make the model look up. A guess: it warms things up and counts in
//! the shadow phase, no more.

use recalld_memory::catalogue::Catalogue;

/// A probable look-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LikelyLookup {
    /// A category of the user's context.
    Context(String),
    /// What is remembered of the user.
    Memories,
    /// What was said before.
    History,
}

/// Words with which people speak of themselves.
const OWN: [&str; 8] = ["my", "mine", "our", "i", "me", "we", "我", "我们"];

/// Words that ask for what was said.
const EARLIER: [&str; 10] = [
    "last time",
    "earlier",
    "before",
    "previously",
    "you said",
    "i said",
    "we discussed",
    "上次",
    "之前",
    "刚才",
];

/// Words that ask for what is remembered.
const REMEMBERED: [&str; 8] = [
    "remember",
    "do you know",
    "about me",
    "i told you",
    "prefer",
    "favourite",
    "记得",
    "喜欢",
];

/// Guesses what will be looked up.
pub fn likely_lookups(message: &str, catalogue: &Catalogue) -> Vec<LikelyLookup> {
    let lower = message.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = Vec::new();
    for category in catalogue.categories() {
        let named = category
            .names()
            .flat_map(|name| [name.to_owned(), name.trim_end_matches('s').to_owned()])
            .any(|name| words.contains(&name.as_str()));
        let field = category
            .fields
            .iter()
            .any(|field| lower.contains(&field.replace('_', " ")));
        if named || field {
            found.push(LikelyLookup::Context(category.name.clone()));
        }
    }
    let own = words.iter().any(|word| OWN.contains(word)) || lower.contains('我');
    if own && REMEMBERED.iter().any(|cue| lower.contains(cue)) {
        found.push(LikelyLookup::Memories);
    }
    if EARLIER.iter().any(|cue| lower.contains(cue)) {
        found.push(LikelyLookup::History);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_tells_what_it_will_need() {
        let guess = |message: &str| likely_lookups(message, &Catalogue::default());
        assert_eq!(
            guess("does this match my ICP?"),
            [LikelyLookup::Context("profile".to_owned())]
        );
        assert_eq!(
            guess("what signals should I track for them?"),
            [LikelyLookup::Context("signals".to_owned())]
        );
        assert_eq!(guess("do you remember my dog?"), [LikelyLookup::Memories]);
        assert_eq!(guess("上次我们说到哪了"), [LikelyLookup::History]);
        assert_eq!(guess("tell me about their CEO"), []);
    }
}
