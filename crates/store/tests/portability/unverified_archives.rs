//! What an archive brings that this deployment did not sign.

use std::sync::Arc;

use recalld_memory::memory::{Content, Origin};
use recalld_memory::profile;
use recalld_memory::record_update::Update;
use recalld_memory::remember::{Statement, remember};
use recalld_memory::space::SpaceView;
use recalld_portability::archive::Mode;
use serde_json::json;

use crate::archives::{packed, taken_in};
use crate::sample_user::{scope, stores, wired};

/// Places and profiles of an archive are believed no more than its memories, whatever its log says
/// was erased.
#[tokio::test]
async fn places_and_profiles_that_nobody_vouches_for_are_imported() {
    let at = "2026-01-01T00:00:00Z";
    let place = json!({
        "id": "p1", "kind": "place", "name": "Café", "notes": "good", "added_at": at, "revised_at": at,
        "retired": false, "in_document": true, "trust": "user", "mentions": [],
    });
    let profile = json!({
        "kind": "profile", "name": "profile", "version": 1, "written_at": at,
        "value": { "icp_definition": "banks" },
    });
    let by = json!({ "at": at, "actor": "cli", "conversation": null, "message": null, "source": null });
    let erased = json!({ "verb": "erase", "kind": "imported_profile", "id": "profile", "by": by });
    for (name, store, _keep) in stores().await {
        for known in [false, true] {
            let (ports, _) = wired(store.clone(), Arc::default());
            let ana = scope(if known { "bea" } else { "ana" }, 1);
            if known {
                let statement = Statement::plain(Content::new("was here before").unwrap());
                remember(&ports, &ana, statement).await.unwrap();
            }
            let bytes = packed(&[
                ("entities.jsonl", format!("{place}\n")),
                ("records.jsonl", format!("{profile}\n")),
                ("events.jsonl", format!("{erased}\n")),
            ]);
            taken_in(&ports, &ana, &bytes, Mode::Write).await;
            let look = |view: &SpaceView| {
                let trust = view.entities().next().map(|entity| entity.trust);
                let entries = profile::entries(view, &ports.settings.profile);
                let told = entries.iter().any(|entry| entry.value == "banks");
                (
                    trust,
                    told,
                    entries.iter().all(|entry| entry.trust == Origin::Import),
                )
            };
            let found = ports.spaces.read(ana.space(), look).await.unwrap();
            assert_eq!(found, (Some(Origin::Import), true, true), "{name}, {known}");
            let own = Update::Replace(json!({ "icp_definition": "shops" }));
            profile::update(&ports, &ana, "profile", own, None).await.unwrap();
            let look = |view: &SpaceView| profile::entries(view, &ports.settings.profile);
            let entries = ports.spaces.read(ana.space(), look).await.unwrap();
            assert!(
                entries.iter().all(|entry| entry.trust == Origin::User),
                "{name}: {entries:?}"
            );
        }
    }
}
