//! Users who have something of every kind, tombstones in memory, and all of a user as one text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

use jiff::SignedDuration;
use recalld_memory::change::{Actor, Effect, Revision};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{ConversationId, DocumentId, EntityId, MessageId, SpaceId, UserId};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::memory::{Category, Content, Key, Origin, Source, Tier};
use recalld_memory::ports::{Administration, EventPage, Store, Tombstone, TombstoneError, Tombstones};
use recalld_memory::recall::{Question, recall};
use recalld_memory::recall_stats;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::remember::{Remembered, Statement, remember};
use recalld_memory::retire::{erase, retire};
use recalld_memory::revise::{Edit, revise};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::space::{Decision, SpaceView};
use recalld_memory::target::Target;
use recalld_memory::validity::Period;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::Eraser;
use recalld_store::SqliteStore;
use recalld_testing::clock::opening;
use recalld_testing::postgres_database::Database;
use recalld_testing::script::{self, Keep};
use serde_json::json;

/// Tombstones that a test can look at.
#[derive(Debug, Default)]
pub struct Graves(Mutex<Vec<Tombstone>>);

impl Tombstones for Graves {
    fn secret(&self) -> Result<[u8; 32], TombstoneError> {
        Ok([7; 32])
    }

    fn all(&self) -> Result<Vec<Tombstone>, TombstoneError> {
        Ok(self.0.lock().unwrap().clone())
    }

    fn set(&self, tombstone: &Tombstone) -> Result<(), TombstoneError> {
        self.0.lock().unwrap().push(*tombstone);
        Ok(())
    }
}

/// A store that can be wired.
pub trait Whole: Store + Administration {}

impl<S: Store + Administration> Whole for S {}

/// A fresh store of each kind, with its name and what has to live as long as it.
pub async fn stores() -> Vec<(&'static str, Arc<dyn Whole>, Keep)> {
    let sqlite = SqliteStore::in_memory().unwrap();
    let database = Database::new().await;
    let partitioned = Database::partitioned().await;
    vec![
        ("sqlite", Arc::new(sqlite), Box::new(())),
        ("postgres", Arc::new(database.open().await), Box::new(database)),
        (
            "postgres, partitioned",
            Arc::new(partitioned.open().await),
            Box::new(partitioned),
        ),
    ]
}

/// Wires a store, and who erases in it.
pub fn wired(store: Arc<dyn Whole>, tombstones: Arc<Graves>) -> (Ports, Eraser) {
    let ports = script::ports(store.clone(), Settings::default());
    let eraser = Eraser {
        administration: store,
        tombstones,
    };
    (ports, eraser)
}

/// The scope of a user, some seconds after the opening.
pub fn scope(user: &str, seconds: i64) -> Scope {
    let now = opening() + SignedDuration::from_secs(seconds);
    let mut scope = Scope::of_user(UserId::new(user).unwrap(), Actor::new("stage"), now);
    scope.conversation = Some(ConversationId::new("talk").unwrap());
    scope.message = Some(MessageId::new(format!("m{seconds}")).unwrap());
    scope
}

pub fn statement(content: &str, key: Option<&str>) -> Statement {
    Statement {
        key: key.map(|key| Key::new(key).unwrap()),
        category: Category::new("preference").unwrap(),
        source: Some(Source::new("discussion:42").unwrap()),
        // What is said about the world travels with archives, too.
        period: Period::new("2020-05-01T00:00:00Z".parse().ok(), None).unwrap(),
        ..Statement::plain(Content::new(content).unwrap())
    }
}

/// Applies effects as they are.
pub async fn put(ports: &Ports, scope: &Scope, effects: Vec<Effect>) {
    let given = scope.clone();
    let decide = move |_: &SpaceView| Decision {
        changes: effects
            .iter()
            .map(|effect| given.change(Some(Source::new("by hand").unwrap()), effect.clone()))
            .collect(),
        outcome: (),
    };
    ports.spaces.write(scope.space(), decide).await.unwrap();
}

