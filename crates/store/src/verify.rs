//! Reads everything in a store, for `doctor`: each read compares checksums.

use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Administration, EventPage, Store, StoreError};
use recalld_memory::record::RecordKind;

/// How many spaces, memories, records or events are read at a time.
const PAGE: usize = 500;

/// What to do about damage.
const RESTORE: &str = "restore a backup that is older than the damage";

/// The most damage that is listed.
const FAULTS_MAX: usize = 20;

/// Reads every space and lists the damage, at most one fault for each kind of data in a space.
/// Errors that are no damage end it.
pub(crate) async fn faults(store: &(impl Store + Administration)) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    let mut after: Option<SpaceId> = None;
    loop {
        let spaces = store.spaces(after.as_ref(), PAGE).await?;
        for space in &spaces {
            let found = [
                store.changed_since(space, Revision(0)).await.map(drop),
                histories(store, space).await,
                store.messages_since(space, Revision(0)).await.map(drop),
                store.knowledge_since(space, Revision(0)).await.map(drop),
                records(store, space).await,
                events(store, space).await,
            ];
            for read in found {
                faults.extend(fault(space, read)?);
            }
            if FAULTS_MAX <= faults.len() {
                faults.truncate(FAULTS_MAX);
                return Ok(faults);
            }
        }
        match spaces.last() {
            Some(last) => after = Some(last.clone()),
            None => return Ok(faults),
        }
    }
}

/// Returns the faults that a check found, or the damage that ended it as a fault.
pub(crate) fn or_damage(checked: Result<Vec<String>, StoreError>) -> Result<Vec<String>, StoreError> {
    match checked {
        Err(error @ (StoreError::Damaged { .. } | StoreError::Corrupt { .. })) => {
            Ok(vec![format!("{error}; {RESTORE}")])
        }
        checked => checked,
    }
}

fn fault(space: &SpaceId, read: Result<(), StoreError>) -> Result<Vec<String>, StoreError> {
    let damage = or_damage(read.map(|()| Vec::new()))?;
    let named = damage
        .iter()
        .map(|damage| format!("space {}: {damage}", space.as_str()));
    Ok(named.collect())
}

async fn histories(store: &impl Store, space: &SpaceId) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let page = store.histories(space, after, PAGE).await?;
        match page.last() {
            Some(last) => after = Some(last.memory.id),
            None => return Ok(()),
        }
    }
}

async fn records(store: &impl Store, space: &SpaceId) -> Result<(), StoreError> {
    // Those that are held with the space have been read with it.
    for kind in RecordKind::ALL.into_iter().filter(|kind| !kind.is_held()) {
        let mut after: Option<String> = None;
        loop {
            let page = store.records(space, kind, after.as_deref(), PAGE).await?;
            match page.last() {
                Some(last) => after = Some(last.name.clone()),
                None => break,
            }
        }
    }
    Ok(())
}

async fn events(store: &impl Store, space: &SpaceId) -> Result<(), StoreError> {
    let mut page = EventPage {
        limit: PAGE,
        ..EventPage::default()
    };
    loop {
        let events = store.events(space, &page).await?;
        match events.last() {
            Some(last) => page.before = Some((last.revision, last.ordinal)),
            None => return Ok(()),
        }
    }
}
