//! The tools that a model may call in a run: ours, run here with the caller's identity, and the
//! caller's, which are not.

use recalld_index::text::plain::shorten;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::memory::Origin;
use recalld_memory::ports::chat::{ToolCall, ToolSpec};
use recalld_memory::render::{IMPORTED, QUARANTINED, UNCONFIRMED};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use crate::tools::{self, Tool, ToolError, ToolSet};

/// The tools of a run.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    own: Vec<&'static Tool>,
    callers: Vec<ToolSpec>,
    /// Whether what would change something is only noted.
    rehearsal: bool,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    /// What the model reads.
    pub text: String,
    pub data: Value,
    pub failure: Option<Failure>,
}

/// Why a call did not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The model can mend it.
    Malformed,
    /// Storage failed.
    Storage,
}

impl Toolbox {
    /// The tools of `sets`, without those of `except`.
    pub fn of_sets(sets: &[ToolSet], except: &[&str]) -> Toolbox {
        let wanted = |tool: &&Tool| sets.contains(&tool.set) && !except.contains(&tool.name);
        Toolbox {
            own: tools::all().iter().filter(wanted).collect(),
            callers: Vec::new(),
            rehearsal: false,
        }
    }

    /// The same tools, of which those that change something do not.
    pub fn rehearsing(self) -> Toolbox {
        Toolbox {
            rehearsal: true,
            ..self
        }
    }

    /// Adds the caller's tools. One that has the name of ours takes its place.
    pub fn with_callers(mut self, callers: Vec<ToolSpec>) -> Toolbox {
        self.own
            .retain(|own| callers.iter().all(|tool| tool.name != own.name));
        self.callers = callers;
        self
    }

    /// Describes all tools to a model, ours first: they are the same in every request, so that
    /// providers can cache them.
    pub fn specs(&self, settings: &Settings) -> Vec<ToolSpec> {
        let own = self.own.iter().map(|tool| ToolSpec {
            name: tool.name.to_owned(),
            description: tool.description.trim().to_owned(),
            schema: tool.schema(settings),
            raw: None,
        });
        own.chain(self.callers.iter().cloned()).collect()
    }

    /// Tells whether calls of `name` are carried out here. Those of tools that nobody has are:
    /// their answer says so.
    pub fn is_own(&self, name: &str) -> bool {
        self.callers.iter().all(|tool| tool.name != name)
    }

    /// Tells whether there are no tools at all.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.callers.is_empty()
    }

    /// Carries a call out for the user of `scope`. Whatever is wrong with it is told to the model.
    pub async fn call(&self, ports: &Ports, scope: &Scope, call: &ToolCall, tokens_max: usize) -> CallResult {
        let Some(tool) = self.own.iter().find(|tool| tool.name == call.name) else {
            let known: Vec<&str> = self.own.iter().map(|tool| tool.name).collect();
            let name = shorten(&call.name, 60);
            return malformed(format!(
                "there is no tool {name:?}; the tools are {}",
                known.join(", ")
            ));
        };
        let arguments = match call.arguments.trim() {
            "" => Ok(json!({})),
            text => serde_json::from_str::<Value>(text),
        };
        let arguments = match arguments {
            Ok(arguments) => arguments,
            Err(error) => return malformed(format!("the arguments are not JSON: {error}")),
        };
        if self.rehearsal && !tool.hints.read_only {
            return CallResult {
                text: "Noted.".to_owned(),
                data: json!({ "outcome": "noted" }),
                failure: None,
            };
        }
        match tool.call(ports, scope, arguments).await {
            Ok(answer) => {
                if let Some(heard) = &scope.heard {
                    least_trusted_in(tool, &answer.text)
                        .into_iter()
                        .for_each(|origin| heard.note(origin));
                }
                CallResult {
                    text: bounded(answer.text, tokens_max),
                    data: answer.data,
                    failure: None,
                }
            }
            Err(error) => failed(&error),
        }
    }
}

fn malformed(message: String) -> CallResult {
    failed(&ToolError::Arguments { message })
}

fn failed(error: &ToolError) -> CallResult {
    let said = error.for_model();
    let (text, data, failure) = match error {
        ToolError::Arguments { message } => {
            let text = format!("The call was not carried out: {said}. Correct it and call again.");
            let data = json!({ "outcome": error.code(), "message": message });
            (text, data, Failure::Malformed)
        }
        ToolError::Space(_) => (said, json!({ "outcome": error.code() }), Failure::Storage),
    };
    CallResult {
        text,
        data,
        failure: Some(failure),
    }
}

/// The least trusted thing that an answer of `tool` may repeat.
fn least_trusted_in(tool: &Tool, text: &str) -> Option<Origin> {
    let marked = text.contains(UNCONFIRMED) || text.contains(QUARANTINED);
    match tool.set {
        ToolSet::Knowledge => Some(Origin::Document),
        _ if marked => Some(Origin::Tool),
        _ if text.contains(IMPORTED) => Some(Origin::Import),
        _ => None,
    }
}

/// Cuts a text that is over the budget, between lines where that is possible.
fn bounded(text: String, tokens_max: usize) -> String {
    // A token is at least a byte, so a text of so few bytes needs no counting.
    if text.len() <= tokens_max || TokenCount::of(&text).fits(tokens_max) {
        return text;
    }
    const MARK: &str = "[cut: the rest found no room]";
    let room = tokens_max.saturating_sub(TokenCount::of(MARK).most() + 1);
    let (mut kept, mut end) = (TokenCount::default(), 0);
    for line in text.split_inclusive('\n') {
        kept += TokenCount::of(line);
        if !kept.fits(room) {
            break;
        }
        end += line.len();
    }
    if end == 0 {
        // One line that is longer than everything: two bytes a token is less than any text has.
        end = text.floor_char_boundary(room.min(text.len()));
    }
    format!("{}\n{MARK}", text[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_cut_between_lines_and_stays_within_its_budget() {
        let line = "- [2026-03-01] \"a statement of some length\"\n";
        for text in [line.repeat(500), "x".repeat(50_000), "数据".repeat(9_000)] {
            let cut = bounded(text, 200);
            assert!(TokenCount::of(&cut).fits(200), "{}", TokenCount::of(&cut).most());
            assert!(cut.ends_with("no room]"));
        }
        assert_eq!(bounded("short".to_owned(), 200), "short");
        let cut = bounded(line.repeat(500), 200);
        assert!(cut.lines().rev().skip(1).all(|kept| line.trim_end() == kept));
    }
}
