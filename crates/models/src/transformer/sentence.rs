//! From hidden vectors to one vector a text, as the model's `modules.json` asks.

use std::path::Path;

use serde::Deserialize;

use super::matmul::{Panels, Rows, RowsMut, multiply};
use super::weights::WeightFile;
use crate::model_files::{LoadError, read_settings};

/// How the tokens' vectors become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    Mean,
    /// The first token's vector.
    First,
    /// The largest value of each component.
    Max,
}

/// Everything behind the encoder. The last step, scaling to unit length, is always done.
pub(crate) struct SentenceHead {
    pub(crate) pooling: Pooling,
    dense: Vec<Dense>,
    /// A digest of the weights that the head has of its own.
    pub(crate) fingerprint: Vec<u8>,
}

/// A linear layer behind the pooling.
struct Dense {
    weights: Panels,
    tanh: bool,
}

#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

/// `1_Pooling/config.json`, in its old form (one switch a mode) and its new one.
#[derive(Deserialize)]
struct RawPooling {
    pooling_mode: Option<String>,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_sqrt_len_tokens: bool,
    #[serde(default)]
    pooling_mode_weightedmean_tokens: bool,
    #[serde(default)]
    pooling_mode_lasttoken: bool,
    #[serde(default = "yes")]
    include_prompt: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct RawDense {
    in_features: usize,
    out_features: usize,
    #[serde(default = "yes")]
    bias: bool,
    #[serde(default)]
    activation_function: String,
}

impl SentenceHead {
    /// Reads the modules of a model directory; without `modules.json` the mean is taken.
    pub(crate) fn read(directory: &Path, width: usize) -> Result<SentenceHead, LoadError> {
        let mut head = SentenceHead {
            pooling: Pooling::Mean,
            dense: Vec::new(),
            fingerprint: Vec::new(),
        };
        let path = directory.join("modules.json");
        let Some(modules) = read_settings::<Vec<Module>>(&path)? else {
            return Ok(head);
        };
        let mut width = width;
        for module in modules {
            let kind = module.kind.rsplit('.').next().unwrap_or_default();
            let place = inside(directory, &module.path).ok_or_else(|| LoadError::Config {
                path: path.clone(),
                reason: format!("path {:?}", module.path),
            })?;
            match kind {
                "Transformer" | "Normalize" | "Dropout" => {}
                "Pooling" => head.pooling = read_pooling(&place)?,
                "Dense" => width = head.add_dense(&place, width)?,
                _ => {
                    let reason = format!("module {:?} is not known", module.kind);
                    return Err(LoadError::Config { path, reason });
                }
            }
        }
        Ok(head)
    }

    /// Tells how many components a text's vector has, given the encoder's width.
    pub(crate) fn dimension(&self, width: usize) -> usize {
        self.dense.last().map_or(width, |dense| dense.weights.columns())
    }

    /// Makes one vector of unit length of the hidden vectors of a text's tokens.
    pub(crate) fn apply(&self, hidden: &[f32], width: usize) -> Vec<f32> {
        let mut vector = pool(self.pooling, hidden, width);
        for dense in &self.dense {
            let mut out = vec![0.0; dense.weights.columns()];
            let rows = Rows {
                values: &vector,
                stride: vector.len(),
                count: 1,
            };
            let stride = out.len();
            multiply(
                rows,
                &dense.weights,
                RowsMut {
                    values: &mut out,
                    stride,
                },
                &mut Vec::new(),
            );
            if dense.tanh {
                out.iter_mut().for_each(|value| *value = value.tanh());
            }
            vector = out;
        }
        let length = vector
            .iter()
            .map(|value| f64::from(*value).powi(2))
            .sum::<f64>()
            .sqrt();
        if 0.0 < length {
            vector
                .iter_mut()
                .for_each(|value| *value = (f64::from(*value) / length) as f32);
        }
        vector
    }

