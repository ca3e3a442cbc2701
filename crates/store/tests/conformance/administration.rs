//! What is asked across spaces.

use std::time::Duration;

use recalld_memory::change::{Act, Effect};
use recalld_memory::id::SpaceId;
use recalld_memory::memory::{Memory, Retirement, Standing, Tier};
use recalld_memory::ports::Claim;
use recalld_memory::record::{Record, RecordKind};
use recalld_testing::memory_changes::{
    add_entity, add_mention, apply, at, change, erase, memory, put, remember, revise, space,
};

use crate::fresh_store::Fresh;

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

fn claim(holder: &str, lasts: Duration) -> Claim<'_> {
    Claim {
        job: "read",
        work: RecordKind::Task,
        holder,
        lasts,
    }
}

async fn promise(fresh: &Fresh, user: &str) {
    let task = Record {
        kind: RecordKind::Task,
        name: "t".to_owned(),
        value: serde_json::json!({}),
        version: 1,
        written_at: at(1),
    };
    apply(&*fresh.store, &space(user), &[change(Effect::Record(task))]).await;
}

pub(crate) async fn work_is_claimed_by_one_and_free_when_released_or_lapsed(fresh: &Fresh) {
    for user in ["a", "b", "c"] {
        promise(fresh, user).await;
    }
    apply(&*fresh.store, &space("idle"), &[remember(1, "likes tea")]).await;
    let long = Duration::from_secs(3600);
    let (one, two) = (claim("one", long), claim("two", long));
    let administration = &*fresh.administration;
    let taken = async |claim: &Claim<'_>, limit| {
        let mut spaces = administration.claim_spaces(claim, limit).await.unwrap();
        spaces.sort();
        spaces
    };
    assert_eq!(taken(&one, 0).await, []);
    assert_eq!(taken(&one, 2).await.len(), 2);
    assert_eq!(taken(&two, 9).await.len(), 1, "the rest, and nothing twice");
    assert_eq!(taken(&one, 9).await, [], "what it has already is not given again");
    let other = Claim { job: "write", ..one };
    assert_eq!(taken(&other, 9).await.len(), 3, "another job is claimed apart");
    administration.release_spaces(&one).await.unwrap();
    assert_eq!(taken(&two, 9).await.len(), 2);
    administration.release_spaces(&two).await.unwrap();
    // The claim of a server that died is nobody's after its time.
    let dying = claim("dying", Duration::ZERO);
    assert_eq!(taken(&dying, 9).await.len(), 3);
    assert_eq!(taken(&two, 9).await, [space("a"), space("b"), space("c")]);
    // A late release takes nothing from who has it by now.
    administration.release_spaces(&dying).await.unwrap();
    assert_eq!(taken(&one, 9).await, []);
    administration.erase_space(&space("b"), 1).await.unwrap();
    administration.release_spaces(&two).await.unwrap();
    assert_eq!(taken(&one, 9).await, [space("a"), space("c")]);
}

pub(crate) async fn those_who_claim_together_share_the_work(fresh: &Fresh) {
    for user in 0..40 {
        promise(fresh, &format!("user {user}")).await;
    }
    let mut running = tokio::task::JoinSet::new();
    for holder in 0..4 {
        let administration = fresh.administration.clone();
        running.spawn(async move {
            let (holder, mut mine) = (format!("server {holder}"), Vec::new());
            let claim = claim(&holder, Duration::from_secs(3600));
            // Somebody may be passed by whose claim is just being made; one empty answer is not the
            // end.
            let mut empty = 0;
            while empty < 5 {
                let taken = administration.claim_spaces(&claim, 3).await.unwrap();
                empty = if taken.is_empty() { empty + 1 } else { 0 };
                mine.extend(taken);
            }
            mine
        });
    }
    let mut all: Vec<SpaceId> = running.join_all().await.into_iter().flatten().collect();
    assert_eq!(all.len(), 40, "each is given to one");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 40, "and none is left");
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
    let figures = fresh.administration.stats().await.unwrap();
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
