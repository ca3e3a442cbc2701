//! Brings the forms of a word together: irregular English forms by a table, the rest by Snowball.

mod hindi;
mod memo;
mod polish;

use rust_stemmers::Algorithm;

use super::language::Language;
use memo::stemmed;

/// The stem of a folded word: English for Latin letters, by script for the others.
pub(crate) fn stem(word: &str) -> String {
    let Some(first) = word.chars().next() else {
        return String::new();
    };
    if word.len() > STEMMED_BYTES_MAX {
        return word.to_owned();
    }
    match u32::from(first) {
        0x61..=0x7a => {
            let base = irregular(word).unwrap_or(word);
            if !base.ends_with(ENGLISH_ENDS) {
                return base.to_owned();
            }
            stemmed(Algorithm::English, base)
        }
        0x400..=0x4ff => stemmed(Algorithm::Russian, word),
        0x600..=0x6ff => stemmed(Algorithm::Arabic, word),
        0x900..=0x97f => hindi::stem(word).to_owned(),
        _ => word.to_owned(),
    }
}

/// The stem of a folded word in another language written in Latin letters, marked with that
/// language so that it only meets words that were read the same way.
pub(crate) fn stem_in(language: Language, word: &str) -> Option<String> {
    if word.len() > STEMMED_BYTES_MAX || !word.bytes().all(|b| b.is_ascii_lowercase()) || word.len() < 4 {
        return None;
    }
    let (algorithm, mark) = match language {
        Language::Polish => return Some(format!("pl~{}", polish::stem(word))),
        Language::Turkish => (Algorithm::Turkish, "tr"),
        Language::German => (Algorithm::German, "de"),
        Language::Spanish => (Algorithm::Spanish, "es"),
        Language::French => (Algorithm::French, "fr"),
        Language::Italian => (Algorithm::Italian, "it"),
        Language::Portuguese => (Algorithm::Portuguese, "pt"),
        Language::Dutch => (Algorithm::Dutch, "nl"),
        // The English endings are tried of any word, those of other scripts too, and the rest has
        // none that are known here.
        _ => return None,
    };
    Some(format!("{mark}~{}", stemmed(algorithm, word)))
}

/// Takes only the plural or third-person `s` off: tense stays, because *lived* is not *lives*.
pub(crate) fn singular(word: &str) -> &str {
    if word.len() < 4
        || !word.is_ascii()
        || word.ends_with("ss")
        || word.ends_with("us")
        || word.ends_with("is")
    {
        return word;
    }
    match word.strip_suffix("es") {
        Some(base) if ["s", "x", "z", "ch", "sh"].iter().any(|end| base.ends_with(end)) => base,
        _ => word.strip_suffix('s').unwrap_or(word),
    }
}

/// No word of a language is longer; what is, is data, and data has no endings.
const STEMMED_BYTES_MAX: usize = 48;

/// The last letters of all English endings. A word that ends otherwise is its own stem, and need
/// not be looked at.
const ENGLISH_ENDS: [char; 12] = ['s', 'd', 'g', 'y', 'e', 'l', 'r', 'c', 't', 'n', 'm', 'i'];

fn irregular(word: &str) -> Option<&'static str> {
    let at = IRREGULAR.binary_search_by_key(&word, |(form, _)| form).ok()?;
    Some(IRREGULAR[at].1)
}