    fn add_dense(&mut self, place: &Path, width: usize) -> Result<usize, LoadError> {
        let path = place.join("config.json");
        let wrong = |reason: String| LoadError::Config {
            path: path.clone(),
            reason,
        };
        let Some(raw) = read_settings::<RawDense>(&path)? else {
            return Err(LoadError::Missing { path, hint: "" });
        };
        if raw.in_features != width || raw.out_features == 0 {
            let RawDense {
                in_features,
                out_features,
                ..
            } = raw;
            return Err(wrong(format!(
                "{in_features} to {out_features} features behind a width of {width}"
            )));
        }
        let tanh = match raw.activation_function.rsplit('.').next().unwrap_or_default() {
            "Tanh" => true,
            "" | "Identity" => false,
            other => return Err(wrong(format!("activation {other:?} is not known"))),
        };
        let mut file = WeightFile::open(&place.join("model.safetensors"), &[])?;
        let weight = file.matrix("linear.weight", raw.out_features, width)?;
        let bias = match raw.bias {
            true => file.vector("linear.bias", raw.out_features)?,
            false => vec![0.0; raw.out_features],
        };
        self.fingerprint.extend(file.fingerprint());
        self.dense.push(Dense {
            weights: Panels::of_layer(&weight, &bias),
            tanh,
        });
        Ok(raw.out_features)
    }
}

/// Joins a path from a settings file, unless it would lead out of the directory.
fn inside(directory: &Path, relative: &str) -> Option<std::path::PathBuf> {
    let plain = Path::new(relative)
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_)));
    plain.then(|| directory.join(relative))
}

fn read_pooling(place: &Path) -> Result<Pooling, LoadError> {
    let path = place.join("config.json");
    let Some(raw) = read_settings::<RawPooling>(&path)? else {
        return Err(LoadError::Missing { path, hint: "" });
    };
    let mode = raw.pooling_mode.clone().unwrap_or_else(|| raw.switches());
    match mode.as_str() {
        _ if !raw.include_prompt => Err(LoadError::Config {
            path,
            reason: "pooling without the prompt is not known".to_string(),
        }),
        // Both point the same way, and only the direction stays.
        "mean" | "mean_sqrt_len" => Ok(Pooling::Mean),
        "cls" => Ok(Pooling::First),
        "max" => Ok(Pooling::Max),
        other => Err(LoadError::Config {
            path,
            reason: format!("pooling {other:?} is not known"),
        }),
    }
}

impl RawPooling {
    /// Names the mode whose switch is on; several at once would be joined, which no known model
    /// does.
    fn switches(&self) -> String {
        let on: Vec<&str> = [
            ("cls", self.pooling_mode_cls_token),
            ("mean", self.pooling_mode_mean_tokens),
            ("max", self.pooling_mode_max_tokens),
            ("mean_sqrt_len", self.pooling_mode_mean_sqrt_len_tokens),
            ("weightedmean", self.pooling_mode_weightedmean_tokens),
            ("lasttoken", self.pooling_mode_lasttoken),
        ]
        .into_iter()
        .filter_map(|(name, on)| on.then_some(name))
        .collect();
        on.join("+")
    }
}

fn pool(pooling: Pooling, hidden: &[f32], width: usize) -> Vec<f32> {
    let mut tokens = hidden.chunks_exact(width);
    let mut vector = tokens
        .next()
        .map(<[f32]>::to_vec)
        .unwrap_or_else(|| vec![0.0; width]);
    match pooling {
        Pooling::First => {}
        // The sum points where the mean does.
        Pooling::Mean => tokens.for_each(|token| vector.iter_mut().zip(token).for_each(|(sum, v)| *sum += v)),
        Pooling::Max => tokens.for_each(|token| {
            vector
                .iter_mut()
                .zip(token)
                .for_each(|(top, v)| *top = top.max(*v))
        }),
    }
    // A layer behind the pooling sees the length too.
    if pooling == Pooling::Mean {
        let count = (hidden.len() / width).max(1) as f32;
        vector.iter_mut().for_each(|value| *value /= count);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pooling_takes_what_its_name_says() {
        let hidden = [1.0, 4.0, 3.0, -2.0];
        for (pooling, expected) in [
            (Pooling::Mean, [2.0, 1.0]),
            (Pooling::First, [1.0, 4.0]),
            (Pooling::Max, [3.0, 4.0]),
        ] {
            assert_eq!(pool(pooling, &hidden, 2), expected, "{pooling:?}");
        }
    }

    #[test]
    fn a_module_cannot_lie_outside_its_model() {
        for path in ["../other", "/etc", "a/../../b"] {
            assert_eq!(inside(Path::new("model"), path), None, "{path}");
        }
        assert!(inside(Path::new("model"), "1_Pooling").is_some());
    }
}
