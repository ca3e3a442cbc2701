//! Arithmetic on many numbers at once: written so that the compiler works out several at a time.

/// Brings a number into a span. Unlike `f32::clamp` it has no case that panics, which would keep
/// loops from being widened.
#[inline]
pub(crate) fn within(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if high < x { high } else { x }
}

/// How many numbers are compared at a time.
const LANES: usize = 16;

/// The highest of some numbers; minus infinity of none.
pub(crate) fn highest(numbers: &[f32]) -> f32 {
    // `f32::max` also checks for NaN, which takes three times as long.
    let higher = |highest: f32, number: f32| if highest < number { number } else { highest };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let rows = numbers.chunks_exact(LANES);
    let rest = rows.remainder();
    for row in rows {
        for (lane, number) in lanes.iter_mut().zip(row) {
            *lane = higher(*lane, *number);
        }
    }
    let all = lanes.iter().chain(rest).copied();
    all.fold(f32::NEG_INFINITY, higher)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_highest_is_the_highest(numbers in prop::collection::vec(-9.0..9.0f32, 0..100)) {
            let sorted = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            prop_assert_eq!(highest(&numbers), sorted);
        }

        #[test]
        fn what_is_within_stays(x in -9.0..9.0f32) {
            prop_assert_eq!(within(x, -1.0, 1.0), x.clamp(-1.0, 1.0));
        }
    }
}
