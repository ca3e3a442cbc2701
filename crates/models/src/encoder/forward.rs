//! The forward pass: token rows, three branches of convolutions, a sum over the tokens, and a head.

use super::asset::{Asset, Norm};
use super::format::{BRANCH, FEATURES, ROW, WIDTHS};
use super::layer::{Layer, Left};

/// How many tokens before the current one each branch sees.
const BEFORE: [usize; 3] = [0, 1, 2];
/// Rows of zeros before and after the tokens, so that every window lies inside.
const PADDING: usize = 2;
const EPSILON: f32 = 1e-12;

/// The encoder's own vector of a text, of unit length. `ids` include start and end.
pub(super) fn own_vector(asset: &Asset, ids: &[u32]) -> Vec<f32> {
    let tokens = ids.len();
    let layers = &asset.layers;
    let mut rows = vec![0.0; tokens * ROW];
    for (row, id) in rows.chunks_exact_mut(ROW).zip(ids) {
        asset.rows.read(*id, row);
    }
    let mut projected = layers.project.apply(Left {
        values: &rows,
        stride: ROW,
        rows: tokens,
    });
    for row in projected.chunks_exact_mut(3 * BRANCH) {
        normalise(row, &asset.norm_branches);
    }
    let mut features = vec![0.0; tokens * FEATURES];
    for (all, row) in features.chunks_exact_mut(FEATURES).zip(rows.chunks_exact(ROW)) {
        all[..ROW].copy_from_slice(row);
    }
    for (branch, [first, second]) in layers.convolve.iter().enumerate() {
        let mut padded = vec![0.0; (tokens + 2 * PADDING) * BRANCH];
        let inner = PADDING * BRANCH..(PADDING + tokens) * BRANCH;
        let own = projected.chunks_exact(3 * BRANCH);
        for (to, from) in padded[inner.clone()].chunks_exact_mut(BRANCH).zip(own) {
            to.copy_from_slice(&from[branch * BRANCH..][..BRANCH]);
        }
        for layer in [first, second] {
            let convolved = convolve(layer, branch, &padded, tokens);
            for (to, added) in padded[inner.clone()].iter_mut().zip(convolved) {
                *to += added.max(0.0);
            }
        }
        let done = padded[inner].chunks_exact(BRANCH);
        for (all, row) in features.chunks_exact_mut(FEATURES).zip(done) {
            all[ROW + branch * BRANCH..][..BRANCH].copy_from_slice(row);
        }
    }
    let mut sum = vec![0.0; FEATURES];
    for row in features.chunks_exact_mut(FEATURES) {
        normalise(row, &asset.norm_features);
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += *x);
    }
    head(asset, &sum, tokens)
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
        .apply(Left::row(&share))
        .into_iter()
        .map(|x| x * root)
        .collect();
    let y0 = rectified(layers.d0.apply(Left::row(&pooled)));
    let y1 = rectified(added(
        layers.p1.apply(Left::row(&pooled)),
        &layers.d1.apply(Left::row(&y0)),
    ));
    let y2 = rectified(layers.d2.apply(Left::row(&y1)));
    let mut z = added(layers.p3.apply(Left::row(&y1)), &layers.d3.apply(Left::row(&y2)));
    z.iter_mut().for_each(|x| *x = x.tanh());
    let length = z.iter().map(|x| x * x).sum::<f32>().max(EPSILON).sqrt();
    z.iter_mut().for_each(|x| *x /= length);
    z
}

fn normalise(row: &mut [f32], norm: &Norm) {
    let width = row.len() as f32;
    let mean = row.iter().sum::<f32>() / width;
    let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / width;
    let scale = (variance + EPSILON).sqrt().recip();
    for ((x, gain), offset) in row.iter_mut().zip(&norm.gain).zip(&norm.offset) {
        *x = (*x - mean) * scale * gain + offset;
    }
}

fn rectified(mut values: Vec<f32>) -> Vec<f32> {
    values.iter_mut().for_each(|x| *x = x.max(0.0));
    values
}

fn added(mut values: Vec<f32>, more: &[f32]) -> Vec<f32> {
    values.iter_mut().zip(more).for_each(|(x, more)| *x += more);
    values
}
