//! Answers the turns that were taken in: each once, in the order in which they were sent.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use recalld_agent::chat::{self, Request};
use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::{Actor, Effect};
use recalld_memory::conversation::MessageText;
use recalld_memory::id::{ConversationId, MessageId, SpaceId};
use recalld_memory::ports::{Administration, Claim};
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceError, SpaceView};
use sha2::{Digest, Sha256};

use crate::inbox::{Channel, Inbox};
use crate::outgoing::OutgoingReply;
use crate::platform::SendError;
use crate::turn::PendingTurn;

/// How many spaces are claimed at a time.
const SPACES_MAX: usize = 16;

/// How many tasks of a space are looked at in one go.
const TASKS_MAX: usize = 128;

/// How long a claim stands: longer than any turn takes.
const CLAIM_LASTS: Duration = Duration::from_secs(600);

/// How often all spaces are looked at, for what another server left or what is to be tried again.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// How often a turn is tried. With the pauses in between, that is about six hours.
const ATTEMPTS_MAX: u32 = 12;

/// What is said when the model cannot answer after all attempts.
const APOLOGY: &str = "Sorry, I cannot answer at the moment.";

/// How often the model is asked before that is said.
const MODEL_ATTEMPTS_MAX: u32 = 3;

/// Answers turns.
#[derive(Clone, Debug)]
pub struct Worker {
    pub agent: AgentPorts,
    pub administration: Arc<dyn Administration>,
    pub inbox: Inbox,
    /// Tells this server from others that work on the same memories.
    pub name: String,
}

