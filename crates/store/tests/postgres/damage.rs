//! Rows that are changed behind the store's back are noticed when they are read.

use recalld_memory::change::{Effect, Revision};
use recalld_memory::ports::{Administration, EventPage, Store, StoreError};
use recalld_memory::record::{Record, RecordKind};
use recalld_store::PostgresStore;
use recalld_testing::document_changes::take_in;
use recalld_testing::memory_changes::{add_entity, add_mention, apply, at, change, remember, revise, space};
use recalld_testing::message_changes::{begin, say};
use recalld_testing::postgres_database::Database;
use serde_json::json;

async fn ask(store: &PostgresStore) -> Result<(), StoreError> {
    let ana = space("ana");
    store.changed_since(&ana, Revision(0)).await?;
    store.histories(&ana, None, 100).await?;
    store.messages_since(&ana, Revision(0)).await?;
    store.knowledge_since(&ana, Revision(0)).await?;
    let page = EventPage {
        limit: 1000,
        ..EventPage::default()
    };
    store.events(&ana, &page).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_row_is_named() {
    let damages = [
        ("memories", "memories SET content = 'likes no tea'"),
        ("memories", "memory_versions SET confidence = 0.5"),
        ("entities", "entities SET name = 'Elsewhere'"),
        ("mentions", "mentions SET message = 'm2'"),
        ("records", "records SET value = '{}'"),
        ("conversations", "conversations SET title = 'Other'"),
        ("messages", "messages SET role = 'assistant'"),
        ("documents", "documents SET title = 'Other'"),
        ("chunks", "chunks SET content = 'Other'"),
        ("events", "events SET actor = 'nobody' WHERE ordinal = 3"),
    ];
    let database = Database::new().await;
    let store = database.open().await;
    let record = Record {
        kind: RecordKind::Profile,
        name: "user".to_owned(),
        value: json!({ "likes": "tea" }),
        version: 1,
        written_at: at(1),
    };
    let changes = [
        remember(1, "likes tea"),
        revise(1, "likes green tea", 2),
        change(Effect::Record(record)),
        add_entity("cafe"),
        add_mention("cafe", "m1"),
        begin("c1"),
        say("c1", 1, "I like tea"),
        take_in("d1", &["All about tea"]),
    ];
    apply(&store, &space("ana"), &changes).await;
    ask(&store).await.unwrap();
    for (table, damage) in damages {
        let plain = damage.split(' ').next().unwrap();
        database
            .sabotage(&format!(
                "CREATE TABLE public.sound AS SELECT * FROM recalld.{plain}; UPDATE recalld.{damage}"
            ))
            .await;
        let named = match ask(&store).await {
            Err(StoreError::Damaged { table, .. }) => table,
            other => panic!("{damage}: {other:?}"),
        };
        assert_eq!(named, table, "{damage}");
        let faults = store.faults().await.unwrap();
        let says = format!("of the table {table} is damaged; restore a backup");
        assert!(
            faults.iter().any(|fault| fault.contains(&says)),
            "{damage}: {faults:?}"
        );
        let column = damage.split(' ').nth(2).unwrap();
        let key =
            "s.space = d.space AND to_jsonb(s) - $2 = to_jsonb(d) - $2".replace("$2", &format!("'{column}'"));
        database
            .sabotage(&format!(
                "UPDATE recalld.{plain} d SET {column} = s.{column} FROM public.sound s WHERE {key};
                 DROP TABLE public.sound"
            ))
            .await;
        ask(&store).await.unwrap();
    }
}
