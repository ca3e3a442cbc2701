//! Verdicts that are known already: screening takes longer than everything else that showing a
//! memory needs.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::{Suspicion, by_rules, of_content, of_label};

/// What screening finds in a text that does not change, each found out when it is first asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    by_rules: OnceLock<Option<Suspicion>>,
    whole: OnceLock<Option<Suspicion>>,
}

impl Verdict {
    /// Judges the content of a memory.
    pub(crate) fn on_content(&self, content: &str) -> Option<Suspicion> {
        *self.whole.get_or_init(|| of_content(content))
    }

    /// Judges the content of a memory by rules alone, which is enough for what is not shown yet.
    pub(crate) fn on_content_by_rules(&self, content: &str) -> Option<Suspicion> {
        match self.whole.get() {
            Some(verdict) => *verdict,
            None => *self.by_rules.get_or_init(|| by_rules(content)),
        }
    }

    /// Judges the key of a memory.
    pub(crate) fn on_label(&self, label: &str) -> Option<Suspicion> {
        *self.whole.get_or_init(|| of_label(label))
    }

    /// Whether it is known already.
    pub(crate) fn is_known(&self) -> bool {
        self.whole.get().is_some()
    }
}

/// A verdict follows from the text beside it, known already or not.
impl PartialEq for Verdict {
    fn eq(&self, _: &Verdict) -> bool {
        true
    }
}

impl Eq for Verdict {}

/// How many verdicts are remembered beside those that stand with their texts.
const REMEMBERED_MAX: usize = 32 * 1024;

/// The verdict on a text that was judged before, whatever holds it now: a view that was loaded
/// again, a value of working memory.
pub(super) fn remembered(text: &str, judge: impl FnOnce() -> Option<Suspicion>) -> Option<Suspicion> {
    static KNOWN: LazyLock<Mutex<HashMap<[u8; 16], Option<Suspicion>>>> = LazyLock::new(Mutex::default);
    let mut key = [0; 16];
    key.copy_from_slice(&Sha256::digest(text)[..16]);
    if let Some(verdict) = KNOWN.lock().get(&key) {
        return *verdict;
    }
    let verdict = judge();
    let mut known = KNOWN.lock();
    if REMEMBERED_MAX <= known.len() {
        known.clear();
    }
    known.insert(key, verdict);
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prompt is made often; the encoder reads a text once in a process, whatever holds it.
    #[test]
    fn a_text_is_judged_once() {
        let mut asked = 0;
        for _ in 0..3 {
            let verdict = remembered("judged once, in a test", || {
                asked += 1;
                Some(Suspicion::Instruction)
            });
            assert_eq!(verdict, Some(Suspicion::Instruction));
        }
        assert_eq!(asked, 1);
    }
}
