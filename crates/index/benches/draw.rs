//! Draws words as people use them: some are in almost every entry, most in few.

const VOCABULARY: f64 = 30_000.0;

/// A small generator, so that every run sees the same entries.
pub struct Draw(pub u64);

impl Draw {
    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A word whose rank is Zipf-distributed, spelled from its rank.
    pub fn word(&mut self) -> String {
        let rank = VOCABULARY.powf(self.unit()) as usize;
        let syllables = ["ka", "lo", "mi", "ne", "pu", "ra", "so", "ti", "ve", "zu"];
        rank.to_string()
            .bytes()
            .map(|digit| syllables[usize::from(digit - b'0')])
            .collect()
    }

    /// So many words.
    pub fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}