/// What became of an attempt at a turn.
enum Attempt {
    Done(&'static str),
    /// The model answered; the reply is to be stored before it is sent.
    Replied(String),
    Later {
        reason: String,
        after: Option<Duration>,
    },
}

impl Worker {
    /// Works until it is dropped.
    pub async fn run(self) {
        loop {
            self.work().await;
            tokio::select! {
                () = self.inbox.arrival() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Answers all that is due and that no other server is at.
    pub async fn work(&self) {
        let claim = Claim {
            job: "channels",
            work: RecordKind::Task,
            holder: &self.name,
            lasts: CLAIM_LASTS,
        };
        loop {
            let spaces = match self.administration.claim_spaces(&claim, SPACES_MAX).await {
                Ok(spaces) if spaces.is_empty() => break,
                Ok(spaces) => spaces,
                Err(error) => {
                    tracing::warn!(%error, "cannot list spaces with unanswered messages");
                    break;
                }
            };
            for space in &spaces {
                if let Err(error) = self.serve(space).await {
                    tracing::warn!(%space, %error, "cannot answer messages yet");
                }
            }
        }
        if let Err(error) = self.administration.release_spaces(&claim).await {
            tracing::warn!(%error, "cannot release spaces; their claims will expire");
        }
    }

    /// Answers what is due in one space.
    async fn serve(&self, space: &SpaceId) -> Result<(), SpaceError> {
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
            if !self.answer(space, channel, turn).await? {
                waiting.push(thread);
            }
        }
        Ok(())
    }

    /// Answers one turn. Returns whether it is done with.
    async fn answer(
        &self,
        space: &SpaceId,
        channel: &Channel,
        mut turn: PendingTurn,
    ) -> Result<bool, SpaceError> {
        let actor = Actor::new(&format!("channel:{}", turn.platform));
        loop {
            let now = self.agent.memory.clock.now();
            let Some(scope) = Scope::of_job(space.clone(), actor.clone(), now) else {
                return Ok(true);
            };
            let attempt = match &turn.reply {
                None => self.ask(&scope, &turn).await?,
                Some(reply) => send(channel, &turn, reply).await,
            };
            match attempt {
                Attempt::Replied(reply) => {
                    turn.reply = Some(reply);
                    turn.attempts = 0;
                    self.write(&scope, vec![turn.effect(now)]).await?;
                }
                Attempt::Done(outcome) => {
                    self.write(&scope, turn.done(outcome, now).into()).await?;
                    return Ok(true);
                }
                Attempt::Later { reason, after } => {
                    turn.attempts += 1;
                    let (platform, event) = (&turn.platform, &turn.message.event);
                    if ATTEMPTS_MAX <= turn.attempts {
                        tracing::error!(
                            platform,
                            event,
                            reason,
                            "giving up on a reply; it stays in the conversation"
                        );
                        self.write(&scope, turn.done("gave up", now).into()).await?;
                        return Ok(true);
                    }
                    let pause = after.unwrap_or_else(|| pause(turn.attempts));
                    tracing::warn!(platform, event, reason, ?pause, "will try again");
                    let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::from_secs(60));
                    turn.not_before = now.checked_add(pause).ok();
                    self.write(&scope, vec![turn.effect(now)]).await?;
                    return Ok(false);
                }
            }
        }
    }

    /// Asks the model, or takes the reply that it gave before a crash.
    async fn ask(&self, scope: &Scope, turn: &PendingTurn) -> Result<Attempt, SpaceError> {
        let message = &turn.message;
        let conversation = ConversationId::of_thread(&turn.platform, &message.chat, &message.root);
        let (Ok(conversation), Ok(text)) = (conversation, MessageText::new(message.text.clone())) else {
            return Ok(Attempt::Done("unusable"));
        };
        let reply_id = reply_id(turn);
        let known = self
            .agent
            .memory
            .store
            .message(scope.space(), &conversation, &reply_id)
            .await?;
        if let Some(known) = known {
            return Ok(Attempt::Replied(known.content.as_str().to_owned()));
        }
        let request = Request {
            conversation: Some(conversation),
            message_id: MessageId::new(message.message.as_str()).ok(),
            reply_id: Some(reply_id),
            ..Request::new(text)
        };
        let begun = match chat::begin(&self.agent, scope, request).await {
            Ok(pending) => pending.whole().await,
            Err(refusal) => return Ok(self.without_answer(turn, refusal.to_string())),
        };
        let Some(reply) = begun else {
            return Ok(Attempt::Later {
                reason: "the server is stopping".to_owned(),
                after: None,
            });
        };
        match (reply.text.trim().is_empty(), reply.failure) {
            (false, _) => Ok(Attempt::Replied(reply.text)),
            (true, Some(failure)) => Ok(self.without_answer(turn, failure.to_string())),
            (true, None) => Ok(self.without_answer(turn, "the model said nothing".to_owned())),
        }
    }

    /// What follows when the model has no answer: another try, and at last an apology.
    fn without_answer(&self, turn: &PendingTurn, reason: String) -> Attempt {
        match turn.attempts + 1 < MODEL_ATTEMPTS_MAX {
            true => Attempt::Later { reason, after: None },
            false => {
                tracing::error!(
                    platform = turn.platform,
                    event = turn.message.event,
                    reason,
                    "no answer by the model"
                );
                Attempt::Replied(APOLOGY.to_owned())
            }
        }
    }

    async fn write(&self, scope: &Scope, effects: Vec<Effect>) -> Result<(), SpaceError> {
        let changes: Vec<_> = effects
            .into_iter()
            .map(|effect| scope.change(None, effect))
            .collect();
        let decide = move |_: &SpaceView| Decision {
            changes: changes.clone(),
            outcome: (),
        };
        self.agent.memory.spaces.write(scope.space(), decide).await
    }
}

async fn send(channel: &Channel, turn: &PendingTurn, reply: &str) -> Attempt {
    let reply = OutgoingReply::of_text(reply);
    let sent = channel
        .platform
        .send(&turn.message.target, &reply, &send_key(turn))
        .await;
    match sent {
        Ok(()) => Attempt::Done("answered"),
        Err(SendError::Later { reason, after }) => Attempt::Later { reason, after },
        Err(SendError::Refused { reason }) => {
            tracing::error!(
                platform = turn.platform,
                event = turn.message.event,
                reason,
                "the platform refuses a reply"
            );
            Attempt::Done("refused")
        }
    }
}

/// The id of the reply to a turn: always the same, so that it is given once.
fn reply_id(turn: &PendingTurn) -> MessageId {
    MessageId::new(format!("reply-{}", digest(turn))).expect("hexadecimal digits are a valid id")
}

/// What tells the platform that a reply is the one that it got before: at most 50 characters with
/// what is added for its pieces.
fn send_key(turn: &PendingTurn) -> String {
    digest(turn)
}

fn digest(turn: &PendingTurn) -> String {
    let digest = Sha256::digest(turn.name());
    data_encoding::HEXLOWER.encode(&digest[..16])
}

/// How long to wait after that many attempts: 2 s, 4 s, 8 s … and an hour at the most.
fn pause(attempts: u32) -> Duration {
    Duration::from_secs(2_u64.saturating_pow(attempts).min(3_600))
}
