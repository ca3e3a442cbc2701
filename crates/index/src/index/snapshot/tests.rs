//! What was worked out before serves as if it were worked out now.

use super::*;
use crate::index::{AskedVector, Field};
use proptest::prelude::*;

const TEXTS: [&str; 6] = [
    "Ana prefers window seats on night trains",
    "我喜欢喝咖啡",
    "Meeting with Jürgen Müller in Köln on 1 March 2026",
    "Backend runs on node.js and Certified for ISO-27001",
    "window window window",
    "한국 음식을 좋아해요 🍕",
];

const VERSION: &str = "1";

fn model() -> EmbeddingModel {
    EmbeddingModel {
        name: "test-1".to_owned(),
        dimension: 20,
    }
}

fn vector(seed: usize) -> Vec<f32> {
    (0..20)
        .map(|at| ((seed * 31 + at * 7) % 23) as f32 - 11.0)
        .collect()
}

fn key(number: usize) -> [u8; 16] {
    let mut key = [0; 16];
    key[8..].copy_from_slice(&(number as u64 * 7919 % 1009).to_be_bytes());
    key
}

fn mark(number: usize, text: usize) -> Mark {
    Mark {
        key: key(number),
        digest: [text as u8; 16],
        note: number as u64 + 7,
    }
}

fn facets(number: usize) -> Facets {
    Facets {
        time_ms: number as i64,
        ..Facets::default()
    }
}

/// Works it out.
fn put(index: &mut Index, number: usize, text: usize) {
    let id = number.to_string();
    index.put(
        &id,
        &[Field::main(TEXTS[text]), Field::main("a key")],
        facets(number),
    );
    index.put_vector(&id, &model(), &vector(text + number));
}

fn worked_out(texts: &[usize]) -> Index {
    let mut index = Index::default();
    index.use_model(Some(&model()));
    texts
        .iter()
        .enumerate()
        .for_each(|(number, text)| put(&mut index, number, *text));
    index
}

fn written(index: &Index, texts: &[usize]) -> Vec<u8> {
    let marked = |id: &str| id.parse().ok().map(|number: usize| mark(number, texts[number]));
    index.snapshot(VERSION, marked).unwrap()
}

/// Takes what is known, and works out the rest.
fn filled(bytes: Vec<u8>, texts: &[usize]) -> (Index, usize) {
    let mut known = Snapshot::read(bytes, VERSION).unwrap();
    let mut index = Index::default();
    index.use_model(Some(&model()));
    let mut taken = 0;
    for (number, text) in texts.iter().enumerate() {
        let mark = mark(number, *text);
        match index.put_known(
            &number.to_string(),
            &mut known,
            (&mark.key, &mark.digest),
            facets(number),
        ) {
            Some(found) => {
                assert_eq!(
                    found,
                    Known {
                        note: mark.note,
                        has_vector: true
                    }
                );
                taken += 1;
            }
            None => put(&mut index, number, *text),
        }
    }
    (index, taken)
}

/// All that can be asked of an index, to the bit.
fn answers(index: &Index) -> Vec<(String, Vec<(String, u32)>)> {
    let words = [
        "window seat",
        "咖啡",
        "Mueller",
        "node",
        "27001",
        "한국",
        "key",
        "march 2026",
    ];
    let bits = |score: f32| score.to_bits();
    let by_words = words.iter().map(|query| {
        let hits = index.search(query, &|_| true, 100);
        let hits = hits.into_iter().map(|hit| (hit.id.to_string(), bits(hit.score)));
        ((*query).to_owned(), hits.collect::<Vec<_>>())
    });
    let mut all: Vec<_> = by_words.collect();
    for seed in 0..4 {
        let asked = vector(seed);
        let asked = AskedVector::from(asked.as_slice());
        let like = index.likeness(asked, |likeness| {
            let of = |slot| Some((index.id(slot)?.to_string(), bits(likeness.get(slot)?)));
            let mut like: Vec<_> = (0..index.slots()).filter_map(of).collect();
            like.sort();
            like
        });
        all.push((format!("vector {seed}"), like.unwrap_or_default()));
    }
    all
}

proptest! {
    #[test]
    fn what_is_known_answers_to_the_bit(
        before in prop::collection::vec(0..TEXTS.len(), 0..40),
        now in prop::collection::vec(0..TEXTS.len(), 0..40),
    ) {
        let bytes = written(&worked_out(&before), &before);
        let (index, taken) = filled(bytes, &now);
        let same = before.iter().zip(&now).filter(|(a, b)| a == b).count();
        prop_assert_eq!(taken, same);
        prop_assert_eq!(answers(&index), answers(&worked_out(&now)));
        // And so does what it writes in its turn.
        let (again, _) = filled(written(&index, &now), &now);
        prop_assert_eq!(answers(&again), answers(&index));
    }

    #[test]
    fn damage_is_survived(at in 0usize..4000, byte in any::<u8>(), cut in 0usize..4000) {
        let texts = [0, 1, 2, 3, 4, 5];
        let mut bytes = written(&worked_out(&texts), &texts);
        let at = at % bytes.len();
        bytes[at] = byte;
        let mut tried = vec![bytes.clone()];
        bytes.truncate(cut % bytes.len());
        tried.push(bytes);
        for bytes in tried {
            let Some(mut known) = Snapshot::read(bytes, VERSION) else { continue };
            let mut index = Index::default();
            index.use_model(Some(&model()));
            for (number, text) in texts.iter().enumerate() {
                let mark = mark(number, *text);
                // What it answers does not matter: whoever kept the bytes has seen that they are
                // whole.
                index.put_known(&number.to_string(), &mut known, (&mark.key, &mark.digest), Facets::default());
            }
            index.search("window", &|_| true, 10);
        }
    }
}

#[test]
fn what_is_gone_is_not_written() {
    let texts = [0, 2, 3];
    let mut index = worked_out(&texts);
    index.remove("1");
    let bytes = written(&index, &texts);
    let holds = |word: &str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
    assert!(holds("window"));
    assert!(
        !holds("muller") && !holds("jurgen"),
        "terms of an entry that is gone"
    );
    assert!(!bytes.windows(16).any(|part| part == key(1)));
}

#[test]
fn another_version_and_another_model_are_not_used() {
    let texts = [0, 1];
    let bytes = written(&worked_out(&texts), &texts);
    assert!(Snapshot::read(bytes.clone(), "2").is_none());
    let mut known = Snapshot::read(bytes, VERSION).unwrap();
    let mut index = Index::default();
    let another = EmbeddingModel {
        name: "test-2".to_owned(),
        ..model()
    };
    index.use_model(Some(&another));
    let mark = mark(0, 0);
    let found = index.put_known("0", &mut known, (&mark.key, &mark.digest), facets(0));
    assert_eq!(found.map(|found| found.has_vector), Some(false));
    assert_eq!(index.vectors(), 0);
}
