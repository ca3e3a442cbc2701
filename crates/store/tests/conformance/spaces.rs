//! Spaces never meet, whatever they are called.

use recalld_memory::change::Revision;
use recalld_memory::id::{Namespace, SpaceId, UserId};
use recalld_memory::ports::EventPage;
use recalld_testing::memory_changes::{
    add_entity, add_mention, apply, entity_id, erase, erase_entity, id, remember, revise, space,
};

use crate::fresh_store::Fresh;

pub(crate) async fn similar_names_never_meet(fresh: &Fresh) {
    let tenant = Namespace::new("acme").unwrap();
    let mut spaces: Vec<_> = [
        "a",
        "A",
        "a%",
        "a_",
        "%",
        "a ",
        " a",
        "a'--",
        "a\"",
        "ab",
        "á",
        "a\u{301}",
        "a\u{200d}",
        "a:b",
        "shared",
        "a\\",
    ]
    .into_iter()
    .map(space)
    .collect();
    spaces.push(SpaceId::shared());
    spaces.push(SpaceId::of_user_in(&tenant, &UserId::new("a").unwrap()));
    for (space, number) in spaces.iter().zip(1..) {
        apply(
            &*fresh.store,
            space,
            &[remember(number, &format!("secret of {number}"))],
        )
        .await;
    }
    for (space, number) in spaces.iter().zip(1..) {
        let found = fresh.store.changed_since(space, Revision(0)).await.unwrap();
        let ids: Vec<_> = found.memories.iter().map(|memory| memory.id).collect();
        assert_eq!(
            (found.revision, ids),
            (Revision(1), vec![id(number)]),
            "{space:?}"
        );
        let page = EventPage {
            limit: 9,
            ..EventPage::default()
        };
        assert_eq!(
            fresh.store.events(space, &page).await.unwrap().len(),
            1,
            "{space:?}"
        );
    }
}

pub(crate) async fn the_same_ids_live_in_two_spaces(fresh: &Fresh) {
    let (ana, bo) = (space("ana"), space("bo"));
    let store = &*fresh.store;
    apply(
        store,
        &ana,
        &[
            remember(1, "likes tea"),
            add_entity("cafe"),
            add_mention("cafe", "m1"),
        ],
    )
    .await;
    apply(store, &bo, &[remember(1, "likes coffee"), add_entity("cafe")]).await;
    apply(store, &bo, &[revise(1, "likes water", 2)]).await;
    let contents = async |space| {
        let history = store.history(space, id(1)).await.unwrap();
        history
            .iter()
            .map(|version| version.memory.content.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(contents(&ana).await, ["likes tea"]);
    assert_eq!(contents(&bo).await, ["likes coffee", "likes water"]);
    let of_bo = store.changed_since(&bo, Revision(0)).await.unwrap();
    assert_eq!(of_bo.entities[0].mentions, []);
    let stranger = store
        .apply(&space("cy"), Revision(0), &[add_mention("cafe", "m9")])
        .await;
    assert!(stranger.is_err(), "nobody mentions what only others have");
}

pub(crate) async fn erasing_in_one_space_leaves_the_other(fresh: &Fresh) {
    let (ana, bo) = (space("ana"), space("bo"));
    let store = &*fresh.store;
    for space in [&ana, &bo] {
        apply(store, space, &[remember(1, "likes tea"), add_entity("cafe")]).await;
    }
    let before = store.changed_since(&ana, Revision(0)).await.unwrap();
    apply(store, &bo, &[erase(1), erase_entity("cafe")]).await;
    assert_eq!(store.changed_since(&ana, Revision(0)).await.unwrap(), before);
    let page = EventPage {
        subject: Some(("entity".to_owned(), entity_id("cafe").to_string())),
        limit: 9,
        ..EventPage::default()
    };
    let events = store.events(&ana, &page).await.unwrap();
    assert!(events[0].stamp.source.is_some(), "nor did her log lose anything");
}
