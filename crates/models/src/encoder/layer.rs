//! Matrix products with weights of eight bits, as they stand in the binary.

use std::ops::Range;

use super::kernel::{self, WIDTH};

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
        let mut out = self.sums(left, 0..self.depth);
        out.chunks_exact_mut(self.columns())
            .for_each(|row| self.scale(row));
        out
    }

    /// The same of a single row, quicker and rounded otherwise.
    pub(super) fn apply_row(&self, row: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; self.columns()];
        let panels = self.weights.chunks_exact(WIDTH * self.depth);
        for (out, panel) in out.chunks_exact_mut(WIDTH).zip(panels) {
            kernel::row(row, panel, out);
        }
        self.scale(&mut out);
        out
    }

    /// Gives `left` times some rows of the weights, before scale and bias. A row of the product is
    /// the same to the bit whatever other rows `left` has.
    pub(super) fn sums(&self, left: Left<'_>, rows: Range<usize>) -> Vec<f32> {
        let mut out = vec![0.0; left.rows * self.columns()];
        multiply(left, self, rows, &mut out);
        out
    }

    /// Brings a row of sums to scale, and adds the bias.
    pub(super) fn scale(&self, row: &mut [f32]) {
        for ((sum, scale), bias) in row.iter_mut().zip(&self.scales).zip(&self.bias) {
            *sum = *sum * scale + bias;
        }
    }
}

fn multiply(left: Left<'_>, layer: &Layer, rows: Range<usize>, out: &mut [f32]) {
    let (columns, depth, height) = (layer.columns(), rows.len(), kernel::height());
    let mut tiles = vec![0.0; left.rows * depth];
    for first in (0..left.rows).step_by(height) {
        let count = height.min(left.rows - first);
        interleave(left, first, &mut tiles[first * depth..][..count * depth], count);
    }
    for (number, panel) in layer.weights.chunks_exact(WIDTH * layer.depth).enumerate() {
        let panel = &panel[WIDTH * rows.start..WIDTH * rows.end];
        for first in (0..left.rows).step_by(height) {
            let count = height.min(left.rows - first);
            let tile = &tiles[first * depth..][..count * depth];
            let out = &mut out[first * columns + number * WIDTH..];
            kernel::tile(count, tile, panel, out, columns);
        }
    }
}

/// Stores rows column by column, so that a tile reads them in one stream.
fn interleave(left: Left<'_>, first: usize, tile: &mut [f32], count: usize) {
    let depth = tile.len() / count;
    for offset in 0..count {
        let row = &left.values[(first + offset) * left.stride..][..depth];
        for (slot, &value) in tile.iter_mut().skip(offset).step_by(count).zip(row) {
            *slot = value;
        }
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
        let single = |row: usize| layer.apply_row(&values[row * stride..][..depth]);
        let singles = (0..rows).flat_map(single).collect();
        for out in [layer.apply(left), singles] {
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

    /// What is kept of a token must not depend on the tokens that it came with.
    #[test]
    fn a_row_is_the_same_to_the_bit_whatever_rows_are_beside_it() {
        let weights: Vec<u8> = (0..64 * 32_u32).map(|place| (place * 37 % 251) as u8).collect();
        let layer = Layer::new(64, vec![0.3; 32], vec![0.1; 32], weights.leak());
        let values: Vec<f32> = (0..9 * 64).map(|place| (place as f32 * 0.37).sin()).collect();
        let of = |first: usize, rows: usize| {
            let values = &values[first * 64..];
            let stride = 64;
            layer.sums(Left { values, stride, rows }, 16..48)
        };
        let all = of(0, 9);
        for row in 0..9 {
            assert_eq!(of(row, 1), all[row * 32..][..32], "{row}");
        }
    }

    #[test]
    fn products_of_every_height_are_right() {
        for rows in 1..14 {
            check(rows, 24, 32);
        }
    }
}
