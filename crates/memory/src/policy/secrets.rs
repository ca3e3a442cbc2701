//! What looks like a secret is never stored, whatever the writer says.

use std::sync::LazyLock;

use regex::Regex;

/// What kind of secret a text seems to hold. The secret itself is not kept, not even here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Secret {
    AccessKey,
    PrivateKey,
    Password,
    CardNumber,
    BankAccount,
    IdentityNumber,
}

impl Secret {
    /// Names it for a person.
    pub fn as_str(self) -> &'static str {
        match self {
            Secret::AccessKey => "an access key or token",
            Secret::PrivateKey => "a private key",
            Secret::Password => "a password or PIN",
            Secret::CardNumber => "a payment card number",
            Secret::BankAccount => "a bank account number",
            Secret::IdentityNumber => "an identity number",
        }
    }
}

/// Looks for a secret in `text`.
pub fn find(text: &str) -> Option<Secret> {
    let patterns = [
        (&PRIVATE_KEY, Secret::PrivateKey),
        (&ACCESS_KEY, Secret::AccessKey),
        (&NAMED_TOKEN, Secret::AccessKey),
        (&PASSWORD, Secret::Password),
        (&PASSWORD_CJK, Secret::Password),
        (&SOCIAL_SECURITY, Secret::IdentityNumber),
    ];
    let by_pattern = patterns
        .into_iter()
        .find(|(pattern, _)| pattern.is_match(text))
        .map(|(_, secret)| secret);
    by_pattern.or_else(|| by_checksum(text))
}

static PRIVATE_KEY: LazyLock<Regex> = LazyLock::new(|| pattern(r"-----BEGIN [A-Z ]*PRIVATE KEY"));

/// Tokens that say by their first letters what they are.
static ACCESS_KEY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)
        \b(?: sk-[A-Za-z0-9_-]{16,} | sk_(?:live|test)_[A-Za-z0-9]{10,} | rk_[A-Za-z0-9_-]{16,}
          | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,}
          | (?:AKIA|ASIA)[A-Z0-9]{16} | AIza[A-Za-z0-9_-]{30,} | xox[abprs]-[A-Za-z0-9-]{10,}
          | npm_[A-Za-z0-9]{30,} | hf_[A-Za-z0-9]{20,} | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}
          | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,} )",
    )
});

/// A long jumble right after a word that announces it.
static NAMED_TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?xi)
        \b(?:api[\s_-]?key|access[\s_-]?(?:key|token)|secret[\s_-]?key|auth[\s_-]?token|bearer|client[\s_-]?secret)\b
        (?:\s+(?:is|was))?\s*[:=]?\s*[\x22'`]?
        (?: [A-Za-z0-9+/_.=-]*\d[A-Za-z0-9+/_.=-]{7,} | [A-Za-z0-9+/_.=-]{24,} )",
    )
});

/// `password is hunter2`, `PIN: 4711`, `passcode = …`: the word, a copula or sign, and something
/// that is not a plain word of a sentence about passwords.
static PASSWORD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?xi)
        \b(?:pass(?:word|code|phrase|wd)|pwd|passwort|kennwort|contrase[nñ]a|mot\s+de\s+passe|senha)
        (?:\s+(?:for|to|of|on|für|de|del|para|pour)\s+\S+(?:\s+\S+){0,3}?)?
        \s*(?: [:=]\s*\S+ | \s(?:is|was|are|ist|lautet|es|est|é)\s*:?\s*[\x22'`]?
               (?: [^\s\x22'`]*(?:\d|[^\w\s\x22'`.,;:!?-])[^\s]* | [\x22'`]\S+ | [A-Za-z_-]{4,}[\x22'`.!]*$ ) )
        | \b(?:pin|cvv|cvc)(?:\s+(?:code|number))?\s*(?:[:=]|\s(?:is|was|ist))\s*[:\x22'`]?\s*\d{3,8}\b",
    )
});

static PASSWORD_CJK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호)\s*(?:是|为|為|は|:|：|=)\s*\S+")
});

static SOCIAL_SECURITY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b\d{3}-\d{2}-\d{4}\b|\b(?:ssn|social security (?:number|no\.?))\D{0,12}\d{9}\b")
});

