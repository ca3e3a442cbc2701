//! What must hold of the index.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn index_of(entries: &[&str]) -> Index {
    let mut index = Index::default();
    for (n, text) in entries.iter().enumerate() {
        index.put(
            &n.to_string(),
            &[Field::main(text)],
            Facets {
                time_ms: n as i64,
                ..Facets::default()
            },
        );
    }
    index
}

fn found(index: &Index, query: &str) -> Vec<String> {
    index
        .search(query, &|_| true, 10)
        .into_iter()
        .map(|hit| hit.id.to_string())
        .collect()
}

/// The entries that a query finds, best first, by their number.
#[track_caller]
fn check(entries: &[&str], query: &str, expected: &[&str]) {
    assert_eq!(found(&index_of(entries), query), expected, "{query}");
}

#[test]
fn what_people_type_finds_what_they_wrote() {
    let entries = [
        "I prefer window seats",
        "我喜欢喝咖啡",
        "京都で寿司を食べた",
        "Meeting with Jürgen Müller in Köln",
        "Mi canción favorita es de Málaga",
        "Backend runs on node.js",
        "Writes C++ at work",
        "Uses gpt-4o for drafts",
        "Certified for ISO-27001",
        "Reach Ana at ana@example.com",
        "Moved to Porto on 1 March 2026",
        "Flight leaves at 19:40",
        "한국 음식을 좋아해요",
        "Loves 🍕 on Fridays",
    ];
    for (query, first) in [
        ("seat preference", "0"),
        ("咖啡", "1"),
        ("寿司", "2"),
        ("食べる", "2"),
        ("muller", "3"),
        ("Mueller", "3"),
        ("koln", "3"),
        ("cancion", "4"),
        ("node.js", "5"),
        ("nodejs", "5"),
        ("node", "5"),
        ("C++", "6"),
        ("gpt-4o", "7"),
        ("iso 27001", "8"),
        ("27001", "8"),
        ("ana@example.com", "9"),
        ("2026-03-01", "10"),
        ("01.03.2026", "10"),
        ("march 2026", "10"),
        ("19:40", "11"),
        ("음식", "12"),
        ("🍕", "13"),
    ] {
        assert_eq!(
            found(&index_of(&entries), query).first().map(String::as_str),
            Some(first),
            "{query}"
        );
    }
}

#[test]
fn one_word_finds_nothing_unrelated() {
    check(&["takes vitamin C"], "C++", &[]);
    check(&["flight at 9:40"], "19:40", &[]);
    check(&["writes C++"], "C", &[]);
    check(&["met on 2026-03-01"], "2026-03-02", &[]);
    check(&["the cat"], "dog", &[]);
    check(&["19 apples"], "covid-19", &[]);
    check(&["动物园里的大象"], "大学", &[]);
}

#[test]
fn the_whole_word_comes_before_a_part_of_it() {
    let long = "an entry about node.js that goes on and on about servers, queues, databases, caches, tests and deployment";
    check(&[long, "node node node"], "node.js", &["0", "1"]);
    check(
        &[
            "the failing node of a cluster with many other parts in many other places",
            "node.js",
        ],
        "node",
        &["0", "1"],
    );
    check(
        &[
            "학교학교",
            "오늘 아침에 우리 가족 모두 함께 새로운 식당에서 점심을 먹고 나서 대학교",
        ],
        "대학교",
        &["1", "0"],
    );
    check(
        &["the us team", "moved to the US last year with family"],
        "US",
        &["1", "0"],
    );
}

#[test]
fn equal_scores_are_ordered_newest_first_then_by_id() {
    let mut index = Index::default();
    for (id, time_ms) in [("b", 1), ("c", 2), ("a", 1)] {
        index.put(
            id,
            &[Field::main("tea")],
            Facets {
                time_ms,
                ..Facets::default()
            },
        );
    }
    assert_eq!(found(&index, "tea"), ["c", "a", "b"]);
    assert_eq!(index.search("tea", &|_| true, 2).len(), 2);
    assert_eq!(index.search("tea", &|_| true, 0), []);
    assert_eq!(index.search("tea", &|_| true, usize::MAX).len(), 3);
}

