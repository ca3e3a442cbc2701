//! Memories without keys, those that hold for everybody, and one list over all kinds.

use expect_test::expect;
use recalld_testing::script::check;

#[tokio::test]
async fn a_model_stores_and_recalls_and_sees_what_holds_for_everybody() {
    let script = r#"
        global The office is closed on Fridays
        store_memory {"content": "Prefers meetings in the office before noon"}
        store_memory {"content": "Prefers meetings in the office before noon"}
        store_memory {"content": "my PIN is 4711"}
        recall_memory {"query": "when is the office closed?"}
        recall_memory {"query": "meetings"}
        recall_memory {"query": " "}
        as bob
        recall_memory {"query": "office"}
        recall office"#;
    check(script, expect![[r#"
        stored | Remembered (00000002).
        duplicate | That is remembered already: - [2026-03-01] "Prefers meetings in the office before noon"
        refused | Not stored: the content looks like it holds a secret (pin). Secrets are never stored in memory; do not try again.
        ok | Remembered, the best match first:
        - [2026-03-01] "The office is closed on Fridays" (for everybody)
        - [2026-03-01] "Prefers meetings in the office before noon" (id 00000002)
        ok | Remembered, the best match first:
        - [2026-03-01] "Prefers meetings in the office before noon" (id 00000002)
        error: argument "query": is blank
        ok | Remembered, the best match first:
        - [2026-03-01] "The office is closed on Fridays" (for everybody)
        (nothing)
    "#]]).await;
}

#[tokio::test]
async fn one_list_holds_every_kind() {
    let script = r#"
        remember Drinks green tea in the morning
        say c1 user Where can I buy green tea?
        say c1 user The weather is fine
        manage_user_memory {"operation": "add_poi", "place_id": "p1", "place_name": "Green Tea House"}
        put account {"plan": "pro", "preferences": {"drink": "green tea"}}
        ingest teas.md # Teas\nGreen tea is steamed.
        global Tea is served at five
        search green tea
        search [entity,knowledge] green tea
        search [profile] plan
        search nothing of the kind"#;
    check(
        script,
        expect![[r#"
            stored | Remembered: - "Green Tea House" (noted by an agent; mentioned in 0 conversations)
            version 1
            added in 1 chunks
            entity Green Tea House
            profile account preferences {"drink":"green tea"}
            knowledge teas.md Green tea is steamed.
            Own memory Drinks green tea in the morning
            message Where can I buy green tea?
            message The weather is fine
            Global memory Tea is served at five
            entity Green Tea House
            knowledge teas.md Green tea is steamed.
            profile account plan "pro"
            (nothing)
        "#]],
    )
    .await;
}
