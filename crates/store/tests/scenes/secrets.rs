//! No way into the store lets a secret pass: memories are refused, what was said is redacted.

use recalld_agent::interactions::{self, Interaction};
use recalld_memory::conversations;
use recalld_memory::id::ConversationId;
use recalld_memory::record::RecordKind;
use recalld_memory::settings::Settings;
use recalld_memory::working_memory::{self, Of, Update, WorkingMemoryError};
use recalld_testing::script::{play, ports, scope, stores};
use serde_json::json;

#[tokio::test]
async fn messages_documents_and_tools_hold_no_secret() {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let mut ana = scope("ana");
        let mut printed = String::new();
        for line in [
            "say c1 user the wifi password at home is sunflower99, by the way",
            "said c1 10",
            "search [message] sunflower99",
            r"ingest docs/run.md # Run\nThe alarm code is 4711. Lock up.",
            r#"search_knowledge_base {"query": "alarm code"}"#,
            "remember wifi_password: at the front desk of the hotel",
            r#"update_memory {"key": "wifi_password", "value": "sunflower99"}"#,
            r#"manage_user_memory {"operation": "add_poi", "place_id": "p1", "place_name": "Office", "notes": "the door code is 4711"}"#,
            "recall sunflower99",
        ] {
            printed.push_str(&play(&ports, &mut ana, line).await);
            printed.push('\n');
        }
        assert!(
            printed.contains("[redacted: password], by the way"),
            "{name}: {printed}"
        );
        assert!(printed.contains("[redacted: access code]"), "{name}: {printed}");
        assert!(
            printed.contains("looks like it holds a secret (access code)"),
            "{name}: {printed}"
        );
        assert!(
            !printed.contains("sunflower99") && !printed.contains("4711"),
            "{name}: {printed}"
        );
    }
}

#[tokio::test]
async fn titles_interactions_and_working_memory_hold_no_secret() {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let ana = scope("ana");
        let thread = ConversationId::new("c1").unwrap();
        let title = Some("my PIN is 4711".to_owned());
        let opened = conversations::open(&ports, &ana, thread, title).await.unwrap();
        assert_eq!(
            opened.title.as_deref(),
            Some("my PIN is [redacted: pin]"),
            "{name}"
        );

        let interaction = Interaction {
            kind: "comment".to_owned(),
            at: ana.now,
            text: Some("password: hunter2".to_owned()),
            data: json!({ "api_key": "9f8e7d6c5b4a32101234", "page": 3 }),
        };
        interactions::note(&ports, &ana, vec![interaction]).await.unwrap();
        let kept = ports
            .store
            .records(ana.space(), RecordKind::Interaction, None, 10)
            .await
            .unwrap();
        let value = &kept[0].value;
        assert_eq!(value["text"], "password: [redacted: password]", "{name}");
        assert_eq!(
            value["data"],
            json!({ "api_key": "[redacted: access key or token]", "page": 3 }),
            "{name}"
        );

        let update = Update::Replace(json!({ "router": { "password": "sunflower" } }));
        let refused = working_memory::update(&ports, &ana, &Of::User, update, None).await;
        assert!(matches!(refused, Err(WorkingMemoryError::Secret(_))), "{name}");
        assert!(
            working_memory::read(&ports, &ana, &Of::User)
                .await
                .unwrap()
                .is_none(),
            "{name}"
        );
    }
}
