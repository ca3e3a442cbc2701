//! Takes events in: each is verified, stored once, and acknowledged.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{SignedDuration, Timestamp};
use recalld_memory::change::Actor;
use recalld_memory::id::{InvalidId, SpaceId, UserId};
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;
use recalld_memory::wiring::Ports;
use serde_json::Value;
use thiserror::Error;
use tokio::sync::Notify;

use crate::message::{IncomingMessage, Person};
use crate::platform::{Platform, Received, Refusal, WebhookRequest};
use crate::turn::PendingTurn;

/// How often a write is decided again because somebody else wrote.
pub(crate) const TRIES_MAX: usize = 50;

/// An event that is older is not answered: what was answered longer ago is no longer known. Shorter
/// than receipts are stored, longer than any platform tries.
const AGE_MAX: SignedDuration = SignedDuration::from_hours(3 * 24);

/// A platform, and whose memories its people have.
#[derive(Clone, Debug)]
pub struct Channel {
    pub platform: Arc<dyn Platform>,
    /// Stands before a platform's id of a person to make the id of a user.
    pub user_prefix: String,
}

impl Channel {
    /// The user whose memory a person of the platform has.
    pub fn user(&self, person: &Person) -> Result<UserId, InvalidId> {
        UserId::new(format!("{}{}", self.user_prefix, person.id))
    }

    /// How a message notes who typed it.
    pub(crate) fn sender(&self, person: &Person) -> String {
        format!("{}{}", self.user_prefix, person.id)
    }
}

/// Takes in what platforms send.
#[derive(Clone, Debug)]
pub struct Inbox {
    ports: Ports,
    channels: Arc<[Channel]>,
    arrived: Arc<Notify>,
    arrivals: Arc<AtomicU64>,
}

/// What a platform is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Acknowledgement {
    /// The request was a challenge: its answer.
    Challenge(Value),
    /// It was stored, known already, or nothing that is answered.
    Accepted,
}

/// Why an event was not taken in.
#[derive(Debug, Error)]
pub enum InboxError {
    /// There is no such platform here.
    #[error("no channel {0:?} is configured")]
    Unknown(String),
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be stored; the platform will send it again.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl Inbox {
    /// Takes in events of these channels.
    pub fn new(ports: Ports, channels: Vec<Channel>) -> Inbox {
        Inbox {
            ports,
            channels: channels.into(),
            arrived: Arc::default(),
            arrivals: Arc::default(),
        }
    }

    pub(crate) fn channel(&self, name: &str) -> Option<&Channel> {
        self.channels
            .iter()
            .find(|channel| channel.platform.name() == name)
    }

    /// The platforms, in the order of their settings.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Looks up what reading events needs.
    pub(crate) async fn warm_up(&self) {
        let all = self.channels.iter().map(|channel| channel.platform.warm_up());
        futures::future::join_all(all).await;
    }

    /// How much was taken in since the start.
    pub(crate) fn arrivals(&self) -> u64 {
        self.arrivals.load(Ordering::Acquire)
    }

    /// Returns when something was taken in.
    pub(crate) async fn arrival(&self) {
        self.arrived.notified().await;
    }

    /// Takes in a request of the platform `name`. When this returns, a message that it brought is
    /// on disk.
    pub async fn take(
        &self,
        name: &str,
        request: &WebhookRequest<'_>,
    ) -> Result<Acknowledgement, InboxError> {
        let channel = self
            .channel(name)
            .ok_or_else(|| InboxError::Unknown(name.to_owned()))?;
        let message = match channel.platform.receive(request).await? {
            Received::Challenge(answer) => return Ok(Acknowledgement::Challenge(answer)),
            Received::Ignored(reason) => {
                tracing::debug!(channel = name, reason, "event ignored");
                return Ok(Acknowledgement::Accepted);
            }
            Received::Message(message) => *message,
        };
        if AGE_MAX < request.now.duration_since(message.sent_at) {
            tracing::warn!(channel = name, event = message.event, "event ignored: too old");
            return Ok(Acknowledgement::Accepted);
        }
        let user = channel
            .user(message.owner())
            .map_err(|_| Refusal::Malformed("a person's id is not usable"))?;
        if self.store(name, user, message, request.now).await? {
            self.arrivals.fetch_add(1, Ordering::AcqRel);
            self.arrived.notify_one();
        }
        Ok(Acknowledgement::Accepted)
    }

    /// Stores a turn, unless its event is known. Returns whether it was new.
    async fn store(
        &self,
        platform: &str,
        user: UserId,
        message: IncomingMessage,
        now: Timestamp,
    ) -> Result<bool, SpaceError> {
        let scope = Scope::of_user(user, Actor::new(&format!("channel:{platform}")), now);
        let turn = PendingTurn::new(platform, message);
        let change = scope.change(None, turn.effect(now));
        for _ in 0..TRIES_MAX {
            let revision = self.ports.store.revision(scope.space()).await?;
            if self.is_known(scope.space(), &turn.name()).await? {
                return Ok(false);
            }
            let change = change.clone();
            let decide = move |_: &_| (vec![change.clone()], ());
            if self
                .ports
                .spaces
                .write_at(scope.space(), revision, decide)
                .await?
                .is_some()
            {
                return Ok(true);
            }
        }
        Err(SpaceError::Contended)
    }

    async fn is_known(&self, space: &SpaceId, name: &str) -> Result<bool, SpaceError> {
        for kind in [RecordKind::Receipt, RecordKind::Task] {
            if self.ports.store.record(space, kind, name).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
