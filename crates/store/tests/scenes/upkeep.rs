//! What the house does for itself.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use recalld_memory::change::Effect;
use recalld_memory::memory::{Content, Retirement, Standing, Tier};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::remember::{Statement, remember};
use recalld_memory::settings::Settings;
use recalld_memory::space::Decision;
use recalld_memory::upkeep::{RoundLimits, Tidied, round};
use recalld_memory::wiring::Ports;
use recalld_store::SqliteStore;
use recalld_testing::clock::opening;
use recalld_testing::script::{ports, scope};
use serde_json::json;

async fn note(ports: &Ports, user: &str) {
    let statement = Statement {
        tier: Tier::Daily,
        ..Statement::plain(Content::new("Ana reads the news").unwrap())
    };
    remember(ports, &scope(user), statement).await.unwrap();
}

async fn keep_receipt(ports: &Ports, user: &str, name: &str) {
    let record = Record {
        kind: RecordKind::Receipt,
        name: name.to_owned(),
        value: json!({}),
        version: 1,
        written_at: opening(),
    };
    let scope = scope(user);
    let change = scope.change(None, Effect::Record(record));
    let decide = move |_: &_| Decision {
        changes: vec![change.clone()],
        outcome: (),
    };
    ports.spaces.write(scope.space(), decide).await.unwrap();
}

fn after_days(days: i64) -> Timestamp {
    opening() + SignedDuration::from_hours(24 * days)
}

#[tokio::test]
async fn what_is_over_is_put_away_in_bounded_rounds() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let ports = ports(store.clone(), Settings::default());
    for user in ["ana", "bob", "carol"] {
        note(&ports, user).await;
        keep_receipt(&ports, user, "r1").await;
    }
    let limits = RoundLimits {
        spaces_max: 2,
        rows_max: 10,
    };
    let tidied = async |days| round(&ports, &*store, after_days(days), &limits).await.unwrap();
    assert_eq!(tidied(6).await, Tidied::default());
    let receipts = Tidied {
        receipts: 3,
        ..Tidied::default()
    };
    assert_eq!(tidied(8).await, receipts);
    let two_spaces = Tidied {
        expired_memories: 2,
        is_partial: true,
        ..Tidied::default()
    };
    assert_eq!(tidied(91).await, two_spaces);
    let the_last = Tidied {
        expired_memories: 1,
        ..Tidied::default()
    };
    assert_eq!(tidied(91).await, the_last);
    assert_eq!(tidied(91).await, Tidied::default());
    let standing = |view: &recalld_memory::space::SpaceView| {
        view.memories().map(|memory| memory.standing).collect::<Vec<_>>()
    };
    let seen = ports.spaces.read(scope("bob").space(), standing).await.unwrap();
    assert!(
        matches!(
            &seen[..],
            [Standing::Retired {
                why: Retirement::Expired,
                ..
            }]
        ),
        "{seen:?}"
    );
}
