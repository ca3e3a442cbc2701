//! Finds facts in what users said: with a model where there is one, else by rules.

use std::sync::atomic::Ordering;
use std::time::Duration;

use recalld_memory::conversation::Role;
use recalld_memory::memory::Origin;
use recalld_memory::ports::ChatModel;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;

use super::Worker;
use crate::extract::facts::{ExtractError, Source, extract};
use crate::extract::finding::{Fact, Finding};
use crate::extract::merge::without_what_rules_found;
use crate::extract::rules;
use crate::task_queue::ExtractionTask;

/// How often a model that does not answer is asked before a task is given up: for about a day.
const ATTEMPTS_MAX: u32 = 24;

/// How often one is asked that answers with what cannot be read.
const UNREADABLE_MAX: u32 = 3;

/// The most facts that are extracted at once, however many messages there are.
const FACTS_MAX: usize = 100;

/// How many memories a model is reminded of.
const KNOWN_MAX: usize = 20;

impl Worker {
    /// Reads the messages of the tasks. Those that were erased since are left out.
    pub(super) async fn sources(
        &self,
        scope: &Scope,
        tasks: &[ExtractionTask],
    ) -> Result<Vec<Source>, SpaceError> {
        let mut sources = Vec::new();
        for task in tasks {
            for id in &task.messages {
                let message = self
                    .agent
                    .memory
                    .store
                    .message(scope.space(), &task.conversation, id)
                    .await?;
                let said = message.filter(|message| message.role == Role::User);
                sources.extend(said.map(|message| Source {
                    conversation: message.conversation,
                    message: message.id,
                    said_at: message.at,
                    text: message.content.as_str().to_owned(),
                }));
            }
        }
        Ok(sources)
    }

    /// Finds what the messages say, with a model or by rules.
    pub(super) async fn read(
        &self,
        scope: &Scope,
        model: Option<&dyn ChatModel>,
        sources: &[Source],
        tasks: &[ExtractionTask],
    ) -> Result<FactsFound, SpaceError> {
        let Some(model) = model.filter(|_| !sources.is_empty()) else {
            return Ok(FactsFound::Now(by_rules(sources)));
        };
        let settings = &self.agent.settings.extraction;
        let known = self.known(scope, sources).await?;
        // So many for each message: what was buffered must not crowd itself out.
        let facts_max = (settings.facts_max * sources.len()).min(FACTS_MAX);
        let read = extract(model, sources, &known, facts_max).await;
        let tried = tasks.iter().map(|task| task.attempts).max().unwrap_or(0);
        Ok(match read {
            Ok(extracted) => {
                let metrics = &self.metrics;
                metrics
                    .rejected
                    .fetch_add(extracted.rejected as u64, Ordering::Relaxed);
                metrics
                    .empty
                    .fetch_add(u64::from(extracted.facts.is_empty()), Ordering::Relaxed);
                let tokens = extracted.usage.tokens_in + extracted.usage.tokens_out;
                metrics.tokens.fetch_add(tokens, Ordering::Relaxed);
                let found = |(at, fact): (usize, Fact)| FoundFact {
                    finding: Finding::Holds(fact),
                    origin: Origin::Inferred,
                    source: sources[at].clone(),
                };
                let facts = without_what_rules_found(extracted.facts, sources);
                FactsFound::Now(facts.into_iter().map(found).collect())
            }
            Err(error) if tried + 1 < attempts_max(&error) => {
                tracing::warn!(%error, attempt = tried + 1, "the model failed; will extract facts later");
                FactsFound::Later(Duration::from_secs(5) * 2_u32.saturating_pow(tried.min(10)))
            }
            // What rules found is stored already, and the messages stay where they are.
            Err(error) => {
                tracing::warn!(%error, "the model failed too often; only what rules found is remembered");
                self.metrics.given_up.fetch_add(1, Ordering::Relaxed);
                FactsFound::Now(Vec::new())
            }
        })
    }

    /// What bears on the messages and is known already.
    async fn known(&self, scope: &Scope, sources: &[Source]) -> Result<Vec<String>, SpaceError> {
        let said: Vec<&str> = sources.iter().map(|source| source.text.as_str()).collect();
        let question = recalld_memory::recall::Question::new(said.join("\n"), KNOWN_MAX).uncounted();
        let found = recalld_memory::recall::recall(&self.agent.memory, scope, &question).await?;
        Ok(found
            .into_iter()
            .map(|found| found.item.content.to_string())
            .collect())
    }
}

/// How often a task is tried that fails so.
fn attempts_max(error: &ExtractError) -> u32 {
    match error {
        ExtractError::Model(_) => ATTEMPTS_MAX,
        ExtractError::Malformed(_) => UNREADABLE_MAX,
    }
}

/// The outcome of looking for facts.
pub(super) enum FactsFound {
    Now(Vec<FoundFact>),
    Later(Duration),
}

/// A finding with its source.
pub(super) struct FoundFact {
    pub(super) finding: Finding,
    pub(super) origin: Origin,
    pub(super) source: Source,
}

/// Finds by rules what the sources plainly say.
pub(super) fn by_rules(sources: &[Source]) -> Vec<FoundFact> {
    let of_source = |source: &Source| {
        let found = rules::find(&source.text, source.said_at).into_iter();
        let source = source.clone();
        found.map(move |finding| FoundFact {
            finding,
            origin: Origin::User,
            source: source.clone(),
        })
    };
    sources.iter().flat_map(of_source).collect()
}
