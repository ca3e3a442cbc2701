//! What the rules would learn from a message, and why.

use recalld_agent::extract::{Ending, Finding, Verdict, explain};
use recalld_memory::ports::Clock;
use serde::Serialize;

use crate::clock::SystemClock;
use crate::output::{Cell, Page, Show, Table};

impl Explanation {
    /// Explains a message. Nothing is stored.
    pub(super) fn of(message: &str) -> Explanation {
        let reading = explain(message, SystemClock.now());
        let steps = reading.steps.into_iter().map(|step| Part {
            text: step.text,
            language: step.language,
            verdict: match step.verdict {
                Verdict::Found(rule) => format!("rule {rule}"),
                Verdict::NoRule => "no rule fits".to_owned(),
                Verdict::Skipped(why) => format!("skipped: {why}"),
            },
        });
        let learned = reading.findings.iter().map(Learned::of);
        Explanation {
            parts: steps.collect(),
            learned: learned.collect(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Explanation {
    parts: Vec<Part>,
    learned: Vec<Learned>,
}

#[derive(Debug, Serialize)]
struct Part {
    text: String,
    language: &'static str,
    verdict: String,
}

#[derive(Debug, Serialize)]
struct Learned {
    does: &'static str,
    slot: Option<String>,
    content: String,
    rule: String,
}

impl Learned {
    fn of(finding: &Finding) -> Learned {
        let (does, slot, content) = match finding {
            Finding::Holds(fact) => ("remember", fact.slot.as_ref(), fact.content.clone()),
            Finding::Ended(ended) => {
                let does = match ended.how {
                    Ending::Forgotten => "forget",
                    Ending::Until(_) => "end",
                };
                (does, ended.slot.as_ref(), ended.about.clone())
            }
            Finding::Corrected(correction) => ("correct", None, correction.quote.clone()),
        };
        Learned {
            does,
            slot: slot.map(ToString::to_string),
            content,
            rule: finding.rule().unwrap_or("").to_owned(),
        }
    }
}

impl Show for Explanation {
    fn show(&self, page: &mut Page) {
        let mut table = Table::new(["PART", "LANGUAGE", "VERDICT"]);
        for part in &self.parts {
            table.row([
                Cell::plain(&part.text),
                Cell::plain(part.language),
                Cell::plain(&part.verdict),
            ]);
        }
        table.write(page);
        page.gap();
        let mut table = Table::new(["LEARNED", "SLOT", "CONTENT"]);
        for learned in &self.learned {
            let slot = learned.slot.as_deref().unwrap_or("-");
            table.row([
                Cell::plain(learned.does),
                Cell::plain(slot),
                Cell::plain(&learned.content),
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        self.learned
            .iter()
            .map(|learned| format!("{}\n", learned.content))
            .collect()
    }
}
