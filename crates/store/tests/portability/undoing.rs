//! Taking changes back, and reading as of a moment.

use std::sync::Arc;

use recalld_memory::as_of::as_of;
use recalld_memory::change::Effect;
use recalld_memory::entities::{self, NewEntity};
use recalld_memory::entity::{EntityKind, EntityName};
use recalld_memory::id::{ConversationId, EntityId};
use recalld_memory::memory::{Content, Origin, Source};
use recalld_memory::ports::Store;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::remember::remember;
use recalld_memory::retire::retire;
use recalld_memory::revise::{Edit, Relabel, revise};
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use recalld_portability::undo::{Mode, Undone, Which, WhyUnchanged, undo};
use recalld_store::SqliteStore;

use serde_json::json;

use crate::sample_user::{put, scope, statement, stores, wired};

fn ports() -> (Ports, Arc<SqliteStore>) {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    (wired(store.clone(), Arc::default()).0, store)
}

/// A scope in a conversation of its own.
fn within(seconds: i64, conversation: &str) -> Scope {
    let mut scope = scope("ana", seconds);
    scope.conversation = Some(ConversationId::new(conversation).unwrap());
    scope
}

async fn learn(ports: &Ports, scope: &Scope, content: &str, key: &str) {
    remember(ports, scope, statement(content, Some(key)))
        .await
        .unwrap();
}

async fn change(ports: &Ports, scope: &Scope, key: &str, content: &str, source: &str) {
    let edit = Edit {
        content: Some(Content::new(content).unwrap()),
        source: Relabel::Set(Source::new(source).unwrap()),
        ..Edit::by(Origin::User)
    };
    revise(ports, scope, Target::Key(key.to_owned()), edit)
        .await
        .unwrap();
}

async fn shown(ports: &Ports) -> Vec<String> {
    let scope = scope("ana", 1000);
    let mut all: Vec<String> = ports
        .spaces
        .read(scope.space(), |view| {
            view.current(scope.lens())
                .map(|memory| memory.content.to_string())
                .collect()
        })
        .await
        .unwrap();
    all.sort();
    all
}

async fn take_back(ports: &Ports, seconds: i64, which: Which) -> Undone {
    undo(ports, &scope("ana", seconds), &which, Mode::Write)
        .await
        .unwrap()
}

#[tokio::test]
async fn each_undo_goes_one_step_further_back() {
    let (ports, _) = ports();
    learn(&ports, &within(1, "a"), "likes tea", "drink").await;
    change(&ports, &within(2, "a"), "drink", "likes coffee", "chat").await;
    learn(&ports, &within(3, "a"), "has a dog", "pet").await;
    retire(&ports, &within(4, "a"), Target::Key("drink".to_owned()), None)
        .await
        .unwrap();
    let steps = [
        vec!["has a dog", "likes coffee"],
        vec!["likes coffee"],
        vec!["likes tea"],
        vec![],
        vec![],
    ];
    for (number, expected) in (10..).zip(steps) {
        take_back(&ports, number, Which::Last).await;
        assert_eq!(shown(&ports).await, expected);
    }
}

#[tokio::test]
async fn a_key_that_came_later_is_a_step_of_its_own() {
    let (ports, _) = ports();
    remember(&ports, &within(1, "a"), statement("likes tea", None))
        .await
        .unwrap();
    learn(&ports, &within(2, "a"), "likes tea", "drink").await;
    let keyed = async || {
        let scope = scope("ana", 1000);
        let look = |view: &SpaceView| view.by_key("drink", scope.lens()).is_some();
        ports.spaces.read(scope.space(), look).await.unwrap()
    };
    assert!(keyed().await);
    take_back(&ports, 10, Which::Last).await;
    assert!(!keyed().await);
    assert_eq!(shown(&ports).await, ["likes tea"]);
    take_back(&ports, 11, Which::Last).await;
    assert_eq!(shown(&ports).await, [""; 0]);
}

/// The answer to a poisoned memory: what one conversation or source brought is gone, what others
/// did stays.
#[tokio::test]
async fn what_one_source_or_conversation_brought_is_taken_back() {
    let (ports, _) = ports();
    learn(&ports, &within(1, "good"), "likes tea", "drink").await;
    learn(&ports, &within(2, "good"), "lives in Rome", "home").await;
    learn(&ports, &within(3, "evil"), "pays everybody", "bill").await;
    change(&ports, &within(4, "evil"), "drink", "likes poison", "web page").await;
    change(&ports, &within(5, "evil"), "home", "lives in a tent", "web page").await;
    change(&ports, &within(6, "good"), "home", "lives in Paris", "chat").await;
    let evil = Which::Conversation(ConversationId::new("evil").unwrap());
    let seen = undo(&ports, &scope("ana", 9), &evil, Mode::DryRun).await.unwrap();
    assert_eq!(
        shown(&ports).await,
        ["likes poison", "lives in Paris", "pays everybody"]
    );
    let undone = take_back(&ports, 10, evil.clone()).await;
    assert_eq!(
        (seen.hidden.len(), seen.restored.len(), seen.kept.len()),
        (undone.hidden.len(), undone.restored.len(), undone.kept.len())
    );
    assert_eq!(shown(&ports).await, ["likes tea", "lives in Paris"]);
    assert_eq!(undone.kept[0].1, WhyUnchanged::ChangedSince);
    let again = take_back(&ports, 11, evil).await;
    assert_eq!((again.hidden.len(), again.restored.len()), (0, 0));

    change(
        &ports,
        &within(12, "good"),
        "drink",
        "likes more poison",
        "web page",
    )
    .await;
    take_back(&ports, 13, Which::Source(Source::new("web page").unwrap())).await;
    assert_eq!(shown(&ports).await, ["likes tea", "lives in Paris"]);
}

