//! The encoder itself: token numbers in, one hidden vector per token out.
//!
//! A batch is ragged: the tokens of all texts stand in one matrix without padding, the linear
//! layers run over all of them at once, and attention runs text by text.

use super::config::{EncoderConfig, Family};
use super::matmul::{Panels, Rows, RowsMut, multiply};
use super::pointwise::{Activation, Norm, add_and_normalise, softmax};
use super::weights::{Table, WeightFile};
use crate::model_files::LoadError;

/// What may stand before the tensors' names, by family.
pub(crate) const NAME_PREFIXES: &[&str] = &["bert.", "roberta.", "distilbert."];

/// An encoder whose weights are in memory and packed.
pub(crate) struct Encoder {
    config: EncoderConfig,
    words: Table,
    positions: Table,
    token_types: Option<Table>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Queries, keys and values in one product; the queries carry the attention's scale.
    qkv: Panels,
    attention_out: Panels,
    attention_norm: Norm,
    ffn_up: Panels,
    ffn_down: Panels,
    norm: Norm,
}

/// Texts as token numbers, one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) tokens: Vec<u32>,
    pub(crate) types: Vec<u32>,
    /// How many tokens each text has.
    pub(crate) lengths: Vec<usize>,
}

impl Encoder {
    /// Reads all weights that `config` promises.
    pub(crate) fn load(config: EncoderConfig, file: &mut WeightFile) -> Result<Encoder, LoadError> {
        let width = config.width;
        let words = file.table("embeddings.word_embeddings.weight", config.vocabulary, width)?;
        let positions = file.table("embeddings.position_embeddings.weight", config.positions, width)?;
        let token_types = match config.token_types {
            0 => None,
            types => Some(file.table("embeddings.token_type_embeddings.weight", types, width)?),
        };
        let norm = read_norm(file, "embeddings.LayerNorm", &config)?;
        let layers = (0..config.layers)
            .map(|index| read_layer(file, index, &config))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Encoder {
            config,
            words,
            positions,
            token_types,
            norm,
            layers,
        })
    }

    /// Tells the encoder's sizes.
    pub(crate) fn config(&self) -> &EncoderConfig {
        &self.config
    }

    /// Gives the last hidden state of every token, `width` values each.
    pub(crate) fn run(&self, batch: &Batch) -> Vec<f32> {
        let (count, width) = (batch.tokens.len(), self.config.width);
        let mut hidden = self.embed(batch);
        let mut scratch = Scratch::default();
        let mut qkv = vec![0.0; count * 3 * width];
        let mut context = vec![0.0; count * width];
        let mut sums = vec![0.0; count * width];
        let mut inner = vec![0.0; count * self.config.inner];
        for layer in &self.layers {
            linear(&layer.qkv, &hidden, &mut qkv, &mut scratch.tile);
            self.attend(&qkv, &batch.lengths, &mut context, &mut scratch);
            linear(&layer.attention_out, &context, &mut sums, &mut scratch.tile);
            add_and_normalise(&mut sums, &hidden, &layer.attention_norm);
            linear(&layer.ffn_up, &sums, &mut inner, &mut scratch.tile);
            self.activation().apply(&mut inner);
            linear(&layer.ffn_down, &inner, &mut hidden, &mut scratch.tile);
            add_and_normalise(&mut hidden, &sums, &layer.norm);
        }
        hidden
    }

    fn activation(&self) -> Activation {
        self.config.activation
    }

    fn embed(&self, batch: &Batch) -> Vec<f32> {
        let width = self.config.width;
        let mut hidden = vec![0.0; batch.tokens.len() * width];
        let mut rows = hidden
            .chunks_exact_mut(width)
            .zip(batch.tokens.iter().zip(&batch.types));
        for &length in &batch.lengths {
            let mut position = match self.config.family {
                Family::Roberta => self.config.padding + 1,
                Family::Bert | Family::DistilBert => 0,
            };
            for (row, (&token, &kind)) in rows.by_ref().take(length) {
                self.words.add_row(token as usize, row);
                // RoBERTa counts only what is not padding, even where a text spells the padding
                // token.
                if self.config.family == Family::Roberta && token as usize == self.config.padding {
                    self.positions.add_row(self.config.padding, row);
                } else {
                    self.positions.add_row(position, row);
                    position += 1;
                }
                if let Some(types) = &self.token_types {
                    types.add_row(kind as usize, row);
                }
            }
        }
        let nothing = vec![0.0; hidden.len()];
        add_and_normalise(&mut hidden, &nothing, &self.norm);
        hidden
    }

    fn attend(&self, qkv: &[f32], lengths: &[usize], context: &mut [f32], scratch: &mut Scratch) {
        let (width, heads) = (self.config.width, self.config.heads);
        let (stride, size) = (3 * width, width / heads);
        let mut first = 0;
        for &length in lengths {
            let text = &qkv[first * stride..(first + length) * stride];
            let target = &mut context[first * width..(first + length) * width];
            for head in 0..heads {
                let part = |offset: usize| Rows {
                    values: &text[offset + head * size..],
                    stride,
                    count: length,
                };
                scratch.panels.pack_transposed(part(width), size);
                scratch.scores.resize(length * length, 0.0);
                let scores = RowsMut {
                    values: &mut scratch.scores,
                    stride: length,
                };
                multiply(part(0), &scratch.panels, scores, &mut scratch.tile);
                scratch.scores.chunks_exact_mut(length).for_each(softmax);
                scratch.panels.pack(part(2 * width), size);
                let scores = Rows {
                    values: &scratch.scores,
                    stride: length,
                    count: length,
                };
                let out = RowsMut {
                    values: &mut target[head * size..],
                    stride: width,
                };
                multiply(scores, &scratch.panels, out, &mut scratch.tile);
            }
            first += length;
        }
    }
}

