//! When users come: sessions of several requests, over a whole day.

use crate::scale::{REQUESTS_A_DAY, SESSION_GAP_S, SESSION_REQUESTS, TOP, ZIPF};

pub const DAY_S: f64 = 86_400.0;

/// One request.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub at_s: f64,
    pub user: usize,
    pub number: u64,
}

/// Numbers without a pattern, the same in each run.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// At least 0 and less than 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

pub fn mixed(number: u64) -> u64 {
    let mut mixed = number;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The requests of `users` in one day, in the order of time. More come at noon than at midnight.
pub fn of_a_day(users: usize) -> Vec<Request> {
    let mut random = Random::new(24);
    let shares: Vec<f64> = (0..users)
        .map(|rank| ((rank as f64 + 0.5) / users as f64 + TOP).powf(-ZIPF))
        .scan(0.0, |sum, share| {
            *sum += share;
            Some(*sum)
        })
        .collect();
    let all = shares.last().copied().unwrap_or_default();
    let sessions = (users as f64 * REQUESTS_A_DAY / SESSION_REQUESTS as f64) as usize;
    let mut requests = Vec::with_capacity(sessions * SESSION_REQUESTS);
    for _ in 0..sessions {
        let drawn = random.fraction() * all;
        let user = shares.partition_point(|sum| *sum < drawn).min(users - 1);
        let mut at_s = time_of_day(&mut random);
        for _ in 0..SESSION_REQUESTS {
            let number = random.next();
            requests.push(Request { at_s, user, number });
            at_s += SESSION_GAP_S * (0.5 + random.fraction());
        }
    }
    requests.retain(|request| request.at_s < DAY_S);
    requests.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    requests
}

/// The peak has three times the rate of the quietest hour.
fn time_of_day(random: &mut Random) -> f64 {
    loop {
        let fraction = random.fraction();
        let rate = 1.0 - 0.5 * (std::f64::consts::TAU * fraction).cos();
        if random.fraction() * 1.5 < rate {
            return fraction * DAY_S;
        }
    }
}
