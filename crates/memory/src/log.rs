//! Reads the whole log of a space, page by page.

use crate::change::Event;
use crate::ports::{EventPage, Ports, StoreError};
use crate::scope::Scope;

/// How many events are read at once.
const PAGE: usize = 1000;

/// Hands every event of the space to `each`, the newest first.
pub(crate) async fn each_event(
    ports: &Ports,
    scope: &Scope,
    mut each: impl FnMut(Event),
) -> Result<(), StoreError> {
    let mut page = EventPage {
        limit: PAGE,
        ..EventPage::default()
    };
    loop {
        let events = ports.store.events(scope.space(), &page).await?;
        match events.last() {
            Some(last) => page.before = Some((last.revision, last.ordinal)),
            None => return Ok(()),
        }
        events.into_iter().for_each(&mut each);
    }
}
