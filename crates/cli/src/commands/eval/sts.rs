//! Compares a model's similarity of sentences with human judgements, and what that means for
//! near-duplicates.

use std::path::Path;

use recalld_memory::policy::duplicates::{Fingerprint, differ_in_substance};
use recalld_memory::ports::TextRole;
use serde::{Deserialize, Serialize};

use super::data::lines;
use super::metrics::spearman;
use crate::failure::{Failure, chain};
use crate::models;
use crate::output::{Cell, Page, Show, Table};
use crate::session::Session;

#[derive(Debug, Deserialize)]
struct Pair {
    a: String,
    b: String,
    /// From 0 (nothing in common) to 5 (the same).
    score: f64,
}

/// How many texts the model embeds at once.
const BATCH: usize = 64;

/// From this score on, two sentences mean the same.
const SAME: f64 = 4.5;
/// Below this score, they mean something different.
const DIFFERENT: f64 = 3.0;

/// Measures one file of pairs.
pub(super) async fn run(session: &Session, file: &Path, model: Option<&str>) -> Result<(), Failure> {
    let pairs: Vec<Pair> = lines(file)?;
    let config = session.config()?;
    let embedder = models::named(config, model.unwrap_or(&config.values.model))?
        .ok_or_else(|| Failure::bad_input("model", "this needs an embedding model"))?;
    let mut cosines = Vec::with_capacity(pairs.len());
    for some in pairs.chunks(BATCH) {
        let texts: Vec<&str> = some
            .iter()
            .flat_map(|pair| [pair.a.as_str(), pair.b.as_str()])
            .collect();
        let vectors = embedder.embed(&texts, TextRole::Passage).await;
        let vectors = vectors.map_err(|error| Failure::failed("model", chain(&error)))?;
        cosines.extend(vectors.chunks(2).map(|pair| cosine(&pair[0], &pair[1])));
    }
    let scores: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
    let correlation = spearman(&cosines, &scores).ok_or_else(|| {
        Failure::bad_input(
            "data",
            "there is no correlation of fewer than two pairs, or of equal ones",
        )
    })?;
    let bounds = [0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
    session.output.answer(&Report {
        model: embedder.model().name.clone(),
        pairs: pairs.len(),
        spearman: (correlation * 1e5).round() / 1e5,
        same: pairs.iter().filter(|pair| pair.score >= SAME).count(),
        different: pairs.iter().filter(|pair| pair.score < DIFFERENT).count(),
        refused: pairs
            .iter()
            .filter(|pair| Fingerprint::of(&pair.a) == Fingerprint::of(&pair.b))
            .count(),
        duplicates: bounds.map(|bound| Flagged::at(bound, &pairs, &cosines)).into(),
    })
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
    let scale = (dot(a, a) * dot(b, b)).sqrt();
    if scale > 0.0 { dot(a, b) / scale } else { 0.0 }
}

#[derive(Debug, Serialize)]
struct Report {
    model: String,
    pairs: usize,
    spearman: f64,
    /// Pairs that say the same by people's judgement, and pairs that say something different.
    same: usize,
    different: usize,
    /// Pairs of the same words, of which the second would be refused.
    refused: usize,
    duplicates: Vec<Flagged>,
}

/// What is proposed as a near-duplicate from a cosine on.
#[derive(Debug, Serialize)]
struct Flagged {
    cosine: f64,
    same_found: usize,
    different_flagged: usize,
    /// The same where a number, a negation or a name that differs keeps two statements apart.
    same_found_checked: usize,
    different_flagged_checked: usize,
}

impl Flagged {
    fn at(bound: f64, pairs: &[Pair], cosines: &[f64]) -> Flagged {
        let count = |wanted: &dyn Fn(&Pair) -> bool| {
            let near = pairs.iter().zip(cosines).filter(|(_, cosine)| **cosine >= bound);
            near.filter(|(pair, _)| wanted(pair)).count()
        };
        let alike = |pair: &Pair| !differ_in_substance(&pair.a, &pair.b);
        Flagged {
            cosine: bound,
            same_found: count(&|pair| pair.score >= SAME),
            different_flagged: count(&|pair| pair.score < DIFFERENT),
            same_found_checked: count(&|pair| pair.score >= SAME && alike(pair)),
            different_flagged_checked: count(&|pair| pair.score < DIFFERENT && alike(pair)),
        }
    }
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        page.field("model", &self.model);
        page.field("pairs", self.pairs);
        page.field("spearman", format_args!("{:.4}", self.spearman));
        page.field("the same", self.same);
        page.field("different", self.different);
        page.field("same words", self.refused);
        page.gap();
        let mut table = Table::new([
            "COSINE",
            "SAME FOUND",
            "DIFFERENT FLAGGED",
            "SAME, CHECKED",
            "DIFFERENT, CHECKED",
        ]);
        for flagged in &self.duplicates {
            table.row([
                Cell::plain(&format!("{:.2}", flagged.cosine)),
                Cell::plain(&flagged.same_found.to_string()),
                Cell::plain(&flagged.different_flagged.to_string()),
                Cell::plain(&flagged.same_found_checked.to_string()),
                Cell::plain(&flagged.different_flagged_checked.to_string()),
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        format!("{:.5}\n", self.spearman)
    }
}
