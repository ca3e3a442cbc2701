//! What the encoder makes of a token by itself, kept for the tokens that come up often.
//!
//! The projection of a token's row and the products of the first convolutions do not depend on its
//! neighbours: three fifths of all the work on a text. Most tokens of a text are among a few
//! hundred that are in every other one.

use std::collections::HashMap;
use std::sync::Arc;

use moka::sync::Cache;

use super::asset::Asset;
use super::format::{BRANCH, ROW, WIDTHS};
use super::layer::Left;

/// How many tokens are kept: 15 KiB each.
const TOKENS_MAX: u64 = 1_024;
/// All places of all windows.
const PLACES: usize = WIDTHS[0] + WIDTHS[1] + WIDTHS[2];
/// Where the first place of each branch is among them.
const FIRST_PLACES: [usize; 3] = [0, WIDTHS[0], WIDTHS[0] + WIDTHS[1]];

/// One token by itself.
#[derive(Debug)]
pub(super) struct TokenPart(Box<[f32]>);

impl TokenPart {
    const LENGTH: usize = ROW + 3 * BRANCH + PLACES * BRANCH;

    /// Its row of the table.
    pub(super) fn row(&self) -> &[f32] {
        &self.0[..ROW]
    }

    /// What a branch begins with.
    pub(super) fn projected(&self, branch: usize) -> &[f32] {
        &self.0[ROW + branch * BRANCH..][..BRANCH]
    }

    /// What it adds to the first convolution of a branch from one place of the window, before scale
    /// and bias.
    pub(super) fn convolved(&self, branch: usize, place: usize) -> &[f32] {
        let start = ROW + 3 * BRANCH + (FIRST_PLACES[branch] + place) * BRANCH;
        &self.0[start..][..BRANCH]
    }
}

/// The tokens that are kept.
#[derive(Debug)]
pub(super) struct TokenParts(Cache<u32, Arc<TokenPart>>);

impl Default for TokenParts {
    fn default() -> TokenParts {
        TokenParts(Cache::new(TOKENS_MAX))
    }
}

impl TokenParts {
    /// The parts of tokens, in their order. Each is the same whether it was kept or not.
    pub(super) fn of(&self, asset: &Asset, ids: &[u32]) -> Vec<Arc<TokenPart>> {
        let mut known: HashMap<u32, Option<Arc<TokenPart>>> = HashMap::with_capacity(ids.len());
        for id in ids {
            known.entry(*id).or_insert_with(|| self.0.get(id));
        }
        let missing = known.iter().filter(|(_, part)| part.is_none());
        let missing: Vec<u32> = missing.map(|(id, _)| *id).collect();
        for (id, part) in missing.iter().zip(make(asset, &missing)) {
            let part = Arc::new(part);
            self.0.insert(*id, Arc::clone(&part));
            known.insert(*id, Some(part));
        }
        let part = |id: &u32| known.get(id).and_then(Option::clone);
        ids.iter().filter_map(part).collect()
    }
}

fn make(asset: &Asset, ids: &[u32]) -> Vec<TokenPart> {
    if ids.is_empty() {
        return Vec::new();
    }
    let layers = &asset.layers;
    let mut rows = vec![0.0; ids.len() * ROW];
    for (row, id) in rows.chunks_exact_mut(ROW).zip(ids) {
        asset.rows.read(*id, row);
    }
    let mut projected = layers.project.apply(Left {
        values: &rows,
        stride: ROW,
        rows: ids.len(),
    });
    let mut parts: Vec<Vec<f32>> = Vec::with_capacity(ids.len());
    let own = rows.chunks_exact(ROW).zip(projected.chunks_exact_mut(3 * BRANCH));
    for (row, projected) in own {
        asset.norm_branches.apply(projected);
        let mut part = Vec::with_capacity(TokenPart::LENGTH);
        part.extend_from_slice(row);
        part.extend_from_slice(projected);
        parts.push(part);
    }
    for (branch, [first, _]) in layers.convolve.iter().enumerate() {
        let left = Left {
            values: &projected[branch * BRANCH..],
            stride: 3 * BRANCH,
            rows: ids.len(),
        };
        for place in 0..WIDTHS[branch] {
            let sums = first.sums(left, place * BRANCH..(place + 1) * BRANCH);
            for (part, sums) in parts.iter_mut().zip(sums.chunks_exact(BRANCH)) {
                part.extend_from_slice(sums);
            }
        }
    }
    let whole = parts.into_iter().map(|part| TokenPart(part.into_boxed_slice()));
    whole.collect()
}