/// Memory that one run reuses from layer to layer.
#[derive(Default)]
struct Scratch {
    tile: Vec<f32>,
    scores: Vec<f32>,
    panels: Panels,
}

fn linear(weights: &Panels, rows: &[f32], out: &mut [f32], scratch: &mut Vec<f32>) {
    let columns = weights.columns();
    let count = out.len() / columns;
    let rows = Rows {
        values: rows,
        stride: rows.len() / count.max(1),
        count,
    };
    multiply(
        rows,
        weights,
        RowsMut {
            values: out,
            stride: columns,
        },
        scratch,
    );
}

fn read_norm(file: &mut WeightFile, name: &str, config: &EncoderConfig) -> Result<Norm, LoadError> {
    // Old checkpoints say gamma and beta.
    let names = ["weight", "gamma", "bias", "beta"].map(|end| format!("{name}.{end}"));
    let weight = file.spelling(&[&names[0], &names[1]]);
    let bias = file.spelling(&[&names[2], &names[3]]);
    Ok(Norm {
        weight: file.vector(weight, config.width)?,
        bias: file.vector(bias, config.width)?,
        epsilon: config.epsilon,
    })
}

/// A linear layer as it is stored.
struct Linear {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    fn read(file: &mut WeightFile, name: &str, inputs: usize, outputs: usize) -> Result<Linear, LoadError> {
        Ok(Linear {
            weight: file.matrix(&format!("{name}.weight"), outputs, inputs)?,
            bias: file.vector(&format!("{name}.bias"), outputs)?,
        })
    }

    fn pack(&self) -> Panels {
        Panels::of_layer(&self.weight, &self.bias)
    }
}

fn read_layer(file: &mut WeightFile, index: usize, config: &EncoderConfig) -> Result<Layer, LoadError> {
    let names = match config.family {
        Family::DistilBert => &DISTILBERT_LAYER,
        Family::Bert | Family::Roberta => &BERT_LAYER,
    };
    let at = |part: &str| format!("{}.{index}.{part}", names.stem);
    let (width, inner) = (config.width, config.inner);
    let mut qkv = Linear::read(file, &at(names.query), width, width)?;
    let scale = 1.0 / ((width / config.heads) as f32).sqrt();
    qkv.weight
        .iter_mut()
        .chain(&mut qkv.bias)
        .for_each(|value| *value *= scale);
    for name in [names.key, names.value] {
        let part = Linear::read(file, &at(name), width, width)?;
        qkv.weight.extend(part.weight);
        qkv.bias.extend(part.bias);
    }
    Ok(Layer {
        qkv: qkv.pack(),
        attention_out: Linear::read(file, &at(names.attention_out), width, width)?.pack(),
        attention_norm: read_norm(file, &at(names.attention_norm), config)?,
        ffn_up: Linear::read(file, &at(names.ffn_up), width, inner)?.pack(),
        ffn_down: Linear::read(file, &at(names.ffn_down), inner, width)?.pack(),
        norm: read_norm(file, &at(names.norm), config)?,
    })
}

/// What a family calls the parts of a layer.
struct LayerNames {
    stem: &'static str,
    query: &'static str,
    key: &'static str,
    value: &'static str,
    attention_out: &'static str,
    attention_norm: &'static str,
    ffn_up: &'static str,
    ffn_down: &'static str,
    norm: &'static str,
}

const BERT_LAYER: LayerNames = LayerNames {
    stem: "encoder.layer",
    query: "attention.self.query",
    key: "attention.self.key",
    value: "attention.self.value",
    attention_out: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    ffn_up: "intermediate.dense",
    ffn_down: "output.dense",
    norm: "output.LayerNorm",
};

const DISTILBERT_LAYER: LayerNames = LayerNames {
    stem: "transformer.layer",
    query: "attention.q_lin",
    key: "attention.k_lin",
    value: "attention.v_lin",
    attention_out: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    ffn_up: "ffn.lin1",
    ffn_down: "ffn.lin2",
    norm: "output_layer_norm",
};
