//! The inner loops of the matrix products: written for AVX2, and plainly for other processors.
//!
//! Each sum is added up in the order of the weights' rows, whatever the height of its tile.

/// How many columns a panel has: two AVX2 registers.
pub(super) const WIDTH: usize = 16;
/// How many rows a tile has at the most: with [`WIDTH`], 12 of 16 registers hold sums.
const HEIGHT: usize = 6;
/// How many sums of a single row run side by side, since each waits for the one before it.
const STEPS: usize = 4;
/// Whether a plain processor multiplies and adds in one step.
const FUSED: bool = cfg!(target_arch = "aarch64");

/// Tells how many rows a tile should have: without wide registers a tall one would not fit.
pub(super) fn height() -> usize {
    if is_wide() || FUSED { HEIGHT } else { 2 }
}

fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Multiplies a tile of so many rows, stored column by column, with a panel of weights. Row `i` of
/// the product goes to `out[i * stride..]`.
pub(super) fn tile(rows: usize, tile: &[f32], panel: &[u8], out: &mut [f32], stride: usize) {
    match rows {
        6 => tile_of::<6>(tile, panel, out, stride),
        5 => tile_of::<5>(tile, panel, out, stride),
        4 => tile_of::<4>(tile, panel, out, stride),
        3 => tile_of::<3>(tile, panel, out, stride),
        2 => tile_of::<2>(tile, panel, out, stride),
        _ => tile_of::<1>(tile, panel, out, stride),
    }
}

fn tile_of<const ROWS: usize>(tile: &[f32], panel: &[u8], out: &mut [f32], stride: usize) {
    let (tile, panel) = (tile.as_chunks::<ROWS>().0, panel.as_chunks::<WIDTH>().0);
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        #[expect(unsafe_code, reason = "calls code for AVX2 and FMA, which were just found")]
        let sums = unsafe { wide::tile::<ROWS>(tile, panel) };
        return put(&sums, out, stride);
    }
    put(&plain_tile::<ROWS>(tile, panel), out, stride);
}

/// Multiplies a single row with a panel of weights: quicker than a tile, and rounded otherwise.
pub(super) fn row(row: &[f32], panel: &[u8], out: &mut [f32]) {
    let (steps, rest) = row.as_chunks::<STEPS>();
    let (panels, after) = panel.as_chunks::<{ STEPS * WIDTH }>();
    #[cfg(target_arch = "x86_64")]
    let mut sums = if is_wide() {
        #[expect(unsafe_code, reason = "calls code for AVX2 and FMA, which were just found")]
        unsafe {
            wide::steps(steps, panels)
        }
    } else {
        plain_steps(steps, panels)
    };
    #[cfg(not(target_arch = "x86_64"))]
    let mut sums = plain_steps(steps, panels);
    for (value, weights) in rest.iter().zip(after.as_chunks::<WIDTH>().0) {
        add(*value, weights, &mut sums[0]);
    }
    let [first, second, third, fourth] = &sums;
    for (column, out) in out.iter_mut().enumerate().take(WIDTH) {
        *out = (first[column] + second[column]) + (third[column] + fourth[column]);
    }
}

fn put<const ROWS: usize>(sums: &[[f32; WIDTH]; ROWS], out: &mut [f32], stride: usize) {
    for (row, sums) in sums.iter().enumerate() {
        out[row * stride..][..WIDTH].copy_from_slice(sums);
    }
}

fn plain_tile<const ROWS: usize>(tile: &[[f32; ROWS]], panel: &[[u8; WIDTH]]) -> [[f32; WIDTH]; ROWS] {
    let mut sums = [[0.0; WIDTH]; ROWS];
    for (values, weights) in tile.iter().zip(panel) {
        for (value, sums) in values.iter().zip(&mut sums) {
            add(*value, weights, sums);
        }
    }
    sums
}

fn plain_steps(row: &[[f32; STEPS]], panel: &[[u8; STEPS * WIDTH]]) -> [[f32; WIDTH]; STEPS] {
    let mut sums = [[0.0; WIDTH]; STEPS];
    for (values, weights) in row.iter().zip(panel) {
        let weights = weights.as_chunks::<WIDTH>().0;
        for ((value, weights), sums) in values.iter().zip(weights).zip(&mut sums) {
            add(*value, weights, sums);
        }
    }
    sums
}

#[inline(always)]
fn add(value: f32, weights: &[u8; WIDTH], sums: &mut [f32; WIDTH]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        let weight = f32::from(*weight as i8);
        *sum = match FUSED {
            true => value.mul_add(weight, *sum),
            false => value * weight + *sum,
        };
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{STEPS, WIDTH};

    type Sums = [__m256; 2];

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn tile<const ROWS: usize>(
        tile: &[[f32; ROWS]],
        panel: &[[u8; WIDTH]],
    ) -> [[f32; WIDTH]; ROWS] {
        let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
        for (values, weights) in tile.iter().zip(panel) {
            let weights = widened(weights);
            for (value, sums) in values.iter().zip(&mut sums) {
                add(*value, weights, sums);
            }
        }
        sums.map(|sums| numbers(sums))
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn steps(row: &[[f32; STEPS]], panel: &[[u8; STEPS * WIDTH]]) -> [[f32; WIDTH]; STEPS] {
        let mut sums = [[_mm256_setzero_ps(); 2]; STEPS];
        for (values, weights) in row.iter().zip(panel) {
            let weights = weights.as_chunks::<WIDTH>().0;
            for ((value, weights), sums) in values.iter().zip(weights).zip(&mut sums) {
                add(*value, widened(weights), sums);
            }
        }
        sums.map(|sums| numbers(sums))
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn add(value: f32, weights: Sums, sums: &mut Sums) {
        let value = _mm256_set1_ps(value);
        sums[0] = _mm256_fmadd_ps(value, weights[0], sums[0]);
        sums[1] = _mm256_fmadd_ps(value, weights[1], sums[1]);
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn widened(weights: &[u8; WIDTH]) -> Sums {
        #[expect(unsafe_code, reason = "reads sixteen bytes, which are there")]
        let weights = unsafe { _mm_loadu_si128(weights.as_ptr().cast()) };
        let second = _mm_unpackhi_epi64(weights, weights);
        [weights, second].map(|eight| _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight)))
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn numbers(sums: Sums) -> [f32; WIDTH] {
        let mut numbers = [0.0; WIDTH];
        let (first, second) = numbers.split_at_mut(WIDTH / 2);
        #[expect(
            unsafe_code,
            reason = "writes eight numbers to each half, which has room for them"
        )]
        unsafe {
            _mm256_storeu_ps(first.as_mut_ptr(), sums[0]);
            _mm256_storeu_ps(second.as_mut_ptr(), sums[1]);
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_paths_agree_but_for_rounding() {
        let values: Vec<f32> = (0..4 * 37).map(|place| (place as f32 * 0.7).sin()).collect();
        let weights: Vec<u8> = (0..37 * WIDTH as u32)
            .map(|place| (place * 89 % 256) as u8)
            .collect();
        let mut out = vec![0.0; 4 * WIDTH];
        tile(4, &values, &weights, &mut out, WIDTH);
        let plain = plain_tile::<4>(values.as_chunks().0, weights.as_chunks().0);
        let first: Vec<f32> = values.iter().step_by(4).copied().collect();
        let mut single = vec![0.0; WIDTH];
        row(&first, &weights, &mut single);
        for column in 0..WIDTH {
            for row in 0..4 {
                assert!((out[row * WIDTH + column] - plain[row][column]).abs() < 1e-2);
            }
            assert!((single[column] - plain[0][column]).abs() < 1e-2);
        }
    }
}
