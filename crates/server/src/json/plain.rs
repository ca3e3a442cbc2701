//! Tells text that JSON writes as it is from text that needs escapes.

/// Tells whether nothing in `text` needs an escape: no quote, no backslash, no control character.
pub(super) fn is_plain(text: &[u8]) -> bool {
    let is_plain = |eight: &[u8; 8]| are_plain(u64::from_le_bytes(*eight));
    match text.last_chunk() {
        // The last eight bytes may overlap those before them.
        Some(last) => text.as_chunks().0.iter().all(is_plain) && is_plain(last),
        None => text
            .iter()
            .all(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\'),
    }
}

/// The same for eight bytes in one number, by the well-known ways to look for a small or a certain
/// byte.
#[inline]
fn are_plain(bytes: u64) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    let below = |limit: u8| bytes.wrapping_sub(ONES * u64::from(limit)) & !bytes;
    let equal = |byte: u8| {
        let differs = bytes ^ (ONES * u64::from(byte));
        differs.wrapping_sub(ONES) & !differs
    };
    (below(0x20) | equal(b'"') | equal(b'\\')) & TOPS == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_plain_is_what_serde_json_leaves_as_it_is(
            text in r#"([ -~]|\PC|[\x00-\x20"\\\x7f]){0,40}"#,
        ) {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(is_plain(text.as_bytes()), written.len() == text.len() + 2);
        }
    }
}
