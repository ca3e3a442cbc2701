//! The names of the months.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold::fold;

/// The month that a folded word names, from 1.
pub(crate) fn month(word: &str) -> Option<u16> {
    BY_NAME.get(word).copied()
}

/// The same of a word as it is written.
pub(crate) fn named(word: &str) -> Option<u16> {
    month(&fold(word))
}

static BY_NAME: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    let named = MONTHS.iter().zip(1..);
    let all = named.flat_map(|(names, month)| names.split(' ').map(move |name| (name, month)));
    all.collect()
});

/// The names of the months as they are folded, in the cases in which dates have them.
const MONTHS: [&str; 12] = [
    "january jan januar enero janvier gennaio janeiro januari января январь stycznia styczen ocak",
    "february feb februar febrero fevrier febbraio fevereiro februari февраля февраль lutego luty subat",
    "march mar marz maerz marzo mars marco maart марта март marca marzec mart",
    "april apr abril avril aprile апреля апрель kwietnia kwiecien nisan",
    "may mai mayo maggio maio mei мая май маи maja maj mayis",
    "june jun juni junio juin giugno junho июня июнь czerwca czerwiec haziran",
    "july jul juli julio juillet luglio julho июля июль lipca lipiec temmuz",
    "august aug agosto aout augustus августа август sierpnia sierpien agustos",
    "september sep sept septiembre septembre settembre setembro сентября сентябрь wrzesnia wrzesien eylul",
    "october oct oktober okt octubre octobre ottobre outubro октября октябрь pazdziernika pazdziernik ekim",
    "november nov noviembre novembre novembro ноября ноябрь listopada listopad kasim",
    "december dec dezember dez diciembre decembre dicembre dezembro декабря декабрь grudnia grudzien aralik",
];
