//! Runs the queries of a data set, and reports the metrics.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

use recalld_index::index::{Bm25, Index};
use recalld_index::rank::{RankQuery, rank};
use recalld_memory::ports::Embedder;
use recalld_memory::recall::PreparedQuery;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::data::{Data, User};
use super::metrics::{DEPTHS, LIST, Measures};
use super::space::Space;
use super::{Arm, Way};
use crate::failure::{Failure, chain};
use crate::models;
use crate::output::{Cell, FAINT, NAME, Page, Show, Table};
use crate::session::Session;

/// Misleading queries without an answer; averages exclude them.
const ADVERSARIAL: &str = "adversarial";

/// Measures one data set.
pub(super) async fn run(
    session: &Session,
    directory: &Path,
    split: Option<&str>,
    model: Option<&str>,
    way: Way,
) -> Result<(), Failure> {
    let arm = way.arm;
    let data = Data::read(directory, split)?;
    let config = session.config()?;
    let embedder = match arm {
        Arm::Bm25 => None,
        Arm::Vectors | Arm::Hybrid => models::named(config, model.unwrap_or(&config.values.model))?,
    };
    if arm == Arm::Vectors && embedder.is_none() {
        return Err(Failure::bad_input("model", "this needs an embedding model"));
    }
    let settings = &config.values.memory;
    let params = Bm25 {
        k1: settings.bm25_k1,
        b: settings.bm25_b,
    };
    let mut answers = Answers::default();
    for user in data.users.values() {
        answers.of_user(user, embedder.as_deref(), params, way).await?;
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
        embedder: Option<&dyn Embedder>,
        params: Bm25,
        way: Way,
    ) -> Result<(), Failure> {
        let failed = |error| Failure::failed("model", chain(&error));
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
            let prepared = PreparedQuery::of(&query.text, embedder, now).await;
            let embedded = begun.elapsed();
            let asked = RankQuery {
                now_ms: space.now_ms,
                arms: way.arm.arms(),
                fusion: way.fusion.into(),
                ..prepared.query(space.index.model())
            };
            let found = rank(&space.index, &asked, &|_| true, LIST);
            self.search.push(begun.elapsed().saturating_sub(embedded));
            self.embed.push(embedded);
            let ranked: Vec<&str> = found.iter().map(|found| &*found.id).collect();
            let gains: HashMap<&str, f64> = gains.iter().map(|(id, gain)| (id.as_str(), *gain)).collect();
            let category = query.category.clone().unwrap_or_default();
            self.measured.push((category, Measures::of(&ranked, &gains)));
        }
        space.advance(None);
        self.entries += space.index.len();
        self.vectors += space.index.vectors();
        self.bytes += space.index.bytes();
        Ok(())
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
        Report {
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

#[derive(Debug)]
struct Report {
    model: String,
    arm: &'static str,
    overall: Row,
    by_category: Vec<Row>,
    search_us: Quantiles,
    embed_us: Quantiles,
    entries: usize,
    vectors: usize,
    bytes: usize,
}

#[derive(Debug)]
struct Row {
    name: String,
    questions: usize,
    measures: Measures,
}

impl Row {
    /// The metrics, by the names that papers use.
    fn values(&self) -> Map<String, Value> {
        let measures = &self.measures;
        let mut values = Map::new();
        values.insert("queries".to_owned(), json!(self.questions));
        values.insert("ndcg@10".to_owned(), json!(rounded(measures.ndcg_10)));
        values.insert("mrr".to_owned(), json!(rounded(measures.mrr)));
        values.insert("recall@10".to_owned(), json!(rounded(measures.recall_10)));
        for (depth, value) in DEPTHS.iter().zip(measures.recall_any) {
            values.insert(format!("recall_any@{depth}"), json!(rounded(value)));
        }
        for (depth, value) in DEPTHS.iter().zip(measures.recall_all) {
            values.insert(format!("recall_all@{depth}"), json!(rounded(value)));
        }
        values
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}

impl Serialize for Report {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = self.overall.values();
        let categories: Map<String, Value> = self
            .by_category
            .iter()
            .map(|row| (row.name.clone(), Value::Object(row.values())))
            .collect();
        all.insert("by_category".to_owned(), Value::Object(categories));
        all.insert("model".to_owned(), json!(self.model));
        all.insert("arm".to_owned(), json!(self.arm));
        all.insert("search_us".to_owned(), json!(self.search_us));
        all.insert("embed_us".to_owned(), json!(self.embed_us));
        let index = json!({"entries": self.entries, "vectors": self.vectors, "bytes": self.bytes});
        all.insert("index".to_owned(), index);
        all.serialize(serializer)
    }
}

/// How long things took, in microseconds.
#[derive(Debug, Default, Serialize)]
struct Quantiles {
    p50: f64,
    p95: f64,
    max: f64,
}

impl Quantiles {
    fn of(mut times: Vec<Duration>) -> Quantiles {
        times.sort_unstable();
        let at = |share: f64| {
            let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
            let time = times.get(place).copied().unwrap_or_default();
            (time.as_secs_f64() * 1e7).round() / 10.0
        };
        Quantiles {
            p50: at(0.5),
            p95: at(0.95),
            max: at(1.0),
        }
    }
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        let mut table = Table::new([
            "",
            "QUESTIONS",
            "NDCG@10",
            "MRR",
            "RECALL@10",
            "ANY@5",
            "ALL@5",
            "ANY@10",
            "ALL@10",
        ]);
        for row in std::iter::once(&self.overall).chain(&self.by_category) {
            let measures = &row.measures;
            let (any, all) = (measures.recall_any, measures.recall_all);
            let figure = |value: f64| Cell::plain(&format!("{value:.4}"));
            table.row([
                Cell::styled(NAME, &row.name),
                Cell::styled(FAINT, &row.questions.to_string()),
                figure(measures.ndcg_10),
                figure(measures.mrr),
                figure(measures.recall_10),
                figure(any[2]),
                figure(all[2]),
                figure(any[3]),
                figure(all[3]),
            ]);
        }
        table.write(page);
        page.gap();
        let (search, embed) = (&self.search_us, &self.embed_us);
        page.field("model", format_args!("{} ({})", self.model, self.arm));
        page.field(
            "search",
            format_args!(
                "p50 {} µs, p95 {} µs, max {} µs",
                search.p50, search.p95, search.max
            ),
        );
        page.field(
            "embedding",
            format_args!("p50 {} µs, p95 {} µs, max {} µs", embed.p50, embed.p95, embed.max),
        );
        let megabytes = self.bytes as f64 / 1e6;
        page.field(
            "index",
            format_args!(
                "{} entries, {} vectors, {megabytes:.1} MB",
                self.entries, self.vectors
            ),
        );
    }

    fn quiet(&self) -> String {
        format!("{:.5}\n", self.overall.measures.ndcg_10)
    }
}
