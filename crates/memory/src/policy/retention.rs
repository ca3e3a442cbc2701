//! How long a statement is kept: the confidence gate, and the end of a daily note.

use jiff::{SignedDuration, Timestamp};

use crate::memory::{Confidence, Tier};
use crate::settings::Settings;

/// Which tier a statement gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub tier: Tier,
    /// Whether durable was asked for, and confidence was too low for it.
    pub demoted: bool,
}

/// Decides the tier: what is not sure enough becomes a daily note instead of a durable memory.
pub fn place(wish: Tier, confidence: Confidence, settings: &Settings) -> Placement {
    let sure = settings.durable_confidence_min <= confidence.value();
    match wish {
        Tier::Durable if !sure => Placement {
            tier: Tier::Daily,
            demoted: true,
        },
        tier => Placement { tier, demoted: false },
    }
}

/// Tells when a memory of `tier` that is written at `now` ceases to be shown.
pub fn expiry(tier: Tier, now: Timestamp, settings: &Settings) -> Option<Timestamp> {
    match tier {
        Tier::Durable => None,
        Tier::Daily => Some(
            now.saturating_add(SignedDuration::from_hours(24 * settings.daily_days))
                .unwrap_or(now),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_sure_becomes_a_daily_note() {
        let settings = Settings::default();
        let placed = |wish, confidence| place(wish, Confidence::new(confidence).unwrap(), &settings);
        assert_eq!(
            placed(Tier::Durable, 0.7),
            Placement {
                tier: Tier::Durable,
                demoted: false
            }
        );
        assert_eq!(
            placed(Tier::Durable, 0.69),
            Placement {
                tier: Tier::Daily,
                demoted: true
            }
        );
        assert_eq!(
            placed(Tier::Daily, 0.1),
            Placement {
                tier: Tier::Daily,
                demoted: false
            }
        );
    }

    #[test]
    fn a_daily_note_ends_after_ninety_days() {
        let settings = Settings::default();
        let now: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        assert_eq!(
            expiry(Tier::Daily, now, &settings),
            Some("2026-05-30T10:00:00Z".parse().unwrap())
        );
        assert_eq!(expiry(Tier::Durable, now, &settings), None);
    }
}
