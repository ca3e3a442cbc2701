//! Messages: in their order, in pages, replaced where they stand, and taken out again.

use recalld_memory::change::Revision;
use recalld_memory::conversation::{Message, MessageText, Role};
use recalld_memory::ports::{ChangedMessages, EventPage, MessagePage, StoreError};
use recalld_testing::memory_changes::{apply, at, remember, space, stamp};
use recalld_testing::message_changes::{
    begin, erase_conversation, erase_message, message, message_id, put, read, say, texts, thread,
};
use serde_json::json;

use crate::fresh_store::Fresh;

pub(crate) async fn they_read_back_exactly_in_order(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let full = message("a", 1, "喜欢喝茶\u{1b}[31m\r\n\ttabbed 'quoted'");
    let bare = Message {
        role: Role::Assistant,
        sender: None,
        metadata: None,
        ..message("a", 2, "yes")
    };
    let odd = Message {
        role: Role::System,
        id: message_id("0"),
        seq: i64::MAX as u64,
        content: MessageText::new("ö".repeat(MessageText::BYTES_MAX / 2)).unwrap(),
        sender: Some(String::new()),
        at: at(-3_000_000_000),
        metadata: Some(json!(null)),
        ..message("a", 3, "x")
    };
    let written = [full, bare, odd];
    // Said in another order than theirs.
    let changes = [begin("a"), put(written[2].clone()), put(written[0].clone())];
    apply(store, &ana, &changes).await;
    apply(store, &ana, &[put(written[1].clone())]).await;
    let page = MessagePage {
        before: None,
        limit: 9,
    };
    let found = store.messages(&ana, &thread("a"), &page).await.unwrap();
    assert_eq!(found, written);
    for message in &written {
        let one = store.message(&ana, &thread("a"), &message.id).await.unwrap();
        assert_eq!(one.as_ref(), Some(message));
    }
    let none = store
        .message(&ana, &thread("a"), &message_id("M1"))
        .await
        .unwrap();
    assert_eq!(none, None);
}

pub(crate) async fn pages_go_back_from_the_end(fresh: &Fresh) {
    let ana = space("ana");
    // With a gap, and another conversation between.
    let seqs = [1, 2, 4, 5, 9, 10, 11];
    let mut changes = vec![begin("a"), begin("b")];
    for seq in seqs {
        changes.push(say("a", seq, &format!("said as {seq}")));
        changes.push(say("b", seq, "elsewhere"));
    }
    apply(&*fresh.store, &ana, &changes).await;
    let page = async |before, limit| {
        let page = MessagePage { before, limit };
        let found = fresh.store.messages(&ana, &thread("a"), &page).await.unwrap();
        found.iter().map(|message| message.seq).collect::<Vec<_>>()
    };
    assert_eq!(page(None, 3).await, [9, 10, 11]);
    assert_eq!(page(Some(9), 3).await, [2, 4, 5]);
    assert_eq!(page(Some(2), 3).await, [1]);
    assert_eq!(page(Some(1), 3).await, [0_u64; 0]);
    assert_eq!(page(Some(0), 3).await, [0_u64; 0]);
    assert_eq!(page(Some(8), 1).await, [5], "a number nobody has is a place, too");
    assert_eq!(page(Some(u64::MAX), usize::MAX).await, seqs);
    assert_eq!(page(None, 0).await, [0_u64; 0]);
}

pub(crate) async fn a_message_under_a_known_id_takes_its_place(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let changes = [
        begin("a"),
        say("a", 1, "hello"),
        say("a", 2, "I like te"),
        say("a", 3, "bye"),
    ];
    apply(store, &ana, &changes).await;
    let corrected = Message {
        at: at(9),
        metadata: None,
        ..message("a", 2, "I like tea")
    };
    apply(store, &ana, &[put(corrected.clone())]).await;
    assert_eq!(
        read(&*fresh.store, "ana", "a").await,
        ["hello", "I like tea", "bye"]
    );
    let said = store.messages_since(&ana, Revision(1)).await.unwrap();
    assert_eq!(said.messages, std::slice::from_ref(&corrected));

    let moved = Message { seq: 4, ..corrected };
    apply(store, &ana, &[put(moved)]).await;
    assert_eq!(
        read(&*fresh.store, "ana", "a").await,
        ["hello", "bye", "I like tea"]
    );
}

