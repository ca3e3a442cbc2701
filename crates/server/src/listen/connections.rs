//! The open connections, and which of them has to go when there are too many.
//!
//! A new connection is not refused because silent ones hold all places: the one that has been
//! silent longest goes. Only when every connection has a request under way is the new one turned
//! away. A few places beyond the limit are kept back for health checks.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::limits::Limits;

/// How many connections are kept back for health checks.
const HEALTH_SHARE: usize = 16;

/// How many descriptors are left to the store, models and the rest of the process.
const OTHER_FILES: usize = 64;

/// The open connections.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    limits: Limits,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next_id: u64,
    by_id: HashMap<u64, Arc<State>>,
    by_address: HashMap<IpAddr, usize>,
    /// How many connections are kept back for health checks.
    health: usize,
}

/// What a connection may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    All,
    Health,
}

/// One open connection. Its place is free again when it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    id: u64,
    state: Arc<State>,
    connections: Arc<Connections>,
}

#[derive(Debug)]
struct State {
    address: IpAddr,
    share: Share,
    opened: Instant,
    /// How many requests are under way.
    busy: AtomicUsize,
    /// Whether a request ever arrived.
    used: AtomicBool,
    /// When something last happened, in milliseconds after `opened`.
    active_ms: AtomicU64,
    eviction: CancellationToken,
}

impl State {
    fn touch(&self) {
        let passed = self.opened.elapsed().as_millis() as u64;
        self.active_ms.store(passed, Ordering::Relaxed);
    }

    fn is_idle(&self) -> bool {
        self.busy.load(Ordering::Relaxed) == 0 && !self.eviction.is_cancelled()
    }

    fn last_active(&self) -> Instant {
        self.opened + Duration::from_millis(self.active_ms.load(Ordering::Relaxed))
    }
}

impl Connections {
    pub(super) fn new(limits: &Limits) -> Arc<Connections> {
        let files = super::open_files::open_files_limit();
        let max = files.map_or(limits.connections_max, |files| {
            let left = files.saturating_sub(OTHER_FILES + HEALTH_SHARE).max(1);
            limits.connections_max.min(left)
        });
        Arc::new(Connections {
            max,
            limits: limits.clone(),
            open: Mutex::default(),
        })
    }

    /// Gives a place to a new connection from `address`; none if all places are busy.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Connection> {
        let address = address.to_canonical();
        let mut open = self.open.lock();
        let own = open.by_address.get(&address).copied().unwrap_or(0);
        if self.limits.connections_per_address_max <= own && !self.limits.is_trusted_proxy(address) {
            evict(&mut open, |state| state.address == address).then_some(())?;
        }
        let share = self.free_share(&mut open)?;
        let id = open.next_id;
        open.next_id += 1;
        let state = Arc::new(State {
            address,
            share,
            opened: Instant::now(),
            busy: AtomicUsize::new(0),
            used: AtomicBool::new(false),
            active_ms: AtomicU64::new(0),
            eviction: CancellationToken::new(),
        });
        open.by_id.insert(id, Arc::clone(&state));
        *open.by_address.entry(address).or_default() += 1;
        open.health += usize::from(share == Share::Health);
        Some(Connection {
            id,
            state,
            connections: Arc::clone(self),
        })
    }

    /// Finds a free place, or frees one.
    fn free_share(&self, open: &mut Open) -> Option<Share> {
        for (share, max) in [(Share::All, self.max), (Share::Health, HEALTH_SHARE)] {
            let taken = match share {
                Share::All => open.by_id.len() - open.health,
                Share::Health => open.health,
            };
            if taken < max || evict(open, |state| state.share == share) {
                return Some(share);
            }
        }
        None
    }

    /// Ends the connection that has been idle longest.
    pub(super) fn evict_idle(&self) {
        evict(&mut self.open.lock(), |_| true);
    }
}

