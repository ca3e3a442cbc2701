//! `/openai/v1/embeddings`: vectors of the model that search goes by.

use std::time::Duration;

use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::ports::{EmbedError, TextRole};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::super::json_body::{Fields, invalid};
use crate::auth::Caller;
use crate::error::{ApiError, Code};

/// The most texts at once, and the most bytes of one.
const TEXTS_MAX: usize = 256;
const BYTES_MAX: usize = 32 * 1024;

/// How long a model is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Embeds texts as passages. Lists of token numbers are not understood: they are of another model.
pub(super) async fn create(
    State(ports): State<Ports>,
    _caller: Caller,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let texts = texts(body.take("input"))?;
    let is_base64 = match body.text("encoding_format")?.as_deref() {
        None | Some("float") => false,
        Some("base64") => true,
        Some(_) => return Err(invalid("encoding_format must be float or base64")),
    };
    let Some(embedder) = ports.embedder.as_deref() else {
        let detail = "there is no embedding model: search goes by words";
        return Err(ApiError::new(Code::NoModel, detail).hint("set the setting model"));
    };
    let model = embedder.model();
    if body
        .take("dimensions")
        .is_some_and(|wanted| wanted != model.dimension)
    {
        return Err(invalid(format!(
            "the model makes vectors of {} dimensions",
            model.dimension
        )));
    }
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let asked = tokio::time::timeout(PATIENCE, embedder.embed(&borrowed, TextRole::Passage)).await;
    let made = asked.unwrap_or_else(|_| {
        Err(EmbedError::Unavailable {
            model: model.name.clone(),
            reason: format!("no answer within {} s", PATIENCE.as_secs()),
        })
    })?;
    let shown = |(index, vector): (usize, Vec<f32>)| {
        let embedding = match is_base64 {
            true => {
                let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
                json!(STANDARD.encode(bytes))
            }
            false => json!(vector),
        };
        json!({ "object": "embedding", "index": index, "embedding": embedding })
    };
    let data: Vec<Value> = made.into_iter().enumerate().map(shown).collect();
    let tokens: usize = texts.iter().map(|text| TokenCount::of(text).cl100k).sum();
    let usage = json!({ "prompt_tokens": tokens, "total_tokens": tokens });
    Ok(axum::Json(
        json!({ "object": "list", "data": data, "model": model.name, "usage": usage }),
    ))
}

fn texts(input: Option<Value>) -> Result<Vec<String>, ApiError> {
    let wrong = || {
        invalid(format!(
            "input must be a text or a list of 1 to {TEXTS_MAX} texts"
        ))
    };
    let texts: Vec<String> = match input {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(texts)) if (1..=TEXTS_MAX).contains(&texts.len()) => texts
            .into_iter()
            .map(|text| text.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect::<Result<_, _>>()?,
        _ => return Err(wrong()),
    };
    match texts
        .iter()
        .all(|text| !text.trim().is_empty() && text.len() <= BYTES_MAX)
    {
        true => Ok(texts),
        false => Err(invalid(format!("every text must have 1 to {BYTES_MAX} bytes"))),
    }
}
