//! Runs the queries of a data set, and reports the metrics.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use recalld_index::index::{Bm25, Index};
use recalld_index::rank::{RankQuery, RankedEntry, rank};
use recalld_memory::ports::{Embedder, RerankError, Reranker};
use recalld_memory::recall::PreparedQuery;
use serde_json::{Value, json};

use super::bootstrap;
use super::data::{Data, Query, User};
use super::metrics::{LIST, Measures};
use super::reliability;
use super::report::{Quantiles, Report, Row};
use super::space::Space;
use super::{Arm, Way};
use crate::failure::{Failure, chain};
use crate::models;
use crate::session::Session;

/// Misleading queries without an answer; averages exclude them.
const ADVERSARIAL: &str = "adversarial";
/// How many results a reranking model reads.
const RERANKED: usize = 30;

/// What to measure, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub(super) directory: &'a Path,
    pub(super) split: Option<&'a str>,
    pub(super) model: Option<&'a str>,
    pub(super) reranker: Option<&'a str>,
    pub(super) per_query: Option<&'a Path>,
    pub(super) way: Way,
}

/// Measures one data set.
pub(super) async fn run(session: &Session, run: Run<'_>) -> Result<(), Failure> {
    let (way, arm) = (run.way, run.way.arm);
    let data = Data::read(run.directory, run.split)?;
    let config = session.config()?;
    let embedder = match arm {
        Arm::Bm25 => None,
        Arm::Vectors | Arm::Hybrid => models::named(config, run.model.unwrap_or(&config.values.model))?,
    };
    let reranker = run
        .reranker
        .map(|name| models::named_reranker(config, name))
        .transpose()?;
    if arm == Arm::Vectors && embedder.is_none() {
        return Err(Failure::bad_input("model", "this needs an embedding model"));
    }
    let settings = &config.values.memory;
    let params = settings.bm25();
    let mut answers = Answers::default();
    for user in data.users.values() {
        let models = (embedder.as_deref(), reranker.as_deref());
        answers.of_user(user, models, params, way).await?;
    }
    if let Some(path) = run.per_query {
        answers.write(path)?;
    }
    let model = embedder
        .as_ref()
        .map_or("none", |embedder| embedder.model().name.as_str());
    session.output.answer(&answers.report(model, arm))
}

/// The results of all queries so far.
#[derive(Debug, Default)]
struct Answers {
    /// Category and metrics of each query that has an answer.
    measured: Vec<(String, Measures)>,
    /// What is written of each, in the same order.
    lines: Vec<Value>,
    /// The scores of the first results, and whether each answers.
    scored: Vec<(f32, bool)>,
    search: Vec<Duration>,
    embed: Vec<Duration>,
    entries: usize,
    vectors: usize,
    bytes: usize,
}

