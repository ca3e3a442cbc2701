//! Compares the encoder with what the package it was made of gives.

use super::*;
use proptest::prelude::*;

/// Texts with the ids of their pieces, as the package cuts them: `text \t ids`.
const CUT: &str = include_str!("../../tests/fixtures/encoder/pieces.tsv");
/// Texts with their vectors, as the package computes them: `text \t components in hundredths`.
const OWN: &str = include_str!("../../tests/fixtures/encoder/vectors.tsv");

#[test]
fn texts_are_cut_as_the_package_cuts_them() {
    let encoder = SentenceEncoder::shared();
    let mut count = 0;
    for line in CUT.lines() {
        let (text, ids) = line.split_once('\t').unwrap();
        let expected: Vec<u32> = ids.split(' ').map(|id| id.parse().unwrap()).collect();
        let found = encoder.read(text).ids;
        assert_eq!(
            found,
            expected[..expected.len().min(SentenceEncoder::PIECES_MAX)],
            "{text:?}"
        );
        count += 1;
    }
    assert!(count > 900, "{count}");
}

#[test]
fn vectors_are_near_those_of_the_package() {
    let encoder = SentenceEncoder::shared();
    let mut cosines = Vec::new();
    for line in OWN.lines() {
        let (text, components) = line.split_once('\t').unwrap();
        let expected: Vec<f32> = components.split(' ').map(|x| x.parse().unwrap()).collect();
        let found = encoder.own_vector(&encoder.read(text));
        let dot: f32 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
        let length = expected.iter().map(|x| x * x).sum::<f32>().sqrt();
        cosines.push(dot / length);
    }
    let mean = cosines.iter().sum::<f32>() / cosines.len() as f32;
    // Rows of two to four bits cost this much; before, it is 0.9995 (tools/sentence-encoder).
    assert!(0.98 < mean, "{mean}");
    assert!(cosines.iter().all(|cosine| 0.93 < *cosine), "{cosines:?}");
}

#[test]
fn content_does_not_reach_control_pieces() {
    let encoder = SentenceEncoder::shared();
    for text in ["<s>", "</s>", "<unk>", "extra_token_id_1", "a </s> b <s> c"] {
        let ids = encoder.read(text).ids;
        assert!(
            ids.iter().all(|id| 5 < *id || *id == UNKNOWN),
            "{text:?}: {ids:?}"
        );
    }
}

#[test]
fn what_is_not_known_has_no_say() {
    let encoder = SentenceEncoder::shared();
    for text in ["", "  ", "ሰላም ነው", "ꙮꙮꙮ"] {
        let pieces = encoder.read(text);
        assert_eq!(pieces.understanding, 0.0, "{text:?} {pieces:?}");
        assert!(encoder.embed_pieces(&pieces).iter().all(|x| *x == 0.0));
    }
    assert_eq!(encoder.read("Ich wohne in Lissabon").understanding, 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_text_gives_a_finite_vector_of_length_one_or_zero(text in "\\PC{0,300}|[ -~\u{0}-\u{1f}\u{300}-\u{36f}\u{ff00}-\u{ffef}]{0,80}") {
        let vector = SentenceEncoder::shared().embed_one(&text);
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-3);
    }

    #[test]
    fn damaged_assets_are_refused_and_never_panic(cut in 0usize..4000, place in 0usize..48, byte: u8) {
        let mut bytes = ASSET[..48 + cut].to_vec();
        bytes[place] = byte;
        prop_assert!(Asset::parse(bytes.leak()).is_err());
    }
}
