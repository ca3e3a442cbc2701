//! Bank accounts: IBANs by their check digits, account numbers by what they are called.

use std::sync::LazyLock;

use super::Finding;
use super::digits::has_digits;
use super::pattern::Pattern;

static IBAN: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"(?i)(?-u:\b)[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}"));

/// A sort code, routing number, BSB or account number after its name.
static NAMED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?xi)
        (?: sort[\s-]?code | (?-u:\b)BSB | routing(?:\s+(?:number|no\.?|\#))? | (?-u:\b)ABA(?-u:\b) | bankleitzahl | (?-u:\b)BLZ
          | bank\s+account(?:\s+(?:number|no\.?|\#))? | (?:checking|savings|current|giro)\s+account(?:\s+(?:number|no\.?|\#))?
          | account\s+(?:number|no\.?|\#) | (?-u:\b)acct\.?(?:\s*(?:number|no\.?|\#))? | kontonummer | konto[\s-]?nr\.?
          | n[uú]mero\s+de\s+(?:cuenta|conta) | num[eé]ro\s+de\s+compte | numero\s+di\s+conto | CLABE | (?-u:\b)CBU(?-u:\b)
          | 银行账号 | 银行卡号 | 口座番号 | номер\s+сч[её]та )
        (?:\s+(?-u:[a-z\x80-\xff]){2,12}){0,4}? \s*(?:is|was|ist|lautet|es|est|è|é|是|为|は|:|=|\#)?\s*
        ([0-9](?:[\s-]?[0-9]){5,22})",
    )
});

/// Words without which an account number may be a shop's or a utility's.
static BANK_WORDS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)bank|sort|routing|(?-u:\b)BSB|(?-u:\b)ABA(?-u:\b)|checking|savings|current acc|giro|konto|cuenta|conta(?-u:\b)|compte|conto(?-u:\b)|swift|(?-u:\b)bic(?-u:\b)|CLABE|CBU|银行|口座|сч[её]т",
    )
});

static OTHER_WORDS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)electric|gas(?-u:\b)|water|utility|customer|loyalty|member|phone|internet|broadband|library",
    )
});

/// Finds bank accounts.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    if !has_digits(text, 6) {
        return;
    }
    for found in IBAN.all(text) {
        if let Some(length) = iban_length(found.value()) {
            findings.push(Finding::new(
                "iban",
                found.value.start..found.value.start + length,
            ));
        }
    }
    for found in NAMED.all(text) {
        let called = BANK_WORDS.is_match(found.whole()) || BANK_WORDS.is_match(text);
        if called && !OTHER_WORDS.is_match(found.whole()) && !is_date(found.value()) {
            findings.push(Finding::new("bank account", found.value));
        }
    }
}

fn is_date(number: &str) -> bool {
    number.len() == 10
        && number.as_bytes()[4] == b'-'
        && (number.starts_with("20") || number.starts_with("19"))
}

/// Gives how many bytes of `found` are an IBAN: ISO 13616, letters as numbers, the first four
/// places moved to the end, modulo 97 is 1.
fn iban_length(found: &str) -> Option<usize> {
    let country = found.get(..2)?.to_ascii_uppercase();
    let places = COUNTRIES.iter().find(|(code, _)| *code == country)?.1;
    let mut taken = 0;
    let mut bytes = 0;
    let mut compact = String::with_capacity(34);
    for c in found.chars() {
        bytes += c.len_utf8();
        if c.is_ascii_alphanumeric() {
            compact.push(c);
            taken += 1;
        }
        if taken == places {
            break;
        }
    }
    let ends = found[bytes..]
        .chars()
        .next()
        .is_none_or(|c| !c.is_ascii_alphanumeric());
    let moved = compact.get(4..)?.chars().chain(compact[..4].chars());
    let remainder = moved
        .filter_map(|c| c.to_digit(36))
        .fold(0, |sum, value| match value {
            0..=9 => (sum * 10 + value) % 97,
            _ => (sum * 100 + value) % 97,
        });
    (taken == places && ends && remainder == 1).then_some(bytes)
}

/// How many places an IBAN of each country has.
const COUNTRIES: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NL", 18),
    ("NO", 15),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SC", 31),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
];
