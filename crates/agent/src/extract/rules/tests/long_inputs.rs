//! However long and repetitive a message is, reading it takes time in proportion.

use std::time::{Duration, Instant};

use super::super::find;
use super::said_at;

/// The least of a few measurements: what else runs on the machine only adds to it.
fn least(text: &str) -> Duration {
    let measure = |_| {
        let start = Instant::now();
        find(text, said_at());
        start.elapsed()
    };
    (0..5).map(measure).min().unwrap()
}

#[test]
fn four_times_the_text_takes_four_times_as_long() {
    // A square law would be sixteen.
    const FACTOR_MAX: u32 = 10;
    for unit in [
        "I live in ",
        "my wife and ",
        "and I ",
        "I like tea, ",
        "a",
        ", ",
        ". ",
        "- - ",
        "not ",
        "if ",
        "\"I live\" ",
        "ich bin ",
        "我住在，",
        "我叫",
        "é",
        "私は",
        "?!",
        "\n",
    ] {
        let short = unit.repeat(20_000 / unit.len());
        let long = unit.repeat(80_000 / unit.len());
        // The first reading compiles patterns.
        find(&short, said_at());
        let (short, long) = (least(&short), least(&long));
        assert!(
            long < FACTOR_MAX * short + Duration::from_millis(20),
            "{unit:?}: {short:?} and {long:?}"
        );
    }
}
