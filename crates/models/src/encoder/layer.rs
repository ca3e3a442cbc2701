//! Matrix products with weights of eight bits, as they stand in the binary.

use crate::lanes::widest;

/// How many columns a panel has: two AVX2 registers.
const WIDTH: usize = 16;
/// How many rows a tile has at the most: with [`WIDTH`], 12 of 16 registers hold sums.
const HEIGHT: usize = 6;

/// A layer: panels of [`WIDTH`] columns, each stored row by row; what a weight of each column is
/// worth, and a bias.
#[derive(Debug)]
pub(super) struct Layer {
    depth: usize,
    scales: Vec<f32>,
    bias: Vec<f32>,
    weights: &'static [u8],
}

/// The left side of a product: row `i` starts at `i * stride`, so that rows may overlap.
#[derive(Clone, Copy)]
pub(super) struct Left<'a> {
    pub(super) values: &'a [f32],
    pub(super) stride: usize,
    pub(super) rows: usize,
}

impl<'a> Left<'a> {
    /// A single row.
    pub(super) fn row(values: &'a [f32]) -> Left<'a> {
        Left {
            values,
            stride: values.len(),
            rows: 1,
        }
    }
}

impl Layer {
    pub(super) fn new(depth: usize, scales: Vec<f32>, bias: Vec<f32>, weights: &'static [u8]) -> Layer {
        Layer {
            depth,
            scales,
            bias,
            weights,
        }
    }

    /// How many columns a product has.
    pub(super) fn columns(&self) -> usize {
        self.bias.len()
    }

    /// Gives `left · weights + bias`, row after row.
    pub(super) fn apply(&self, left: Left<'_>) -> Vec<f32> {
        let mut out = vec![0.0; left.rows * self.columns()];
        multiply(left, self, &mut out);
        out
    }
}

widest! {
    fn multiply(left: Left<'_>, layer: &Layer, out: &mut [f32]) = product
}

#[inline(always)]
fn product<const FUSED: bool>(left: Left<'_>, layer: &Layer, out: &mut [f32]) {
    let (depth, columns) = (layer.depth, layer.columns());
    // Without wide registers a tall tile would not fit in them.
    let height = if FUSED { HEIGHT } else { 2 };
    let mut tiles = vec![0.0; left.rows * depth];
    for first in (0..left.rows).step_by(height) {
        let count = height.min(left.rows - first);
        interleave(left, first, &mut tiles[first * depth..][..count * depth], count);
    }
    for (panel, weights) in layer.weights.chunks_exact(WIDTH * depth).enumerate() {
        for first in (0..left.rows).step_by(height) {
            let count = height.min(left.rows - first);
            let tile = &tiles[first * depth..][..count * depth];
            let out = &mut out[first * columns + panel * WIDTH..];
            match count {
                6 => tile_product::<6, FUSED>(tile, weights, out, columns),
                5 => tile_product::<5, FUSED>(tile, weights, out, columns),
                4 => tile_product::<4, FUSED>(tile, weights, out, columns),
                3 => tile_product::<3, FUSED>(tile, weights, out, columns),
                2 => tile_product::<2, FUSED>(tile, weights, out, columns),
                _ => tile_product::<1, FUSED>(tile, weights, out, columns),
            }
        }
    }
    for row in out.chunks_exact_mut(columns) {
        for ((sum, scale), bias) in row.iter_mut().zip(&layer.scales).zip(&layer.bias) {
            *sum = *sum * scale + bias;
        }
    }
}

/// Stores rows column by column, so that a tile reads them in one stream.
#[inline(always)]
fn interleave(left: Left<'_>, first: usize, tile: &mut [f32], count: usize) {
    let depth = tile.len() / count;
    for offset in 0..count {
        let row = &left.values[(first + offset) * left.stride..][..depth];
        for (slot, &value) in tile.iter_mut().skip(offset).step_by(count).zip(row) {
            *slot = value;
        }
    }
}

#[inline(always)]
fn tile_product<const ROWS: usize, const FUSED: bool>(
    tile: &[f32],
    weights: &[u8],
    out: &mut [f32],
    stride: usize,
) {
    let mut sums = [[0.0f32; WIDTH]; ROWS];
    for (left, right) in tile
        .as_chunks::<ROWS>()
        .0
        .iter()
        .zip(weights.as_chunks::<WIDTH>().0)
    {
        let mut wide = [0.0f32; WIDTH];
        for column in 0..WIDTH {
            wide[column] = f32::from(right[column] as i8);
        }
        for row in 0..ROWS {
            for column in 0..WIDTH {
                sums[row][column] = if FUSED {
                    left[row].mul_add(wide[column], sums[row][column])
                } else {
                    left[row] * wide[column] + sums[row][column]
                };
            }
        }
    }
    for (row, sum) in sums.iter().enumerate() {
        out[row * stride..][..WIDTH].copy_from_slice(sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: usize, depth: usize, columns: usize) {
        let weight = |k: usize, column: usize| ((k * 31 + column * 17) % 251) as i32 - 125;
        let mut panels = Vec::new();
        for panel in 0..columns / WIDTH {
            for k in 0..depth {
                panels.extend((0..WIDTH).map(|c| weight(k, panel * WIDTH + c) as i8 as u8));
            }
        }
        let scales: Vec<f32> = (0..columns).map(|c| 0.01 + c as f32 / 1000.0).collect();
        let bias: Vec<f32> = (0..columns).map(|c| c as f32).collect();
        let layer = Layer::new(depth, scales.clone(), bias.clone(), panels.leak());
        let values: Vec<f32> = (0..(rows + 2) * depth)
            .map(|place| (place % 13) as f32 - 6.0)
            .collect();
        // Rows that overlap, as windows do.
        let stride = depth.div_ceil(2);
        let left = Left {
            values: &values,
            stride,
            rows,
        };
        let mut plain = vec![0.0; rows * columns];
        product::<false>(left, &layer, &mut plain);
        for out in [layer.apply(left), plain] {
            for row in 0..rows {
                for column in 0..columns {
                    let sum: f64 = (0..depth)
                        .map(|k| f64::from(values[row * stride + k]) * f64::from(weight(k, column)))
                        .sum();
                    let exact = sum * f64::from(scales[column]) + f64::from(bias[column]);
                    assert!((f64::from(out[row * columns + column]) - exact).abs() < 1e-2);
                }
            }
        }
    }

    #[test]
    fn products_of_every_height_are_right() {
        for rows in 1..14 {
            check(rows, 24, 32);
        }
    }
}
