//! Hears which spaces other servers wrote to.
//!
//! It needs a connection of its own that stays the same. A pooler that gives each transaction
//! another one does not carry news: whoever does not hear itself is behind such a pooler, and stops
//! listening.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use recalld_memory::id::SpaceId;
use tokio::sync::mpsc;
use tokio_postgres::Client;

use super::herald::{CHANNEL, Herald, Tag, tag};
use super::pool::Pool;

/// How long news are gathered before they are handed out.
const GATHERED: Duration = Duration::from_millis(200);

/// How long we wait to hear ourselves.
const ECHO: Duration = Duration::from_secs(5);

/// How long to wait after a connection broke, and twice as long each time.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// How long to wait where no news come through.
const PAUSE_BEHIND_POOLER: Duration = Duration::from_secs(3600);

/// How many messages wait to be read. What comes on top is lost, and does no harm.
const WAITING_MAX: usize = 1024;

/// News of writes by other servers.
#[derive(Clone, Debug)]
pub struct News {
    mark: String,
    tags: HashSet<Tag>,
}

impl News {
    /// Tells whether it is about a space.
    pub fn is_about(&self, space: &SpaceId) -> bool {
        self.tags.contains(&tag(&self.mark, space))
    }
}

/// Listens for news, over one connection after another.
#[derive(Debug)]
pub struct Ear {
    pool: Arc<Pool>,
    herald: Arc<Herald>,
    line: Option<Line>,
    pause: Duration,
}

/// A connection that hears.
#[derive(Debug)]
struct Line {
    _client: Client,
    heard: mpsc::Receiver<String>,
}

impl Ear {
    pub(super) fn new(pool: Arc<Pool>, herald: Arc<Herald>) -> Ear {
        Ear {
            pool,
            herald,
            line: None,
            pause: PAUSE_MIN,
        }
    }

    /// Waits for news of other servers. Outages are waited for too, however long.
    pub async fn next(&mut self) -> News {
        loop {
            let Some(line) = &mut self.line else {
                self.connect().await;
                continue;
            };
            let Some(first) = line.heard.recv().await else {
                self.line = None;
                continue;
            };
            let Ok(mark) = self.herald.mark().await else {
                continue;
            };
            let mut tags = HashSet::new();
            take(&first, &self.herald, &mut tags);
            if tags.is_empty() {
                continue;
            }
            tokio::time::sleep(GATHERED).await;
            while let Ok(next) = line.heard.try_recv() {
                take(&next, &self.herald, &mut tags);
            }
            return News {
                mark: mark.to_owned(),
                tags,
            };
        }
    }

    /// Tells whether news come through; false behind a pooler, and while the database is away.
    pub async fn hears(&mut self) -> bool {
        self.line.is_some() || self.try_connect().await == Ok(true)
    }

    async fn connect(&mut self) {
        let pause = match self.try_connect().await {
            Ok(true) => {
                self.pause = PAUSE_MIN;
                return;
            }
            Ok(false) => {
                tracing::info!(
                    "no news come through the database's pooler; servers find out by the revision, as always"
                );
                PAUSE_BEHIND_POOLER
            }
            Err(error) => {
                tracing::debug!(error, "no news of other servers");
                let pause = self.pause;
                self.pause = (pause * 2).min(PAUSE_MAX);
                pause
            }
        };
        tokio::time::sleep(pause).await;
    }

    /// Connects and listens; tells whether we hear ourselves.
    async fn try_connect(&mut self) -> Result<bool, String> {
        let (client, mut heard) = self.pool.listen(WAITING_MAX).await?;
        let listen = format!("LISTEN {CHANNEL}");
        let said = client.batch_execute(&listen).await;
        said.map_err(|error| super::error::told(&error))?;
        self.herald.tell(&[]).await.map_err(|error| error.to_string())?;
        let own = self.herald.name.simple().to_string();
        let echo = async {
            while let Some(told) = heard.recv().await {
                if told.starts_with(&own) {
                    return true;
                }
            }
            false
        };
        let hears = tokio::time::timeout(ECHO, echo).await.unwrap_or(false);
        self.line = hears.then_some(Line {
            _client: client,
            heard,
        });
        Ok(hears)
    }
}

/// Takes the spaces of a message, unless we told it ourselves.
fn take(told: &str, herald: &Herald, tags: &mut HashSet<Tag>) {
    let Some((name, digits)) = told.split_once(' ') else {
        return;
    };
    if name == herald.name.simple().to_string() {
        return;
    }
    for digits in digits.as_bytes().chunks_exact(16) {
        let text = std::str::from_utf8(digits).unwrap_or_default();
        if let Ok(number) = u64::from_str_radix(text, 16) {
            tags.insert(number.to_be_bytes());
        }
    }
}