pub(crate) async fn a_message_needs_its_conversation(fresh: &Fresh) {
    let (ana, bo) = (space("ana"), space("bo"));
    apply(&*fresh.store, &bo, &[begin("a")]).await;
    let refused = fresh
        .store
        .apply(
            &ana,
            Revision(0),
            &[remember(1, "likes tea"), say("a", 1, "hello")],
        )
        .await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(fresh.store.revision(&ana).await.unwrap(), Revision(0));
}

pub(crate) async fn an_erased_message_leaves_its_id_only(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let changes = [
        begin("a"),
        begin("b"),
        say("a", 1, "secret"),
        say("b", 1, "stays"),
    ];
    apply(store, &ana, &changes).await;
    let since = apply(store, &ana, &[erase_message("a", "m1"), erase_message("a", "m9")]).await;
    assert_eq!(read(&*fresh.store, "ana", "a").await, Vec::<String>::new());
    assert_eq!(read(&*fresh.store, "ana", "b").await, ["stays"]);
    let said = store.messages_since(&ana, Revision(1)).await.unwrap();
    let expected = ChangedMessages {
        revision: since,
        erased: vec![(thread("a"), message_id("m1")), (thread("a"), message_id("m9"))],
        ..ChangedMessages::default()
    };
    assert_eq!(said, expected, "what was not there is told, too");
    let page = EventPage {
        subject: Some(("message".to_owned(), "a\nm1".to_owned())),
        limit: 9,
        ..EventPage::default()
    };
    let events = store.events(&ana, &page).await.unwrap();
    let told: Vec<_> = events
        .iter()
        .map(|event| (event.verb.as_str(), event.stamp.source.clone()))
        .collect();
    assert_eq!(told, [("erase", stamp(3).source), ("say", None)]);

    apply(store, &ana, &[say("a", 1, "said again")]).await;
    let said = store.messages_since(&ana, since).await.unwrap();
    assert_eq!(texts(&said.messages), ["said again"]);
    let all = store.messages_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all.erased, [(thread("a"), message_id("m9"))]);
}

/// Erasures first, then what was said: that is how what changed is to be taken over.
pub(crate) async fn whoever_follows_has_what_a_reader_of_everything_has(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let writes = [
        vec![begin("b"), say("b", 1, "one"), say("b", 2, "two")],
        vec![begin("a"), say("a", 2, "later"), say("a", 1, "sooner")],
        vec![say("b", 2, "two, corrected"), erase_message("a", "m2")],
        vec![remember(1, "likes tea")],
        vec![erase_conversation("b"), begin("c"), say("c", 1, "new")],
        vec![begin("b"), say("b", 3, "again"), erase_message("b", "m1")],
        vec![say("c", 2, "gone at once"), erase_message("c", "m2")],
    ];
    let mut followed = Vec::<Message>::new();
    let mut seen = Revision(0);
    for changes in writes {
        apply(store, &ana, &changes).await;
        let said = store.messages_since(&ana, seen).await.unwrap();
        seen = said.revision;
        followed.retain(|old| {
            let is = |new: &Message| (&new.conversation, &new.id) == (&old.conversation, &old.id);
            let erased = (old.conversation.clone(), old.id.clone());
            !said.erased_conversations.contains(&old.conversation)
                && !said.erased.contains(&erased)
                && !said.messages.iter().any(is)
        });
        followed.extend(said.messages);
    }
    followed.sort_by_key(|message| (message.conversation.clone(), message.seq));
    let all = store.messages_since(&ana, Revision(0)).await.unwrap();
    assert_eq!((all.revision, &all.messages), (seen, &followed));
    assert_eq!(texts(&followed), ["sooner", "again", "new"]);
    for since in [seen, Revision(u64::MAX)] {
        let nothing = ChangedMessages {
            revision: seen,
            ..ChangedMessages::default()
        };
        assert_eq!(store.messages_since(&ana, since).await.unwrap(), nothing);
    }
}
