//! Keyed hashes (HMAC with SHA-256, RFC 2104) of names that must not be readable, receipts that
//! must not be forged and archives that must not be changed; and the hexadecimal form they have in
//! files.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Hashes `text` with `secret`.
pub fn keyed_hash(secret: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("an HMAC takes keys of any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

/// Writes bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// Reads 32 bytes that were written as hexadecimal digits.
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
    bytes.try_into().ok()
}

/// Compares two hashes in constant time.
pub(crate) fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.ct_eq(b).into()
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
