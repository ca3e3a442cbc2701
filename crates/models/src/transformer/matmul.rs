//! Matrix products with one side packed ahead of time.
//!
//! A general GEMM packs both sides at each call. Here the weights never change, so they are packed
//! once at load, which is 1.6 to 1.9 times as fast on a short text as the crate `gemm`, and some 8
//! % slower on one of 256 tokens (docs/models.md has the figures).

use crate::lanes::widest;

/// How many columns a panel has: two AVX2 registers.
const WIDTH: usize = 16;
/// How many rows a tile has: with [`WIDTH`], 12 of 16 registers hold sums.
const HEIGHT: usize = 6;
/// How many rows are packed at a time, so that they stay in the first cache while panels stream by.
const BLOCK: usize = 8 * HEIGHT;

/// The right side of a product: panels of [`WIDTH`] columns, each stored row by row, and a bias.
#[derive(Clone, Debug, Default)]
pub(super) struct Panels {
    values: Vec<f32>,
    bias: Vec<f32>,
    depth: usize,
    columns: usize,
}

impl Panels {
    /// Packs a weight stored as `columns` rows of `depth` values, the way linear layers are stored.
    pub(super) fn of_layer(weight: &[f32], bias: &[f32]) -> Panels {
        let mut panels = Panels::default();
        let depth = weight.len() / bias.len().max(1);
        panels.pack_transposed(
            Rows {
                values: weight,
                stride: depth,
                count: bias.len(),
            },
            depth,
        );
        panels.bias[..bias.len()].copy_from_slice(bias);
        panels
    }

    /// Packs the transpose of `rows`, of which the first `depth` values count. The bias becomes
    /// zero.
    pub(super) fn pack_transposed(&mut self, rows: Rows<'_>, depth: usize) {
        self.reset(depth, rows.count);
        for (column, row) in rows.iter(depth).enumerate() {
            let panel = &mut self.values[column / WIDTH * depth * WIDTH..][..depth * WIDTH];
            for (slot, &value) in panel.iter_mut().skip(column % WIDTH).step_by(WIDTH).zip(row) {
                *slot = value;
            }
        }
    }

    /// Packs `rows` as they are, of which the first `columns` values count. The bias becomes zero.
    pub(super) fn pack(&mut self, rows: Rows<'_>, columns: usize) {
        self.reset(rows.count, columns);
        let depth = rows.count;
        for (index, row) in rows.iter(columns).enumerate() {
            for (panel, part) in row.chunks(WIDTH).enumerate() {
                self.values[(panel * depth + index) * WIDTH..][..part.len()].copy_from_slice(part);
            }
        }
    }

    /// Tells how many columns a product with this has.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    fn reset(&mut self, depth: usize, columns: usize) {
        let padded = columns.next_multiple_of(WIDTH);
        self.values.clear();
        self.values.resize(padded * depth, 0.0);
        self.bias.clear();
        self.bias.resize(padded, 0.0);
        (self.depth, self.columns) = (depth, columns);
    }
}

/// Rows of a matrix inside a larger one: row `i` starts at `i * stride`.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) values: &'a [f32],
    pub(super) stride: usize,
    pub(super) count: usize,
}

impl<'a> Rows<'a> {
    fn iter(self, width: usize) -> impl Iterator<Item = &'a [f32]> {
        (0..self.count).map(move |row| &self.values[row * self.stride..][..width])
    }
}

/// Where a product is written: row `i` starts at `i * stride`.
pub(super) struct RowsMut<'a> {
    pub(super) values: &'a mut [f32],
    pub(super) stride: usize,
}

widest! {
    /// Writes `left · right + bias` to `out`. `scratch` is kept between calls to save allocating.
    pub(super) fn multiply(left: Rows<'_>, right: &Panels, out: RowsMut<'_>, scratch: &mut Vec<f32>) = product
}

