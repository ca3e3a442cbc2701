//! Takes the endings off Polish words, which come without their accents: those of case, number,
//! gender and tense.

/// Endings by their length, the longest first. A shorter one is tried only if no longer one fits.
const ENDINGS: [&[&str]; 5] = [
    &["owalem", "owalam", "owania", "owanie", "alismy", "ilismy"],
    &[
        "iales", "ialem", "ialam", "owala", "owali", "owego", "owych", "owymi",
    ],
    &[
        "alem", "alam", "ilem", "ilam", "ales", "alas", "ises", "acie", "ecie", "icie", "iami", "iego",
        "iemu", "owal", "owac", "owej", "uje",
    ],
    &[
        "ami", "ach", "owi", "ego", "emu", "ymi", "imi", "ych", "ich", "iem", "iej", "iom", "iow", "ala",
        "alo", "ali", "aly", "ila", "ilo", "ili", "ily", "amy", "emy", "imy", "ymy", "asz", "esz", "isz",
        "ysz", "aja",
    ],
    &[
        "om", "ow", "ej", "em", "ym", "im", "ie", "ia", "iu", "al", "il", "yl", "ac", "ec", "ic", "yc", "am",
        "a", "e", "i", "o", "u", "y",
    ],
];

/// What is left of a word has at least this many letters: less is no word.
const STEM_LETTERS_MIN: usize = 3;

/// The stem of a folded word.
pub(super) fn stem(word: &str) -> &str {
    let ends = |ending: &&str| {
        let base = word.strip_suffix(ending)?;
        (STEM_LETTERS_MIN <= base.len()).then_some(base)
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
        for forms in [
            &["kota", "kotu", "kotem", "koty", "kotow", "kotami"][..],
            &["warszawa", "warszawy", "warszawie", "warszawe"],
            &["ksiazka", "ksiazki", "ksiazke", "ksiazkami", "ksiazkach"],
            &[
                "mieszkam",
                "mieszka",
                "mieszkal",
                "mieszkala",
                "mieszkamy",
                "mieszkac",
            ],
            &["nowego", "nowym", "nowych", "nowymi"],
        ] {
            for form in forms {
                assert_eq!(stem(form), stem(forms[0]), "{form}");
            }
        }
        for (a, b) in [("kawa", "kawaler"), ("brata", "siostra"), ("praca", "pralka")] {
            assert_ne!(stem(a), stem(b));
        }
    }
}
