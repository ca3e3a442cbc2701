//! Vectors: kept by model, and gone with what they stand for.

use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Change, Effect, Revision};
use recalld_memory::ports::{Changed, Embedded, EventPage, StoreError};
use recalld_memory::vector::{Vector, VectorKind, VectorSubject};
use recalld_testing::document_changes::{document_id, erase_document, take_in};
use recalld_testing::memory_changes::{apply, change, erase, id, remember, revise, space};
use recalld_testing::message_changes::{begin, erase_conversation, erase_message, message_id, say, thread};

use crate::fresh_store::Fresh;

fn model(name: &str, dimension: usize) -> EmbeddingModel {
    EmbeddingModel {
        name: name.to_owned(),
        dimension,
    }
}

/// The model of a test that needs only one.
fn small() -> EmbeddingModel {
    model("small", 2)
}

fn of_memory(number: u128, model: &EmbeddingModel, first: f32) -> Vector {
    vector(VectorSubject::Memory(id(number)), model, first)
}

fn of_chunk(document: &str, ordinal: u32, first: f32) -> Vector {
    vector(
        VectorSubject::Chunk(document_id(document), ordinal),
        &small(),
        first,
    )
}

fn vector(subject: VectorSubject, model: &EmbeddingModel, first: f32) -> Vector {
    let mut components = vec![0.25; model.dimension];
    components[0] = first;
    Vector {
        subject,
        model: model.clone(),
        text_digest: [first as u8; 16],
        components,
    }
}

fn keep(vector: &Vector) -> Change {
    change(Effect::Vector(vector.clone()))
}

/// Reads in an order that does not depend on the store.
async fn read(fresh: &Fresh, user: &str, model: &EmbeddingModel, since: u64) -> Vec<Vector> {
    let space = space(user);
    let mut found = Vec::new();
    for kind in [VectorKind::Memory, VectorKind::Chunk, VectorKind::Message] {
        let some = fresh
            .store
            .vectors_since(&space, model, kind, Revision(since))
            .await;
        let some = some.unwrap();
        assert!(some.iter().all(|vector| vector.subject.kind() == kind));
        found.extend(some);
    }
    found.sort_by(|a, b| a.subject.cmp(&b.subject));
    found
}

pub(crate) async fn they_are_kept_by_model_and_dimension(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    apply(
        store,
        &ana,
        &[remember(1, "likes tea"), take_in("tea", &["green"])],
    )
    .await;
    let odd = Vector {
        components: vec![f32::MIN_POSITIVE, -0.0],
        ..of_memory(1, &small(), 1.0)
    };
    let kept = [odd, of_chunk("tea", 0, 2.0)];
    let others = [model("small", 3), model("Small", 2), model("large", 1024)];
    let mut changes: Vec<Change> = kept.iter().map(keep).collect();
    changes.extend(others.iter().map(|model| keep(&of_memory(1, model, 3.0))));
    apply(store, &ana, &changes).await;
    let bits = |vectors: &[Vector]| -> Vec<Vec<u32>> {
        let bits = |vector: &Vector| vector.components.iter().map(|c| c.to_bits()).collect();
        vectors.iter().map(bits).collect()
    };
    let found = read(fresh, "ana", &small(), 0).await;
    assert_eq!(found, kept);
    assert_eq!(bits(&found), bits(&kept));
    for other in &others {
        assert_eq!(read(fresh, "ana", other, 0).await, [of_memory(1, other, 3.0)]);
    }
    assert_eq!(read(fresh, "ana", &model("unknown", 2), 0).await, []);
    assert_eq!(read(fresh, "bo", &small(), 0).await, []);
}

pub(crate) async fn they_are_no_events(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let since = apply(store, &ana, &[remember(1, "likes tea")]).await;
    let now = apply(store, &ana, &[keep(&of_memory(1, &small(), 1.0))]).await;
    assert_eq!(now, since.next());
    let page = EventPage {
        limit: 9,
        ..EventPage::default()
    };
    assert_eq!(store.events(&ana, &page).await.unwrap().len(), 1);
    let nothing = Changed {
        revision: now,
        ..Changed::default()
    };
    assert_eq!(store.changed_since(&ana, since).await.unwrap(), nothing);
    let faults = fresh.administration.faults().await.unwrap();
    assert_eq!(faults, Vec::<String>::new());
}

