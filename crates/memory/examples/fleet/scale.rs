//! How large the fleets are, and what is assumed of their users.

/// The memory of one server that is left for spaces.
pub const SPACES_BYTES: f64 = 32e9;

/// What one space takes in memory: 200 memories (docs/scale.md).
pub const SPACE_BYTES: f64 = 300e3;

/// Requests of a user in a day, on average over all users.
pub const REQUESTS_A_DAY: f64 = 4.0;

/// Requests of one session, and the seconds between them.
pub const SESSION_REQUESTS: usize = 10;
pub const SESSION_GAP_S: f64 = 60.0;

/// One request in so many writes.
pub const WRITES_ONE_IN: u64 = 5;

/// The exponent by which activity falls from the most active user to the least active one.
pub const ZIPF: f64 = 0.8;

/// The share of users that are about equally active at the top, so that nobody has more than some
/// 25 sessions in a day, and a sample has the same shape as all users.
pub const TOP: f64 = 0.001;

/// How many spaces of the sample a server has room for at least: with fewer, chance decides.
const SPACES_A_SERVER_MIN: f64 = 48.0;

/// How many users are sampled at least.
const SAMPLE_MIN: f64 = 20_000.0;

/// A fleet.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    pub name: &'static str,
    pub users: f64,
    pub servers: usize,
}

impl Scale {
    pub const ALL: [Scale; 3] = [
        Scale {
            name: "1 M",
            users: 1e6,
            servers: 3,
        },
        Scale {
            name: "100 M",
            users: 1e8,
            servers: 16,
        },
        Scale {
            name: "1 B",
            users: 1e9,
            servers: 128,
        },
    ];

    /// How many users stand for all.
    pub fn sample(&self) -> usize {
        let enough = SPACES_A_SERVER_MIN * self.users * SPACE_BYTES / SPACES_BYTES;
        enough.max(SAMPLE_MIN).min(self.users) as usize
    }

    /// How many spaces of the sample fit into the memory of one server.
    pub fn spaces_a_server(&self, sample: usize) -> f64 {
        SPACES_BYTES / SPACE_BYTES * sample as f64 / self.users
    }
}

/// How a request finds its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// By a hash of the user, so that each user stays on one server.
    ByUser,
    /// One server after the other.
    RoundRobin,
}

impl Routing {
    pub fn name(self) -> &'static str {
        match self {
            Routing::ByUser => "by user",
            Routing::RoundRobin => "round robin",
        }
    }
}
