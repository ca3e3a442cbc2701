//! What the user asks to remember or to forget.

use super::clause::{CONTENT_CHARS_MAX, ClauseRead, Context, Matched, understood};
use super::lead::without_lead;
use crate::extract::dates::{named, with_days};
use crate::extract::finding::{Ended, Ending, Fact, Finding};
use crate::extract::language::{Does, Rule};
use crate::extract::sentences::{clauses, trimmed};

/// How sure is what somebody asks to remember.
const ASKED_FOR: f64 = 1.0;

/// Reads a sentence in which the user asks to remember or to forget something.
pub(super) fn read_request<'t>(context: &Context<'_>, body: &'t str) -> Option<Vec<ClauseRead<'t>>> {
    let Context { language, open, .. } = *context;
    let asks = |rule: &&Rule| matches!(rule.does, Does::Remember | Does::Forget);
    for rule in language.rules.iter().filter(asks) {
        if !open.is_match(&rule.pattern, body) || rule.not.as_ref().is_some_and(|not| not.is_match(body)) {
            continue;
        }
        let Some(inner) = rule.pattern.captures(body).and_then(|groups| groups.name("v")) else {
            continue;
        };
        let inner = trimmed(inner);
        if inner.is_empty() || CONTENT_CHARS_MAX < inner.chars().count() {
            continue;
        }
        let findings = match rule.does {
            Does::Forget => vec![forgotten(context, rule, inner, body)],
            _ => remembered(context, rule, inner, body),
        };
        let read = findings.into_iter().map(|finding| ClauseRead {
            text: body,
            finding: Some(finding),
            skipped: None,
            adds: None,
        });
        return Some(read.collect());
    }
    None
}

/// What the user asks to remember: facts of their own kinds if every part of it is one, and
/// whatever they said otherwise.
fn remembered(context: &Context<'_>, rule: &Rule, inner: &str, body: &str) -> Vec<Finding> {
    let Context { language, open, .. } = *context;
    let parts = clauses(inner, language).into_iter().map(|part| {
        let text = trimmed(without_lead(part.text, language, open));
        match understood(context, text, body) {
            Matched::Finding(finding) => match *finding {
                Finding::Holds(fact) => Some(Finding::Holds(Fact {
                    confidence: ASKED_FOR,
                    ..fact
                })),
                _ => None,
            },
            _ => None,
        }
    });
    let all: Option<Vec<Finding>> = parts.collect();
    all.filter(|all| !all.is_empty()).unwrap_or_else(|| {
        vec![Finding::Holds(Fact {
            content: with_days(inner, named(inner, language, context.said_at)),
            about: String::new(),
            slot: None,
            key: None,
            category: "personal_context",
            confidence: ASKED_FOR,
            quote: body.to_owned(),
            since: None,
            opposite: None,
            rule: Some(rule.id.clone()),
        })]
    })
}

fn forgotten(context: &Context<'_>, rule: &Rule, inner: &str, body: &str) -> Finding {
    let known = match understood(
        context,
        trimmed(without_lead(inner, context.language, context.open)),
        body,
    ) {
        Matched::Finding(finding) => match *finding {
            Finding::Holds(fact) => Some(fact),
            _ => None,
        },
        _ => None,
    };
    let (slot, about) = known.map_or((None, String::new()), |fact| (fact.slot, fact.about));
    Finding::Ended(Ended {
        slot,
        about: if about.is_empty() { inner.to_owned() } else { about },
        statement: inner.to_owned(),
        how: Ending::Forgotten,
        quote: body.to_owned(),
        rule: rule.id.clone(),
    })
}
