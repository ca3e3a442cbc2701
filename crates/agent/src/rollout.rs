//! How far conversation mode is rolled out, which mode a message is answered in, and the metrics
//! that the rollout is judged by.

mod metrics;
mod mode;

pub(crate) use metrics::Counted;
pub use metrics::{ArmMetrics, Interval, RolloutMetrics, Shadow, Sum};
pub use mode::{Choice, Mode, choose};

use recalld_memory::id::SpaceId;
use sha2::{Digest, Sha256};

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Task mode for everybody.
    TaskOnly,
    /// Task mode for everybody, while it is noted what conversation mode would have done.
    Shadow,
    /// Conversation mode for a share of the users.
    Experiment,
    /// For everybody.
    Full,
}

impl Phase {
    /// All phases, in their order.
    pub const ALL: [Phase; 4] = [Phase::TaskOnly, Phase::Shadow, Phase::Experiment, Phase::Full];

    /// Gives the phase's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::TaskOnly => "task-only",
            Phase::Shadow => "shadow",
            Phase::Experiment => "experiment",
            Phase::Full => "full",
        }
    }

    /// Reads a phase's name.
    pub fn parse(raw: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.as_str() == raw)
    }
}

/// The rollout of a deployment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rollout {
    pub phase: Phase,
    /// The share of users in the experiment, in percent.
    pub percent: f64,
}

impl Default for Rollout {
    fn default() -> Rollout {
        Rollout {
            phase: Phase::Full,
            percent: 10.0,
        }
    }
}

impl Rollout {
    /// Tells whether the user of `space` is part of the experiment.
    pub fn includes(&self, space: &SpaceId) -> bool {
        f64::from(bucket(space)) < self.percent * 100.0
    }
}

/// The bucket of a user, from 0 to 9,999: always the same, on every server, and even over many
/// users. Who is part of a small experiment stays part of a larger one.
pub fn bucket(space: &SpaceId) -> u16 {
    let digest: [u8; 32] = Sha256::new()
        .chain_update("rollout")
        .chain_update([0])
        .chain_update(space.as_str())
        .finalize()
        .into();
    let number = u64::from_be_bytes(digest[..8].try_into().expect("eight bytes of thirty-two"));
    (number % 10_000) as u16
}

#[cfg(test)]
mod tests {
    use recalld_memory::id::UserId;

    use super::*;

    fn share(percent: f64) -> usize {
        let rollout = Rollout {
            phase: Phase::Experiment,
            percent,
        };
        let users = (0..10_000).map(|n| SpaceId::of_user(&UserId::new(format!("user-{n}")).unwrap()));
        users.filter(|space| rollout.includes(space)).count()
    }

    #[test]
    fn buckets_are_stable_and_even() {
        let ana = SpaceId::of_user(&UserId::new("ana").unwrap());
        assert_eq!(bucket(&ana), bucket(&ana));
        assert_eq!((share(0.0), share(100.0)), (0, 10_000));
        assert!((900..1_100).contains(&share(10.0)), "{}", share(10.0));
    }
}