#[test]
fn filters_hide_entries_and_leave_scores_alone() {
    let index = index_of(&["green tea", "black tea", "tea"]);
    let all = index.search("tea", &|_| true, 10);
    let some = index.search("tea", &|facets| facets.time_ms < 2, 10);
    assert_eq!(some.len(), 2);
    assert!(some.iter().all(|hit| all.contains(hit)));
}

#[test]
fn a_replaced_entry_is_found_by_its_new_words_only() {
    let mut index = index_of(&["lives in Lisbon", "likes tea"]);
    index.put("0", &[Field::main("lives in Porto")], Facets::default());
    assert_eq!(found(&index, "lisbon"), Vec::<String>::new());
    assert_eq!(found(&index, "porto"), ["0"]);
    assert_eq!(index.len(), 2);
    assert!(index.remove("0") && !index.remove("0"));
    assert_eq!(found(&index, "porto"), Vec::<String>::new());
}

#[test]
fn a_field_of_more_weight_counts_more() {
    let mut index = Index::default();
    index.put("text", &[Field::main("role of a lifetime")], Facets::default());
    index.put(
        "key",
        &[
            Field {
                text: "role",
                weight: 3.0,
            },
            Field::main("engineer lifetime"),
        ],
        Facets::default(),
    );
    assert_eq!(found(&index, "role"), ["key", "text"]);
    index.put(
        "odd",
        &[
            Field {
                text: "role",
                weight: f32::NAN,
            },
            Field {
                text: "x",
                weight: -1.0,
            },
        ],
        Facets::default(),
    );
    assert!(found(&index, "role").contains(&"odd".to_owned()));
}

#[test]
fn a_common_word_never_lowers_a_score() {
    let index = index_of(&["tea", "tea", "tea rooibos"]);
    assert!(
        index
            .search("tea", &|_| true, 9)
            .iter()
            .all(|hit| hit.score > 0.0)
    );
}

#[test]
fn nothing_is_found_by_nothing() {
    check(&["tea"], "", &[]);
    check(&["tea"], " \u{0}-- \u{202e}", &[]);
    check(&[], "tea", &[]);
    check(&["", "--"], "tea", &[]);
}

#[test]
fn parameters_that_are_no_numbers_are_replaced() {
    let index = Index::new(Bm25 {
        k1: f32::NAN,
        b: 7.0,
        ..Bm25::default()
    });
    assert_eq!(index.params, Bm25::default());
}

/// With the plain length, scores are those of BM25 as it is usually written, but for the factor
/// k1 + 1 that all of them share.
#[test]
fn plain_lengths_give_the_usual_bm25() {
    let texts = [
        "zebra",
        "zebra lion",
        "zebra lion giraffe monkey parrot",
        "zebra zebra zebra lion giraffe monkey parrot tiger panther leopard",
        "lion giraffe",
    ];
    let mut index = Index::new(Bm25 {
        length: LengthTerm::Plain,
        ..Bm25::default()
    });
    for (place, text) in texts.iter().enumerate() {
        index.put(&place.to_string(), &[Field::main(text)], Facets::default());
    }
    let lengths: Vec<f32> = texts.iter().map(|text| text.split(' ').count() as f32).collect();
    let mean = lengths.iter().sum::<f32>() / lengths.len() as f32;
    let count = |text: &str, word: &str| text.split(' ').filter(|other| *other == word).count() as f32;
    let bm25 = |place: usize| {
        let part = |word: &str| {
            let holders = texts.iter().filter(|text| 0.0 < count(text, word)).count() as f32;
            let rarity = (1.0 + (5.0 - holders + 0.5) / (holders + 0.5)).ln();
            let often = count(texts[place], word);
            rarity * often / (often + 1.5 * (1.0 - 0.75 + 0.75 * lengths[place] / mean))
        };
        part("zebra") + part("giraffe")
    };
    let hits = index.search_terms(&analyse_query("zebra giraffe"), &|_| true, 10);
    assert_eq!(hits.len(), 5);
    let unit = hits[0].score / bm25(hits[0].id.parse().unwrap());
    for hit in &hits {
        let place: usize = hit.id.parse().unwrap();
        let expected = unit * bm25(place);
        assert!(
            (hit.score - expected).abs() < 1e-4 * expected,
            "{place}: {} {expected}",
            hit.score
        );
    }
}