pub(crate) async fn only_later_ones_are_given(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let (first, second) = (of_memory(1, &small(), 1.0), of_memory(2, &small(), 2.0));
    let changes = [remember(1, "likes tea"), remember(2, "met Bo"), keep(&first)];
    apply(store, &ana, &changes).await;
    apply(store, &ana, &[keep(&second)]).await;
    assert_eq!(
        read(fresh, "ana", &small(), 1).await,
        std::slice::from_ref(&second)
    );
    let anew = of_memory(1, &small(), 9.0);
    apply(store, &ana, &[revise(1, "likes coffee", 2), keep(&anew)]).await;
    assert_eq!(read(fresh, "ana", &small(), 2).await, std::slice::from_ref(&anew));
    assert_eq!(read(fresh, "ana", &small(), 0).await, [anew, second]);
    for since in [3, u64::MAX] {
        assert_eq!(read(fresh, "ana", &small(), since).await, []);
    }
}

pub(crate) async fn they_go_with_the_memory(fresh: &Fresh) {
    let other = model("large", 3);
    for user in ["ana", "bo"] {
        let changes = [
            remember(1, "likes tea"),
            remember(2, "met Bo"),
            keep(&of_memory(1, &small(), 1.0)),
            keep(&of_memory(1, &other, 1.0)),
            keep(&of_memory(2, &small(), 2.0)),
        ];
        apply(&*fresh.store, &space(user), &changes).await;
    }
    apply(&*fresh.store, &space("ana"), &[erase(1)]).await;
    let left = [of_memory(2, &small(), 2.0)];
    assert_eq!(read(fresh, "ana", &small(), 0).await, left);
    assert_eq!(read(fresh, "ana", &other, 0).await, []);
    assert_eq!(read(fresh, "bo", &small(), 0).await.len(), 2);
    // Learned anew, it is another memory.
    apply(&*fresh.store, &space("ana"), &[remember(1, "likes coffee")]).await;
    assert_eq!(read(fresh, "ana", &small(), 0).await, left);
}

pub(crate) async fn they_go_with_the_chunks_of_a_document(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let changes = [
        take_in("tea", &["green", "black"]),
        take_in("bread", &["rye"]),
        keep(&of_chunk("tea", 0, 1.0)),
        keep(&of_chunk("tea", 1, 2.0)),
        keep(&of_chunk("bread", 0, 3.0)),
    ];
    apply(store, &ana, &changes).await;
    apply(store, &ana, &[take_in("tea", &["green", "white"])]).await;
    assert_eq!(
        read(fresh, "ana", &small(), 0).await,
        [of_chunk("bread", 0, 3.0)],
        "a document that is replaced keeps none"
    );
    apply(store, &ana, &[erase_document("bread")]).await;
    assert_eq!(read(fresh, "ana", &small(), 0).await, []);
}

pub(crate) async fn they_go_with_the_message(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let of = |talk: &str, id: &str, first| {
        let subject = VectorSubject::Message(thread(talk), message_id(id));
        vector(subject, &small(), first)
    };
    let changes = [
        begin("a"),
        begin("b"),
        say("a", 1, "hello"),
        say("a", 2, "which pier?"),
        say("b", 1, "hello"),
        keep(&of("a", "m1", 1.0)),
        keep(&of("a", "m2", 2.0)),
        keep(&of("b", "m1", 3.0)),
        keep(&of("b", "m2", 4.0)),
    ];
    apply(store, &ana, &changes).await;
    let all = [of("a", "m1", 1.0), of("a", "m2", 2.0), of("b", "m1", 3.0)];
    assert_eq!(read(fresh, "ana", &small(), 0).await, all);
    // Said in other words, it keeps the vector: the digest tells that it is old.
    apply(store, &ana, &[say("a", 2, "which quay?")]).await;
    assert_eq!(read(fresh, "ana", &small(), 0).await, all);
    apply(store, &ana, &[erase_message("a", "m1"), erase_conversation("b")]).await;
    assert_eq!(read(fresh, "ana", &small(), 0).await, all[1..2]);
}