/// Ends the connection that has been idle longest of those that `counts` counts; first of all one
/// on which no request ever arrived. Its place is free at once.
fn evict(open: &mut Open, counts: impl Fn(&State) -> bool) -> bool {
    let idle = open
        .by_id
        .iter()
        .filter(|(_, state)| state.is_idle() && counts(state));
    let longest = idle.min_by_key(|(_, state)| (state.used.load(Ordering::Relaxed), state.last_active()));
    let Some(id) = longest.map(|(id, _)| *id) else {
        return false;
    };
    if let Some(state) = open.remove(id) {
        state.eviction.cancel();
    }
    true
}

impl Open {
    fn remove(&mut self, id: u64) -> Option<Arc<State>> {
        let state = self.by_id.remove(&id)?;
        self.health -= usize::from(state.share == Share::Health);
        if let Some(own) = self.by_address.get_mut(&state.address) {
            *own -= 1;
            if *own == 0 {
                self.by_address.remove(&state.address);
            }
        }
        Some(state)
    }
}

impl Connection {
    pub(super) fn share(&self) -> Share {
        self.state.share
    }

    /// Counts a request as under way until the guard is dropped.
    pub(super) fn busy(&self) -> Busy<'_> {
        self.state.used.store(true, Ordering::Relaxed);
        self.state.busy.fetch_add(1, Ordering::Relaxed);
        Busy(&self.state)
    }

    /// Notes that bytes were received or sent.
    pub(super) fn touch(&self) {
        self.state.touch();
    }

    /// Tells until when the connection may be silent; none while a request is under way.
    pub(super) fn silent_until(&self, limits: &Limits) -> Option<Instant> {
        let state = &self.state;
        match (state.is_idle(), state.used.load(Ordering::Relaxed)) {
            (false, _) => None,
            // All the time to send the first head, however slowly it arrives.
            (true, false) => Some(state.opened + limits.head_timeout),
            (true, true) => Some(state.last_active() + limits.idle_timeout),
        }
    }

    /// Waits until the connection has to make room for another.
    pub(super) async fn evicted(&self) {
        self.state.eviction.cancelled().await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.open.lock().remove(self.id);
    }
}

/// A request that is under way.
#[derive(Debug)]
pub(super) struct Busy<'a>(&'a State);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.touch();
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(max: usize, per_address_max: usize) -> Arc<Connections> {
        Connections::new(&Limits {
            connections_max: max,
            connections_per_address_max: per_address_max,
            trusted_proxies: vec!["192.0.2.0/24".parse().unwrap()],
            ..Limits::default()
        })
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([203, 0, 113, last])
    }

    #[test]
    fn a_silent_connection_makes_room_and_a_busy_one_does_not() {
        let connections = connections(2, 100);
        let silent = connections.admit(address(1)).unwrap();
        let busy = connections.admit(address(2)).unwrap();
        let _request = busy.busy();
        let third = connections.admit(address(3)).unwrap();
        assert_eq!(third.share(), Share::All);
        assert!(silent.state.eviction.is_cancelled());
        let _other_request = third.busy();
        assert!(!busy.state.eviction.is_cancelled());
        let reserved: Vec<Connection> = (0..HEALTH_SHARE)
            .map(|_| connections.admit(address(4)).unwrap())
            .collect();
        assert!(
            reserved
                .iter()
                .all(|connection| connection.share() == Share::Health)
        );
    }

    #[test]
    fn one_address_cannot_take_all_places_unless_it_is_a_trusted_proxy() {
        let connections = connections(100, 2);
        let own: Vec<Connection> = (0..2).map(|_| connections.admit(address(1)).unwrap()).collect();
        let _requests: Vec<Busy> = own.iter().map(Connection::busy).collect();
        assert!(connections.admit(address(1)).is_none(), "all its places are busy");
        assert!(connections.admit(address(2)).is_some());
        let proxy = IpAddr::from([192, 0, 2, 7]);
        let many: Vec<Connection> = (0..5).map(|_| connections.admit(proxy).unwrap()).collect();
        assert!(
            many.iter()
                .all(|connection| !connection.state.eviction.is_cancelled())
        );
    }

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let connections = connections(1, 1);
        for _ in 0..3 {
            let connection = connections.admit(address(1)).unwrap();
            let _request = connection.busy();
            assert_eq!(connection.share(), Share::All);
        }
        assert!(connections.open.lock().by_address.is_empty());
    }
}
