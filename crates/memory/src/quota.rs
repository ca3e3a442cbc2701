//! How much one user may store. What would grow beyond it is refused; what shrinks never is.

use thiserror::Error;

use crate::change::{Change, Effect};
use crate::id::MemoryId;

/// The most that one user may store; no bound where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StorageQuota {
    /// Memories, hidden ones included.
    pub memories_max: Option<usize>,
    /// Bytes of texts: memories, hidden ones included, profile and working memory.
    pub bytes_max: Option<usize>,
}

/// Why a write is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OverQuota {
    /// There would be too many memories.
    #[error("the user already has as many memories as allowed ({most})")]
    Memories { most: usize },
    /// The texts would be too long together.
    #[error("the user's memories would take more than the {most} bytes allowed")]
    Bytes { most: usize },
}

/// What a user has stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    pub memories: usize,
    /// Bytes of texts.
    pub bytes: usize,
}

impl StorageQuota {
    /// Tells whether anything is bounded.
    pub fn is_set(&self) -> bool {
        *self != StorageQuota::default()
    }

    /// Fails if `changes` would bring what is stored beyond the quota. `bytes_of` tells how long
    /// the text of a memory is that is there already.
    pub fn check(
        &self,
        stored: Stored,
        changes: &[Change],
        bytes_of: impl Fn(MemoryId) -> Option<usize>,
    ) -> Result<(), OverQuota> {
        if !self.is_set() {
            return Ok(());
        }
        let (mut added, mut longer, mut shorter) = (0, 0, 0);
        for change in changes {
            if let Effect::Memory { memory, .. } = &change.effect {
                let before = bytes_of(memory.id);
                added += usize::from(before.is_none());
                longer += memory.content.as_str().len();
                shorter += before.unwrap_or(0);
            }
        }
        let is_over =
            |most: usize, has: usize, more: usize, less: usize| less < more && most + less < has + more;
        if let Some(most) = self.memories_max
            && is_over(most, stored.memories, added, 0)
        {
            return Err(OverQuota::Memories { most });
        }
        match self.bytes_max {
            Some(most) if is_over(most, stored.bytes, longer, shorter) => Err(OverQuota::Bytes { most }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::change::{Act, Actor, Stamp};
    use crate::memory::{Category, Confidence, Content, Memory, NewMemory, Origin, Tier};

    fn change(number: u128, text: &str) -> Change {
        let memory = Memory::new(NewMemory {
            id: MemoryId::from_uuid(uuid::Uuid::from_u128(number)),
            key: None,
            content: Content::new(text).unwrap(),
            category: Category::new("preference").unwrap(),
            tier: Tier::Durable,
            confidence: Confidence::new(1.0).unwrap(),
            origin: Origin::User,
            trust: Origin::User,
            source: None,
            conversation: None,
            message: None,
            learned_at: Timestamp::UNIX_EPOCH,
            expires_at: None,
            project: None,
            evidence: Vec::new(),
        });
        Change {
            stamp: Stamp {
                at: Timestamp::UNIX_EPOCH,
                actor: Actor::new("test"),
                source: None,
                conversation: None,
                message: None,
            },
            effect: Effect::Memory {
                act: Act::Remember,
                memory,
            },
        }
    }

    /// Memory 1 is there, with ten bytes.
    fn check(quota: StorageQuota, changes: &[Change]) -> Result<(), OverQuota> {
        let stored = Stored {
            memories: 1,
            bytes: 10,
        };
        let first = MemoryId::from_uuid(uuid::Uuid::from_u128(1));
        quota.check(stored, changes, |id| (id == first).then_some(10))
    }

    #[test]
    fn what_grows_beyond_the_quota_is_refused_and_what_shrinks_is_not() {
        let memories = |most| StorageQuota {
            memories_max: Some(most),
            bytes_max: None,
        };
        assert_eq!(check(memories(2), &[change(2, "tea")]), Ok(()));
        assert_eq!(
            check(memories(1), &[change(2, "tea")]),
            Err(OverQuota::Memories { most: 1 })
        );
        assert_eq!(
            check(memories(2), &[change(2, "tea"), change(3, "milk")]),
            Err(OverQuota::Memories { most: 2 })
        );
        // A quota that was lowered leaves what is there alone.
        assert_eq!(check(memories(0), &[change(1, "tea")]), Ok(()));
        let bytes = |most| StorageQuota {
            memories_max: None,
            bytes_max: Some(most),
        };
        assert_eq!(check(bytes(13), &[change(2, "tea")]), Ok(()));
        assert_eq!(
            check(bytes(12), &[change(2, "tea")]),
            Err(OverQuota::Bytes { most: 12 })
        );
        assert_eq!(check(bytes(5), &[change(1, "tea")]), Ok(()), "it gets shorter");
        assert_eq!(
            check(bytes(5), &[change(1, "longer than ten bytes")]),
            Err(OverQuota::Bytes { most: 5 })
        );
        assert_eq!(check(StorageQuota::default(), &[change(2, "tea")]), Ok(()));
    }
}
