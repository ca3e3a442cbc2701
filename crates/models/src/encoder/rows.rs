//! The rows of the tokens, in four, three or two bits a component.

use half::f16;

use super::format::ROW;

/// Rows of one precision.
#[derive(Debug)]
pub(super) struct Tier {
    bits: usize,
    rows: usize,
    levels: Vec<f32>,
    bytes: &'static [u8],
}

/// All rows in the order of ids: the frequent ones first, and with the most bits.
#[derive(Debug)]
pub(super) struct Rows(pub(super) Vec<Tier>);

/// The mean and the deviation of a row stand before its codes.
const HEAD: usize = 4;

impl Tier {
    pub(super) fn new(bits: usize, rows: usize, levels: Vec<f32>, bytes: &'static [u8]) -> Tier {
        Tier {
            bits,
            rows,
            levels,
            bytes,
        }
    }

    pub(super) fn bytes_of_row(bits: usize) -> usize {
        HEAD + ROW * bits / 8
    }

    fn read(&self, row: usize, out: &mut [f32]) {
        let bytes = Self::bytes_of_row(self.bits);
        let (head, codes) = self.bytes[row * bytes..][..bytes].split_at(HEAD);
        let [mean, deviation] = [0, 2].map(|at| f16::from_le_bytes([head[at], head[at + 1]]).to_f32());
        let mask = (1 << self.bits) - 1;
        // Eight codes at a time fill whole bytes.
        for (eight, part) in out.chunks_mut(8).zip(codes.chunks(self.bits)) {
            let packed = part
                .iter()
                .rev()
                .fold(0u32, |all, byte| all << 8 | u32::from(*byte));
            for (place, component) in eight.iter_mut().enumerate() {
                let level = self.levels[(packed >> (place * self.bits) & mask) as usize];
                *component = mean + deviation * level;
            }
        }
    }
}

impl Rows {
    /// Writes the row of a token to `out`; zeros if there is none.
    pub(super) fn read(&self, id: u32, out: &mut [f32]) {
        let mut row = id as usize;
        for tier in &self.0 {
            if row < tier.rows {
                return tier.read(row, out);
            }
            row -= tier.rows;
        }
        out.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_each_precision_are_read() {
        for bits in [4, 3, 2] {
            let levels: Vec<f32> = (0..1 << bits).map(|level| level as f32).collect();
            let mut bytes = Vec::new();
            bytes.extend(f16::from_f32(1.0).to_le_bytes());
            bytes.extend(f16::from_f32(2.0).to_le_bytes());
            let mut packed = vec![0u8; ROW * bits / 8];
            for place in 0..ROW {
                let code = place * 7 % (1 << bits);
                for bit in 0..bits {
                    let at = place * bits + bit;
                    packed[at / 8] |= ((code >> bit & 1) as u8) << (at % 8);
                }
            }
            bytes.extend(packed);
            let rows = Rows(vec![Tier::new(bits, 1, levels, bytes.leak())]);
            let mut out = vec![0.0; ROW];
            rows.read(0, &mut out);
            for (place, component) in out.iter().enumerate() {
                assert_eq!(*component, 1.0 + 2.0 * (place * 7 % (1 << bits)) as f32);
            }
            rows.read(1, &mut out);
            assert!(out.iter().all(|component| *component == 0.0));
        }
    }
}
