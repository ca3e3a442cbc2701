//! What `config.json` says about a model, checked once.

use std::path::Path;

use serde::Deserialize;

use super::pointwise::Activation;
use crate::model_files::{LoadError, read_settings};

/// The largest sizes that make sense for a sentence encoder; more is a damaged or hostile file.
const LAYERS_MAX: usize = 96;
const WIDTH_MAX: usize = 16_384;
const POSITIONS_MAX: usize = 1 << 16;

/// How a family of encoders names and numbers its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Bert,
    /// RoBERTa and XLM-R: as BERT, but positions start after the padding token's.
    Roberta,
    /// BERT without token types, with other names.
    DistilBert,
}

/// The sizes of an encoder.
#[derive(Clone, Debug)]
pub(crate) struct EncoderConfig {
    pub(crate) family: Family,
    pub(crate) model_type: String,
    pub(crate) vocabulary: usize,
    pub(crate) width: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) inner: usize,
    pub(crate) positions: usize,
    pub(crate) token_types: usize,
    pub(crate) padding: usize,
    pub(crate) epsilon: f32,
    pub(super) activation: Activation,
    pub(crate) labels: usize,
    pub(crate) name: Option<String>,
}

/// `config.json` as it is written; DistilBERT's spellings are aliases.
#[derive(Deserialize)]
struct Raw {
    model_type: Option<String>,
    #[serde(default)]
    vocab_size: usize,
    #[serde(default, alias = "dim")]
    hidden_size: usize,
    #[serde(default, alias = "n_layers")]
    num_hidden_layers: usize,
    #[serde(default, alias = "n_heads")]
    num_attention_heads: usize,
    #[serde(default, alias = "hidden_dim")]
    intermediate_size: usize,
    #[serde(default)]
    max_position_embeddings: usize,
    #[serde(default)]
    type_vocab_size: usize,
    pad_token_id: Option<usize>,
    layer_norm_eps: Option<f32>,
    #[serde(alias = "activation")]
    hidden_act: Option<String>,
    position_embedding_type: Option<String>,
    num_labels: Option<usize>,
    id2label: Option<serde_json::Map<String, serde_json::Value>>,
    _name_or_path: Option<String>,
}

impl EncoderConfig {
    /// Reads and checks `config.json` of a model directory.
    pub(crate) fn read(directory: &Path) -> Result<EncoderConfig, LoadError> {
        let path = directory.join("config.json");
        let Some(raw) = read_settings::<Raw>(&path)? else {
            return Err(LoadError::Missing {
                path,
                hint: "; is this the directory of a model?",
            });
        };
        check(raw, &path)
    }

    /// Tells how many tokens the longest text may have.
    pub(crate) fn tokens_max(&self) -> usize {
        match self.family {
            Family::Roberta => self.positions - self.padding - 1,
            Family::Bert | Family::DistilBert => self.positions,
        }
    }
}

fn check(raw: Raw, path: &Path) -> Result<EncoderConfig, LoadError> {
    let wrong = |reason: String| LoadError::Config {
        path: path.to_path_buf(),
        reason,
    };
    let model_type = raw.model_type.clone().unwrap_or_default();
    let family = match model_type.as_str() {
        "bert" => Family::Bert,
        "roberta" | "xlm-roberta" | "camembert" => Family::Roberta,
        "distilbert" => Family::DistilBert,
        _ => {
            let wanted = "bert, roberta, xlm-roberta, camembert and distilbert are known";
            return Err(LoadError::Architecture {
                path: path.to_path_buf(),
                found: model_type,
                wanted,
            });
        }
    };
    check_sizes(&raw).map_err(wrong)?;
    if let Some(kind) = raw.position_embedding_type.filter(|kind| kind != "absolute") {
        return Err(wrong(format!(
            "position_embedding_type is {kind:?}; only \"absolute\" is known"
        )));
    }
    let act = raw.hidden_act.unwrap_or_else(|| "gelu".to_string());
    let activation =
        Activation::named(&act).ok_or_else(|| wrong(format!("hidden_act {act:?} is not known")))?;
    let padding = raw
        .pad_token_id
        .unwrap_or(if family == Family::Roberta { 1 } else { 0 });
    if family == Family::Roberta && raw.max_position_embeddings <= padding.saturating_add(3) {
        return Err(wrong(format!("pad_token_id {padding} leaves no positions")));
    }
    let default_epsilon = if family == Family::Roberta { 1e-5 } else { 1e-12 };
    Ok(EncoderConfig {
        family,
        model_type,
        vocabulary: raw.vocab_size,
        width: raw.hidden_size,
        layers: raw.num_hidden_layers,
        heads: raw.num_attention_heads,
        inner: raw.intermediate_size,
        positions: raw.max_position_embeddings,
        token_types: if family == Family::DistilBert {
            0
        } else {
            raw.type_vocab_size
        },
        padding,
        epsilon: raw.layer_norm_eps.unwrap_or(default_epsilon),
        activation,
        labels: raw
            .num_labels
            .or(raw.id2label.map(|labels| labels.len()))
            .unwrap_or(2),
        name: raw._name_or_path.filter(|name| !name.is_empty()),
    })
}

fn check_sizes(raw: &Raw) -> Result<(), String> {
    for (name, value, max) in [
        ("vocab_size", raw.vocab_size, usize::MAX),
        ("hidden_size", raw.hidden_size, WIDTH_MAX),
        ("num_hidden_layers", raw.num_hidden_layers, LAYERS_MAX),
        ("num_attention_heads", raw.num_attention_heads, WIDTH_MAX),
        ("intermediate_size", raw.intermediate_size, 4 * WIDTH_MAX),
        (
            "max_position_embeddings",
            raw.max_position_embeddings,
            POSITIONS_MAX,
        ),
    ] {
        if value == 0 || max < value {
            return Err(format!("{name} is {value}, not between 1 and {max}"));
        }
    }
    if !raw.hidden_size.is_multiple_of(raw.num_attention_heads) {
        let (width, heads) = (raw.hidden_size, raw.num_attention_heads);
        return Err(format!("hidden_size {width} cannot be split over {heads} heads"));
    }
    Ok(())
}
