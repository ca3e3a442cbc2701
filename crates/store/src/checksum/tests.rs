//! When a stored checksum means damage.

use super::*;

#[test]
fn only_a_checksum_that_is_there_and_differs_is_damage() {
    assert!(verify("memories", &"m1", None, 7).is_ok());
    assert!(verify("memories", &"m1", Some(7), 7).is_ok());
    let damaged = verify("memories", &"m1", Some(8), 7).unwrap_err();
    assert_eq!(damaged.to_string(), "the row m1 of the table memories is damaged");
}
