//! What was acknowledged survives the death of the process.

use std::time::Instant;
use std::{env, thread};

use crate::sandbox::Sandbox;

/// How often a process is killed. More with `RECALLD_TEST_KILLS`.
fn rounds() -> usize {
    env::var("RECALLD_TEST_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20)
}

/// Each round has an add that is acknowledged, and one that is killed at a moment which moves from
/// round to round over the time that the first one took.
#[test]
fn every_acknowledged_memory_is_there_after_a_kill() {
    let sandbox = Sandbox::new();
    let mut acknowledged = Vec::new();
    for round in 0..rounds() {
        let content = format!("acknowledged statement {round} is number{round}");
        let begun = Instant::now();
        let added = sandbox.run(&["add", "-q", &content]);
        let took = begun.elapsed();
        assert_eq!(added.code, Some(0), "{added:?}");
        acknowledged.push((added.out.trim().to_owned(), content));

        let second = format!("attempted statement {round} is attempt{round}");
        let mut child = sandbox.command(&["add", "-q", &second]).spawn().unwrap();
        // Nothing is awaited here: this is the moment of the kill, and any moment is right.
        thread::park_timeout(took.mul_f64((round * 7 % 20) as f64 / 18.0));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let id = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        if !id.is_empty() {
            acknowledged.push((id, second));
        }
    }
    let listed = sandbox.run(&["list", "-q", "-n", "100000"]).out;
    for (id, content) in &acknowledged {
        assert!(listed.contains(id.as_str()), "{content} is not listed");
    }
    for (id, content) in &acknowledged {
        let word = content.split(' ').next_back().unwrap();
        assert_eq!(
            sandbox.run(&["search", "-q", "-n", "1", word]).out.trim(),
            id,
            "{content} is not found"
        );
        assert_eq!(
            sandbox.run(&["history", "-q", id]).out,
            "1\n",
            "{content} has no history"
        );
    }
    assert_eq!(sandbox.run(&["doctor"]).code, Some(0));
}
