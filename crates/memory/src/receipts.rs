//! The answers that are stored for requests which must not be carried out twice. They hold what was
//! said, so what is erased must leave them, too.

use serde_json::{Value, json};

use crate::change::{Change, Effect};
use crate::ports::StoreError;
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::wiring::Ports;

/// How many receipts are looked at in one go.
const PAGE: usize = 500;

/// Gives the changes by which every receipt that tells of one of `ids` loses what it tells. The
/// receipt itself stays: without it, the same request sent once more would bring back what was
/// erased.
pub(crate) async fn redacted(
    ports: &Ports,
    scope: &Scope,
    ids: &[String],
) -> Result<Vec<Change>, StoreError> {
    // As they stand in the JSON of an answer, so that an id is not found inside another one.
    let written: Vec<String> = ids
        .iter()
        .map(|id| Value::from(id.as_str()).to_string())
        .collect();
    let (mut changes, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = ports
            .store
            .records(scope.space(), RecordKind::Receipt, after.as_deref(), PAGE)
            .await?;
        let tells = |receipt: &&Record| {
            let answer = receipt.value["body"].as_str().unwrap_or_default();
            written.iter().any(|id| answer.contains(id.as_str()))
        };
        changes.extend(page.iter().filter(tells).map(|receipt| {
            let blank = Record {
                value: blank(),
                version: receipt.version + 1,
                ..receipt.clone()
            };
            scope.change(None, Effect::Record(blank))
        }));
        match page.last() {
            Some(last) if page.len() == PAGE => after = Some(last.name.clone()),
            _ => return Ok(changes),
        }
    }
}

fn blank() -> Value {
    json!({ "erased": true })
}

/// Tells whether what a receipt told of was erased since.
pub fn is_blank(receipt: &Record) -> bool {
    receipt.value == blank()
}
