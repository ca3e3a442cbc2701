//! Conversations as wholes: begun, put again, and erased with all that was said.

use recalld_memory::change::{Effect, Revision};
use recalld_memory::conversation::Conversation;
use recalld_memory::ports::{Changed, EventPage};
use recalld_testing::memory_changes::{apply, at, change, remember, space};
use recalld_testing::message_changes::{
    begin, conversation, erase_conversation, message, message_id, read, say, texts, thread,
};

use crate::fresh_store::Fresh;

pub(crate) async fn they_read_back_exactly_in_the_order_of_beginning(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let second = Conversation {
        began_at: at(5),
        title: None,
        last_seq: 0,
        ..conversation("a")
    };
    let first = Conversation {
        title: Some("喝茶 'or' coffee?".to_owned()),
        ..conversation("b")
    };
    let put = |conversation: &Conversation| change(Effect::Conversation(conversation.clone()));
    apply(store, &ana, &[put(&second)]).await;
    let since = apply(store, &ana, &[remember(1, "likes tea")]).await;
    let now = apply(store, &ana, &[put(&first)]).await;
    let newest = Changed {
        revision: now,
        conversations: vec![first.clone()],
        ..Changed::default()
    };
    assert_eq!(store.changed_since(&ana, since).await.unwrap(), newest);
    let all = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all.conversations, [first, second]);
}

/// PostgreSQL cannot store this character. What takes its place must not count as damage.
pub(crate) async fn a_title_with_nul_can_be_read_back(fresh: &Fresh) {
    let titled = Conversation {
        title: Some("tea\0time".to_owned()),
        ..conversation("a")
    };
    apply(
        &*fresh.store,
        &space("ana"),
        &[change(Effect::Conversation(titled))],
    )
    .await;
    let all = fresh
        .store
        .changed_since(&space("ana"), Revision(0))
        .await
        .unwrap();
    let title = all.conversations[0].title.as_deref().unwrap();
    assert!(matches!(title, "tea\0time" | "tea\u{fffd}time"), "{title:?}");
}

pub(crate) async fn a_conversation_put_again_keeps_its_messages(fresh: &Fresh) {
    let ana = space("ana");
    let renamed = Conversation {
        title: Some("Tea".to_owned()),
        touched_at: at(9),
        last_seq: 8,
        ..conversation("a")
    };
    apply(&*fresh.store, &ana, &[begin("a"), say("a", 1, "hello")]).await;
    let again = change(Effect::Conversation(renamed.clone()));
    apply(&*fresh.store, &ana, &[again]).await;
    assert_eq!(read(&*fresh.store, "ana", "a").await, ["hello"]);
    let changed = fresh.store.changed_since(&ana, Revision(1)).await.unwrap();
    assert_eq!(changed.conversations, [renamed]);
}

pub(crate) async fn an_erased_conversation_takes_its_messages_along(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let changes = [
        begin("a"),
        begin("b"),
        say("a", 1, "hello"),
        say("a", 2, "there"),
        say("b", 1, "stays"),
    ];
    apply(store, &ana, &changes).await;
    let now = apply(store, &ana, &[erase_conversation("a")]).await;

    assert_eq!(read(&*fresh.store, "ana", "a").await, Vec::<String>::new());
    let one = store.message(&ana, &thread("a"), &message_id("m1")).await;
    assert_eq!(one.unwrap(), None);
    let changed = store.changed_since(&ana, Revision(1)).await.unwrap();
    let expected = Changed {
        revision: now,
        erased_conversations: vec![thread("a")],
        ..Changed::default()
    };
    assert_eq!(changed, expected);
    let said = store.messages_since(&ana, Revision(1)).await.unwrap();
    assert_eq!((said.messages, said.erased), (vec![], vec![]));
    assert_eq!(said.erased_conversations, [thread("a")]);

    let page = EventPage {
        before: Some((now, 0)),
        limit: 9,
        ..EventPage::default()
    };
    let events = store.events(&ana, &page).await.unwrap();
    let sources: Vec<_> = events
        .iter()
        .rev()
        .map(|event| event.stamp.source.is_some())
        .collect();
    assert_eq!(sources, [false, true, false, false, true], "{events:?}");
}

/// Whoever follows must drop the former messages, although the conversation is there again.
pub(crate) async fn a_conversation_begun_again_has_nothing_of_the_former(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let former = [begin("a"), say("a", 1, "secret"), say("a", 2, "another")];
    apply(store, &ana, &former).await;
    let again = [erase_conversation("a"), begin("a"), say("a", 1, "hello")];
    apply(store, &ana, &again).await;
    assert_eq!(read(&*fresh.store, "ana", "a").await, ["hello"]);
    for since in [0, 1] {
        let said = store.messages_since(&ana, Revision(since)).await.unwrap();
        assert_eq!(said.erased_conversations, [thread("a")]);
        assert_eq!(said.messages, [message("a", 1, "hello")]);
        let changed = store.changed_since(&ana, Revision(since)).await.unwrap();
        assert_eq!(changed.conversations, [conversation("a")]);
        assert_eq!(changed.erased_conversations, []);
    }
}

pub(crate) async fn similar_conversations_and_spaces_never_meet(fresh: &Fresh) {
    let store = &*fresh.store;
    let names = ["a", "A", "a%", "a_", "ab", "a b", "a:b", "a'--", "á", "a\u{301}"];
    for user in ["ana", "bo"] {
        for name in names {
            let said = format!("{user} in {name}");
            apply(store, &space(user), &[begin(name), say(name, 1, &said)]).await;
        }
    }
    apply(store, &space("bo"), &[erase_conversation("a")]).await;
    for name in names {
        assert_eq!(read(&*fresh.store, "ana", name).await, [format!("ana in {name}")]);
    }
    for name in &names[1..] {
        assert_eq!(read(&*fresh.store, "bo", name).await, [format!("bo in {name}")]);
    }
    assert_eq!(read(&*fresh.store, "cy", "a").await, Vec::<String>::new());
    let of_ana = store.messages_since(&space("ana"), Revision(0)).await.unwrap();
    assert_eq!(of_ana.erased_conversations, []);
    assert!(
        texts(&of_ana.messages).iter().all(|text| text.starts_with("ana")),
        "{of_ana:?}"
    );
    let page = EventPage {
        subject: Some(("message".to_owned(), "ab\nm1".to_owned())),
        limit: 9,
        ..EventPage::default()
    };
    let events = store.events(&space("bo"), &page).await.unwrap();
    assert!(
        events[0].stamp.source.is_some(),
        "nor did another one's log lose anything"
    );
}
