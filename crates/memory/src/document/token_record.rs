//! The document's token count, stored with the write that changed it, for those who read the
//! document from the database and cannot count.

use serde_json::json;

use super::Ledger;
use crate::change::{Change, Effect};
use crate::record::{Record, RecordKind};

/// The one record of its kind.
const NAME: &str = "document";

/// Gives the change that keeps the count of the document as `changes` leave it; none if they do not
/// touch it.
pub(crate) fn token_record(ledger: &Ledger, changes: &[Change]) -> Option<Change> {
    let touches = |change: &&Change| {
        matches!(
            change.effect,
            Effect::Memory { .. }
                | Effect::EraseMemory { .. }
                | Effect::Entity { .. }
                | Effect::EraseEntity { .. }
                | Effect::Mention { .. }
        )
    };
    let stamp = changes.iter().rev().find(touches)?.stamp.clone();
    let tokens = ledger.tokens();
    let value = json!({ "token_count": tokens.most(), "o200k": tokens.o200k, "cl100k": tokens.cl100k });
    let effect = Effect::Record(Record {
        kind: RecordKind::DocumentFigures,
        name: NAME.to_owned(),
        value,
        version: 1,
        written_at: stamp.at,
    });
    Some(Change { stamp, effect })
}
