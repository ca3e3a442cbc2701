//! Stop words, and the language a text gives away by the ones it uses.

mod stop_words;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::fold::fold;
use stop_words::WEAK;

/// Languages whose stop words and endings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
    Spanish,
    French,
    Italian,
    Portuguese,
    Dutch,
    Polish,
    Turkish,
    Russian,
    Arabic,
    Hindi,
    Vietnamese,
    Korean,
}

impl Language {
    /// Those whose endings are taken off a word in Latin letters, if nothing tells the language.
    pub(crate) const GUESSED: [Language; 6] = [
        Language::German,
        Language::Spanish,
        Language::French,
        Language::Italian,
        Language::Portuguese,
        Language::Dutch,
    ];

    const COUNT: usize = stop_words::ALL.len();

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The languages in which a folded word is a stop word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StopIn(u16);

impl StopIn {
    pub(crate) fn of(word: &str) -> StopIn {
        StopIn(STOPS.get(word).copied().unwrap_or(0))
    }

    pub(crate) fn includes(self, language: Language) -> bool {
        self.0 & language.bit() != 0
    }
}

/// The language whose stop words are most frequent; English wins ties, none at all tells nothing.
pub(crate) fn detect(words: impl Iterator<Item = StopIn>) -> Option<Language> {
    let mut counts = [0u32; Language::COUNT];
    for word in words.filter(|word| word.0 != 0) {
        for (count, (language, _)) in counts.iter_mut().zip(stop_words::ALL) {
            *count += u32::from(word.includes(language));
        }
    }
    let mut best = (Language::English, counts[0]);
    for (count, (language, _)) in counts.into_iter().zip(stop_words::ALL) {
        if best.1 < count {
            best = (language, count);
        }
    }
    (best.1 > 0).then_some(best.0)
}

/// Whether the stop words of a text give away a language other than English.
pub fn is_foreign(text: &str) -> bool {
    const WORDS_READ: usize = 200;
    let words = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    let stops = words.take(WORDS_READ).map(|word| StopIn::of(&fold(word)));
    detect(stops).is_some_and(|language| language != Language::English)
}

/// Whether a folded word is one of asking and chatting rather than of what is asked about.
pub(crate) fn is_weak(word: &str) -> bool {
    WEAK_WORDS.contains(word)
}

static WEAK_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| WEAK.split_ascii_whitespace().collect());

/// Whether a single Han or kana character says nothing alone.
pub(crate) fn is_stop_character(c: char) -> bool {
    "的了是我你他她它们在吗呢吧啊呀和与也就都而及着或这那个很之其于把被让给对从到要去会没有不说您のはをにがでともへ".contains(c)
}

static STOPS: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    let mut stops = HashMap::new();
    for (language, words) in stop_words::ALL {
        for word in words.split_ascii_whitespace() {
            *stops.entry(word).or_insert(0) |= language.bit();
        }
    }
    stops
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gives_its_language_away() {
        for (text, language) in [
            ("my cat was on the roof", Some(Language::English)),
            ("ich habe zwei katzen und einen hund", Some(Language::German)),
            ("mi perro se llama toby y es muy grande", Some(Language::Spanish)),
            (
                "je prefere les trains avec une place calme",
                Some(Language::French),
            ),
            (
                "ho comprato una bicicletta per mia figlia",
                Some(Language::Italian),
            ),
            (
                "eu gosto de cafe com leite e nao de cha",
                Some(Language::Portuguese),
            ),
            ("mijn hond is niet ziek en heeft een bal", Some(Language::Dutch)),
            ("у меня есть кошка и она не любит собак", Some(Language::Russian)),
            ("mam psa i to nie jest kot", Some(Language::Polish)),
            ("benim bir kedim var ve cok guzel", Some(Language::Turkish)),
            ("انا اسكن في القاهرة مع اختي", Some(Language::Arabic)),
            ("मेरी बहन दिल्ली में रहती है", Some(Language::Hindi)),
            ("tôi không thích cà phê của bạn", Some(Language::Vietnamese)),
            ("katzen", None),
        ] {
            assert_eq!(detect(text.split(' ').map(StopIn::of)), language, "{text}");
        }
    }
}
