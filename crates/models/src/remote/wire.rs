//! The JSON of `/v1/embeddings`, and what an answer must be to be believed.

use serde::{Deserialize, Serialize};

/// What is posted.
#[derive(Serialize)]
pub(super) struct Request<'r> {
    pub(super) model: &'r str,
    pub(super) input: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dimensions: Option<usize>,
    pub(super) encoding_format: &'static str,
}

/// What comes back.
#[derive(Deserialize)]
struct EmbeddingsResponse {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// How many components the vectors of an answer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Exactly(usize),
    /// Any number, the same for all.
    Equal,
}

/// Takes the vectors out of an answer: one for each of `count` texts, in their order, of unit
/// length.
pub(super) fn vectors(body: &[u8], count: usize, expected: Expected) -> Result<Vec<Vec<f32>>, String> {
    let answer: EmbeddingsResponse =
        serde_json::from_slice(body).map_err(|error| format!("not the JSON expected: {error}"))?;
    if answer.data.len() != count {
        return Err(format!("{} vectors for {count} texts", answer.data.len()));
    }
    let mut ordered: Vec<Option<Vec<f32>>> = vec![None; count];
    for (place, item) in answer.data.into_iter().enumerate() {
        // Some servers leave the index out and answer in order.
        let index = item.index.unwrap_or(place);
        let slot = ordered
            .get_mut(index)
            .ok_or_else(|| format!("index {index} for {count} texts"))?;
        if slot.replace(item.embedding).is_some() {
            return Err(format!("index {index} twice"));
        }
    }
    let dimension = match (expected, ordered.first()) {
        (Expected::Exactly(dimension), _) => dimension,
        (Expected::Equal, first) => first.and_then(Option::as_ref).map_or(0, Vec::len),
    };
    ordered
        .into_iter()
        .flatten()
        .map(|vector| unit(vector, dimension))
        .collect()
}

fn unit(mut vector: Vec<f32>, dimension: usize) -> Result<Vec<f32>, String> {
    if vector.len() != dimension {
        return Err(format!(
            "a vector of {} components where {dimension} are expected",
            vector.len()
        ));
    }
    if let Some(odd) = vector.iter().find(|value| !value.is_finite()) {
        return Err(format!("a component is {odd}"));
    }
    let length = vector
        .iter()
        .map(|value| f64::from(*value).powi(2))
        .sum::<f64>()
        .sqrt();
    if length == 0.0 {
        return Err("a vector of zeros".to_string());
    }
    vector
        .iter_mut()
        .for_each(|value| *value = (f64::from(*value) / length) as f32);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_in_the_order_of_the_texts_and_of_unit_length() {
        let body = br#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}]}"#;
        assert_eq!(
            vectors(body, 2, Expected::Exactly(2)).unwrap(),
            [[0.6, 0.8], [0.0, 1.0]]
        );
    }

    #[test]
    fn what_cannot_be_a_vector_is_refused() {
        for (body, reason) in [
            (r#"{"data":[]}"#, "0 vectors for 1 texts"),
            (
                r#"{"data":[{"index":1,"embedding":[1,0]}]}"#,
                "index 1 for 1 texts",
            ),
            (
                r#"{"data":[{"embedding":[1]}]}"#,
                "a vector of 1 components where 2 are expected",
            ),
            (r#"{"data":[{"embedding":[0,0]}]}"#, "a vector of zeros"),
            (r#"{"data":[{"embedding":[NaN,0]}]}"#, "not the JSON expected"),
            (r#"{"data":[{"embedding":[null,0]}]}"#, "not the JSON expected"),
            ("<html>", "not the JSON expected"),
        ] {
            let error = vectors(body.as_bytes(), 1, Expected::Exactly(2)).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
        let twice = br#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#;
        assert_eq!(vectors(twice, 2, Expected::Equal).unwrap_err(), "index 0 twice");
    }
}
