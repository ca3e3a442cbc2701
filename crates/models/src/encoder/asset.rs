//! The asset of the sentence encoder: tokenizer, token rows, layers and the map, in one file.
//!
//! Layout, all numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic `RCLSENTE` |
//! | 4 | version |
//! | 8 | fingerprint of everything after it |
//! | 4 × 3, then 4 × 4 | rows kept in 4, 3 and 2 bits, in this order; bytes of the four lists below |
//! | character map | the length of the trie (4), a double array, replacements that end in NUL |
//! | pieces | their texts in the order of their bytes, one after the other, UTF-8 |
//! | pieces | how many bytes each text has |
//! | 4 × pieces | the id of each |
//! | 4 × pieces | f32: the score of each |
//! | 4 | f32: the score of an unknown character |
//! | 4 × (16 + 8 + 4) | f32: the levels of rows in 4, 3 and 2 bits |
//! | rows | of each: f16 mean and deviation, then 512 codes, the first in the lowest bits |
//! | norms | f32: gain and offset of the two layer norms |
//! | layers | of each: f32 scale and f32 bias of each column, then int8 panels of 16 columns |
//!
//! The layers stand in the order of [`Layers`].

use super::format::{BRANCH, BadAsset, FEATURES, MAGIC, OUT, ROW, VERSION, WIDTHS, number};
use super::layer::Layer;
use super::normalise::CharacterMap;
use super::pieces::Pieces;
use super::rows::{Rows, Tier};

/// A layer norm: what each component is multiplied by, and what is added.
#[derive(Debug)]
pub(super) struct Norm {
    pub(super) gain: Vec<f32>,
    pub(super) offset: Vec<f32>,
}

impl Norm {
    /// Brings a row to mean zero and deviation one, then to gain and offset.
    pub(super) fn apply(&self, row: &mut [f32]) {
        const EPSILON: f32 = 1e-12;
        let width = row.len() as f32;
        let mean = row.iter().sum::<f32>() / width;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / width;
        let scale = (variance + EPSILON).sqrt().recip();
        for ((x, gain), offset) in row.iter_mut().zip(&self.gain).zip(&self.offset) {
            *x = (*x - mean) * scale * gain + offset;
        }
    }
}

/// The layers, in the order of the asset.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) project: Layer,
    /// Two for each branch.
    pub(super) convolve: [[Layer; 2]; 3],
    pub(super) pool: Layer,
    pub(super) d0: Layer,
    pub(super) p1: Layer,
    pub(super) d1: Layer,
    pub(super) d2: Layer,
    pub(super) p3: Layer,
    pub(super) d3: Layer,
    /// From the encoder's own vector to the one that is compared.
    pub(super) map: Layer,
}

/// The parsed asset. The large parts stay where they are.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) fingerprint: u64,
    pub(super) characters: CharacterMap,
    pub(super) pieces: Pieces,
    pub(super) rows: Rows,
    pub(super) norm_branches: Norm,
    pub(super) norm_features: Norm,
    pub(super) layers: Layers,
}

impl Asset {
    /// Parses `bytes`.
    pub(super) fn parse(bytes: &'static [u8]) -> Result<Asset, BadAsset> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len(), "magic") != Ok(MAGIC.as_slice()) {
            return Err(BadAsset::Magic);
        }
        let version = reader.number("version")?;
        if version != VERSION {
            return Err(BadAsset::Version(version));
        }
        let low = reader.number("fingerprint")?;
        let fingerprint = u64::from(low) | u64::from(reader.number("fingerprint")?) << 32;
        let mut counts = [0; 7];
        for count in &mut counts {
            *count = reader.number("counts")? as usize;
        }
        let [wide, middle, narrow, map_bytes, text_bytes, pieces, tables] = counts;
        if tables != 3 {
            return Err(BadAsset::Length("tables"));
        }
        let characters = CharacterMap::parse(reader.take(map_bytes, "character map")?)?;
        let texts = reader.take(text_bytes, "pieces")?;
        let lengths = reader.take(pieces, "pieces")?;
        let ids = reader.take(4 * pieces, "pieces")?;
        let scores = reader.take(4 * pieces, "pieces")?;
        let unknown = reader.floats(1, "pieces")?[0];
        let pieces = Pieces::parse(texts, lengths, ids, scores, unknown, wide + middle + narrow)?;
        let mut tiers = Vec::with_capacity(3);
        for (bits, rows) in [(4, wide), (3, middle), (2, narrow)] {
            let levels = reader.floats(1 << bits, "levels")?;
            tiers.push((bits, rows, levels));
        }
        let mut parsed = Vec::with_capacity(3);
        for (bits, rows, levels) in tiers {
            let bytes = reader.take(rows * Tier::bytes_of_row(bits), "rows")?;
            parsed.push(Tier::new(bits, rows, levels, bytes));
        }
        let norm_branches = reader.norm(3 * BRANCH)?;
        let norm_features = reader.norm(FEATURES)?;
        let layers = Layers::parse(&mut reader)?;
        if !reader.0.is_empty() {
            return Err(BadAsset::Length("end"));
        }
        Ok(Asset {
            fingerprint,
            characters,
            pieces,
            rows: Rows(parsed),
            norm_branches,
            norm_features,
            layers,
        })
    }
}

impl Layers {
    fn parse(reader: &mut Reader) -> Result<Layers, BadAsset> {
        let project = reader.layer(ROW, 3 * BRANCH)?;
        let mut branch = |width: usize| -> Result<[Layer; 2], BadAsset> {
            let first = reader.layer(width * BRANCH, BRANCH)?;
            Ok([first, reader.layer(width * BRANCH, BRANCH)?])
        };
        let convolve = [branch(WIDTHS[0])?, branch(WIDTHS[1])?, branch(WIDTHS[2])?];
        Ok(Layers {
            project,
            convolve,
            pool: reader.layer(FEATURES, 512)?,
            d0: reader.layer(512, 320)?,
            p1: reader.layer(512, 320)?,
            d1: reader.layer(320, 320)?,
            d2: reader.layer(320, 512)?,
            p3: reader.layer(320, 512)?,
            d3: reader.layer(512, 512)?,
            map: reader.layer(512, OUT)?,
        })
    }
}

/// What is left to read.
struct Reader(&'static [u8]);

impl Reader {
    fn take(&mut self, bytes: usize, what: &'static str) -> Result<&'static [u8], BadAsset> {
        let (taken, rest) = self.0.split_at_checked(bytes).ok_or(BadAsset::Length(what))?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self, what: &'static str) -> Result<u32, BadAsset> {
        Ok(number(self.take(4, what)?, 0))
    }

    fn floats(&mut self, count: usize, what: &'static str) -> Result<Vec<f32>, BadAsset> {
        let bytes = self.take(4 * count, what)?;
        Ok((0..count)
            .map(|place| f32::from_bits(number(bytes, place)))
            .collect())
    }

    fn norm(&mut self, width: usize) -> Result<Norm, BadAsset> {
        Ok(Norm {
            gain: self.floats(width, "norms")?,
            offset: self.floats(width, "norms")?,
        })
    }

    fn layer(&mut self, depth: usize, columns: usize) -> Result<Layer, BadAsset> {
        let scales = self.floats(columns, "layers")?;
        let bias = self.floats(columns, "layers")?;
        let weights = self.take(depth * columns, "layers")?;
        Ok(Layer::new(depth, scales, bias, weights))
    }
}