impl Answers {
    async fn of_user(
        &mut self,
        user: &User,
        (embedder, reranker): (Option<&dyn Embedder>, Option<&dyn Reranker>),
        params: Bm25,
        way: Way,
    ) -> Result<(), Failure> {
        let failed = |error| Failure::failed("model", chain(&error));
        let failed_rerank = |error| Failure::failed("reranker", chain(&error));
        let mut space = Space::new(&user.docs, embedder, Index::new(params))
            .await
            .map_err(failed)?;
        let mut queries: Vec<_> = user.queries.iter().collect();
        queries.sort_by_key(|query| query.before_seq.unwrap_or(i64::MAX));
        for query in queries {
            let Some(gains) = user.gains.get(&query.id) else {
                continue;
            };
            space.advance(query.before_seq);
            let begun = Instant::now();
            let now = jiff::Timestamp::from_millisecond(space.now_ms).unwrap_or_default();
            // Waits for the model however long it takes: what is late would be measured as words
            // alone.
            let prepared = PreparedQuery::patient(&query.text, embedder, now)
                .await
                .map_err(failed)?;
            let embedded = begun.elapsed();
            let asked = RankQuery {
                now_ms: space.now_ms,
                arms: way.arm.arms(),
                fusion: way.fusion.into(),
                fills: true,
                ..prepared.query(space.index.model())
            };
            let mut found = rank(&space.index, &asked, &|_| true, LIST);
            if let Some(reranker) = reranker {
                rerank(reranker, query, user, &mut found)
                    .await
                    .map_err(failed_rerank)?;
            }
            self.search.push(begun.elapsed().saturating_sub(embedded));
            self.embed.push(embedded);
            let ranked: Vec<&str> = found.iter().map(|found| &*found.id).collect();
            let gains: HashMap<&str, f64> = gains.iter().map(|(id, gain)| (id.as_str(), *gain)).collect();
            let category = query.category.clone().unwrap_or_default();
            let measures = Measures::of(&ranked, &gains);
            if category != ADVERSARIAL {
                let first = found.iter().take(10);
                self.scored
                    .extend(first.map(|found| (found.score, gains.contains_key(&*found.id))));
            }
            self.lines.push(json!({
                "user": query.user,
                "query": query.id,
                "category": category,
                "ndcg@10": measures.ndcg_10,
                "mrr": measures.mrr,
                "recall@10": measures.recall_10,
                "found": found.iter().take(10).map(|found| json!([&*found.id, found.score])).collect::<Vec<_>>(),
            }));
            self.measured.push((category, measures));
        }
        space.advance(None);
        self.entries += space.index.len();
        self.vectors += space.index.vectors();
        self.bytes += space.index.bytes();
        Ok(())
    }

    /// Writes what came of each query.
    fn write(&self, path: &Path) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::failed("file", format!("cannot write {}: {error}", path.display()))
        };
        let mut file = std::io::BufWriter::new(std::fs::File::create(path).map_err(failed)?);
        for line in &self.lines {
            writeln!(file, "{line}").map_err(failed)?;
        }
        file.flush().map_err(failed)
    }

    fn report(self, model: &str, arm: Arm) -> Report {
        let averaged = |(category, _): &&(String, Measures)| category != ADVERSARIAL;
        let mut by_category: BTreeMap<String, Vec<&Measures>> = BTreeMap::new();
        for (category, measures) in &self.measured {
            by_category.entry(category.clone()).or_default().push(measures);
        }
        let row = |name: &str, measures: &[&Measures]| Row {
            name: name.to_owned(),
            questions: measures.len(),
            measures: Measures::mean(measures.iter().copied()),
        };
        let all: Vec<&Measures> = self
            .measured
            .iter()
            .filter(averaged)
            .map(|(_, measures)| measures)
            .collect();
        let ndcg: Vec<f64> = all.iter().map(|measures| measures.ndcg_10).collect();
        Report {
            ndcg_interval: bootstrap::interval(&ndcg),
            reliability: reliability::steps(&self.scored),
            model: model.to_owned(),
            arm: arm.name(),
            overall: row("overall", &all),
            by_category: by_category
                .iter()
                .map(|(name, measures)| row(name, measures))
                .collect(),
            search_us: Quantiles::of(self.search),
            embed_us: Quantiles::of(self.embed),
            entries: self.entries,
            vectors: self.vectors,
            bytes: self.bytes,
        }
    }
}

/// Lets a model read the best results again, as a search does.
async fn rerank(
    reranker: &dyn Reranker,
    query: &Query,
    user: &User,
    found: &mut [RankedEntry],
) -> Result<(), RerankError> {
    let texts: HashMap<&str, &str> = user
        .docs
        .iter()
        .map(|doc| (doc.id.as_str(), doc.text.as_str()))
        .collect();
    let depth = found.len().min(RERANKED);
    let passages: Vec<&str> = found[..depth]
        .iter()
        .map(|entry| texts.get(&*entry.id).copied().unwrap_or_default())
        .collect();
    if passages.is_empty() {
        return Ok(());
    }
    let scores = reranker.rerank(&query.text, &passages).await?;
    for (place, entry) in found.iter_mut().enumerate() {
        entry.parts.reranked = Some(scores.get(place).copied().unwrap_or(0.0));
        entry.score = entry.parts.score();
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(())
}
