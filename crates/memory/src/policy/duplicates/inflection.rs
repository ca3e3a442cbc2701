//! Inflections of English that carry no meaning: of a verb that goes with its subject, and of a
//! verb after *to* or as a noun.

/// Gives the form of a verb that goes with *I*, if `word` can be the one that goes with *she*.
pub(super) fn first_person(word: &str) -> Option<String> {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let stem = word.strip_suffix('s')?;
    if stem.ends_with(['s', 'u', 'i']) {
        return None;
    }
    if let Some(stem) = stem.strip_suffix("ie").filter(|stem| 2 < stem.len()) {
        return Some(format!("{stem}y"));
    }
    let hisses = ["che", "she", "xe", "zze", "sse", "oe"];
    Some(match hisses.iter().any(|ending| stem.ends_with(ending)) {
        true => stem[..stem.len() - 1].to_owned(),
        false => stem.to_owned(),
    })
}

/// Words in -s that are no plurals, or whose singular is another word.
const NO_PLURALS: [&str; 42] = [
    "glasses",
    "jeans",
    "pants",
    "trousers",
    "shorts",
    "scissors",
    "news",
    "goods",
    "arms",
    "customs",
    "spirits",
    "spectacles",
    "manners",
    "clothes",
    "works",
    "savings",
    "greens",
    "blues",
    "sweets",
    "looks",
    "brains",
    "physics",
    "mathematics",
    "economics",
    "politics",
    "series",
    "species",
    "always",
    "sometimes",
    "perhaps",
    "besides",
    "towards",
    "afterwards",
    "its",
    "his",
    "hers",
    "yours",
    "ours",
    "theirs",
    "minutes",
    "papers",
    "irons",
];

/// Gives the singular, if `word` is a regular plural.
pub(super) fn singular(word: &str) -> Option<String> {
    (!NO_PLURALS.contains(&word))
        .then(|| first_person(word))
        .flatten()
}

/// Gives the plain form of a verb in -ing, as far as its letters tell.
pub(super) fn plain_form(word: &str) -> Option<String> {
    let stem = word.strip_suffix("ing")?;
    let letters = stem.as_bytes();
    let is_verb = 2 <= letters.len()
        && letters.iter().all(u8::is_ascii_lowercase)
        && letters.iter().any(|byte| is_vowel(*byte) || *byte == b'y');
    if !is_verb {
        return None;
    }
    let (last, before) = (letters[letters.len() - 1], letters[letters.len() - 2]);
    if last == before && !is_vowel(last) {
        // running, but calling, dressing, sniffing, buzzing.
        let keeps = matches!(last, b'l' | b's' | b'f' | b'z');
        let end = stem.len() - usize::from(!keeps);
        return Some(stem[..end].to_owned());
    }
    let begins_vowels =
        |(at, byte): &(usize, &u8)| is_vowel(**byte) && (*at == 0 || !is_vowel(letters[at - 1]));
    let syllables = letters.iter().enumerate().filter(begins_vowels).count();
    let after_one_vowel = is_vowel(before) && (letters.len() < 3 || !is_vowel(letters[letters.len() - 3]));
    let is_short =
        syllables == 1 && after_one_vowel && !is_vowel(last) && !matches!(last, b'w' | b'x' | b'y');
    let is_soft = matches!(last, b'c' | b'v' | b'z')
        || (after_one_vowel && matches!(last, b's' | b'g') && 1 < syllables);
    Some(match is_short || is_soft {
        true => format!("{stem}e"),
        false => stem.to_owned(),
    })
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_lose_the_ending_that_goes_with_the_subject() {
        let pairs =
            "drinks drink, watches watch, studies study, goes go, plays play, uses use, lies lie, fixes fix";
        for (word, plain) in pairs.split(", ").filter_map(|pair| pair.split_once(' ')) {
            assert_eq!(first_person(word).as_deref(), Some(plain), "{word}");
        }
        for word in ["was", "bus", "glass", "analysis", "is", "drank", "Rex"] {
            assert_eq!(first_person(word), None, "{word}");
        }
    }

    #[test]
    fn verbs_in_ing_have_a_plain_form() {
        let pairs = "hiking hike, hoping hope, hopping hop, running run, calling call, working work, reading read, \
                     driving drive, dancing dance, visiting visit, playing play, exercising exercise, using use, \
                     swimming swim";
        for (word, plain) in pairs.split(", ").filter_map(|pair| pair.split_once(' ')) {
            assert_eq!(plain_form(word).as_deref(), Some(plain), "{word}");
        }
        assert_eq!(plain_form("king"), None);
        assert_eq!(plain_form("tea"), None);
    }

    #[test]
    fn plurals_have_a_singular_unless_they_are_words_of_their_own() {
        assert_eq!(singular("seats").as_deref(), Some("seat"));
        assert_eq!(singular("glasses"), None);
    }
}
