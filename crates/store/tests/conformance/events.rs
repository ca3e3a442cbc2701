//! The audit log: every change, the newest first, in pages.

use recalld_memory::change::{Event, Revision};
use recalld_memory::ports::EventPage;
use recalld_testing::memory_changes::{add_entity, add_mention, apply, id, remember, revise, space, stamp};

use crate::fresh_store::Fresh;

async fn two_writes(fresh: &Fresh) {
    let ana = space("ana");
    apply(
        &*fresh.store,
        &ana,
        &[remember(1, "likes tea"), add_entity("cafe")],
    )
    .await;
    apply(
        &*fresh.store,
        &ana,
        &[revise(1, "likes coffee", 2), add_mention("cafe", "m1")],
    )
    .await;
}

async fn ask(fresh: &Fresh, page: EventPage) -> Vec<Event> {
    fresh.store.events(&space("ana"), &page).await.unwrap()
}

fn subject(kind: &str, id: &str) -> EventPage {
    EventPage {
        subject: Some((kind.to_owned(), id.to_owned())),
        limit: 9,
        ..EventPage::default()
    }
}

pub(crate) async fn they_come_newest_first_with_their_stamps(fresh: &Fresh) {
    two_writes(fresh).await;
    let event = |revision, ordinal, verb: &str, kind: &str, id: String| Event {
        revision: Revision(revision),
        ordinal,
        verb: verb.to_owned(),
        subject: (kind.to_owned(), id),
        stamp: stamp(3),
    };
    let page = EventPage {
        limit: usize::MAX,
        ..EventPage::default()
    };
    assert_eq!(
        ask(fresh, page).await,
        [
            event(2, 1, "mention", "entity", "cafe".to_owned()),
            event(2, 0, "revise", "memory", id(1).to_string()),
            event(1, 1, "remember", "entity", "cafe".to_owned()),
            event(1, 0, "remember", "memory", id(1).to_string()),
        ]
    );
}

pub(crate) async fn pages_meet_without_gap_or_repetition(fresh: &Fresh) {
    two_writes(fresh).await;
    let (mut before, mut places) = (None, Vec::new());
    // One more page than there are events: the last is empty.
    for _ in 0..5 {
        let page = EventPage {
            before,
            limit: 1,
            ..EventPage::default()
        };
        let events = ask(fresh, page).await;
        before = events
            .last()
            .map(|event| (event.revision, event.ordinal))
            .or(before);
        places.extend(events.iter().map(|event| (event.revision.0, event.ordinal)));
    }
    assert_eq!(places, [(2, 1), (2, 0), (1, 1), (1, 0)]);
}

pub(crate) async fn one_subject_can_be_asked_for(fresh: &Fresh) {
    two_writes(fresh).await;
    let verbs = |events: Vec<Event>| events.into_iter().map(|event| event.verb).collect::<Vec<_>>();
    let tea = id(1).to_string();
    assert_eq!(
        verbs(ask(fresh, subject("memory", &tea)).await),
        ["revise", "remember"]
    );
    assert_eq!(
        verbs(ask(fresh, subject("entity", "cafe")).await),
        ["mention", "remember"]
    );
    let older = EventPage {
        before: Some((Revision(2), 1)),
        ..subject("entity", "cafe")
    };
    assert_eq!(verbs(ask(fresh, older).await), ["remember"]);
    for (kind, id) in [
        ("memory", "no id"),
        ("memory", "cafe"),
        ("entity", tea.as_str()),
        ("entity", "caf_"),
        ("planet", "cafe"),
        ("", ""),
    ] {
        assert_eq!(ask(fresh, subject(kind, id)).await, [], "{kind} {id}");
    }
}

pub(crate) async fn a_page_of_nothing_is_empty(fresh: &Fresh) {
    two_writes(fresh).await;
    assert_eq!(ask(fresh, EventPage::default()).await, []);
    let before_all = EventPage {
        before: Some((Revision(0), 0)),
        limit: 9,
        ..EventPage::default()
    };
    assert_eq!(ask(fresh, before_all).await, []);
    let after_all = EventPage {
        before: Some((Revision(u64::MAX), u32::MAX)),
        limit: 9,
        ..EventPage::default()
    };
    assert_eq!(ask(fresh, after_all).await.len(), 4);
}
