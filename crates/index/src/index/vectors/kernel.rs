//! Dot products of a query with many rows of codes: the inner loop of the vector search.

/// Rows are whole numbers of such blocks.
pub(super) const BLOCK: usize = 32;

/// The dot product of `query` with each row of `codes`. Sums of whole numbers: every way to add
/// them gives the same.
pub(super) fn dots(query: &[i16], codes: &[i8], dots: &mut [i32]) {
    debug_assert!(query.len().is_multiple_of(BLOCK));
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "calls code for AVX2, which was just found to be there")]
        return unsafe { with_avx2(query, codes, dots) };
    }
    plain(query, codes, dots);
}

fn plain(query: &[i16], codes: &[i8], dots: &mut [i32]) {
    for (row, dot) in codes.chunks_exact(query.len()).zip(dots) {
        let mut lanes = [0i32; BLOCK];
        for (some, others) in query.chunks_exact(BLOCK).zip(row.chunks_exact(BLOCK)) {
            for lane in 0..BLOCK {
                lanes[lane] += i32::from(some[lane]) * i32::from(others[lane]);
            }
        }
        *dot = lanes.iter().sum();
    }
}

/// How many rows are compared at a time, so that each part of the query is fetched once for all of
/// them.
#[cfg(target_arch = "x86_64")]
const ROWS: usize = 4;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(query: &[i16], codes: &[i8], dots: &mut [i32]) {
    use std::arch::x86_64::*;
    let width = query.len();
    let together = codes.chunks_exact(ROWS * width);
    let (rest, done) = (together.remainder(), codes.len() / (ROWS * width) * ROWS);
    for (rows, dots) in together.zip(dots.chunks_exact_mut(ROWS)) {
        let (first, others) = rows.split_at(width);
        let (second, others) = others.split_at(width);
        let (third, fourth) = others.split_at(width);
        let mut sums = [_mm256_setzero_si256(); ROWS];
        let [first, second, third, fourth] =
            [first, second, third, fourth].map(|row| row.chunks_exact(LANES));
        let parts = query
            .chunks_exact(LANES)
            .zip(first)
            .zip(second)
            .zip(third)
            .zip(fourth);
        for ((((asked, first), second), third), fourth) in parts {
            let asked = sixteen(asked);
            for (sum, codes) in sums.iter_mut().zip([first, second, third, fourth]) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(asked, widened(codes)));
            }
        }
        let [a, b, c, d] = sums;
        // Adding neighbours twice leaves one sum of each row in either half.
        let pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        let four = _mm_add_epi32(
            _mm256_castsi256_si128(pairs),
            _mm256_extracti128_si256::<1>(pairs),
        );
        dots[0] = _mm_extract_epi32::<0>(four);
        dots[1] = _mm_extract_epi32::<1>(four);
        dots[2] = _mm_extract_epi32::<2>(four);
        dots[3] = _mm_extract_epi32::<3>(four);
    }
    plain(query, rest, &mut dots[done..]);
}

/// How many numbers are multiplied at a time.
#[cfg(target_arch = "x86_64")]
const LANES: usize = 16;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn sixteen(numbers: &[i16]) -> std::arch::x86_64::__m256i {
    assert_eq!(numbers.len(), LANES);
    #[expect(unsafe_code, reason = "reads sixteen numbers, which are there, as 32 bytes")]
    unsafe {
        std::arch::x86_64::_mm256_loadu_si256(numbers.as_ptr().cast())
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn widened(codes: &[i8]) -> std::arch::x86_64::__m256i {
    use std::arch::x86_64::*;
    assert_eq!(codes.len(), LANES);
    #[expect(unsafe_code, reason = "reads sixteen codes, which are there, as 16 bytes")]
    let codes = unsafe { _mm_loadu_si128(codes.as_ptr().cast()) };
    _mm256_cvtepi8_epi16(codes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every path gives the same whole numbers.
        #[test]
        fn all_paths_agree(blocks in 1..5usize, rows in 0..11usize, seed in any::<u64>()) {
            let mut state = seed | 1;
            let mut draw = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state
            };
            let query: Vec<i16> = (0..blocks * BLOCK).map(|_| draw() as i16 / 2).collect();
            let codes: Vec<i8> = (0..rows * query.len()).map(|_| (draw() as i8).max(-127)).collect();
            let (mut fast, mut slow) = (vec![0; rows], vec![0; rows]);
            dots(&query, &codes, &mut fast);
            plain(&query, &codes, &mut slow);
            prop_assert_eq!(&fast, &slow);
            for (row, dot) in codes.chunks(query.len()).zip(slow) {
                let sum: i64 = row.iter().zip(&query).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum();
                prop_assert_eq!(i64::from(dot), sum);
            }
        }
    }
}
