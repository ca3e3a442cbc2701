//! Private keys: PEM, OpenSSH, PGP and PuTTY blocks, wallet keys.

use std::sync::LazyLock;

use super::Finding;
use super::digits::has_long_word;
use super::pattern::{Match, Pattern};

/// A block from its first line to its last, or to the end of a text that was cut.
static BLOCK: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?x) -----BEGIN[\ A-Z0-9_-]{0,60}PRIVATE\ KEY(?:\ BLOCK)?-----
               (?: (?-u:[A-Za-z0-9+/=\s:,.()\\]) | -[A-Za-z0-9] )*
               (?: -----END[\ A-Z0-9_-]{0,60}PRIVATE\ KEY(?:\ BLOCK)?----- )?
             | PuTTY-User-Key-File-[23]:(?-u:[^\n])*",
    )
});

/// Keys of wallets by their own format: Bitcoin's WIF, extended private keys, Nostr, Solana's
/// array.
static WALLET: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?x) (?-u:\b)(?: [5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}
             | [xyztuvYZ]prv[1-9A-HJ-NP-Za-km-z]{100,112}
             | nsec1[02-9ac-hj-np-z]{58} ) (?-u:\b)",
    )
});

/// Sixty-four hexadecimal digits are a key only where they are called one: hashes look the same.
static NAMED_HEX: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?xi) (?: private[\s_-]*key | secret[\s_-]*key | priv[\s_-]?key | wallet | metamask | ethereum | (?-u:\b)eth(?-u:\b)
                  | signing[\s_-]*key | clave\s+privada | clé\s+privée | privat(?:er|en)?\s+schlüssel | 私钥 | 秘密鍵 )
             (?-u:[^\n.;]){0,40}? (?-u:\b) ((?:0x)?[0-9a-f]{64}) (?-u:\b)",
    )
});

/// Finds private keys.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    if !has_long_word(text, 16) {
        return;
    }
    findings.extend(
        BLOCK
            .all(text)
            .map(|found| Finding::new("private key", found.value)),
    );
    let is_mixed = |found: &Match<'_>| found.value().bytes().any(|b| b.is_ascii_digit());
    let wallets = WALLET.all(text).filter(is_mixed);
    findings.extend(wallets.map(|found| Finding::new("wallet key", found.value)));
    let is_key = |found: &Match<'_>| {
        let hashes = [
            "hash",
            "transaction",
            "tx",
            "block",
            "commit",
            "sha",
            "digest",
            "checksum",
        ];
        let whole = found.whole().to_lowercase();
        !whole
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| hashes.contains(&word))
    };
    let named = NAMED_HEX.all(text).filter(is_key);
    findings.extend(named.map(|found| Finding::new("wallet key", found.value)));
}
