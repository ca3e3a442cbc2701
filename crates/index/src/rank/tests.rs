//! What must hold of ranking.

use proptest::prelude::*;

use super::*;
use crate::index::Field;
use crate::model::EmbeddingModel;
use crate::text::analyse_query;

fn model() -> EmbeddingModel {
    EmbeddingModel {
        name: "test".to_owned(),
        dimension: 3,
    }
}

/// Entries are their texts; each may have a vector.
fn index_of(entries: &[(&str, Option<[f32; 3]>)]) -> Index {
    let mut index = Index::default();
    index.use_model(Some(&model()));
    for (text, vector) in entries {
        index.put(text, &[Field::main(text)], Facets::default());
        if let Some(vector) = vector {
            assert!(index.put_vector(text, &model(), vector));
        }
    }
    index
}

const PETS: [f32; 3] = [1.0, 0.0, 0.1];
const FOOD: [f32; 3] = [0.0, 1.0, 0.1];

/// Leaks what it reads: a test is short.
fn terms(text: &str) -> &'static [Term] {
    analyse_query(text).leak()
}

fn asked<'a>(text: &str, vector: &'a [f32]) -> RankQuery<'a> {
    RankQuery {
        terms: terms(text),
        vector: Some(vector.into()),
        understanding: 1.0,
        strength: 1.0,
        likeness_min: 0.3,
        ..RankQuery::default()
    }
}

fn found(index: &Index, asked: &RankQuery) -> Vec<String> {
    let ranked = rank(index, asked, &|_| true, 10);
    ranked.iter().map(|ranked| ranked.id.to_string()).collect()
}

#[test]
fn what_means_the_same_is_found_without_a_common_word() {
    let index = index_of(&[("owns a cat", Some(PETS)), ("allergic to peanuts", Some(FOOD))]);
    assert_eq!(found(&index, &asked("snack", &FOOD)), ["allergic to peanuts"]);
}

#[test]
fn a_word_that_is_there_comes_before_what_only_means_something_like_it() {
    let index = index_of(&[
        ("rex sleeps", Some(FOOD)),
        ("owns a cat", Some(PETS)),
        ("owns a bird", Some(PETS)),
    ]);
    assert_eq!(found(&index, &asked("rex", &PETS))[0], "rex sleeps");
}

#[test]
fn what_is_not_related_is_not_found() {
    let index = index_of(&[("owns a cat", Some(PETS)), ("owns a dog", None)]);
    assert_eq!(found(&index, &asked("snack", &FOOD)), Vec::<String>::new());
    assert_eq!(found(&index, &asked("", &FOOD)), Vec::<String>::new());
}

#[test]
fn an_entry_without_a_vector_is_found_by_its_words() {
    let index = index_of(&[("likes tea", None), ("likes rain", Some(PETS))]);
    assert_eq!(found(&index, &asked("tea", &PETS))[0], "likes tea");
}

#[test]
fn what_the_model_does_not_understand_is_left_to_words() {
    let index = index_of(&[("喜欢喝茶", Some(FOOD)), ("喜欢下雨", Some(PETS))]);
    let question = RankQuery {
        understanding: 0.0,
        strength: 1.0,
        ..asked("喝茶", &PETS)
    };
    assert_eq!(found(&index, &question)[0], "喜欢喝茶");
}

#[test]
fn a_vector_of_another_dimension_is_as_none() {
    let index = index_of(&[("likes tea", Some(FOOD))]);
    assert_eq!(found(&index, &asked("tea", &[1.0])), ["likes tea"]);
    assert_eq!(found(&index, &asked("tea", &[f32::NAN; 3])), ["likes tea"]);
}

#[test]
fn one_arm_can_be_asked_alone() {
    let index = index_of(&[("likes tea", Some(PETS)), ("owns a cat", Some(FOOD))]);
    let only = |arms| {
        found(
            &index,
            &RankQuery {
                arms,
                ..asked("tea", &FOOD)
            },
        )
    };
    assert_eq!(only(Arms::Words), ["likes tea"]);
    assert_eq!(only(Arms::Meaning), ["owns a cat"]);
}

#[test]
fn every_part_of_a_score_is_told() {
    let index = index_of(&[("likes green tea", Some(FOOD)), ("owns a cat", Some(PETS))]);
    let question = RankQuery {
        with_ranks: true,
        ..asked("tea", &FOOD)
    };
    let ranked = rank(&index, &question, &|_| true, 10);
    let parts = ranked[0].parts;
    assert_eq!(parts.words.map(|arm| (arm.rank, arm.share)), Some((Some(1), 1.0)));
    assert_eq!(
        parts.meaning.map(|arm| (arm.rank, arm.share)),
        Some((Some(1), 1.0))
    );
    assert_eq!(ranked[0].score, parts.score());
    assert!(ranked.iter().all(|ranked| (0.0..=1.0).contains(&ranked.score)));
}

