//! The receipt of an erasure: what was removed, how much of it and when, sealed so that nobody can
//! make one up.

use jiff::Timestamp;
use recalld_memory::id::SpaceId;
use serde::{Deserialize, Serialize};

use super::subject::subject;
use crate::keyed_hash::{from_hex, hex, keyed_hash, same};

/// The receipt for the person who asked for an erasure. It names no user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The keyed hash of the user, in hexadecimal digits.
    pub subject: String,
    pub erased_at: Timestamp,
    /// The kinds of rows and how many there were of each.
    pub erased: Vec<ErasedKind>,
    /// The seal over all of the above, in hexadecimal digits.
    pub seal: String,
}

/// How many rows of one kind were removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasedKind {
    pub kind: String,
    pub rows: u64,
}

impl Receipt {
    /// Writes and seals a receipt.
    pub(super) fn sealed(
        secret: &[u8; 32],
        subject: &[u8; 32],
        at: Timestamp,
        rows: &[(&'static str, u64)],
    ) -> Receipt {
        let kind = |(kind, rows): &(&'static str, u64)| ErasedKind {
            kind: (*kind).to_owned(),
            rows: *rows,
        };
        let mut receipt = Receipt {
            subject: hex(subject),
            erased_at: at,
            erased: rows.iter().map(kind).collect(),
            seal: String::new(),
        };
        receipt.seal = hex(&keyed_hash(secret, receipt.text().as_bytes()));
        receipt
    }

    /// Tells whether this deployment made the receipt and it is unchanged.
    pub fn is_genuine(&self, secret: &[u8; 32]) -> bool {
        let seal = keyed_hash(secret, self.text().as_bytes());
        from_hex(&self.seal).is_some_and(|given| same(&given, &seal))
    }

    /// Tells whether the receipt is about the user of `space`.
    pub fn is_about(&self, secret: &[u8; 32], space: &SpaceId) -> bool {
        let subject = subject(secret, space);
        from_hex(&self.subject).is_some_and(|given| same(&given, &subject))
    }

    /// Counts the rows of all kinds.
    pub fn rows(&self) -> u64 {
        self.erased.iter().map(|kind| kind.rows).sum()
    }

    /// What is sealed. The first line keeps it apart from every other text that is hashed with the
    /// secret.
    fn text(&self) -> String {
        let mut text = format!(
            "recalld receipt of erasure 1\n{}\n{}\n",
            self.subject, self.erased_at
        );
        for ErasedKind { kind, rows } in &self.erased {
            text.push_str(&format!("{}:{kind} {rows}\n", kind.len()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_that_was_changed_is_not_genuine() {
        let secret = [7; 32];
        let rows = [("memories", 3), ("events", 9)];
        let receipt = Receipt::sealed(&secret, &[1; 32], Timestamp::UNIX_EPOCH, &rows);
        assert!(receipt.is_genuine(&secret));
        assert_eq!(receipt.rows(), 12);
        assert!(!receipt.is_genuine(&[8; 32]), "made by another deployment");
        let mut changed = receipt.clone();
        changed.erased[0].rows = 4;
        assert!(!changed.is_genuine(&secret));
        let mut changed = receipt;
        changed.subject = hex(&[2; 32]);
        assert!(!changed.is_genuine(&secret));
    }
}
