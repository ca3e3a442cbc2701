//! The history of a memory: every state it had, and who made it so.

use recalld_memory::change::{Act, Change, Version};
use recalld_memory::memory::{Memory, Retirement, Standing};
use recalld_testing::memory_changes::{apply, at, id, memory, put, remember, revise, space, stamp};

use crate::fresh_store::Fresh;

pub(crate) async fn every_state_is_kept_in_order_with_who_made_it(fresh: &Fresh) {
    let ana = space("ana");
    let retired = Memory {
        standing: Standing::Retired {
            at: at(4),
            why: Retirement::Forgotten,
        },
        version: 3,
        ..memory(1, "likes coffee")
    };
    let states = [
        (Act::Remember, memory(1, "likes tea")),
        (
            Act::Revise,
            Memory {
                version: 2,
                key: None,
                ..memory(1, "likes coffee")
            },
        ),
        (Act::Retire, retired.clone()),
        (
            Act::Restore,
            Memory {
                standing: Standing::Active,
                version: 4,
                ..retired.clone()
            },
        ),
        (
            Act::Evict,
            Memory {
                standing: Standing::Active,
                in_document: false,
                version: 5,
                ..retired
            },
        ),
    ];
    let mut expected = Vec::new();
    for ((act, memory), seconds) in states.into_iter().zip(10..) {
        let change = Change {
            stamp: stamp(seconds),
            ..put(act, memory.clone())
        };
        // Another memory in the same write, so that places within writes differ.
        apply(&*fresh.store, &ana, &[remember(2, "other"), change]).await;
        expected.push(Version {
            act,
            memory,
            stamp: stamp(seconds),
        });
    }
    assert_eq!(fresh.store.history(&ana, id(1)).await.unwrap(), expected);
}

pub(crate) async fn two_changes_in_one_write_are_two_versions(fresh: &Fresh) {
    let ana = space("ana");
    let changes = [remember(1, "likes tea"), revise(1, "likes coffee", 2)];
    apply(&*fresh.store, &ana, &changes).await;
    let history = fresh.store.history(&ana, id(1)).await.unwrap();
    let contents: Vec<_> = history
        .iter()
        .map(|version| version.memory.content.as_str())
        .collect();
    assert_eq!(contents, ["likes tea", "likes coffee"]);
}

pub(crate) async fn an_unknown_memory_has_no_history(fresh: &Fresh) {
    let ana = space("ana");
    assert_eq!(fresh.store.history(&ana, id(1)).await.unwrap(), []);
    apply(&*fresh.store, &ana, &[remember(1, "likes tea")]).await;
    assert_eq!(fresh.store.history(&ana, id(2)).await.unwrap(), []);
    assert_eq!(fresh.store.history(&space("bo"), id(1)).await.unwrap(), []);
}