pub(crate) async fn what_a_model_has_still_to_do_is_counted(fresh: &Fresh) {
    let embedded = async |model: &EmbeddingModel| fresh.administration.embedded(model).await.unwrap();
    assert_eq!(embedded(&small()).await, Embedded::default());
    for user in ["ana", "bo"] {
        let changes = [
            remember(1, "likes tea"),
            take_in("tea", &["green", "black"]),
            begin("a"),
            say("a", 1, "hello"),
            keep(&of_memory(1, &small(), 1.0)),
        ];
        apply(&*fresh.store, &space(user), &changes).await;
    }
    assert_eq!(embedded(&small()).await, Embedded { kept: 2, wanted: 8 });
    assert_eq!(
        embedded(&model("small", 3)).await,
        Embedded { kept: 0, wanted: 8 }
    );
}

pub(crate) async fn a_vector_of_what_is_not_there_is_not_kept(fresh: &Fresh) {
    let (ana, bo) = (space("ana"), space("bo"));
    let store = &*fresh.store;
    apply(store, &bo, &[remember(1, "likes tea")]).await;
    apply(store, &ana, &[take_in("tea", &["green"]), remember(2, "met Bo")]).await;
    let changes = [
        keep(&of_memory(1, &small(), 1.0)),
        keep(&of_chunk("tea", 1, 1.0)),
        keep(&of_chunk("cake", 0, 1.0)),
        erase(2),
        keep(&of_memory(2, &small(), 1.0)),
    ];
    apply(store, &ana, &changes).await;
    assert_eq!(read(fresh, "ana", &small(), 0).await, []);
    let changes = [remember(1, "likes tea"), take_in("cake", &["sweet"])];
    apply(store, &ana, &changes).await;
    assert_eq!(read(fresh, "ana", &small(), 0).await, []);
}

pub(crate) async fn a_vector_of_another_dimension_is_refused(fresh: &Fresh) {
    let ana = space("ana");
    let short = Vector {
        components: vec![1.0],
        ..of_memory(1, &small(), 1.0)
    };
    let changes = [remember(1, "likes tea"), keep(&short)];
    let refused = fresh.store.apply(&ana, Revision(0), &changes).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(fresh.store.revision(&ana).await.unwrap(), Revision(0));
}

pub(crate) async fn those_of_other_models_are_dropped_piece_by_piece(fresh: &Fresh) {
    let (wider, older) = (model("small", 3), model("older", 2));
    for user in ["ana", "bo"] {
        let changes = [
            remember(1, "likes tea"),
            keep(&of_memory(1, &small(), 1.0)),
            keep(&of_memory(1, &wider, 1.0)),
            keep(&of_memory(1, &older, 1.0)),
        ];
        apply(&*fresh.store, &space(user), &changes).await;
    }
    let drop = async |models: &[EmbeddingModel], limit| {
        let dropped = fresh.administration.drop_vectors_but(models, limit);
        dropped.await.unwrap()
    };
    let used = [small(), model("not yet used", 2)];
    assert_eq!(drop(&used, 0).await, 0);
    assert_eq!(drop(&used, 3).await, 3);
    assert_eq!(drop(&used, usize::MAX).await, 1);
    assert_eq!(drop(&used, 9).await, 0);
    for user in ["ana", "bo"] {
        assert_eq!(read(fresh, user, &small(), 0).await.len(), 1);
        assert_eq!(read(fresh, user, &wider, 0).await, []);
        assert_eq!(read(fresh, user, &older, 0).await, []);
    }
    assert_eq!(drop(&[], 9).await, 2);
}

/// Many users, so that rows of several partitions have the same position.
pub(crate) async fn dropping_a_model_leaves_the_vectors_of_the_others(fresh: &Fresh) {
    let older = model("older", 2);
    let users: Vec<String> = (0..50).map(|number| format!("user {number}")).collect();
    for (number, user) in users.iter().enumerate() {
        let mut changes = vec![remember(1, "likes tea"), keep(&of_memory(1, &small(), 1.0))];
        if number % 2 == 0 {
            changes.insert(1, keep(&of_memory(1, &older, 1.0)));
        }
        apply(&*fresh.store, &space(user), &changes).await;
    }
    let dropped = fresh
        .administration
        .drop_vectors_but(&[small()], usize::MAX)
        .await;
    assert_eq!(dropped.unwrap(), 25);
    for user in &users {
        assert_eq!(read(fresh, user, &older, 0).await, []);
        assert_eq!(read(fresh, user, &small(), 0).await.len(), 1);
    }
}