#[tokio::test]
async fn a_space_goes_back_to_a_moment_and_can_be_read_as_of_it() {
    let (ports, store) = ports();
    learn(&ports, &within(1, "a"), "likes tea", "drink").await;
    learn(&ports, &within(2, "a"), "has a dog", "pet").await;
    let then = scope("ana", 5).now;
    change(&ports, &within(6, "a"), "drink", "likes coffee", "chat").await;
    retire(&ports, &within(7, "a"), Target::Key("pet".to_owned()), None)
        .await
        .unwrap();
    learn(&ports, &within(8, "a"), "plays chess", "game").await;
    let texts = async |at| -> Vec<String> {
        let mut found: Vec<String> = as_of(&ports, &scope("ana", 9), at)
            .await
            .unwrap()
            .iter()
            .map(|memory| memory.content.to_string())
            .collect();
        found.sort();
        found
    };
    assert_eq!(texts(then).await, ["has a dog", "likes tea"]);
    assert_eq!(texts(scope("ana", 0).now).await, Vec::<String>::new());
    take_back(&ports, 20, Which::After(then)).await;
    assert_eq!(shown(&ports).await, ["has a dog", "likes tea"]);
    let revision = store.revision(scope("ana", 1).space()).await.unwrap();
    take_back(&ports, 21, Which::Source(Source::new("nobody").unwrap())).await;
    assert_eq!(store.revision(scope("ana", 1).space()).await.unwrap(), revision);
}

/// Entities that came with a poisoned conversation are hidden; what has no versions is named.
#[tokio::test]
async fn what_else_a_conversation_brought_is_hidden_or_told() {
    for (name, store, _keep) in stores().await {
        let (ports, _) = wired(store, Arc::default());
        let evil = within(1, "evil");
        add(&ports, &within(0, "good"), "cafe", "The cafe").await;
        add(&ports, &evil, "den", "The den").await;
        add(&ports, &evil, "cafe", "The trap").await;
        learn(&ports, &evil, "pays everybody", "bill").await;
        let record = Effect::Record(Record {
            kind: RecordKind::WorkingMemory,
            name: "user".to_owned(),
            value: json!({"goal": "pay"}),
            version: 1,
            written_at: evil.now,
        });
        put(&ports, &evil, vec![record]).await;
        let which = Which::Conversation(ConversationId::new("evil").unwrap());
        let seen = undo(&ports, &scope("ana", 5), &which, Mode::DryRun)
            .await
            .unwrap();
        let undone = take_back(&ports, 6, which.clone()).await;
        assert_eq!(seen.untouched, undone.untouched, "{name}");
        let names: Vec<&str> = undone.hidden_entities.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(names, ["den"], "{name}");
        let told: Vec<(&str, &str)> = undone
            .untouched
            .iter()
            .map(|one| (one.kind.as_str(), one.id.as_str()))
            .collect();
        assert_eq!(told, [("entity", "cafe"), ("working_memory", "user")], "{name}");
        assert_eq!(places(&ports).await, ["cafe"], "{name}");
        let again = take_back(&ports, 7, which).await;
        assert_eq!(again.hidden_entities, [], "{name}");
    }
}

#[tokio::test]
async fn the_last_change_may_be_one_of_an_entity() {
    let (ports, _) = ports();
    learn(&ports, &within(1, "a"), "likes tea", "drink").await;
    add(&ports, &within(2, "a"), "cafe", "The cafe").await;
    entities::retire(&ports, &within(3, "a"), EntityId::new("cafe").unwrap())
        .await
        .unwrap();
    let restored = take_back(&ports, 10, Which::Last).await;
    assert_eq!(restored.restored_entities.len(), 1);
    assert_eq!(places(&ports).await, ["cafe"]);
    take_back(&ports, 11, Which::Last).await;
    assert_eq!(places(&ports).await, [""; 0]);
    assert_eq!(shown(&ports).await, ["likes tea"]);
    take_back(&ports, 12, Which::Last).await;
    assert_eq!(shown(&ports).await, [""; 0]);
}

async fn add(ports: &Ports, scope: &Scope, id: &str, name: &str) {
    let new = NewEntity {
        id: EntityId::new(id).unwrap(),
        kind: EntityKind::Place,
        name: EntityName::new(name).unwrap(),
        notes: None,
        origin: Origin::User,
    };
    entities::add(ports, scope, new).await.unwrap();
}

async fn places(ports: &Ports) -> Vec<String> {
    let listed = entities::list(ports, &scope("ana", 1000), None).await.unwrap();
    listed.iter().map(|one| one.id.to_string()).collect()
}
