//! What happens to each value between the matrix products: activations, softmax, normalisation.

use crate::lanes::widest;

/// The non-linear step of the feed-forward layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activation {
    /// The exact Gaussian error unit.
    Gelu,
    /// Its approximation by a hyperbolic tangent.
    GeluTanh,
    Relu,
}

impl Activation {
    /// Finds the activation that a model's settings name.
    pub(super) fn named(name: &str) -> Option<Activation> {
        match name {
            "gelu" => Some(Activation::Gelu),
            "gelu_new" | "gelu_fast" | "gelu_pytorch_tanh" => Some(Activation::GeluTanh),
            "relu" => Some(Activation::Relu),
            _ => None,
        }
    }

    /// Applies it to every value.
    pub(super) fn apply(self, values: &mut [f32]) {
        match self {
            Activation::Gelu => gelu(values),
            Activation::GeluTanh => gelu_tanh(values),
            Activation::Relu => values.iter_mut().for_each(|value| *value = value.max(0.0)),
        }
    }
}

widest! { fn gelu(values: &mut [f32]) = gelu_body }
widest! { fn gelu_tanh(values: &mut [f32]) = gelu_tanh_body }
widest! {
    /// Turns a row of scores into weights that sum to one.
    pub(super) fn softmax(row: &mut [f32]) = softmax_body
}
widest! {
    /// Adds `residual` to `rows`, then centres and scales each row by `norm`.
    pub(super) fn add_and_normalise(rows: &mut [f32], residual: &[f32], norm: &Norm) = add_and_normalise_body
}

/// The learned part of a layer normalisation.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    pub(super) weight: Vec<f32>,
    pub(super) bias: Vec<f32>,
    pub(super) epsilon: f32,
}

/// Gives e to the power of `x`, within a relative 3e-7, in a form that a compiler can widen.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Adding 1.5 · 2^23 leaves the nearest integer in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    // ln 2 in two parts, so that the difference keeps its last bits.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let series = ((((rest * 1.987_569_1e-4 + 1.398_2e-3) * rest + 8.333_452e-3) * rest + 4.166_579_6e-2)
        * rest
        + 1.666_666_5e-1)
        * rest
        + 0.5;
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    (series * rest * rest + rest + 1.0) * power
}

/// Gives the error function of `x`, within 1.5e-7 before rounding (Abramowitz and Stegun, 7.1.26).
#[inline(always)]
fn erf(x: f32) -> f32 {
    let z = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series =
        ((((1.061_405_4 * t - 1.453_152_1) * t + 1.421_413_8) * t - 0.284_496_73) * t + 0.254_829_6) * t;
    (1.0 - series * exp(-z * z)).copysign(x)
}

#[inline(always)]
fn gelu_body<const WIDE: bool>(values: &mut [f32]) {
    for value in values {
        *value = 0.5 * *value * (1.0 + erf(*value * std::f32::consts::FRAC_1_SQRT_2));
    }
}

#[inline(always)]
fn gelu_tanh_body<const WIDE: bool>(values: &mut [f32]) {
    for value in values {
        let x = *value;
        let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
        // tanh(a) = 1 - 2 / (e^2a + 1)
        *value = 0.5 * x * (2.0 - 2.0 / (exp(2.0 * inner) + 1.0));
    }
}

#[inline(always)]
fn softmax_body<const WIDE: bool>(row: &mut [f32]) {
    let peak = fold_lanes(row, f32::NEG_INFINITY, |value| value, f32::max);
    for value in row.iter_mut() {
        *value = exp(*value - peak);
    }
    let scale = 1.0 / fold_lanes(row, 0.0, |value| value, |sum, value| sum + value);
    row.iter_mut().for_each(|value| *value *= scale);
}

#[inline(always)]
fn add_and_normalise_body<const WIDE: bool>(rows: &mut [f32], residual: &[f32], norm: &Norm) {
    let width = norm.weight.len();
    for (row, residual) in rows.chunks_exact_mut(width).zip(residual.chunks_exact(width)) {
        row.iter_mut()
            .zip(residual)
            .for_each(|(value, add)| *value += add);
        let mean = fold_lanes(row, 0.0, |value| value, |sum, value| sum + value) / width as f32;
        row.iter_mut().for_each(|value| *value -= mean);
        let variance = fold_lanes(row, 0.0, |value| value * value, |sum, value| sum + value) / width as f32;
        let scale = 1.0 / (variance + norm.epsilon).sqrt();
        for ((value, weight), bias) in row.iter_mut().zip(&norm.weight).zip(&norm.bias) {
            *value = *value * scale * weight + bias;
        }
    }
}

/// Folds a row in independent lanes: a single chain of additions could not be widened.
#[inline(always)]
fn fold_lanes(row: &[f32], start: f32, map: impl Fn(f32) -> f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    const LANES: usize = 16;
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] = join(lanes[lane], map(chunk[lane]));
        }
    }
    let tail = rest.iter().fold(start, |sum, &value| join(sum, map(value)));
    lanes.iter().fold(tail, |sum, &value| join(sum, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error function by its Taylor series in double precision.
    fn exact_erf(x: f64) -> f64 {
        let (mut sum, mut term) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn the_exponential_is_within_a_few_units_of_the_last_place() {
        for step in -860..=870 {
            let x = step as f32 / 10.0;
            let exact = f64::from(x).exp();
            assert!(((f64::from(exp(x)) - exact) / exact).abs() < 3e-7, "{x}");
        }
        assert!(exp(-1e9) < 1e-37);
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn gelu_follows_the_error_function() {
        for step in -45..=45 {
            let x = step as f32 / 10.0;
            let mut value = [x];
            Activation::Gelu.apply(&mut value);
            let exact = 0.5 * f64::from(x) * (1.0 + exact_erf(f64::from(x) / std::f64::consts::SQRT_2));
            assert!(
                (f64::from(value[0]) - exact).abs() < 1e-6,
                "{x}: {} not {exact}",
                value[0]
            );
        }
    }

    #[test]
    fn tanh_gelu_is_close_to_the_exact_one() {
        let (mut exact, mut approximate) = ([-1.5, 0.3, 4.0], [-1.5, 0.3, 4.0]);
        Activation::Gelu.apply(&mut exact);
        Activation::GeluTanh.apply(&mut approximate);
        for (exact, approximate) in exact.iter().zip(approximate) {
            assert!((exact - approximate).abs() < 1e-3 && *exact != approximate);
        }
    }

    #[test]
    fn softmax_sums_to_one_and_survives_large_scores() {
        let mut row: Vec<f32> = (0..37).map(|i| 1e4 + i as f32).collect();
        softmax(&mut row);
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(row.is_sorted());
    }

    #[test]
    fn normalised_rows_have_mean_zero_and_variance_one() {
        let norm = Norm {
            weight: vec![1.0; 21],
            bias: vec![0.0; 21],
            epsilon: 1e-12,
        };
        let mut rows: Vec<f32> = (0..42).map(|i| (i * i % 17) as f32).collect();
        let residual = rows.clone();
        add_and_normalise(&mut rows, &residual, &norm);
        for row in rows.chunks(21) {
            let (sum, squares) = row.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
            assert!(
                sum.abs() < 1e-4 && (squares - 21.0).abs() < 1e-3,
                "{sum} {squares}"
            );
        }
    }
}