#[test]
fn a_search_inside_a_search_has_its_own_scores() {
    let index = index_of(&["tea", "coffee"]);
    index.scores(&analyse_query("tea"), |outer| {
        assert_eq!(found(&index, "coffee"), ["1"]);
        assert_eq!(outer.iter().map(|(slot, _)| slot).collect::<Vec<_>>(), [0]);
        assert_eq!(outer.get(1), 0.0);
    });
}

#[test]
fn memory_is_given_back_when_entries_go() {
    let mut index = Index::default();
    let empty = index.bytes();
    for n in 0..1000 {
        index.put(
            &n.to_string(),
            &[Field::main(&format!("word{n} and tea"))],
            Facets::default(),
        );
    }
    let full = index.bytes();
    for n in 0..1000 {
        index.remove(&n.to_string());
    }
    assert!(full > 100_000, "{full}");
    assert!(index.bytes() < empty + full / 10, "{} of {full}", index.bytes());
    assert!(index.slots() < 100);
}

#[test]
fn a_query_of_any_length_is_answered() {
    let index = index_of(&["tea with rare cardamom", "coffee"]);
    let query: String = (0..100_000).map(|n| format!("w{n} tea ")).collect();
    assert_eq!(found(&index, &query), ["0"]);
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8, Vec<u8>),
    Remove(u8),
}

const WORDS: [&str; 10] = [
    "tea",
    "node.js",
    "node",
    "Müller",
    "the",
    "咖啡",
    "went",
    "2026-03-01",
    "self-paced",
    "c++",
];

fn text_of(words: &[u8]) -> String {
    words
        .iter()
        .map(|word| WORDS[*word as usize % WORDS.len()])
        .collect::<Vec<_>>()
        .join(" ")
}

fn facets_of(words: &[u8]) -> Facets {
    Facets {
        time_ms: words.len() as i64,
        ..Facets::default()
    }
}

proptest! {
    /// Scores and order depend on what is there, not on how it came to be.
    #[test]
    fn history_leaves_no_trace(steps in prop::collection::vec(
        prop_oneof![
            3 => (0..40u8, prop::collection::vec(0..10u8, 0..8)).prop_map(|(id, words)| Step::Put(id, words)),
            1 => (0..40u8).prop_map(Step::Remove),
        ],
        0..400,
    ), query in prop::collection::vec(0..10u8, 1..5)) {
        let (mut lived, mut live) = (Index::default(), BTreeMap::new());
        for step in &steps {
            match step {
                Step::Put(id, words) => {
                    let slot = lived.put(&id.to_string(), &[Field::main(&text_of(words))], facets_of(words));
                    prop_assert_eq!(lived.slot(&id.to_string()), Some(slot));
                    live.insert(*id, words);
                }
                Step::Remove(id) => {
                    prop_assert_eq!(lived.remove(&id.to_string()), live.remove(id).is_some());
                }
            }
        }
        let mut fresh = Index::default();
        for (id, words) in live.iter().rev() {
            fresh.put(&id.to_string(), &[Field::main(&text_of(words))], facets_of(words));
        }
        prop_assert_eq!(lived.len(), fresh.len());
        let bits = |index: &Index| {
            let hits = index.search(&text_of(&query), &|_| true, 100);
            hits.into_iter().map(|hit| (hit.id, hit.score.to_bits())).collect::<Vec<_>>()
        };
        prop_assert_eq!(bits(&lived), bits(&fresh));
    }

    /// The heap gives what sorting everything would give.
    #[test]
    fn the_best_few_are_the_first_of_all(entries in prop::collection::vec(prop::collection::vec(0..10u8, 0..6), 0..40), limit in 0..12usize) {
        let texts: Vec<String> = entries.iter().map(|words| text_of(words)).collect();
        let index = index_of(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let all = index.search("tea node 咖啡", &|_| true, 1000);
        let few = index.search("tea node 咖啡", &|_| true, limit);
        prop_assert_eq!(&few[..], &all[..limit.min(all.len())]);
    }
}
