//! The check digits of identity numbers, as their issuers define them.

use super::super::digits::{luhn, weighted};

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

fn compact(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_uppercase()
}

/// Areas 000, 666 and 900 to 999, group 00 and serial 0000 were never issued.
pub(super) fn us_social_security(text: &str) -> bool {
    let (area, group, serial) = (&text[..3], &text[4..6], &text[7..]);
    !matches!(area, "000" | "666") && !area.starts_with('9') && group != "00" && serial != "0000"
}

/// The 18 places of GB 11643.
pub(super) fn chinese(text: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let places = compact(text);
    let sum = weighted(&digits(&places[..17.min(places.len())]), &WEIGHTS);
    places.len() == 18 && "10X98765432".chars().nth((sum % 11) as usize) == places.chars().last()
}

/// DNI and NIE: the letter is the number modulo 23.
pub(super) fn spanish(text: &str) -> bool {
    let places = compact(text);
    let number = places[..places.len() - 1]
        .replacen('X', "0", 1)
        .replacen('Y', "1", 1)
        .replacen('Z', "2", 1);
    let Ok(number) = number.parse::<usize>() else {
        return false;
    };
    "TRWAGMYFPDXBNJZSQVHLCKE".chars().nth(number % 23) == places.chars().last()
}

/// Codice fiscale: odd places by a table, even places by value, modulo 26.
pub(super) fn italian(text: &str) -> bool {
    const ODD: [u32; 36] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12,
        14, 16, 10, 22, 25, 24, 23,
    ];
    let places = compact(text);
    let value = |(place, c): (usize, char)| {
        let value = c.to_digit(36).unwrap_or(0);
        match place % 2 {
            0 => ODD[value as usize],
            _ if value < 10 => value,
            _ => value - 10,
        }
    };
    let sum: u32 = places.chars().take(15).enumerate().map(value).sum();
    places.chars().last().and_then(|c| c.to_digit(36)) == Some(10 + sum % 26)
}

/// NIR: 97 less the first 13 places modulo 97; Corsica's letters count as 19 and 18.
pub(super) fn french(text: &str) -> bool {
    let places = compact(text).replacen("2A", "19", 1).replacen("2B", "18", 1);
    let (Some(number), Some(check)) = (places.get(..13), places.get(13..)) else {
        return false;
    };
    match (number.parse::<u64>(), check.parse::<u64>()) {
        (Ok(number), Ok(check)) => check == 97 - number % 97,
        _ => false,
    }
}

/// CPF: two digits, each over all before it.
pub(super) fn brazilian(text: &str) -> bool {
    let places = digits(text);
    let check = |count: usize| {
        let weights: Vec<u32> = (2..=count as u32 + 1).rev().collect();
        match weighted(&places[..count], &weights) * 10 % 11 {
            10 => 0,
            digit => digit,
        }
    };
    let same = places.windows(2).all(|pair| pair[0] == pair[1]);
    places.len() == 11 && !same && check(9) == places[9] && check(10) == places[10]
}

/// Luhn over the ten digits without the century.
pub(super) fn swedish(text: &str) -> bool {
    let places = digits(text);
    places.len() >= 10 && luhn(&places[places.len() - 10..])
}

/// The nine digits modulo 31 give the last character.
pub(super) fn finnish(text: &str) -> bool {
    let Some(last) = text.chars().last() else {
        return false;
    };
    let number: u64 = digits(&text[..text.len() - 1])
        .iter()
        .fold(0, |n, d| n * 10 + u64::from(*d));
    "0123456789ABCDEFHJKLMNPRSTUVWXY"
        .chars()
        .nth((number % 31) as usize)
        == Some(last)
}

/// SNILS: weights 9 to 1, modulo 101.
pub(super) fn snils(text: &str) -> bool {
    let places = digits(text);
    let sum = weighted(&places[..9.min(places.len())], &[9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101 % 100;
    places.len() == 11 && sum == places[9] * 10 + places[10]
}

/// RUT: weights 2 to 7 from the right, modulo 11.
pub(super) fn chilean(text: &str) -> bool {
    let places = compact(text);
    let body = digits(&places[..places.len() - 1]);
    let sum: u32 = body
        .iter()
        .rev()
        .zip([2, 3, 4, 5, 6, 7].iter().cycle())
        .map(|(d, w)| d * w)
        .sum();
    let check = match 11 - sum % 11 {
        11 => '0',
        10 => 'K',
        digit => char::from_digit(digit, 10).unwrap_or('?'),
    };
    places.ends_with(check)
}

/// NRIC and FIN.
pub(super) fn singapore(text: &str) -> bool {
    let first = text.chars().next().unwrap_or('S');
    let offset = if matches!(first, 'T' | 'G') { 4 } else { 0 };
    let sum = weighted(&digits(text), &[2, 7, 6, 5, 4, 3, 2]) + offset;
    let letters = if matches!(first, 'S' | 'T') {
        "JZIHGFEDCBA"
    } else {
        "XWUTRQPNMLK"
    };
    letters.chars().nth((sum % 11) as usize) == text.chars().last()
}

/// Aadhaar: Verhoeff's check.
pub(super) fn aadhaar(text: &str) -> bool {
    const MULTIPLY: [[u8; 10]; 10] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
        [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
        [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
        [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
        [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
        [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
        [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
        [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    ];
    const PERMUTE: [[u8; 10]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
        [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
        [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
        [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
        [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
        [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
        [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
    ];
    let step = |check: u8, (place, digit): (usize, &u32)| {
        MULTIPLY[check as usize][PERMUTE[place % 8][*digit as usize] as usize]
    };
    digits(text).iter().rev().enumerate().fold(0, step) == 0
}
