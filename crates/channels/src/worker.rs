//! Answers the turns that were taken in: each once, in the order in which they were sent.

mod answer;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::{StreamExt, stream};
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Administration, Claim};
use recalld_memory::record::RecordKind;
use recalld_memory::space::SpaceError;

use crate::inbox::Inbox;
use crate::turn::PendingTurn;

/// How many look for work side by side, so that a model that takes its time with one person's
/// message holds up nobody else.
const LANES: usize = 8;

/// How many spaces a lane claims, and serves, at a time.
const SPACES_MAX: usize = 16;

/// How many tasks of a space are looked at in one go.
const TASKS_MAX: usize = 128;

/// How long a claim stands: longer than any turn takes.
const CLAIM_LASTS: Duration = Duration::from_secs(600);

/// A lane takes up nothing new when its claims are this old, and gives them back.
const CLAIM_USED: Duration = Duration::from_secs(240);

/// How often all spaces are looked at, for what another server left or what is to be tried again.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// Answers turns.
#[derive(Clone, Debug)]
pub struct Worker {
    pub agent: AgentPorts,
    pub administration: Arc<dyn Administration>,
    pub inbox: Inbox,
    /// Tells this server from others that work on the same memories.
    pub name: String,
}

impl Worker {
    /// Works until it is dropped.
    pub async fn run(self) {
        self.inbox.warm_up().await;
        let lanes = (0..LANES).map(|lane| {
            let worker = Worker {
                name: format!("{}/{lane}", self.name),
                ..self.clone()
            };
            worker.run_lane()
        });
        futures::future::join_all(lanes).await;
    }

    async fn run_lane(self) {
        loop {
            let arrivals = self.inbox.arrivals();
            self.work().await;
            // What arrived in a space that this lane still held was seen by no other lane.
            if arrivals != self.inbox.arrivals() {
                continue;
            }
            tokio::select! {
                () = self.inbox.arrival() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Answers all that is due and that nobody else is at.
    pub async fn work(&self) {
        let claim = Claim {
            job: "channels",
            work: RecordKind::Task,
            holder: &self.name,
            lasts: CLAIM_LASTS,
        };
        let began = Instant::now();
        // Spaces stay claimed until the end, so that each is visited once.
        while began.elapsed() < CLAIM_USED {
            match self.administration.claim_spaces(&claim, SPACES_MAX).await {
                Ok(spaces) if spaces.is_empty() => break,
                Ok(spaces) => self.serve_all(spaces, began).await,
                Err(error) => {
                    tracing::warn!(%error, "cannot list spaces with unanswered messages");
                    break;
                }
            }
        }
        if let Err(error) = self.administration.release_spaces(&claim).await {
            tracing::warn!(%error, "cannot release spaces; their claims will expire");
        }
    }

    async fn serve_all(&self, spaces: Vec<SpaceId>, began: Instant) {
        let served = stream::iter(spaces).map(async |space| {
            if let Err(error) = self.serve(&space, began).await {
                tracing::warn!(%space, %error, "cannot answer messages yet");
            }
        });
        served.buffer_unordered(SPACES_MAX).collect::<()>().await;
    }

    /// Answers what is due in one space.
    async fn serve(&self, space: &SpaceId, began: Instant) -> Result<(), SpaceError> {
        let store = &self.agent.memory.store;
        let records = store.records(space, RecordKind::Task, None, TASKS_MAX).await?;
        let mut turns: Vec<PendingTurn> = records.iter().filter_map(PendingTurn::read).collect();
        turns.sort_by_key(|turn| (turn.message.sent_at, turn.message.event.clone()));
        let now = self.agent.memory.clock.now();
        let mut waiting: Vec<(String, String)> = Vec::new();
        for turn in turns {
            // A thread goes on in order: what waits holds up what was said after it.
            let thread = (turn.message.chat.clone(), turn.message.root.clone());
            if !turn.is_due(now) || waiting.contains(&thread) {
                waiting.push(thread);
                continue;
            }
            let Some(channel) = self.inbox.channel(&turn.platform) else {
                continue;
            };
            if CLAIM_USED < began.elapsed() {
                break;
            }
            if !self.answer(space, channel, turn).await? {
                waiting.push(thread);
            }
        }
        Ok(())
    }
}