/// Gives the user something of every kind, all of which says `word`; what was erased of it too.
pub async fn move_in(ports: &Ports, user: &str, word: &str) {
    let say = |text: &str| format!("{text} {word}");
    let drink = statement(&say("likes tea with"), Some("drink"));
    let first = remember(ports, &scope(user, 1), drink).await.unwrap();
    assert!(matches!(first, Remembered::Stored { .. }));
    let edit = Edit {
        content: Some(Content::new(&say("likes coffee with")).unwrap()),
        ..Edit::by(Origin::User)
    };
    revise(ports, &scope(user, 2), Target::Key("drink".to_owned()), edit)
        .await
        .unwrap();
    for (number, text) in ["met", "lost", "bought"].iter().enumerate() {
        let mut new = statement(&say(text), Some(text));
        new.tier = Tier::Daily;
        remember(ports, &scope(user, 3 + number as i64), new)
            .await
            .unwrap();
    }
    retire(ports, &scope(user, 7), Target::Key("lost".to_owned()), None)
        .await
        .unwrap();
    erase(ports, &scope(user, 8), Target::Key("bought".to_owned()))
        .await
        .unwrap();
    put(ports, &scope(user, 9), of_every_kind(word)).await;
    let gone = vec![
        Effect::EraseConversation {
            id: ConversationId::new("gone").unwrap(),
        },
        Effect::EraseEntity {
            id: EntityId::new("gone").unwrap(),
        },
        Effect::EraseRecord {
            kind: RecordKind::Profile,
            name: "gone".to_owned(),
        },
    ];
    put(ports, &scope(user, 10), gone).await;
    let question = Question::new(word, 10);
    recall(ports, &scope(user, 11), &question).await.unwrap();
    recall_stats::flush(ports, scope(user, 12).now, 10).await.unwrap();
}

fn of_every_kind(word: &str) -> Vec<Effect> {
    let at = opening();
    let mut effects = Vec::new();
    for name in ["cafe", "gone"] {
        let entity = EntityId::new(name).unwrap();
        effects.push(Effect::Entity {
            act: recalld_memory::change::Act::Remember,
            entity: Entity {
                id: entity.clone(),
                kind: EntityKind::Place,
                name: EntityName::new(&format!("The {name}")).unwrap(),
                notes: Some(Content::new(&format!("where {word} is")).unwrap()),
                added_at: at,
                revised_at: at,
                retired: false,
                in_document: true,
                trust: Origin::Assistant,
                mentions: Vec::new(),
            },
        });
        effects.push(Effect::Mention {
            entity,
            mention: Mention {
                conversation: ConversationId::new("talk").unwrap(),
                message: MessageId::new("m1").unwrap(),
                at,
            },
        });
    }
    for conversation in ["talk", "gone"] {
        let conversation = ConversationId::new(conversation).unwrap();
        effects.push(Effect::Conversation(Conversation {
            id: conversation.clone(),
            title: Some(format!("about {word}")),
            began_at: at,
            touched_at: at,
            last_seq: 2,
        }));
        for (id, seq) in [("m1", 1), ("m2", 2)] {
            effects.push(Effect::Message(Message {
                conversation: conversation.clone(),
                id: MessageId::new(id).unwrap(),
                seq,
                role: Role::User,
                content: MessageText::new(format!("{id} says {word}")).unwrap(),
                sender: Some("Ana".to_owned()),
                at,
                metadata: Some(json!({ "draft": word })),
            }));
        }
    }
    // Recalls are named by their memories: they come with a question.
    for kind in RecordKind::ALL
        .into_iter()
        .filter(|kind| *kind != RecordKind::Recall)
    {
        for name in ["one", "gone"] {
            if name == "one" || kind == RecordKind::Profile {
                effects.push(Effect::Record(Record {
                    kind,
                    name: name.to_owned(),
                    value: json!({ "said": word, "number": 0.1 }),
                    version: 3,
                    written_at: at,
                }));
            }
        }
    }
    effects.push(guide(word));
    effects
}

fn guide(word: &str) -> Effect {
    let at = opening();
    let document = DocumentId::new("guide").unwrap();
    Effect::Document {
        document: KnowledgeDocument {
            id: document.clone(),
            source: format!("guides/{word}.md"),
            title: None,
            digest: "9f86".to_owned(),
            chunks: 1,
            added_at: at,
            revised_at: at,
        },
        chunks: vec![Chunk {
            document,
            ordinal: 0,
            heading: None,
            content: word.to_owned(),
        }],
    }
}

/// Writes all that a store has of a space, in one order.
pub async fn everything(store: &dyn Store, space: &SpaceId) -> String {
    let zero = Revision(0);
    let mut text = format!("{:#?}", store.changed_since(space, zero).await.unwrap());
    let _ = write!(text, "{:#?}", store.messages_since(space, zero).await.unwrap());
    let _ = write!(text, "{:#?}", store.knowledge_since(space, zero).await.unwrap());
    let _ = write!(
        text,
        "{:#?}",
        store.histories(space, None, usize::MAX).await.unwrap()
    );
    let page = EventPage {
        limit: usize::MAX,
        ..EventPage::default()
    };
    let _ = write!(text, "{:#?}", store.events(space, &page).await.unwrap());
    for kind in RecordKind::ALL {
        let records = store.records(space, kind, None, usize::MAX).await.unwrap();
        let _ = write!(text, "{records:#?}");
    }
    text
}

/// All that a store has of each of these users.
pub async fn everything_of(store: &dyn Store, users: &[String]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for user in users {
        let space = SpaceId::of_user(&UserId::new(user.as_str()).unwrap());
        all.insert(user.clone(), everything(store, &space).await);
    }
    all
}
