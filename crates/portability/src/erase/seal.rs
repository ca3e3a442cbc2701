//! Keyed hashes (HMAC with SHA-256, RFC 2104): of names that must not be readable, and of receipts
//! that must not be forged.

use sha2::{Digest, Sha256};

const BLOCK_BYTES: usize = 64;

/// Hashes `text` with `secret`.
pub fn keyed_hash(secret: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let pad = |mask: u8| -> [u8; BLOCK_BYTES] {
        std::array::from_fn(|at| secret.get(at).copied().unwrap_or(0) ^ mask)
    };
    let inner = Sha256::new()
        .chain_update(pad(0x36))
        .chain_update(text)
        .finalize();
    Sha256::new()
        .chain_update(pad(0x5c))
        .chain_update(inner)
        .finalize()
        .into()
}

/// Writes bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads 32 bytes that were written as hexadecimal digits.
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

/// Compares two hashes in the same time wherever the first difference is.
pub(super) fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test case of RFC 4231, whose key of 20 bytes counts as one of 32 that ends in
    /// zeros.
    #[test]
    fn it_is_the_standard_one() {
        let mut secret = [0; 32];
        secret[..20].fill(0x0b);
        assert_eq!(
            hex(&keyed_hash(&secret, b"Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
    }

    #[test]
    fn hexadecimal_digits_read_back() {
        let bytes: [u8; 32] = std::array::from_fn(|at| at as u8 * 7);
        assert_eq!(from_hex(&hex(&bytes)), Some(bytes));
        for odd in ["", "00", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(from_hex(odd), None);
        }
    }
}
