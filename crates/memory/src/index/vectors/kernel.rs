//! Dot products of a query with many rows of codes: the inner loop of the vector search.

/// Rows are whole numbers of such blocks.
pub(super) const BLOCK: usize = 32;

/// The dot product of `query` with each row of `codes`. Sums of whole numbers: every way to add them gives the same.
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

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(query: &[i16], codes: &[i8], dots: &mut [i32]) {
    use std::arch::x86_64::*;
    for (row, dot) in codes.chunks_exact(query.len()).zip(dots) {
        let (mut even, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for (some, others) in query.chunks_exact(BLOCK).zip(row.chunks_exact(BLOCK)) {
            #[expect(
                unsafe_code,
                reason = "reads blocks of BLOCK numbers, which is 64 and 32 bytes, as 2 times 32 and 16"
            )]
            let (query, codes) = unsafe {
                let (query, codes): (*const __m256i, *const __m128i) =
                    (some.as_ptr().cast(), others.as_ptr().cast());
                (
                    [_mm256_loadu_si256(query), _mm256_loadu_si256(query.add(1))],
                    [_mm_loadu_si128(codes), _mm_loadu_si128(codes.add(1))],
                )
            };
            even = _mm256_add_epi32(even, _mm256_madd_epi16(query[0], _mm256_cvtepi8_epi16(codes[0])));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(query[1], _mm256_cvtepi8_epi16(codes[1])));
        }
        let all = _mm256_add_epi32(even, odd);
        let half = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
        let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b0100_1110>(half));
        let one = _mm_add_epi32(pair, _mm_shuffle_epi32::<0b1011_0001>(pair));
        *dot = _mm_cvtsi128_si32(one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every path gives the same whole numbers.
        #[test]
        fn all_paths_agree(blocks in 1..5usize, rows in 0..7usize, seed in any::<u64>()) {
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
