//! The forward pass: token rows, three branches of convolutions, a sum over the tokens, and a head.

use std::sync::Arc;

use super::asset::Asset;
use super::format::{BRANCH, FEATURES, ROW, WIDTHS};
use super::layer::{Layer, Left};
use super::tokens::{TokenPart, TokenParts};

/// How many tokens before the current one each branch sees.
const BEFORE: [usize; 3] = [0, 1, 2];
/// Rows of zeros before and after the tokens, so that every window lies inside.
const PADDING: usize = 2;
const EPSILON: f32 = 1e-12;

/// The encoder's own vector of a text, of unit length. `ids` include start and end.
pub(super) fn own_vector(asset: &Asset, known: &TokenParts, ids: &[u32]) -> Vec<f32> {
    let parts = known.of(asset, ids);
    let tokens = parts.len();
    let mut features = vec![0.0; tokens * FEATURES];
    for (all, part) in features.chunks_exact_mut(FEATURES).zip(&parts) {
        all[..ROW].copy_from_slice(part.row());
    }
    let mut padded = vec![0.0; (tokens + 2 * PADDING) * BRANCH];
    let inner = PADDING * BRANCH..(PADDING + tokens) * BRANCH;
    for (branch, [first, second]) in asset.layers.convolve.iter().enumerate() {
        for (token, to) in padded[inner.clone()].chunks_exact_mut(BRANCH).enumerate() {
            first_convolution(first, branch, &parts, token, to);
        }
        let convolved = convolve(second, branch, &padded, tokens);
        let done = padded[inner.clone()].chunks_exact(BRANCH);
        let done = done.zip(convolved.chunks_exact(BRANCH));
        for (all, (before, added)) in features.chunks_exact_mut(FEATURES).zip(done) {
            let to = &mut all[ROW + branch * BRANCH..][..BRANCH];
            for ((to, before), added) in to.iter_mut().zip(before).zip(added) {
                *to = before + added.max(0.0);
            }
        }
    }
    let mut sum = vec![0.0; FEATURES];
    for row in features.chunks_exact_mut(FEATURES) {
        asset.norm_features.apply(row);
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += *x);
    }
    head(asset, &sum, tokens)
}

/// The first convolution of a branch at one token, put together from what the tokens of the window
/// add by themselves. Outside of the text are zeros.
fn first_convolution(layer: &Layer, branch: usize, parts: &[Arc<TokenPart>], token: usize, to: &mut [f32]) {
    to.fill(0.0);
    for place in 0..WIDTHS[branch] {
        let other = (token + place).checked_sub(BEFORE[branch]);
        if let Some(other) = other.and_then(|other| parts.get(other)) {
            let added = other.convolved(branch, place);
            to.iter_mut().zip(added).for_each(|(to, added)| *to += added);
        }
    }
    layer.scale(to);
    let own = parts[token].projected(branch);
    to.iter_mut()
        .zip(own)
        .for_each(|(to, own)| *to = to.max(0.0) + own);
}

fn convolve(layer: &Layer, branch: usize, padded: &[f32], tokens: usize) -> Vec<f32> {
    let start = (PADDING - BEFORE[branch]) * BRANCH;
    let end = start + (tokens - 1 + WIDTHS[branch]) * BRANCH;
    layer.apply(Left {
        values: &padded[start..end],
        stride: BRANCH,
        rows: tokens,
    })
}

/// From the sum over the tokens to the vector.
fn head(asset: &Asset, sum: &[f32], tokens: usize) -> Vec<f32> {
    let layers = &asset.layers;
    let count = tokens as f32;
    // The bias of the pool stands for each token; dividing the sum first leaves it to be added
    // once.
    let share: Vec<f32> = sum.iter().map(|x| x / count).collect();
    let root = count.sqrt();
    let pooled: Vec<f32> = layers
        .pool
        .apply_row(&share)
        .into_iter()
        .map(|x| x * root)
        .collect();
    let y0 = rectified(layers.d0.apply_row(&pooled));
    let y1 = rectified(added(layers.p1.apply_row(&pooled), &layers.d1.apply_row(&y0)));
    let y2 = rectified(layers.d2.apply_row(&y1));
    let mut z = added(layers.p3.apply_row(&y1), &layers.d3.apply_row(&y2));
    z.iter_mut().for_each(|x| *x = x.tanh());
    let length = z.iter().map(|x| x * x).sum::<f32>().max(EPSILON).sqrt();
    z.iter_mut().for_each(|x| *x /= length);
    z
}

fn rectified(mut values: Vec<f32>) -> Vec<f32> {
    values.iter_mut().for_each(|x| *x = x.max(0.0));
    values
}

fn added(mut values: Vec<f32>, more: &[f32]) -> Vec<f32> {
    values.iter_mut().zip(more).for_each(|(x, more)| *x += more);
    values
}
