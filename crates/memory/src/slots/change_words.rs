//! Words by which a statement tells that something changed: *sold the Civic and bought a Tesla*.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of seven languages, in small letters.
const WORDS: &str = "sold switched swapped changed replaced dropped quit stopped traded converted upgraded cancelled \
    ended instead anymore now \
    verkauft gewechselt umgestiegen aufgehört stattdessen ersetzt getauscht gekündigt jetzt inzwischen \
    vendu vendue changé remplacé arrêté quitté maintenant désormais \
    vendió vendí vendido cambié cambió cambiado dejó dejé dejado ahora \
    vendi vendeu troquei trocou larguei largou parei parou deixei agora";

/// Parts of statements that say the same, where words are not set apart or stand together.
const PARTS: [&str; 25] = [
    "no longer",
    "gave up",
    "nicht mehr",
    "au lieu",
    "ya no",
    "en vez",
    "não mais",
    "卖了",
    "换了",
    "换成",
    "改成",
    "改学",
    "改用",
    "不再",
    "戒了",
    "放弃",
    "转行",
    "不学",
    "売っ",
    "売り",
    "替え",
    "変え",
    "やめ",
    "辞め",
    "乗り換え",
];

/// Whether a statement tells that something is no longer as it was.
pub(crate) fn tell_a_change(statement: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());
    let lower = statement.to_lowercase();
    let is_plain = lower.is_ascii();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| KNOWN.contains(word))
        || PARTS
            .iter()
            .any(|part| (!is_plain || part.is_ascii()) && lower.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_from_states() {
        for told in [
            "Sold the Civic and bought a Tesla",
            "Hat den Golf verkauft",
            "把大众卖了，换了辆比亚迪",
            "Dejó medicina",
        ] {
            assert!(tell_a_change(told), "{told}");
        }
        for state in ["Drives a Honda Civic", "Fährt einen Golf", "开一辆大众", ""] {
            assert!(!tell_a_change(state), "{state}");
        }
    }
}