static DIGIT_GROUPS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d(?:[ -]?\d){12,18}[xX]?"));

static IBAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b"));

fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("the pattern is a constant and compiles")
}

/// Numbers that carry their own proof: cards (Luhn), Chinese identity numbers, IBANs.
fn by_checksum(text: &str) -> Option<Secret> {
    for found in DIGIT_GROUPS.find_iter(text) {
        let number: String = found
            .as_str()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric())
            .collect();
        let digits: Vec<u32> = number.chars().filter_map(|c| c.to_digit(10)).collect();
        if is_chinese_identity(&number) {
            return Some(Secret::IdentityNumber);
        }
        if is_card(&digits) {
            return Some(Secret::CardNumber);
        }
    }
    IBAN.find_iter(text)
        .any(|found| is_iban(found.as_str()))
        .then_some(Secret::BankAccount)
}

/// Luhn's check over 13 to 19 digits that begin as issued cards do.
fn is_card(digits: &[u32]) -> bool {
    let issued = matches!(digits.first(), Some(2..=6));
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| match place % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    (13..=19).contains(&digits.len()) && issued && sum.is_multiple_of(10)
}

/// The 18 places of GB 11643, the last of which is a check digit.
fn is_chinese_identity(number: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let places: Vec<char> = number.to_uppercase().chars().collect();
    if places.len() != 18 || !matches!(&number[6..8], "19" | "20") {
        return false;
    }
    let sum: u32 = places
        .iter()
        .zip(WEIGHTS)
        .filter_map(|(c, weight)| Some(c.to_digit(10)? * weight))
        .sum();
    "10X98765432".chars().nth((sum % 11) as usize) == places.last().copied()
}

/// ISO 13616: the letters as numbers, the first four places moved to the end, modulo 97 is 1.
fn is_iban(found: &str) -> bool {
    let compact: String = found.chars().filter(|c| !c.is_whitespace()).collect();
    if !(15..=34).contains(&compact.len()) {
        return false;
    }
    let moved = compact[4..].chars().chain(compact[..4].chars());
    let remainder = moved
        .filter_map(|c| c.to_digit(36))
        .fold(0, |sum, value| match value {
            0..=9 => (sum * 10 + value) % 97,
            _ => (sum * 100 + value) % 97,
        });
    remainder == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_seen() {
        for (text, secret) in [
            ("my key is sk-proj-abcdEFGH1234567890abcd", Secret::AccessKey),
            ("token ghp_abcdefghijklmnopqrstuvwxyz0123", Secret::AccessKey),
            ("AKIAIOSFODNN7EXAMPLE is mine", Secret::AccessKey),
            ("api key: 9f8e7d6c5b4a3210", Secret::AccessKey),
            ("-----BEGIN RSA PRIVATE KEY-----", Secret::PrivateKey),
            ("my password is hunter2", Secret::Password),
            (
                "The password for the home router is correct-horse9",
                Secret::Password,
            ),
            ("password: swordfish", Secret::Password),
            ("my password is swordfish", Secret::Password),
            ("PIN is 4711", Secret::Password),
            ("我的密码是abc123", Secret::Password),
            ("card 4111 1111 1111 1111 exp 12/29", Secret::CardNumber),
            ("SSN 078-05-1120", Secret::IdentityNumber),
            ("身份证 11010519491231002X", Secret::IdentityNumber),
            ("pay to DE89 3704 0044 0532 0130 00", Secret::BankAccount),
        ] {
            assert_eq!(find(text), Some(secret), "{text}");
        }
    }

    #[test]
    fn ordinary_statements_are_not_secrets() {
        for text in [
            "uses 1Password as a password manager",
            "forgot the password of the old laptop",
            "wants to change the password policy at work",
            "the password is on a sticky note somewhere",
            "phone +49 30 1234567890",
            "order 1234567890123456 arrived",
            "flight LH 1234 on 2026-03-01 at 19:40",
            "works on token budgets for language models",
            "the key to the shed hangs by the door",
            "pin the meeting to Tuesday",
            "met 123 people in 45 towns",
            "reads the secret history by Donna Tartt",
            "is learning about API key rotation",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
