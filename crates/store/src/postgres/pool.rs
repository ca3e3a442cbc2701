//! The connections of one server. A connection comes back only when its transaction has ended for
//! certain; any other is closed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recalld_memory::ports::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_postgres::Client;

use super::address::Address;
use super::error::{Answer, Failure};

/// How long a request waits for a connection to become free.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connections to one database.
#[derive(Debug)]
pub(super) struct Pool {
    address: Address,
    idle: Mutex<Vec<Client>>,
    permits: Arc<Semaphore>,
    /// How often a connection was lent.
    pub(super) lent: AtomicU64,
    /// How long one transaction may take.
    pub(super) timeout: Duration,
    pub(super) storage: super::Storage,
    pub(super) tables_role: String,
    pub(super) filter: super::Filter,
}

impl Pool {
    /// Makes a pool without any connection yet.
    pub(super) fn new(address: Address, settings: &super::Settings) -> Pool {
        Pool {
            address,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(settings.connections_max.max(1))),
            lent: AtomicU64::new(0),
            timeout: settings.transaction_max,
            storage: settings.storage,
            tables_role: settings.tables_role.clone(),
            filter: settings.filter,
        }
    }

    /// Names the database without any secret.
    pub(super) fn shown(&self) -> String {
        self.address.shown()
    }

    /// Makes a connection that belongs to no pool.
    pub(super) async fn connect(&self) -> Answer<Client> {
        let refused = |reason| Failure::Store(StoreError::Unavailable { reason });
        self.address.connect().await.map_err(refused)
    }

    /// Makes a connection that belongs to no pool, and gives what it hears: at most `most` messages
    /// wait to be read.
    pub(super) async fn listen(&self, most: usize) -> Result<(Client, mpsc::Receiver<String>), String> {
        self.address.listen(most).await
    }

    /// Lends a connection, a new one if none is idle.
    pub(super) async fn lend(self: &Arc<Pool>) -> Answer<Lent> {
        let permit = tokio::time::timeout(PATIENCE, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            let reason = format!("no connection became free within {} s", PATIENCE.as_secs());
            return Err(Failure::Store(StoreError::Unavailable { reason }));
        };
        self.lent.fetch_add(1, Ordering::Relaxed);
        let client = match self.idle_one() {
            Some(client) => client,
            None => self.connect().await?,
        };
        Ok(Lent {
            client,
            timeout: self.timeout,
            pool: Arc::clone(self),
            _permit: permit,
        })
    }

    /// Closes the idle connections: the server they lead to has gone.
    pub(super) fn forget_idle(&self) {
        self.lock().clear();
    }

    fn idle_one(&self) -> Option<Client> {
        let mut idle = self.lock();
        while let Some(client) = idle.pop() {
            if !client.is_closed() {
                return Some(client);
            }
        }
        None
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Client>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection for one transaction. Dropped, it is closed.
#[derive(Debug)]
pub(super) struct Lent {
    pub(super) client: Client,
    /// How long the transaction may take.
    pub(super) timeout: Duration,
    pub(super) pool: Arc<Pool>,
    _permit: OwnedSemaphorePermit,
}

impl Lent {
    /// Gives it back to whoever comes next. Only for a connection that is in no transaction.
    pub(super) fn give_back(self) {
        if !self.client.is_closed() {
            self.pool.lock().push(self.client);
        }
    }
}
