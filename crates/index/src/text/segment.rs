//! Words of Japanese and Korean that stand between others without a space.

use super::script::{is_hiragana, is_katakana};

/// The words in a run of Han and kana that its script gives away: where hiragana begins or ends, so
/// does a word; and what is in katakana is one. Of a run without kana there are none: Chinese gives
/// nothing away.
pub(crate) fn segments(run: &str) -> Vec<&str> {
    if !run.chars().any(|c| is_hiragana(c) || is_katakana(c)) {
        return Vec::new();
    }
    let script = |c: char| (is_hiragana(c), is_katakana(c));
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in run.char_indices() {
        if before.is_some_and(|before| before != script(c)) {
            found.push(&run[start..at]);
            start = at;
        }
        before = Some(script(c));
    }
    found.push(&run[start..]);
    // Two characters are a pair already.
    found.retain(|word| word.chars().nth(2).is_some() && !word.starts_with(is_hiragana));
    found
}

/// The particles of Korean, the longer ones first.
const PARTICLES: [&str; 32] = [
    "에게서",
    "으로서",
    "으로써",
    "이라고",
    "에서는",
    "에서도",
    "까지는",
    "에서",
    "에게",
    "한테",
    "으로",
    "부터",
    "까지",
    "처럼",
    "보다",
    "마다",
    "조차",
    "밖에",
    "이나",
    "이랑",
    "하고",
    "께서",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "로",
    "도",
];

/// A word of Hangul without the particle at its end, if two syllables are left of it.
pub(crate) fn without_particle(word: &str) -> Option<&str> {
    let bare = PARTICLES
        .iter()
        .find_map(|particle| word.strip_suffix(particle))?;
    bare.chars().nth(1).map(|_| bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_words_end_where_their_script_does() {
        assert_eq!(segments("東京大学でコーヒーを飲んだ"), ["東京大学", "コーヒー"]);
        assert_eq!(segments("我住在北京"), Vec::<&str>::new());
        assert_eq!(segments("すし"), Vec::<&str>::new());
    }

    #[test]
    fn particles_come_off_korean_words() {
        for (word, bare) in [
            ("커피를", Some("커피")),
            ("서울에서", Some("서울")),
            ("친구에게", Some("친구")),
            ("나무", None),
            ("물을", None),
        ] {
            assert_eq!(without_particle(word), bare, "{word}");
        }
    }
}
