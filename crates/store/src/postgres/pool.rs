//! The connections of one server. A connection returns to the pool only if its transaction has
//! certainly ended; any other is closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use data_encoding::HEXLOWER;
use parking_lot::Mutex;
use recalld_memory::ports::{Connections, StoreError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_postgres::Client;

use super::address::Address;
use super::error::{DbResult, Failure};
use super::session::{MARK, Session};
use super::settings::{Filter, Settings, Storage};

/// How long a request waits for a connection to become free.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections to one database.
#[derive(Debug)]
pub(super) struct Pool {
    address: Address,
    idle: Mutex<Vec<Session>>,
    permits: Arc<Semaphore>,
    connections_max: usize,
    /// How many times a connection was acquired.
    pub(super) acquired: AtomicU64,
    /// How many times something was sent and its answer awaited.
    pub(super) round_trips: AtomicU64,
    /// How many statements were sent, without those that begin and end transactions.
    pub(super) statements: AtomicU64,
    /// Whether the tables are spread over several nodes.
    pub(super) has_nodes: AtomicBool,
    /// Whether connections are opened with a mark. A pooler that refuses it is asked once.
    marks: AtomicBool,
    /// How long one transaction may take.
    pub(super) timeout: Duration,
    pub(super) storage: Storage,
    pub(super) tables_role: String,
    pub(super) filter: Filter,
}

impl Pool {
    /// Creates a pool without connections.
    pub(super) fn new(address: Address, settings: &Settings) -> Pool {
        Pool {
            address,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(settings.connections_max.max(1))),
            connections_max: settings.connections_max.max(1),
            acquired: AtomicU64::new(0),
            round_trips: AtomicU64::new(0),
            statements: AtomicU64::new(0),
            has_nodes: AtomicBool::new(false),
            marks: AtomicBool::new(settings.prepares && settings.filter == Filter::On),
            timeout: settings.transaction_max,
            storage: settings.storage,
            tables_role: settings.tables_role.clone(),
            filter: settings.filter,
        }
    }

    /// Returns the address of the database without secrets.
    pub(super) fn shown(&self) -> String {
        self.address.shown()
    }

    /// Tells how the connections are used.
    pub(super) fn connections(&self) -> Connections {
        Connections {
            in_use: self
                .connections_max
                .saturating_sub(self.permits.available_permits()),
            idle: self.idle.lock().len(),
            most: self.connections_max,
        }
    }

    /// Opens a connection that does not belong to the pool.
    pub(super) async fn connect(&self) -> DbResult<Client> {
        let refused = |reason| Failure::Store(StoreError::Unavailable { reason });
        self.address.connect().await.map_err(refused)
    }

    /// Opens a connection that does not belong to the pool, and returns the payloads of its
    /// notifications, of which at most `most` are buffered.
    pub(super) async fn listen(&self, most: usize) -> Result<(Client, mpsc::Receiver<String>), String> {
        self.address.listen(most).await
    }

    /// Returns an idle connection, or opens one.
    pub(super) async fn acquire(self: &Arc<Pool>) -> DbResult<PooledClient> {
        let permit = tokio::time::timeout(ACQUIRE_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            let reason = format!("no connection became free within {} s", ACQUIRE_TIMEOUT.as_secs());
            return Err(Failure::Store(StoreError::Unavailable { reason }));
        };
        self.acquired.fetch_add(1, Ordering::Relaxed);
        let session = match self.take_idle() {
            Some(session) => session,
            None => self.open().await?,
        };
        Ok(PooledClient {
            session,
            timeout: self.timeout,
            pool: Arc::clone(self),
            _permit: permit,
        })
    }

    /// Counts the statements that are prepared on idle connections.
    pub(super) fn prepared(&self) -> usize {
        self.idle.lock().iter().map(Session::count_prepared).sum()
    }

    /// Counts something that was sent, with so many statements in it.
    pub(super) fn count_round_trip(&self, statements: usize) {
        let statements = u64::try_from(statements).unwrap_or(u64::MAX);
        self.round_trips.fetch_add(1, Ordering::Relaxed);
        self.statements.fetch_add(statements, Ordering::Relaxed);
    }

    /// Closes the idle connections, because the server that they lead to has gone.
    pub(super) fn close_idle(&self) {
        self.idle.lock().clear();
    }

    /// Opens a connection on which statements may be prepared if the database is its other end.
    async fn open(&self) -> DbResult<Session> {
        if !self.marks.load(Ordering::Relaxed) {
            return Ok(Session::unprepared(self.connect().await?));
        }
        let mark = random_id();
        match self.address.marked(MARK, &mark).connect().await {
            Ok(client) => Ok(Session::marked(client, &mark).await),
            Err(_) => {
                let client = self.connect().await?;
                self.marks.store(false, Ordering::Relaxed);
                Ok(Session::unprepared(client))
            }
        }
    }

    fn take_idle(&self) -> Option<Session> {
        let mut idle = self.idle.lock();
        while let Some(session) = idle.pop() {
            if !session.client.is_closed() {
                return Some(session);
            }
        }
        None
    }
}

/// A connection for one transaction. It is closed if it is dropped.
#[derive(Debug)]
pub(super) struct PooledClient {
    pub(super) session: Session,
    /// How long the transaction may take.
    pub(super) timeout: Duration,
    pub(super) pool: Arc<Pool>,
    _permit: OwnedSemaphorePermit,
}

impl PooledClient {
    /// Returns it to the pool. Only for a connection that is in no transaction.
    pub(super) fn release(self) {
        if !self.session.client.is_closed() {
            self.pool.idle.lock().push(self.session);
        }
    }
}

/// Returns an id that nobody else has.
pub(super) fn random_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
    HEXLOWER.encode(&bytes)
}
