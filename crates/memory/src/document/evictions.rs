//! Tells the operator what left a document: the model is not told, and the caller only how much it
//! was.

use crate::change::{Act, Change, Effect};
use crate::id::SpaceId;

/// The most ids in one line of the log: an import may push out thousands.
const IDS_IN_LINE_MAX: usize = 50;

/// Logs the evictions among `changes`, once they are stored, as a warning for each cause of them,
/// in lines of readable length.
pub fn warn_of_evictions(space: &SpaceId, changes: &[Change]) {
    let evicted = |change: &&Change| {
        matches!(
            change.effect,
            Effect::Memory { act: Act::Evict, .. } | Effect::Entity { act: Act::Evict, .. }
        )
    };
    let evictions: Vec<&Change> = changes.iter().filter(evicted).collect();
    let causes = evictions.chunk_by(|a, b| a.stamp == b.stamp);
    for together in causes.flat_map(|cause| cause.chunks(IDS_IN_LINE_MAX)) {
        let ids: Vec<String> = together
            .iter()
            .map(|change| change.effect.subject().parts().1)
            .collect();
        tracing::warn!(
            target: "recalld::document",
            user = space.user().unwrap_or("-"),
            conversation = together[0].stamp.conversation.as_ref().map_or("-", |id| id.as_str()),
            count = ids.len(),
            ids = ids.join(","),
            "evicted from the memory document to keep it within its token cap"
        );
    }
}
