//! What the jobs of one commit have decided.

use super::document_cap::fold_within_cap;
use super::job::Job;
use super::view::SpaceView;
use crate::change::{Change, Revision};
use crate::quota::Stored;
use crate::settings::Settings;

/// What a batch has decided so far.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) revision: Revision,
    pub(super) changes: Vec<Change>,
}

impl Decided {
    /// Lets a job decide. Nothing is left of what its quota does not allow.
    pub(super) fn decide(
        &mut self,
        job: &mut dyn Job,
        view: &mut SpaceView,
        settings: &Settings,
    ) -> Vec<Change> {
        self.revision = view.revision();
        let changes = job.decide(view);
        let bytes_of = |id| view.memory(id).map(|memory| memory.content.as_str().len());
        let stored = Stored {
            memories: view.memories.len(),
            bytes: view.text_bytes,
        };
        let refusal = settings.quota.check(stored, &changes, bytes_of).err();
        job.set_refusal(refusal);
        match refusal {
            None => changes,
            Some(_) => Vec::new(),
        }
    }

    /// Folds what a job decided into the view, with what it pushes out and what goes with it.
    pub(super) fn fold(
        &mut self,
        job: &mut dyn Job,
        view: &mut SpaceView,
        mut changes: Vec<Change>,
        settings: &Settings,
    ) {
        if job.is_verbatim() {
            view.fold(&changes);
            view.postpone_evictions();
        } else {
            job.set_evicted(fold_within_cap(view, &mut changes, settings.document_tokens_max));
        }
        let companions = job.companions();
        view.fold(&companions);
        changes.extend(companions);
        self.changes.extend(changes);
    }
}
