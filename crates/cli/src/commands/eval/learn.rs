//! Measures what rules learn from labelled messages.

use std::path::PathBuf;

use recalld_agent::extract::{Case, Evaluation, Share, evaluate};
use serde::Serialize;
use std::collections::BTreeMap;

use super::data::lines;
use crate::failure::Failure;
use crate::output::{Cell, Page, Show, Table};
use crate::session::Session;

/// Measures the messages of all files together.
pub(super) fn run(session: &Session, files: &[PathBuf]) -> Result<(), Failure> {
    let mut cases: Vec<Case> = Vec::new();
    for file in files {
        cases.extend(lines::<Case>(file)?);
    }
    session.output.answer(&Report::of(&evaluate(&cases)))
}

#[derive(Debug, Serialize)]
struct Report {
    messages: usize,
    recall: Figure,
    precision: Figure,
    /// Messages without a fact, and from how many of them something was learned.
    traps: usize,
    traps_learned: usize,
    languages: BTreeMap<String, Both>,
    kinds: BTreeMap<String, Figure>,
    missed: Vec<Missed>,
    wrong: Vec<Wrong>,
}

#[derive(Debug, Serialize)]
struct Both {
    recall: Figure,
    precision: Figure,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Figure {
    part: usize,
    whole: usize,
    ratio: f64,
}

#[derive(Debug, Serialize)]
struct Missed {
    lang: String,
    kind: String,
    says: String,
    message: String,
}

#[derive(Debug, Serialize)]
struct Wrong {
    lang: String,
    rule: String,
    learned: String,
    message: String,
}

impl From<Share> for Figure {
    fn from(share: Share) -> Figure {
        Figure {
            part: share.part,
            whole: share.whole,
            ratio: (share.ratio() * 1e4).round() / 1e4,
        }
    }
}

impl Report {
    fn of(evaluation: &Evaluation) -> Report {
        let precision = |language: &String| evaluation.precision_by_language.get(language).copied();
        let both = |(language, recall): (&String, &Share)| {
            let precision = precision(language).unwrap_or_default().into();
            let recall = (*recall).into();
            (language.clone(), Both { recall, precision })
        };
        let missed = evaluation.missed.iter().cloned();
        let wrong = evaluation.wrong.iter().cloned();
        Report {
            messages: evaluation.messages,
            recall: evaluation.recall.into(),
            precision: evaluation.precision.into(),
            traps: evaluation.traps.whole,
            traps_learned: evaluation.traps.part,
            languages: evaluation.recall_by_language.iter().map(both).collect(),
            kinds: evaluation
                .recall_by_kind
                .iter()
                .map(|(kind, share)| (kind.clone(), (*share).into()))
                .collect(),
            missed: missed
                .map(|[lang, kind, says, message]| Missed {
                    lang,
                    kind,
                    says,
                    message,
                })
                .collect(),
            wrong: wrong
                .map(|[lang, rule, learned, message]| Wrong {
                    lang,
                    rule,
                    learned,
                    message,
                })
                .collect(),
        }
    }
}

fn shown(figure: Figure) -> Cell {
    Cell::plain(&format!(
        "{:.3} ({} of {})",
        figure.ratio, figure.part, figure.whole
    ))
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        page.field("messages", self.messages);
        page.field("recall", format_args!("{:.4}", self.recall.ratio));
        page.field("precision", format_args!("{:.4}", self.precision.ratio));
        page.field("traps", self.traps);
        page.field("traps learned", self.traps_learned);
        page.gap();
        let mut table = Table::new(["LANGUAGE", "RECALL", "PRECISION"]);
        for (language, both) in &self.languages {
            table.row([Cell::plain(language), shown(both.recall), shown(both.precision)]);
        }
        table.write(page);
        page.gap();
        let mut table = Table::new(["KIND", "RECALL"]);
        for (kind, figure) in &self.kinds {
            table.row([Cell::plain(kind), shown(*figure)]);
        }
        table.write(page);
        if !self.missed.is_empty() {
            page.gap();
            let mut table = Table::new(["MISSED", "KIND", "SAYS", "MESSAGE"]);
            for missed in &self.missed {
                let cells = [&missed.lang, &missed.kind, &missed.says, &missed.message];
                table.row(cells.map(|text| Cell::plain(text)));
            }
            table.write(page);
        }
        if !self.wrong.is_empty() {
            page.gap();
            let mut table = Table::new(["FALSE", "RULE", "LEARNED", "MESSAGE"]);
            for wrong in &self.wrong {
                let cells = [&wrong.lang, &wrong.rule, &wrong.learned, &wrong.message];
                table.row(cells.map(|text| Cell::plain(text)));
            }
            table.write(page);
        }
    }

    fn quiet(&self) -> String {
        format!("{:.4} {:.4}\n", self.recall.ratio, self.precision.ratio)
    }
}
