//! What a measurement is told as.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::metrics::{DEPTHS, Measures};
use super::reliability::{self, Step};
use crate::output::{Cell, FAINT, NAME, Page, Show, Table};

#[derive(Debug)]
pub(super) struct Report {
    /// Where the mean of ndcg@10 lies in 95 of 100 draws of the queries.
    pub(super) ndcg_interval: Option<[f64; 2]>,
    /// What the scores of the first ten results say, and how many of them answer.
    pub(super) reliability: Vec<Step>,
    pub(super) model: String,
    pub(super) arm: &'static str,
    pub(super) overall: Row,
    pub(super) by_category: Vec<Row>,
    pub(super) search_us: Quantiles,
    pub(super) embed_us: Quantiles,
    pub(super) entries: usize,
    pub(super) vectors: usize,
    pub(super) bytes: usize,
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) questions: usize,
    pub(super) measures: Measures,
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
        let interval = self.ndcg_interval.map(|ends| ends.map(rounded));
        all.insert("ndcg@10_interval".to_owned(), json!(interval));
        all.insert("reliability".to_owned(), json!(self.reliability));
        let error = rounded(reliability::error(&self.reliability));
        all.insert("calibration_error".to_owned(), json!(error));
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
pub(super) struct Quantiles {
    p50: f64,
    p95: f64,
    max: f64,
}

impl Quantiles {
    pub(super) fn of(mut times: Vec<Duration>) -> Quantiles {
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
        let mut table = Table::new(["SCORE", "RIGHT", "RESULTS", "0 … 1"]);
        for step in &self.reliability {
            table.row([
                Cell::plain(&format!("{:.2}", step.score)),
                Cell::plain(&format!("{:.2}", step.right)),
                Cell::styled(FAINT, &step.results.to_string()),
                Cell::styled(FAINT, &reliability::bar(step)),
            ]);
        }
        table.write(page);
        page.gap();
        let (search, embed) = (&self.search_us, &self.embed_us);
        page.field("model", format_args!("{} ({})", self.model, self.arm));
        if let Some([low, high]) = self.ndcg_interval {
            page.field(
                "ndcg@10",
                format_args!("between {low:.4} and {high:.4} (95 %, bootstrap)"),
            );
        }
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
