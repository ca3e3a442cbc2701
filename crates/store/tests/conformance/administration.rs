//! What is asked across spaces.

use recalld_memory::change::Act;
use recalld_memory::id::SpaceId;
use recalld_memory::memory::{Memory, Retirement, Standing, Tier};

use crate::fresh::Fresh;
use crate::scene::{add_entity, add_mention, apply, at, erase, memory, put, remember, revise, space};

pub(crate) async fn spaces_are_listed_in_pages(fresh: &Fresh) {
    for user in ["b", "a", "Z", "ä", "a-b", "a b"] {
        apply(&*fresh.store, &space(user), &[remember(1, "likes tea")]).await;
    }
    // In the order of their bytes, on every machine.
    let all: Vec<SpaceId> = ["Z", "a", "a b", "a-b", "b", "ä"]
        .into_iter()
        .map(space)
        .collect();
    let administration = &*fresh.administration;
    assert_eq!(administration.spaces(None, usize::MAX).await.unwrap(), all);
    let (mut after, mut paged) = (None, Vec::new());
    for _ in 0..4 {
        let page = administration.spaces(after.as_ref(), 2).await.unwrap();
        after = page.last().cloned().or(after);
        paged.extend(page);
    }
    assert_eq!(paged, all);
    assert_eq!(administration.spaces(None, 0).await.unwrap(), []);
}

pub(crate) async fn spaces_with_expired_memories_are_found(fresh: &Fresh) {
    let note = |seconds| Memory {
        tier: Tier::Daily,
        expires_at: Some(at(seconds)),
        ..memory(1, "met Bo")
    };
    let retired = Memory {
        standing: Standing::Retired {
            at: at(1),
            why: Retirement::Expired,
        },
        ..note(1)
    };
    for (user, memory) in [
        ("late", note(10)),
        ("early", note(9)),
        ("future", note(11)),
        ("retired", retired),
        ("durable", memory(1, "likes tea")),
    ] {
        apply(&*fresh.store, &space(user), &[put(Act::Remember, memory)]).await;
    }
    let expired = async |limit| {
        fresh
            .administration
            .spaces_with_expired(at(10), limit)
            .await
            .unwrap()
    };
    assert_eq!(expired(9).await, [space("early"), space("late")]);
    assert_eq!(expired(1).await.len(), 1);
    assert_eq!(expired(0).await, []);
}

pub(crate) async fn a_sound_store_has_no_faults_and_tells_its_figures(fresh: &Fresh) {
    let ana = space("ana");
    let writes = [
        vec![
            remember(1, "likes tea"),
            remember(2, "met Bo"),
            add_entity("cafe"),
        ],
        vec![revise(1, "likes coffee", 2), add_mention("cafe", "m1"), erase(2)],
    ];
    for changes in writes {
        apply(&*fresh.store, &ana, &changes).await;
    }
    assert_eq!(fresh.administration.faults().await.unwrap(), Vec::<String>::new());
    let figures = fresh.administration.figures().await.unwrap();
    let figure = |name: &str| {
        figures
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    };
    assert_eq!(figure("rows in memories"), Some("1"));
    assert_eq!(figure("rows in memory_versions"), Some("1"));
    assert_eq!(figure("rows in events"), Some("6"));
}
