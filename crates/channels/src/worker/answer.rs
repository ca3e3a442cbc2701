//! Answers one turn: asks the model, stores the reply, sends it.

use std::time::Duration;

use jiff::SignedDuration;
use recalld_agent::chat::{self, Request};
use recalld_memory::change::{Actor, Effect};
use recalld_memory::conversation::MessageText;
use recalld_memory::id::{ConversationId, MessageId, SpaceId};
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;
use sha2::{Digest, Sha256};

use super::Worker;
use crate::inbox::{Channel, TRIES_MAX};
use crate::outgoing::OutgoingReply;
use crate::platform::{Delivery, SendError};
use crate::turn::PendingTurn;

/// How often a turn is tried. With the pauses in between, that is about six hours.
const ATTEMPTS_MAX: u32 = 12;

/// What is said when the model cannot answer after all attempts.
const APOLOGY: &str = "Sorry, I cannot answer at the moment.";

/// How often the model is asked before that is said.
const MODEL_ATTEMPTS_MAX: u32 = 3;

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
    /// Answers one turn. Returns whether it is done with.
    pub(super) async fn answer(
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
            let attempt = match turn.reply.clone() {
                None => self.ask(&scope, channel, &turn).await?,
                Some(reply) => {
                    let is_repeated = std::mem::replace(&mut turn.is_begun, true);
                    // From here on it may have been sent, even if this process ends.
                    if !is_repeated && !self.write(&scope, &turn, vec![turn.effect(now)]).await? {
                        return Ok(true);
                    }
                    send(channel, &turn, &reply, is_repeated).await
                }
            };
            match attempt {
                Attempt::Replied(reply) => {
                    turn.reply = Some(reply);
                    turn.attempts = 0;
                    if !self.write(&scope, &turn, vec![turn.effect(now)]).await? {
                        return Ok(true);
                    }
                }
                Attempt::Done(outcome) => {
                    self.write(&scope, &turn, turn.done(outcome, now).into()).await?;
                    count(&turn, outcome);
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
                        self.write(&scope, &turn, turn.done("gave up", now).into())
                            .await?;
                        count(&turn, "gave up");
                        return Ok(true);
                    }
                    let pause = after.unwrap_or_else(|| pause(turn.attempts));
                    tracing::warn!(platform, event, reason, ?pause, "will try again");
                    let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::from_secs(60));
                    turn.not_before = now.checked_add(pause).ok();
                    self.write(&scope, &turn, vec![turn.effect(now)]).await?;
                    count(&turn, "retried");
                    return Ok(false);
                }
            }
        }
    }

    /// Asks the model, or takes the reply that it gave before a crash.
    async fn ask(&self, scope: &Scope, channel: &Channel, turn: &PendingTurn) -> Result<Attempt, SpaceError> {
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
            sender: Some(channel.sender(&message.sender)),
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

    /// Writes, unless another server is done with the turn: its claim outlived ours. Returns
    /// whether it wrote.
    async fn write(
        &self,
        scope: &Scope,
        turn: &PendingTurn,
        effects: Vec<Effect>,
    ) -> Result<bool, SpaceError> {
        let ports = &self.agent.memory;
        let changes: Vec<_> = effects
            .into_iter()
            .map(|effect| scope.change(None, effect))
            .collect();
        for _ in 0..TRIES_MAX {
            let revision = ports.store.revision(scope.space()).await?;
            let task = ports
                .store
                .record(scope.space(), RecordKind::Task, &turn.name())
                .await?;
            if task.is_none() {
                return Ok(false);
            }
            let changes = changes.clone();
            let decide = move |_: &_| (changes.clone(), ());
            let written = ports.spaces.write_at(scope.space(), revision, decide).await?;
            if written.is_some() {
                return Ok(true);
            }
        }
        Err(SpaceError::Contended)
    }
}

/// Counts what became of an attempt.
fn count(turn: &PendingTurn, outcome: &'static str) {
    metrics::counter!("recalld_channel_replies_total", "channel" => turn.platform.clone(), "outcome" => outcome)
        .increment(1);
}

async fn send(channel: &Channel, turn: &PendingTurn, reply: &str, is_repeated: bool) -> Attempt {
    let reply = OutgoingReply::of_text(reply);
    let delivery = Delivery {
        key: send_key(turn),
        is_repeated,
    };
    let sent = channel
        .platform
        .send(&turn.message.target, &reply, &delivery)
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
