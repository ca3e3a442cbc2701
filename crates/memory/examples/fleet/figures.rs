//! What a day came to, as tables.

use std::fmt;

use crate::day::{DEATH_S, GROWTH_S, OUTAGE_LASTS_S, OUTAGE_S, RETURN_S};
use crate::scale::{Routing, Scale};
use crate::traffic::DAY_S;

/// Figures are kept for each five minutes.
pub const WINDOW_S: f64 = 300.0;

/// A fleet has recovered when its hit rate is within this of the hour before.
const CLOSE: f64 = 0.02;

#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    pub requests: u64,
    pub failed: u64,
    /// Sent to a dead server first.
    pub asked_again: u64,
    /// Answered from memory, after a look at the revision.
    pub warm: u64,
    /// What the database was asked.
    pub questions: u64,
}

#[derive(Debug)]
pub struct Day {
    pub scale: Scale,
    pub routing: Routing,
    pub sample: usize,
    pub windows: Vec<Window>,
    pub bytes_a_server: f64,
    pub conflicts: u64,
    /// The longest that work waited: on the whole day, and in the ten minutes after the death.
    work_usual_s: f64,
    work_after_death_s: f64,
}

pub const HEADER: &str = "\
| users | sample | servers | routing | warm | questions a request | memory a server | conflicts |
|---|---|---|---|---|---|---|---|";

pub const FAULTS_HEADER: &str = "\
| users | routing | a server dies | it returns | one is added | asked twice | failed in the outage | work waits | after the death |
|---|---|---|---|---|---|---|---|---|";

impl Day {
    pub fn new(scale: Scale, routing: Routing, sample: usize) -> Day {
        Day {
            scale,
            routing,
            sample,
            windows: vec![Window::default(); (DAY_S / WINDOW_S) as usize + 1],
            bytes_a_server: 0.0,
            conflicts: 0,
            work_usual_s: 0.0,
            work_after_death_s: 0.0,
        }
    }

    pub fn note(&mut self, at_s: f64, one: Window) {
        let window = &mut self.windows[(at_s / WINDOW_S) as usize];
        window.requests += one.requests;
        window.failed += one.failed;
        window.asked_again += one.asked_again;
        window.warm += one.warm;
        window.questions += one.questions;
    }

    pub fn note_work(&mut self, now_s: f64, waited_s: f64) {
        let longest = match (DEATH_S..DEATH_S + 600.0).contains(&now_s) {
            true => &mut self.work_after_death_s,
            false => &mut self.work_usual_s,
        };
        *longest = longest.max(waited_s);
    }

    /// Adds up from one time of the day to another.
    fn sum(&self, from_s: f64, to_s: f64) -> Window {
        let range = (from_s / WINDOW_S) as usize..(to_s / WINDOW_S) as usize;
        let mut sum = Window::default();
        for window in &self.windows[range] {
            sum.requests += window.requests;
            sum.failed += window.failed;
            sum.asked_again += window.asked_again;
            sum.warm += window.warm;
            sum.questions += window.questions;
        }
        sum
    }

    /// After the first two hours, in which all is cold.
    fn settled(&self) -> Window {
        self.sum(7200.0, DAY_S)
    }

    /// The minutes from an event until the hit rate is as before.
    fn recovery(&self, event_s: f64) -> String {
        let usual = self.sum(event_s - 3600.0, event_s).hit_rate();
        let mut at_s = event_s;
        while at_s < DAY_S - WINDOW_S {
            if usual - CLOSE <= self.sum(at_s, at_s + WINDOW_S).hit_rate() {
                let minutes = (at_s - event_s) / 60.0;
                return format!("{minutes:.0} min");
            }
            at_s += WINDOW_S;
        }
        "not that day".to_owned()
    }

    /// The row of the second table.
    pub fn faults(&self) -> String {
        let dip = |event_s: f64| {
            let window = self.sum(event_s, event_s + WINDOW_S);
            format!("{:.1} %, {}", window.hit_rate() * 100.0, self.recovery(event_s))
        };
        let day = self.sum(0.0, DAY_S);
        let outage = self.sum(OUTAGE_S, OUTAGE_S + WINDOW_S.max(OUTAGE_LASTS_S));
        format!(
            "| {} | {} | {} | {} | {} | {:.3} % | {:.2} % | {:.0} s | {:.0} s |",
            self.scale.name,
            self.routing.name(),
            dip(DEATH_S),
            dip(RETURN_S),
            dip(GROWTH_S),
            100.0 * day.asked_again as f64 / day.requests as f64,
            100.0 * outage.failed as f64 / outage.requests as f64,
            self.work_usual_s,
            self.work_after_death_s,
        )
    }
}

impl Window {
    pub fn hit_rate(&self) -> f64 {
        self.warm as f64 / (self.requests.max(1)) as f64
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settled = self.settled();
        write!(
            f,
            "| {} | {} | {} | {} | {:.1} % | {:.2} | {:.1} GB | {} |",
            self.scale.name,
            self.sample,
            self.scale.servers,
            self.routing.name(),
            settled.hit_rate() * 100.0,
            settled.questions as f64 / settled.requests as f64,
            self.bytes_a_server / 1e9,
            self.conflicts,
        )
    }
}
