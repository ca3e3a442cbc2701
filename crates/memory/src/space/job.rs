//! A queued decision about a space.

use std::fmt;

use tokio::sync::oneshot;

use super::document_cap::Evicted;
use super::error::SpaceError;
use super::view::SpaceView;
use crate::change::Change;
use crate::quota::OverQuota;

/// What a writer wants done, and what it will answer when it is done.
#[derive(Clone, Debug)]
pub struct Decision<T> {
    pub changes: Vec<Change>,
    pub outcome: T,
}

impl<T> Decision<T> {
    /// Decides that nothing changes.
    pub fn nothing(outcome: T) -> Decision<T> {
        Decision {
            changes: Vec::new(),
            outcome,
        }
    }
}

/// What a writer is answered when its changes are stored.
#[derive(Clone, Debug)]
pub struct Written<T> {
    pub outcome: T,
    /// What this write pushed out of the memory document.
    pub evicted: Evicted,
}

/// A queued decision, with its answer's type erased.
pub(super) trait Job: Send {
    fn decide(&mut self, view: &SpaceView) -> Vec<Change>;
    /// Whether its changes are stored exactly as they are, without applying the document's cap.
    fn is_verbatim(&self) -> bool;
    /// Whether it decides about many things at once, which takes long.
    fn is_bulk(&self) -> bool;
    /// Notes what the decision pushed out of the memory document.
    fn set_evicted(&mut self, evicted: Evicted);
    /// Gives what is stored together with the decision, once it is known what it pushed out.
    fn companions(&mut self) -> Vec<Change>;
    /// Notes whether the decision is refused; then none of its changes is stored.
    fn set_refusal(&mut self, refusal: Option<OverQuota>);
    fn answer(self: Box<Self>, fate: Result<(), SpaceError>);
}

/// How a decision is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// On the spot, within the document's cap.
    Usual,
    /// About many things at once: apart from other work.
    Bulk,
    /// Many things, stored exactly as they are: without the document's cap.
    Verbatim,
}

/// Makes what is stored together with a decision, of what its writer will be answered.
pub(super) type Companion<T> = Box<dyn FnMut(&T, &Evicted) -> Vec<Change> + Send>;

pub(super) struct Pending<T, F> {
    pub(super) decide: F,
    pub(super) companion: Option<Companion<T>>,
    pub(super) outcome: Option<T>,
    pub(super) manner: Manner,
    pub(super) evicted: Evicted,
    pub(super) refusal: Option<OverQuota>,
    pub(super) reply: oneshot::Sender<Result<Written<T>, SpaceError>>,
}

impl<T: Send, F: FnMut(&SpaceView) -> Decision<T> + Send> Job for Pending<T, F> {
    fn decide(&mut self, view: &SpaceView) -> Vec<Change> {
        let decision = (self.decide)(view);
        self.outcome = Some(decision.outcome);
        decision.changes
    }

    fn is_verbatim(&self) -> bool {
        self.manner == Manner::Verbatim
    }

    fn is_bulk(&self) -> bool {
        self.manner != Manner::Usual
    }

    fn set_evicted(&mut self, evicted: Evicted) {
        self.evicted = evicted;
    }

    fn companions(&mut self) -> Vec<Change> {
        match (&mut self.companion, &self.outcome, self.refusal) {
            (Some(companion), Some(outcome), None) => companion(outcome, &self.evicted),
            _ => Vec::new(),
        }
    }

    fn set_refusal(&mut self, refusal: Option<OverQuota>) {
        self.refusal = refusal;
    }

    fn answer(self: Box<Self>, fate: Result<(), SpaceError>) {
        let Pending {
            outcome,
            evicted,
            refusal,
            reply,
            ..
        } = *self;
        let fate = fate.and_then(|()| refusal.map_or(Ok(()), |refusal| Err(refusal.into())));
        let answer = fate.map(|()| Written {
            outcome: outcome.expect("a job is answered after its decision"),
            evicted,
        });
        // A requester that went away needs no answer.
        let _ = reply.send(answer);
    }
}

impl fmt::Debug for dyn Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Job")
    }
}