#[inline(always)]
fn product<const FUSED: bool>(left: Rows<'_>, right: &Panels, out: RowsMut<'_>, scratch: &mut Vec<f32>) {
    let depth = right.depth;
    // Without wide registers a tall tile would not fit in them.
    let height = if FUSED { HEIGHT } else { 2 };
    scratch.resize(BLOCK * depth, 0.0);
    for start in (0..left.count).step_by(BLOCK) {
        let end = left.count.min(start + BLOCK);
        for row in (start..end).step_by(height) {
            let tile = &mut scratch[(row - start) * depth..];
            interleave(
                left,
                row,
                height.min(end - row),
                &mut tile[..depth * height.min(end - row)],
            );
        }
        for (panel, bias) in right.bias.as_chunks::<WIDTH>().0.iter().enumerate() {
            let weights = &right.values[panel * depth * WIDTH..][..depth * WIDTH];
            let width = WIDTH.min(right.columns - panel * WIDTH);
            for row in (start..end).step_by(height) {
                let rows = height.min(end - row);
                let tile = &scratch[(row - start) * depth..][..rows * depth];
                let target = &mut out.values[row * out.stride + panel * WIDTH..];
                let spot = Spot {
                    values: target,
                    stride: out.stride,
                    width,
                };
                match rows {
                    6 => tile_product::<6, FUSED>(tile, weights, bias, spot),
                    5 => tile_product::<5, FUSED>(tile, weights, bias, spot),
                    4 => tile_product::<4, FUSED>(tile, weights, bias, spot),
                    3 => tile_product::<3, FUSED>(tile, weights, bias, spot),
                    2 => tile_product::<2, FUSED>(tile, weights, bias, spot),
                    _ => tile_product::<1, FUSED>(tile, weights, bias, spot),
                }
            }
        }
    }
}

/// Stores `count` rows column by column, so that a tile reads them in one stream.
#[inline(always)]
fn interleave(left: Rows<'_>, first: usize, count: usize, tile: &mut [f32]) {
    let depth = tile.len() / count;
    for offset in 0..count {
        let row = &left.values[(first + offset) * left.stride..][..depth];
        for (slot, &value) in tile.iter_mut().skip(offset).step_by(count).zip(row) {
            *slot = value;
        }
    }
}

/// The corner of the result that one tile fills.
struct Spot<'a> {
    values: &'a mut [f32],
    stride: usize,
    width: usize,
}

#[inline(always)]
fn tile_product<const ROWS: usize, const FUSED: bool>(
    tile: &[f32],
    weights: &[f32],
    bias: &[f32; WIDTH],
    spot: Spot<'_>,
) {
    let mut sums = [*bias; ROWS];
    for (left, right) in tile
        .as_chunks::<ROWS>()
        .0
        .iter()
        .zip(weights.as_chunks::<WIDTH>().0)
    {
        for row in 0..ROWS {
            for column in 0..WIDTH {
                sums[row][column] = if FUSED {
                    left[row].mul_add(right[column], sums[row][column])
                } else {
                    left[row] * right[column] + sums[row][column]
                };
            }
        }
    }
    for (row, sum) in sums.iter().enumerate() {
        spot.values[row * spot.stride..][..spot.width].copy_from_slice(&sum[..spot.width]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    fn check(rows: usize, depth: usize, columns: usize) {
        let (left, weight, bias) = (
            noise(rows * depth, 1),
            noise(columns * depth, 2),
            noise(columns, 3),
        );
        let panels = Panels::of_layer(&weight, &bias);
        let left_rows = Rows {
            values: &left,
            stride: depth,
            count: rows,
        };
        let run = |kernel: fn(Rows<'_>, &Panels, RowsMut<'_>, &mut Vec<f32>)| {
            let mut out = vec![0.0; rows * columns];
            kernel(
                left_rows,
                &panels,
                RowsMut {
                    values: &mut out,
                    stride: columns,
                },
                &mut Vec::new(),
            );
            out
        };
        for out in [run(multiply), run(product::<false>), run(product::<true>)] {
            for row in 0..rows {
                for column in 0..columns {
                    let exact: f64 = (0..depth)
                        .map(|k| f64::from(left[row * depth + k]) * f64::from(weight[column * depth + k]))
                        .sum();
                    let found = f64::from(out[row * columns + column]);
                    assert!(
                        (found - exact - f64::from(bias[column])).abs() < 1e-4,
                        "{row},{column}"
                    );
                }
            }
        }
    }

    #[test]
    fn products_of_every_tail_are_right() {
        for (rows, depth, columns) in [
            (1, 1, 1),
            (2, 3, 16),
            (5, 7, 17),
            (6, 32, 15),
            (49, 20, 33),
            (101, 5, 48),
        ] {
            check(rows, depth, columns);
        }
    }

    #[test]
    fn packing_rows_equals_packing_their_transpose_transposed() {
        let values = noise(6 * 20, 4);
        let mut plain = Panels::default();
        plain.pack(
            Rows {
                values: &values,
                stride: 20,
                count: 6,
            },
            18,
        );
        let columns: Vec<f32> = (0..18)
            .flat_map(|c| (0..6).map(move |r| (r, c)))
            .map(|(r, c)| values[r * 20 + c])
            .collect();
        let mut transposed = Panels::default();
        transposed.pack_transposed(
            Rows {
                values: &columns,
                stride: 6,
                count: 18,
            },
            6,
        );
        assert_eq!(plain.values, transposed.values);
    }
}
