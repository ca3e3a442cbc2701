//! One simulated day of a fleet.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use recalld_memory::space_owner::owner;

use crate::database::Database;
use crate::figures::{Day, Window};
use crate::scale::{Routing, SPACE_BYTES, Scale, WRITES_ONE_IN};
use crate::server::{self, Server, scope};
use crate::traffic::{self, Request};

/// A server dies and comes back empty.
pub const DEATH_S: f64 = 10.0 * 3600.0;
pub const RETURN_S: f64 = 11.0 * 3600.0;
/// One more server is added.
pub const GROWTH_S: f64 = 15.0 * 3600.0;
/// The database fails over.
pub const OUTAGE_S: f64 = 20.0 * 3600.0;
pub const OUTAGE_LASTS_S: f64 = 30.0;

/// How long a load balancer sends requests to a server that is dead.
const DETECTION_S: f64 = 10.0;

/// How long a claim lasts, how often each server looks for work, and how long work takes.
pub const CLAIM_LASTS_S: f64 = 60.0;
const POLL_S: f64 = 10.0;
const WORK_S: f64 = 5.0;

/// The server that dies.
const VICTIM: usize = 1;

struct Fleet {
    database: Arc<Database>,
    servers: Vec<Option<Server>>,
    names: Vec<String>,
    bytes_a_server: usize,
    routing: Routing,
    turn: usize,
}

impl Fleet {
    fn start(&mut self, number: usize) {
        let server = Server::start(&self.database, number, self.bytes_a_server);
        match self.servers.get_mut(number) {
            Some(place) => *place = Some(server),
            None => {
                self.names.push(format!("server-{number}"));
                self.servers.push(Some(server));
            }
        }
    }

    /// The server that a request is sent to, of those that the load balancer knows.
    fn route(&mut self, user: usize, known: &[usize]) -> usize {
        match self.routing {
            Routing::ByUser => {
                let names: Vec<&str> = known.iter().map(|number| self.names[*number].as_str()).collect();
                let space = scope(user, 0.0).space().clone();
                owner(&space, &names).map_or(known[0], |place| known[place])
            }
            Routing::RoundRobin => {
                self.turn += 1;
                known[self.turn % known.len()]
            }
        }
    }

    fn alive(&self) -> Vec<usize> {
        (0..self.servers.len())
            .filter(|number| self.servers[*number].is_some())
            .collect()
    }
}

/// Work that servers have claimed and not ended: who has it, and when it is done.
type Working = HashMap<usize, Vec<(recalld_memory::id::SpaceId, f64)>>;

/// Plays the day.
pub async fn play(scale: Scale, routing: Routing, sample: usize) -> Day {
    let database = Arc::new(Database::default());
    let space_bytes = server::prepare(&database).await;
    let spaces_a_server = scale.spaces_a_server(sample);
    let mut fleet = Fleet {
        database: Arc::clone(&database),
        servers: Vec::new(),
        names: Vec::new(),
        bytes_a_server: (spaces_a_server * space_bytes as f64) as usize,
        routing,
        turn: 0,
    };
    (0..scale.servers).for_each(|number| fleet.start(number));
    let mut day = Day::new(scale, routing, sample);
    let (mut working, mut polled_s) = (Working::new(), 0.0);
    let mut queued_at: HashMap<_, f64> = HashMap::new();
    let requests = traffic::of_a_day(sample);
    let mut before_s = 0.0;
    for request in &requests {
        faults(&mut fleet, &mut working, before_s, request.at_s);
        before_s = request.at_s;
        while polled_s < request.at_s {
            work(&fleet, &mut working, &mut queued_at, polled_s, &mut day);
            polled_s += POLL_S;
        }
        serve(&mut fleet, request, &mut queued_at, &mut day).await;
    }
    let held = fleet.servers.iter().flatten().map(|server| server.held().0);
    let held_max = held.max().unwrap_or_default() as f64;
    day.bytes_a_server = held_max / (sample as f64) * scale.users * SPACE_BYTES;
    day.conflicts = database.asked.conflicts.load(Ordering::Relaxed);
    day
}

/// Lets happen what happens between two moments.
fn faults(fleet: &mut Fleet, working: &mut Working, after_s: f64, until_s: f64) {
    let happens = |at_s: f64| after_s < at_s && at_s <= until_s;
    if happens(DEATH_S) {
        fleet.servers[VICTIM] = None;
        working.remove(&VICTIM);
    }
    if happens(RETURN_S) {
        fleet.start(VICTIM);
    }
    if happens(GROWTH_S) {
        fleet.start(fleet.servers.len());
    }
    let is_away = (OUTAGE_S..OUTAGE_S + OUTAGE_LASTS_S).contains(&until_s);
    fleet.database.is_away.store(is_away, Ordering::Relaxed);
}

/// Lets each server end the work that is done, and claim some more.
fn work(
    fleet: &Fleet,
    working: &mut Working,
    queued_at: &mut HashMap<recalld_memory::id::SpaceId, f64>,
    now_s: f64,
    day: &mut Day,
) {
    for number in fleet.alive() {
        let own = working.entry(number).or_default();
        own.retain(|(space, done_s)| {
            let is_done = *done_s <= now_s;
            if is_done {
                fleet.database.end_work(space);
                if let Some(queued_s) = queued_at.remove(space) {
                    day.note_work(now_s, now_s - queued_s);
                }
            }
            !is_done
        });
        let claimed = fleet.database.claim(number, now_s, CLAIM_LASTS_S, 100);
        own.extend(claimed.into_iter().map(|space| (space, now_s + WORK_S)));
    }
}

async fn serve(
    fleet: &mut Fleet,
    request: &Request,
    queued_at: &mut HashMap<recalld_memory::id::SpaceId, f64>,
    day: &mut Day,
) {
    let alive = fleet.alive();
    let mut known = alive.clone();
    // Until the load balancer notices, it also asks the dead server, and then another one.
    let is_undetected = (DEATH_S..DEATH_S + DETECTION_S).contains(&request.at_s);
    if is_undetected {
        known.insert(VICTIM, VICTIM);
    }
    let mut place = fleet.route(request.user, &known);
    let mut asked_again = 0;
    if fleet.servers[place].is_none() {
        asked_again = 1;
        place = fleet.route(request.user, &alive);
    }
    let Some(server) = &fleet.servers[place] else {
        return;
    };
    let asked = &fleet.database.asked;
    let counted = || {
        let of = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
        (of(&asked.revisions), of(&asked.loads), of(&asked.writes))
    };
    let writes = request.number.is_multiple_of(WRITES_ONE_IN);
    let before = counted();
    let is_answered = server
        .serve(request.user, request.number, request.at_s, writes)
        .await;
    let after = counted();
    if writes && is_answered {
        let space = scope(request.user, 0.0).space().clone();
        fleet.database.add_work(&space);
        queued_at.entry(space).or_insert(request.at_s);
    }
    day.note(
        request.at_s,
        Window {
            requests: 1,
            failed: u64::from(!is_answered),
            asked_again,
            warm: u64::from(is_answered && after.1 == before.1),
            questions: (after.0 - before.0) + (after.1 - before.1) + (after.2 - before.2),
        },
    );
}
