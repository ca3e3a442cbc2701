//! Receives notifications of the spaces that other servers wrote to.
//!
//! It needs a connection of its own that stays the same. A pooler in transaction mode delivers no
//! notifications: a server that does not receive its own is behind such a pooler and stops
//! listening.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use recalld_memory::id::SpaceId;
use tokio::sync::mpsc;
use tokio_postgres::Client;

use super::error::describe;
use super::notifier::{CHANNEL, Notifier, TAG_BYTES, Tag, tag};
use super::pool::Pool;

/// How long notifications are collected before they are returned.
const BATCH_DELAY: Duration = Duration::from_millis(200);

/// How long to wait for our own notification.
const ECHO_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait before reconnecting. The delay doubles with each failure.
const RETRY_DELAY_MIN: Duration = Duration::from_secs(1);
const RETRY_DELAY_MAX: Duration = Duration::from_secs(60);

/// How long to wait before the next attempt where no notifications arrive.
const RETRY_DELAY_BEHIND_POOLER: Duration = Duration::from_secs(3600);

/// How many messages are buffered. Later ones are dropped, which does no harm.
const BUFFER_MAX: usize = 1024;

/// The spaces that other servers wrote to.
#[derive(Clone, Debug)]
pub struct Notification {
    database_id: String,
    tags: HashSet<Tag>,
}

impl Notification {
    /// Tells whether `space` was written to.
    pub fn is_about(&self, space: &SpaceId) -> bool {
        self.tags.contains(&tag(&self.database_id, space))
    }
}

/// Listens for notifications, and reconnects when the connection is lost.
#[derive(Debug)]
pub struct Listener {
    pool: Arc<Pool>,
    notifier: Arc<Notifier>,
    subscription: Option<Subscription>,
    retry_delay: Duration,
}

/// A connection that receives notifications.
#[derive(Debug)]
struct Subscription {
    _client: Client,
    payloads: mpsc::Receiver<String>,
}

impl Listener {
    pub(super) fn new(pool: Arc<Pool>, notifier: Arc<Notifier>) -> Listener {
        Listener {
            pool,
            notifier,
            subscription: None,
            retry_delay: RETRY_DELAY_MIN,
        }
    }

    /// Waits for the next notification of another server, through outages of any length.
    pub async fn next(&mut self) -> Notification {
        loop {
            let Some(subscription) = &mut self.subscription else {
                self.connect().await;
                continue;
            };
            let Some(first) = subscription.payloads.recv().await else {
                self.subscription = None;
                continue;
            };
            let Ok(database_id) = self.notifier.database_id().await else {
                continue;
            };
            let mut tags = HashSet::new();
            self.notifier.collect_tags(&first, &mut tags);
            if tags.is_empty() {
                continue;
            }
            tokio::time::sleep(BATCH_DELAY).await;
            while let Ok(next) = subscription.payloads.try_recv() {
                self.notifier.collect_tags(&next, &mut tags);
            }
            return Notification {
                database_id: database_id.to_owned(),
                tags,
            };
        }
    }

    /// Tells whether notifications arrive. They do not behind a pooler in transaction mode, or
    /// while the database is unavailable.
    pub async fn is_connected(&mut self) -> bool {
        self.subscription.is_some() || self.try_connect().await == Ok(true)
    }

    async fn connect(&mut self) {
        let delay = match self.try_connect().await {
            Ok(true) => {
                self.retry_delay = RETRY_DELAY_MIN;
                return;
            }
            Ok(false) => {
                tracing::info!("the database's pooler delivers no notifications; continuing without them");
                RETRY_DELAY_BEHIND_POOLER
            }
            Err(error) => {
                tracing::debug!(error, "cannot listen for notifications");
                let delay = self.retry_delay;
                self.retry_delay = (delay * 2).min(RETRY_DELAY_MAX);
                delay
            }
        };
        tokio::time::sleep(delay).await;
    }

    /// Connects and listens; returns whether our own notification arrives.
    async fn try_connect(&mut self) -> Result<bool, String> {
        let (client, mut payloads) = self.pool.listen(BUFFER_MAX).await?;
        let listening = client.batch_execute(&format!("LISTEN {CHANNEL}")).await;
        listening.map_err(|error| describe(&error))?;
        self.notifier.send(&[]).await.map_err(|error| error.to_string())?;
        let own = &self.notifier.server_id;
        let echo = async {
            while let Some(payload) = payloads.recv().await {
                if payload.starts_with(own) {
                    return true;
                }
            }
            false
        };
        let is_received = tokio::time::timeout(ECHO_TIMEOUT, echo).await.unwrap_or(false);
        self.subscription = is_received.then_some(Subscription {
            _client: client,
            payloads,
        });
        Ok(is_received)
    }
}

impl Notifier {
    /// Adds the spaces of a payload to `tags`, unless this server sent it. Anybody can notify, so
    /// what cannot be decoded is ignored.
    fn collect_tags(&self, payload: &str, tags: &mut HashSet<Tag>) {
        let Some((sender, digits)) = payload.split_once(' ') else {
            return;
        };
        if sender == self.server_id {
            return;
        }
        let bytes = HEXLOWER.decode(digits.as_bytes()).unwrap_or_default();
        let (all, _) = bytes.as_chunks::<TAG_BYTES>();
        tags.extend(all);
    }
}
