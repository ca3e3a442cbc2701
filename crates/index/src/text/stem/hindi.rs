//! Takes the endings off Hindi words: those of number, case, gender and tense.

/// Endings by how many characters they have, the longest first. A shorter one is tried only if no
/// longer one fits.
const ENDINGS: [&[&str]; 5] = [
    &["ाएंगी", "ाएंगे", "ाऊंगी", "ाऊंगा", "ाइयाँ", "ाइयों", "ाइयां"],
    &[
        "ाएगी",
        "ाएगा",
        "ाओगी",
        "ाओगे",
        "ेंगी",
        "ेंगे",
        "ूंगी",
        "ूंगा",
        "ातीं",
        "नाओं",
        "नाएं",
        "ताओं",
        "ताएं",
        "ियाँ",
        "ियों",
        "ियां",
    ],
    &[
        "ाकर",
        "ाइए",
        "ाईं",
        "ाया",
        "ेगी",
        "ेगा",
        "ोगी",
        "ोगे",
        "ाने",
        "ाना",
        "ाते",
        "ाती",
        "ाता",
        "तीं",
        "ाओं",
        "ाएं",
        "ुओं",
        "ुएं",
    ],
    &[
        "कर", "ाओ", "िए", "ाई", "ाए", "ने", "नी", "ना", "ते", "ीं", "ती", "ता", "ाँ", "ां", "ों", "ें",
    ],
    &["ो", "े", "ू", "ु", "ी", "ि", "ा"],
];

/// What is left of a word has at least this many characters: less is no word.
const STEM_CHARS_MIN: usize = 2;

/// The stem of a word in Devanagari.
pub(super) fn stem(word: &str) -> &str {
    let ends = |ending: &&str| {
        let base = word.strip_suffix(ending)?;
        (STEM_CHARS_MIN <= base.chars().count()).then_some(base)
    };
    ENDINGS
        .iter()
        .flat_map(|endings| endings.iter())
        .find_map(ends)
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet_and_others_stay_apart() {
        for forms in [["लड़का", "लड़के", "लड़कों"], ["किताब", "किताबें", "किताबों"]]
        {
            assert!(forms.iter().all(|form| stem(form) == stem(forms[0])), "{forms:?}");
        }
        for (a, b) in [("दिल्ली", "मुंबई"), ("घर", "कर")] {
            assert_ne!(stem(a), stem(b));
        }
        assert_eq!(stem("मैं"), "मैं");
    }
}
