//! How many secrets are found, and how often an ordinary sentence is taken for one.
//!
//! The examples are synthetic: each is put together when the test runs, so that no scanner of
//! source code takes this repository for a leak.

mod benign;
mod evasions;
mod fresh;
mod generator;
mod phrases;
mod tokens;

use std::collections::BTreeMap;

use generator::Generator;
use recalld_memory::screening::secrets::{find, redact};

/// The share of examples that must be found, of each kind and of all.
const RECALL_MIN: f64 = 0.98;

/// The share of ordinary sentences that may be taken for a secret.
const FALSE_ALARMS_MAX: f64 = 0.003;

/// How many examples of each kind are made.
const EXAMPLES: usize = 40;

#[test]
fn secrets_of_every_kind_are_found() {
    let mut missed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut kinds = 0;
    let mut made = 0;
    for (kind, make) in tokens::kinds().into_iter().chain(phrases::kinds()) {
        let mut generator = Generator::new(kind);
        kinds += 1;
        for _ in 0..EXAMPLES {
            let example = make(&mut generator);
            made += 1;
            if find(&example).is_none() {
                missed.entry(kind).or_default().push(example);
            }
        }
    }
    let misses: usize = missed.values().map(Vec::len).sum();
    let recall = 1.0 - misses as f64 / made as f64;
    println!("{kinds} kinds, {made} examples, recall {recall:.4}");
    for (kind, examples) in &missed {
        println!(
            "{kind}: missed {} of {EXAMPLES}, such as {:?}",
            examples.len(),
            examples[0]
        );
    }
    assert!(100 <= kinds);
    assert!(RECALL_MIN <= recall, "recall is {recall}");
    let worst = missed.values().map(Vec::len).max().unwrap_or(0);
    assert!(
        worst as f64 / EXAMPLES as f64 <= 0.1,
        "a kind is missed more than one time in ten"
    );
}

#[test]
fn what_was_written_later_is_told_apart() {
    let mut generator = Generator::new("fresh");
    let missed: Vec<String> = fresh::SECRETS
        .iter()
        .map(|template| generator.fill(template))
        .filter(|text| find(text).is_none())
        .collect();
    let alarms: Vec<_> = fresh::BENIGN
        .iter()
        .filter_map(|text| Some((text, find(text)?)))
        .collect();
    missed.iter().for_each(|text| println!("missed: {text}"));
    alarms
        .iter()
        .for_each(|(text, kind)| println!("{}: {text}", kind.as_str()));
    assert!(missed.is_empty() && alarms.is_empty(), "{missed:?} {alarms:?}");
}

#[test]
fn ordinary_sentences_are_not_taken_for_secrets() {
    let sentences = benign::sentences();
    let alarms: Vec<_> = sentences
        .iter()
        .filter_map(|text| Some((text, find(text)?)))
        .collect();
    let share = alarms.len() as f64 / sentences.len() as f64;
    println!(
        "{} sentences, {} false alarms, {share:.4}",
        sentences.len(),
        alarms.len()
    );
    for (text, secret) in &alarms {
        println!("{}: {text}", secret.as_str());
    }
    assert!(2_000 <= sentences.len());
    assert!(share <= FALSE_ALARMS_MAX, "false alarms are {share}");
}

#[test]
fn a_redacted_text_holds_no_secret_and_keeps_the_rest() {
    for (kind, make) in tokens::kinds().into_iter().chain(phrases::kinds()) {
        let mut generator = Generator::new(kind);
        for _ in 0..5 {
            let example = format!("Dear all, see below. {} Kind regards, Ana", make(&mut generator));
            let redacted = redact(&example);
            if redacted == example {
                continue;
            }
            assert!(redacted.contains("[redacted: "), "{redacted}");
            assert!(
                redacted.starts_with("Dear all, see below. ") && redacted.ends_with("Kind regards, Ana"),
                "{redacted}"
            );
            assert_eq!(
                redact(&redacted),
                redacted,
                "redacting twice changes the text again"
            );
        }
    }
}
