//! Writes that hold only as long as nothing else was written: for what is decided on things that
//! the view does not hold.

use super::error::SpaceError;
use super::job::Decision;
use super::spaces::Spaces;
use super::view::SpaceView;
use crate::change::{Change, Revision};
use crate::id::SpaceId;

use std::sync::Arc;

impl Spaces {
    /// Writes what is decided if the space is still at `revision`, and gives none if it is not.
    pub async fn write_at<T: Send + 'static>(
        self: &Arc<Self>,
        space: &SpaceId,
        revision: Revision,
        mut decide: impl FnMut(&SpaceView) -> (Vec<Change>, T) + Send + 'static,
    ) -> Result<Option<T>, SpaceError> {
        let decide = move |view: &SpaceView| match view.is_at(revision) {
            true => {
                let (changes, outcome) = decide(view);
                Decision {
                    changes,
                    outcome: Some(outcome),
                }
            }
            false => Decision::nothing(None),
        };
        self.write(space, decide).await
    }
}