/// Forms that no rule of endings brings together, sorted. Left out where the form is a common word
/// of its own (left, ground, rose).
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("analyses", "analysis"), ("ate", "eat"), ("beaten", "beat"), ("became", "become"), ("began", "begin"),
    ("begun", "begin"), ("bent", "bend"), ("bitten", "bite"), ("blew", "blow"), ("blown", "blow"),
    ("bought", "buy"), ("bound", "bind"), ("bred", "breed"), ("broke", "break"), ("broken", "break"),
    ("brought", "bring"), ("built", "build"), ("burnt", "burn"), ("came", "come"), ("caught", "catch"),
    ("children", "child"), ("chose", "choose"), ("chosen", "choose"), ("crept", "creep"),
    ("crises", "crisis"), ("criteria", "criterion"), ("dealt", "deal"), ("did", "do"), ("done", "do"),
    ("drank", "drink"), ("drawn", "draw"), ("dreamt", "dream"), ("drew", "draw"), ("driven", "drive"),
    ("drove", "drive"), ("dug", "dig"), ("eaten", "eat"), ("fallen", "fall"), ("fed", "feed"),
    ("feet", "foot"), ("fell", "fall"), ("felt", "feel"), ("fled", "flee"), ("flew", "fly"),
    ("flown", "fly"), ("forgot", "forget"), ("forgotten", "forget"), ("fought", "fight"), ("found", "find"),
    ("froze", "freeze"), ("frozen", "freeze"), ("gave", "give"), ("geese", "goose"), ("given", "give"),
    ("gone", "go"), ("got", "get"), ("gotten", "get"), ("grew", "grow"), ("grown", "grow"), ("had", "have"),
    ("halves", "half"), ("heard", "hear"), ("held", "hold"), ("hid", "hide"), ("hidden", "hide"),
    ("hung", "hang"), ("hypotheses", "hypothesis"), ("kept", "keep"), ("knew", "know"), ("knives", "knife"),
    ("known", "know"), ("laid", "lay"), ("leapt", "leap"), ("learnt", "learn"), ("led", "lead"),
    ("lent", "lend"), ("lit", "light"), ("loaves", "loaf"), ("lost", "lose"), ("made", "make"),
    ("meant", "mean"), ("men", "man"), ("met", "meet"), ("mice", "mouse"), ("mistook", "mistake"),
    ("overcame", "overcome"), ("paid", "pay"), ("people", "person"), ("phenomena", "phenomenon"),
    ("ran", "run"), ("rang", "ring"), ("rebuilt", "rebuild"), ("ridden", "ride"), ("rode", "ride"),
    ("rung", "ring"), ("said", "say"), ("sang", "sing"), ("sank", "sink"), ("sat", "sit"), ("saw", "see"),
    ("seen", "see"), ("sent", "send"), ("shaken", "shake"), ("shelves", "shelf"), ("shone", "shine"),
    ("shook", "shake"), ("shot", "shoot"), ("shown", "show"), ("slept", "sleep"), ("slid", "slide"),
    ("sold", "sell"), ("sought", "seek"), ("sped", "speed"), ("spent", "spend"), ("spoke", "speak"),
    ("spoken", "speak"), ("stole", "steal"), ("stolen", "steal"), ("stood", "stand"), ("struck", "strike"),
    ("stuck", "stick"), ("sung", "sing"), ("swam", "swim"), ("swept", "sweep"), ("swore", "swear"),
    ("sworn", "swear"), ("swum", "swim"), ("swung", "swing"), ("taken", "take"), ("taught", "teach"),
    ("teeth", "tooth"), ("theses", "thesis"), ("thought", "think"), ("threw", "throw"), ("thrown", "throw"),
    ("told", "tell"), ("took", "take"), ("tore", "tear"), ("torn", "tear"), ("understood", "understand"),
    ("underwent", "undergo"), ("went", "go"), ("wept", "weep"), ("withdrew", "withdraw"), ("wives", "wife"),
    ("woke", "wake"), ("woken", "wake"), ("wolves", "wolf"), ("women", "woman"), ("won", "win"),
    ("wore", "wear"), ("worn", "wear"), ("written", "write"), ("wrote", "write"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rust_stemmers::Stemmer;

    proptest! {
        #[test]
        fn words_with_no_english_ending_are_their_own_stem(word in "[a-z]{1,12}[abfhjkopquvwxz]") {
            prop_assume!(irregular(&word).is_none());
            prop_assert_eq!(Stemmer::create(Algorithm::English).stem(&word), stem(&word));
        }
    }

    #[test]
    fn the_table_of_irregular_forms_is_sorted() {
        assert!(IRREGULAR.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for (a, b) in [
            ("went", "going"),
            ("bought", "buys"),
            ("children", "child"),
            ("running", "runs"),
            ("книги", "книга"),
            ("الكتاب", "كتاب"),
            ("किताबें", "किताब"),
            ("लड़कों", "लड़का"),
            ("खाता", "खाती"),
        ] {
            assert_eq!(stem(a), stem(b));
        }
    }

    #[test]
    fn other_languages_bring_their_own_forms_together() {
        for (language, a, b) in [
            (Language::German, "katzen", "katze"),
            (Language::Spanish, "canciones", "cancion"),
            (Language::French, "chevaux", "cheval"),
            (Language::Dutch, "katten", "kat"),
        ] {
            let (a, b) = (stem_in(language, a), stem_in(language, b));
            assert!(a == b || b.is_none(), "{a:?} {b:?}");
        }
    }

    #[test]
    fn taking_the_plural_off_keeps_the_tense() {
        for (word, base) in [
            ("cats", "cat"),
            ("lives", "live"),
            ("lived", "lived"),
            ("boxes", "box"),
            ("glass", "glass"),
            ("paris", "paris"),
        ] {
            assert_eq!(singular(word), base);
        }
    }
}
