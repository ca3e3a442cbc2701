//! A server of the fleet: the real use cases and spaces on the simulated database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use recalld_memory::change::Actor;
use recalld_memory::id::UserId;
use recalld_memory::memory::Content;
use recalld_memory::ports::{Clock, Ids};
use recalld_memory::recall::{Question, recall};
use recalld_memory::remember::{Statement, remember};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use uuid::Uuid;

use crate::database::Database;

/// The simulated day begins here.
const BEGIN_S: i64 = 1_780_000_000;

/// How many memories a simulated user has at first. Fewer than assumed, so that a day is played in
/// minutes: what counts is how many spaces fit.
const MEMORIES: usize = 12;

#[derive(Debug)]
struct Standing;

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        at(0.0)
    }
}

#[derive(Debug, Default)]
struct Counting(AtomicU64);

impl Ids for Counting {
    fn next(&self, _: Timestamp) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed)))
    }
}

fn at(seconds: f64) -> Timestamp {
    Timestamp::from_second(BEGIN_S + seconds as i64).expect("a time of this century")
}

/// One server.
#[derive(Debug)]
pub struct Server {
    ports: Ports,
}

impl Server {
    /// Starts one that may hold so many bytes of spaces.
    pub fn start(database: &Arc<Database>, number: usize, bytes: usize) -> Server {
        let settings = Settings {
            spaces_bytes_max: bytes,
            ..Settings::default()
        };
        let ids = Arc::new(Counting(AtomicU64::new((number as u64 + 1) << 40)));
        let store: Arc<Database> = Arc::clone(database);
        Server {
            ports: Ports::new(store, Arc::new(Standing), ids, settings),
        }
    }

    /// Carries out a request; tells whether the database answered.
    pub async fn serve(&self, user: usize, number: u64, now_s: f64, writes: bool) -> bool {
        let scope = scope(user, now_s);
        if !writes {
            let question = Question::new("bees and honey in spring", 5);
            return recall(&self.ports, &scope, &question).await.is_ok();
        }
        let said = format!("has seen the bird number {number}");
        let statement = Statement::plain(Content::new(&said).expect("a short text"));
        remember(&self.ports, &scope, statement).await.is_ok()
    }

    /// Tells how many spaces it holds, and how many bytes they are.
    pub fn held(&self) -> (usize, usize) {
        self.ports.spaces.held()
    }
}

/// The space of a user.
pub fn scope(user: usize, now_s: f64) -> Scope {
    let user = UserId::new(format!("user-{user}")).expect("a plain name");
    Scope::of_user(user, Actor::new("fleet"), at(now_s))
}

/// Gives every user the same memories to begin with, and returns the bytes of such a space.
pub async fn prepare(database: &Arc<Database>) -> usize {
    let template = Server::start(database, 0, usize::MAX / 4);
    for number in 0..MEMORIES {
        let said = format!("keeps {number} hives of bees and sells honey in spring");
        let statement = Statement::plain(Content::new(&said).expect("a short text"));
        // Some may count as known already: what is left is the same for all.
        let _ = remember(&template.ports, &scope(usize::MAX, 0.0), statement).await;
    }
    let bytes = template.held().1;
    database.begin_all_like(scope(usize::MAX, 0.0).space());
    bytes
}