#[test]
fn what_was_said_at_the_time_in_question_gains() {
    let mut index = Index::default();
    for (id, time_ms) in [("old", 5), ("new", 500)] {
        let facets = Facets {
            time_ms,
            ..Facets::default()
        };
        index.put(id, &[Field::main("walked the dog")], facets);
    }
    let span = Some(Span {
        since_ms: 0,
        until_ms: 10,
    });
    let question = RankQuery {
        terms: terms("dog"),
        span,
        now_ms: 1000,
        ..RankQuery::default()
    };
    assert_eq!(found(&index, &question), ["old", "new"]);
    assert_eq!(
        found(
            &index,
            &RankQuery {
                span: None,
                ..question
            }
        ),
        ["new", "old"]
    );
}

#[test]
fn the_assistant_counts_less_unless_it_is_asked_about() {
    let mut index = Index::default();
    for (id, kind) in [("a", "assistant"), ("b", "user")] {
        let facets = Facets {
            kind: Some(kind),
            ..Facets::default()
        };
        index.put(id, &[Field::main("a lighter tent")], facets);
    }
    let first = |is_about_the_assistant| {
        let question = RankQuery {
            terms: terms("tent"),
            is_about_the_assistant,
            ..RankQuery::default()
        };
        found(&index, &question)[0].clone()
    };
    assert_eq!(first(false), "b");
    assert_eq!(first(true), "a");
}

#[test]
fn a_tie_is_the_same_in_any_order() {
    let entries = [
        ("tea one", Some(FOOD)),
        ("tea two", Some(FOOD)),
        ("tea three", Some(FOOD)),
    ];
    let mut turned = entries;
    turned.reverse();
    let question = asked("tea", &FOOD);
    assert_eq!(
        found(&index_of(&entries), &question),
        found(&index_of(&turned), &question)
    );
}

/// An entry of a few words at some time, perhaps with a vector, perhaps of the assistant, perhaps
/// gone again.
#[derive(Clone, Debug)]
struct Drawn {
    words: Vec<u8>,
    vector: Option<[i8; 3]>,
    time_ms: i64,
    by_assistant: bool,
    is_gone: bool,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let words = prop::collection::vec(0..6u8, 1..5);
    let vector = prop::option::of(prop::array::uniform3(-5..5i8));
    (words, vector, 0..4i64, any::<bool>(), prop::bool::weighted(0.2)).prop_map(
        |(words, vector, time_ms, by_assistant, is_gone)| Drawn {
            words,
            vector,
            time_ms,
            by_assistant,
            is_gone,
        },
    )
}

fn index_of_drawn(entries: &[Drawn]) -> Index {
    let mut index = Index::default();
    index.use_model(Some(&model()));
    for (number, entry) in entries.iter().enumerate() {
        let words: Vec<&str> = entry.words.iter().map(|word| WORDS[usize::from(*word)]).collect();
        let facets = Facets {
            kind: entry.by_assistant.then_some(ASSISTANT_KIND),
            time_ms: entry.time_ms * 30 * 24 * 3_600_000,
            confidence: 0.5,
            ..Facets::default()
        };
        let id = number.to_string();
        index.put(&id, &[Field::main(&words.join(" "))], facets);
        if let Some(vector) = entry.vector {
            index.put_vector(&id, &model(), &vector.map(f32::from));
        }
        if entry.is_gone {
            index.remove(&id);
        }
    }
    index
}

const WORDS: [&str; 6] = ["tea", "boat", "violin", "garden", "lamp", "copper"];

proptest! {
    /// The bounds save work and nothing else: few are the first of all.
    #[test]
    fn the_best_few_are_the_first_of_all(
        entries in prop::collection::vec(drawn(), 0..300),
        query in prop::array::uniform3(-5..5i8),
        word in 0..6usize,
        limit in 1..12usize,
        fusion in prop::sample::select(vec![Fusion::Weighted, Fusion::Mean, Fusion::Ranks]),
        with_span in any::<bool>(),
    ) {
        let index = index_of_drawn(&entries);
        let vector = query.map(f32::from);
        let span = with_span.then_some(Span { since_ms: 0, until_ms: 30 * 24 * 3_600_000 });
        let question = RankQuery { fusion, span, now_ms: 5 * 30 * 24 * 3_600_000, ..asked(WORDS[word], &vector) };
        let keep = |facets: &Facets| facets.time_ms != 0;
        let all = rank(&index, &question, &keep, 1_000);
        let few = rank(&index, &question, &keep, limit);
        prop_assert_eq!(&few[..], &all[..limit.min(all.len())]);
    }
}
