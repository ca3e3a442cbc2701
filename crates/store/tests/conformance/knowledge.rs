//! The knowledge base: documents replaced and erased as wholes.

use recalld_memory::change::{Effect, Revision};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::ports::{ChangedKnowledge, StoreError};
use recalld_testing::document_changes::{chunks, document, document_id, erase_document, take_in};
use recalld_testing::memory_changes::{apply, at, change, remember, space};

use crate::fresh_store::Fresh;

pub(crate) async fn documents_read_back_with_their_chunks_in_order(fresh: &Fresh) {
    let ana = space("ana");
    let many: Vec<String> = (0..300).map(|number| format!("喝茶 part {number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let shuffled = Effect::Document {
        document: document("long", 300),
        chunks: chunks("long", &many).into_iter().rev().collect(),
    };
    let untitled = KnowledgeDocument {
        title: None,
        added_at: at(5),
        ..document("bare", 1)
    };
    let bare = Chunk {
        heading: None,
        content: String::new(),
        ..chunks("bare", &["x"]).remove(0)
    };
    let put = Effect::Document {
        document: untitled.clone(),
        chunks: vec![bare.clone()],
    };
    apply(&*fresh.store, &ana, &[change(put), take_in("empty", &[])]).await;
    let now = apply(&*fresh.store, &ana, &[change(shuffled)]).await;
    let expected = ChangedKnowledge {
        revision: now,
        documents: vec![
            (document("empty", 0), vec![]),
            (document("long", 300), chunks("long", &many)),
            (untitled, vec![bare]),
        ],
        erased: vec![],
    };
    let all = fresh.store.knowledge_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all, expected);
}

pub(crate) async fn a_document_taken_in_again_has_its_new_chunks_only(fresh: &Fresh) {
    let ana = space("ana");
    apply(
        &*fresh.store,
        &ana,
        &[take_in("tea", &["green", "black", "white"])],
    )
    .await;
    apply(&*fresh.store, &ana, &[take_in("tea", &["oolong"])]).await;
    for since in [0, 1] {
        let changed = fresh.store.knowledge_since(&ana, Revision(since)).await.unwrap();
        assert_eq!(
            changed.documents,
            [(document("tea", 1), chunks("tea", &["oolong"]))]
        );
    }
}

pub(crate) async fn only_changed_documents_are_given(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    apply(store, &ana, &[take_in("tea", &["green"])]).await;
    let since = apply(store, &ana, &[remember(1, "likes tea")]).await;
    let now = apply(store, &ana, &[take_in("bread", &["rye", "wheat"])]).await;
    let newest = ChangedKnowledge {
        revision: now,
        documents: vec![(document("bread", 2), chunks("bread", &["rye", "wheat"]))],
        erased: vec![],
    };
    assert_eq!(store.knowledge_since(&ana, since).await.unwrap(), newest);
    for since in [now, Revision(u64::MAX)] {
        let nothing = ChangedKnowledge {
            revision: now,
            ..ChangedKnowledge::default()
        };
        assert_eq!(store.knowledge_since(&ana, since).await.unwrap(), nothing);
    }
}

pub(crate) async fn an_erased_document_leaves_its_id_only(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let changes = [take_in("tea", &["green"]), take_in("bread", &["rye"])];
    apply(store, &ana, &changes).await;
    let now = apply(store, &ana, &[erase_document("tea"), erase_document("cake")]).await;
    let changed = store.knowledge_since(&ana, Revision(1)).await.unwrap();
    let expected = ChangedKnowledge {
        revision: now,
        documents: vec![],
        erased: vec![document_id("cake"), document_id("tea")],
    };
    assert_eq!(changed, expected);
    apply(store, &ana, &[take_in("tea", &["black"])]).await;
    let all = store.knowledge_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(
        all.documents,
        [
            (document("bread", 1), chunks("bread", &["rye"])),
            (document("tea", 1), chunks("tea", &["black"])),
        ]
    );
    assert_eq!(all.erased, [document_id("cake")]);
}

pub(crate) async fn the_same_document_lives_in_two_spaces(fresh: &Fresh) {
    let (ana, bo) = (space("ana"), space("bo"));
    let store = &*fresh.store;
    apply(store, &ana, &[take_in("tea", &["green"])]).await;
    apply(store, &bo, &[take_in("tea", &["black"])]).await;
    apply(store, &bo, &[erase_document("tea")]).await;
    let of_ana = store.knowledge_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(
        of_ana.documents,
        [(document("tea", 1), chunks("tea", &["green"]))]
    );
    assert_eq!(of_ana.erased, []);
}

pub(crate) async fn chunks_that_meet_are_refused_whole(fresh: &Fresh) {
    let ana = space("ana");
    apply(&*fresh.store, &ana, &[take_in("tea", &["green"])]).await;
    let before = fresh.store.knowledge_since(&ana, Revision(0)).await.unwrap();
    let mut twice = chunks("tea", &["black", "white"]);
    twice[1].ordinal = 0;
    let put = change(Effect::Document {
        document: document("tea", 2),
        chunks: twice,
    });
    let refused = fresh.store.apply(&ana, Revision(1), &[put]).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    let after = fresh.store.knowledge_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(after, before);
}
