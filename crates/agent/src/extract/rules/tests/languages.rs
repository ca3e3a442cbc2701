//! The labelled messages of every language: `crates/agent/languages`.

use crate::extract::evaluate::{Case, Evaluation, evaluate};

/// Reads the messages of one half.
fn cases(half: &[&str]) -> Vec<Case> {
    let lines = half.iter().flat_map(|text| text.lines());
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn open() -> Evaluation {
    evaluate(&cases(&[
        include_str!("../../../../languages/en/open.jsonl"),
        include_str!("../../../../languages/zh/open.jsonl"),
        include_str!("../../../../languages/de/open.jsonl"),
        include_str!("../../../../languages/fr/open.jsonl"),
        include_str!("../../../../languages/es/open.jsonl"),
        include_str!("../../../../languages/pt/open.jsonl"),
        include_str!("../../../../languages/ja/open.jsonl"),
    ]))
}

fn closed() -> Evaluation {
    evaluate(&cases(&[
        include_str!("../../../../languages/en/closed.jsonl"),
        include_str!("../../../../languages/zh/closed.jsonl"),
        include_str!("../../../../languages/de/closed.jsonl"),
        include_str!("../../../../languages/fr/closed.jsonl"),
        include_str!("../../../../languages/es/closed.jsonl"),
        include_str!("../../../../languages/pt/closed.jsonl"),
        include_str!("../../../../languages/ja/closed.jsonl"),
    ]))
}

#[test]
fn the_open_half_is_learned_and_no_trap_is() {
    let open = open();
    assert!(0.9 <= open.recall.ratio(), "{:#?}", open.missed);
    assert!(0.99 <= open.precision.ratio(), "{:#?}", open.wrong);
    assert_eq!(open.traps.part, 0, "{:#?}", open.wrong);
}

/// The bars are what was measured when the half was opened, less a little.
#[test]
fn the_closed_half_is_read_as_well_as_it_was_measured() {
    let closed = closed();
    assert!(0.9 <= closed.recall.ratio(), "{:?}", closed.recall);
    assert!(0.99 <= closed.precision.ratio(), "{:#?}", closed.wrong);
    assert_eq!(closed.traps.part, 0, "{:#?}", closed.wrong);
}

#[test]
fn every_pattern_of_every_language_compiles() {
    for language in crate::extract::language::all() {
        assert_eq!(language.check(), Vec::<String>::new(), "{}", language.code);
    }
}
