//! What must hold of the vectors.

use super::*;
use proptest::prelude::*;

fn model(dimension: usize) -> EmbeddingModel {
    EmbeddingModel {
        name: "test".to_owned(),
        dimension,
    }
}

fn vectors_of(rows: &[Vec<f32>]) -> Vectors {
    let mut vectors = Vectors::of(&model(rows[0].len())).unwrap();
    for (slot, row) in rows.iter().enumerate() {
        vectors.put(slot as u32, row);
    }
    vectors
}

fn cosines(vectors: &Vectors, query: &[f32]) -> Vec<(u32, f32)> {
    let slots = vectors.scales.len() as u32;
    Likeness::with(vectors, slots, query.into(), |likeness| likeness.iter().collect()).unwrap()
}

#[test]
fn what_is_no_vector_of_the_model_is_not_taken() {
    let mut vectors = Vectors::of(&model(2)).unwrap();
    for bad in [
        &[1.0][..],
        &[1.0, 0.0, 0.0],
        &[],
        &[f32::NAN, 1.0],
        &[f32::INFINITY, 1.0],
        &[0.0, 0.0],
    ] {
        assert!(!vectors.put(0, bad), "{bad:?}");
        assert!(
            Likeness::with(&vectors, 0, bad.into(), |_| ()).is_none(),
            "{bad:?}"
        );
    }
    assert_eq!(vectors.held(), 0);
    assert!(Vectors::of(&model(0)).is_none());
    assert!(Vectors::of(&model(usize::MAX)).is_none());
}

#[test]
fn a_vector_that_is_not_taken_leaves_none_behind() {
    let mut vectors = vectors_of(&[vec![1.0, 0.0]]);
    assert!(!vectors.put(0, &[f32::NAN, 0.0]));
    assert_eq!(cosines(&vectors, &[1.0, 0.0]), []);
}

#[test]
fn any_length_is_brought_to_one() {
    let vectors = vectors_of(&[vec![3e30, 0.0], vec![1e-30, 1e-30], vec![-5.0, 0.0]]);
    let found = cosines(&vectors, &[1e20, 0.0]);
    for ((_, cosine), expected) in found.iter().zip([1.0, 0.5f32.sqrt(), -1.0]) {
        assert!((cosine - expected).abs() < 1e-3, "{cosine} {expected}");
    }
}

#[test]
fn the_largest_dimension_does_not_overflow() {
    let ones = vec![1.0; Vectors::DIMENSION_MAX];
    let found = cosines(&vectors_of(std::slice::from_ref(&ones)), &ones);
    assert!((found[0].1 - 1.0).abs() < 1e-3, "{found:?}");
}

#[test]
fn memory_is_the_codes_and_a_scale() {
    let rows: Vec<Vec<f32>> = (0..1000).map(|n| vec![n as f32 + 1.0; 64]).collect();
    assert!(vectors_of(&rows).bytes() <= 1000 * (64 + 4) * 5 / 4);
}

proptest! {
    /// Eight bits are enough: a cosine is right to a few thousandths.
    #[test]
    fn cosines_are_nearly_exact(rows in prop::collection::vec(prop::collection::vec(-1.0f32..1.0, 40), 2..20)) {
        prop_assume!(rows.iter().all(|row| row.iter().any(|x| x.abs() > 0.1)));
        let vectors = vectors_of(&rows);
        let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
        for (slot, cosine) in cosines(&vectors, &rows[0]) {
            let row = &rows[slot as usize];
            let exact = row.iter().zip(&rows[0]).map(|(a, b)| a * b).sum::<f32>() / length(row) / length(&rows[0]);
            prop_assert!((cosine - exact).abs() < 0.008, "{} {}", cosine, exact);
        }
    }

    /// Closing holes moves vectors with their slots.
    #[test]
    fn vectors_move_with_their_slots(keep in prop::collection::vec(any::<bool>(), 1..50)) {
        let rows: Vec<Vec<f32>> = (0..keep.len()).map(|n| vec![1.0, n as f32]).collect();
        let mut vectors = vectors_of(&rows);
        let mut next = 0;
        let moved: Vec<u32> = keep.iter().map(|kept| {
            next += u32::from(*kept);
            if *kept { next - 1 } else { GONE }
        }).collect();
        (0..keep.len()).filter(|n| !keep[*n]).for_each(|n| vectors.forget(n as u32));
        vectors.close_holes(&moved);
        let left: Vec<Vec<f32>> = rows.iter().zip(&keep).filter(|(_, kept)| **kept).map(|(row, _)| row.clone()).collect();
        prop_assert_eq!(vectors.held(), left.len());
        if !left.is_empty() {
            prop_assert_eq!(cosines(&vectors, &[0.3, 1.0]), cosines(&vectors_of(&left), &[0.3, 1.0]));
        }
    }
}
