//! Reads the whole log of a space, page by page.

use recalld_memory::change::Event;
use recalld_memory::ports::{EventPage, StoreError};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;

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
