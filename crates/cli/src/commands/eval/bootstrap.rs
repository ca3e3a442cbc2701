//! How far a mean can be trusted: intervals by drawing the queries again and again.

/// How often the queries are drawn.
const DRAWS: usize = 2_000;

/// The interval that holds the mean of `values` in 95 of 100 draws. The draws are the same each
/// time. None of fewer than two values.
pub(crate) fn interval(values: &[f64]) -> Option<[f64; 2]> {
    if values.len() < 2 {
        return None;
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values[(state % values.len() as u64) as usize]
    };
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| values.iter().map(|_| draw()).sum::<f64>() / values.len() as f64)
        .collect();
    means.sort_by(f64::total_cmp);
    Some([means[DRAWS / 40], means[DRAWS - 1 - DRAWS / 40]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_mean_and_narrows_with_more_queries() {
        let values = |count: usize| {
            (0..count)
                .map(|n| f64::from(u8::from(n % 2 == 0)))
                .collect::<Vec<_>>()
        };
        let few = interval(&values(20)).unwrap();
        let many = interval(&values(2000)).unwrap();
        assert!(few[0] < 0.5 && 0.5 < few[1], "{few:?}");
        assert!(many[1] - many[0] < few[1] - few[0]);
        assert!((many[1] - many[0] - 0.0438).abs() < 0.01, "{many:?}");
        assert_eq!(interval(&[1.0]), None);
        assert_eq!(interval(&values(20)), Some(few), "the same each time");
    }
}
