//! The memory document, its cap, and its exact token count.

use expect_test::expect;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::memory::Content;
use recalld_memory::remember::{Remembered, Statement, remember};
use recalld_memory::settings::Settings;
use recalld_testing::script::{check, check_with, ports, scope, stores};
use serde_json::Value;

#[tokio::test]
async fn the_document_shows_facts_and_places() {
    let script = r#"
        manage_user_memory {"operation": "add_fact", "content": "Is called Alex"}
        manage_user_memory {"operation": "add_poi", "place_id": "p1", "place_name": "Home", "notes": "Main St"}
        note passing: saw a fox
        read manual: press the red button
        document"#;
    let expected = expect![[r#"
        stored | Remembered (fact_id 00000001).
        stored | Remembered: - "Home", "Main St" (noted by an agent; mentioned in 0 conversations)
        {"facts": [
        {"id": "00000000-0000-0000-0000-000000000001", "content": "Is called Alex", "added_at": "2026-03-01T10:00:00Z", "source_conversation_id": null, "source_message_id": null, "is_active": true}
        ],
        "places_of_interest": [
        {"place_id": "p1", "place_name": "Home", "notes": "Main St", "mentioned_in": {}, "added_at": "2026-03-01T10:00:00Z"}
        ],
        "metadata": {"last_updated": "2026-03-01T10:00:00Z", "total_facts": 1, "total_active_facts": 1, "total_pois": 1, "token_count": 192, "schema_version": "1.0"}}
    "#]];
    check(script, expected).await;
}

#[tokio::test]
async fn inactive_facts_leave_first_and_what_leaves_can_still_be_recalled() {
    let settings = Settings {
        document_tokens_max: 330,
        ..Settings::default()
    };
    let script = "
        remember first: the first fact about the harbour
        wait 1 days
        remember second: the second fact about the harbour
        wait 1 days
        forget second
        remember third: the third fact about the harbour
        wait 1 days
        remember fourth: the fourth fact about the harbour
        wait 1 days
        remember fifth: the fifth fact about the harbour
        recall harbour
        history first";
    let expected = expect![[r#"
        (1 evicted)
        (1 evicted)
        fifth: the fifth fact about the harbour
        fourth: the fourth fact about the harbour
        third: the third fact about the harbour
        first: the first fact about the harbour
        v1 remember: the first fact about the harbour
        v2 evict: the first fact about the harbour
    "#]];
    check_with(settings, script, expected).await;
}

/// After each of many adds the document is within its cap, its own count is right, and nothing is
/// lost.
#[tokio::test]
async fn the_cap_holds_after_every_add() {
    for (name, store, _keep) in stores().await {
        let settings = Settings {
            document_tokens_max: 1_000,
            ..Settings::default()
        };
        let ports = ports(store, settings);
        let scope = scope("ana");
        let mut evictions = 0;
        for number in 0..60 {
            let fact = format!(
                "fact {number} says that the café at “Straße {number}” serves 茶 and \"tea\" \\ daily"
            );
            let statement = Statement::plain(Content::new(&fact).unwrap());
            let Remembered::Stored { evicted, .. } = remember(&ports, &scope, statement).await.unwrap()
            else {
                panic!("each fact is new");
            };
            evictions += evicted;
            let text = ports
                .spaces
                .read(scope.space(), |view| view.document(scope.lens()).to_json())
                .await
                .unwrap();
            let document: Value = serde_json::from_str(&text).unwrap();
            let counted = TokenCount::of(&text);
            assert!(counted.fits(1_000), "{counted:?} after fact {number} on {name}");
            assert_eq!(
                document["metadata"]["token_count"],
                counted.most(),
                "after fact {number} on {name}"
            );
        }
        assert!(40 < evictions, "{evictions}");
        let kept = ports
            .spaces
            .read(scope.space(), |view| view.current(scope.lens()).count())
            .await
            .unwrap();
        assert_eq!(kept, 60, "what left the document is still remembered");
    }
}
