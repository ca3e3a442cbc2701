//! What one clause says.

use jiff::Timestamp;
use recalld_memory::slots::{Attribute, Slot, Subject};

use crate::extract::dates::{named, with_days};
use crate::extract::finding::{Correction, Ended, Ending, Fact, Finding, category};
use crate::extract::language::{Does, Groups, Language, Open, Rule};
use crate::extract::sentences::trimmed;

/// How sure is what somebody plainly says of themselves.
const SAID: f64 = 0.9;

/// The most characters of what is kept.
pub(super) const CONTENT_CHARS_MAX: usize = 400;

/// The most characters of what a keyed statement is about.
const ABOUT_CHARS_MAX: usize = 80;

/// What a clause is read with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'l> {
    pub(super) language: &'l Language,
    pub(super) said_at: Timestamp,
    /// Which patterns may match in this sentence.
    pub(super) open: &'l Open,
    /// Whether the sentence before spoke of somebody or something of the user.
    pub(super) after_others: bool,
}

/// A clause, and what it says.
#[derive(Debug)]
pub(super) struct ClauseRead<'t> {
    pub(super) text: &'t str,
    pub(super) finding: Option<Finding>,
    pub(super) skipped: Option<&'static str>,
    /// What it adds to the finding before it.
    pub(super) adds: Option<String>,
}

impl<'t> ClauseRead<'t> {
    pub(super) fn skipped(text: &'t str, why: &'static str) -> ClauseRead<'t> {
        ClauseRead {
            text,
            finding: None,
            skipped: Some(why),
            adds: None,
        }
    }
}

/// What a rule read.
struct Said<'s> {
    content: &'s str,
    quote: &'s str,
    groups: Groups<'s>,
}

impl Said<'_> {
    fn group(&self, name: &str) -> Option<&str> {
        Some(trimmed(self.groups.name(name)?)).filter(|text| !text.is_empty())
    }

    fn about(&self) -> String {
        self.group("v")
            .or_else(|| self.group("v2"))
            .unwrap_or("")
            .to_owned()
    }
}

/// Reads a clause. `quote` is the clause as it stands in the message; `follows` says that it goes
/// on where a clause about the user stopped.
pub(super) fn read_clause<'t>(
    context: &Context<'_>,
    text: &str,
    quote: &'t str,
    follows: bool,
) -> ClauseRead<'t> {
    let found = match matched(context, text, quote) {
        Matched::None if follows => continued(context, text, quote),
        found => found,
    };
    let found = match found {
        Matched::None => rewritten(context, text, quote, REWRITES_MAX),
        found => found,
    };
    let mut read = ClauseRead {
        text: quote,
        finding: None,
        skipped: None,
        adds: None,
    };
    match found {
        Matched::Finding(finding) => read.finding = Some(*finding),
        Matched::Skipped(why) => read.skipped = Some(why),
        Matched::None => {}
    }
    read
}

/// Reads a clause as it is, or in the plain order of words.
pub(super) fn understood(context: &Context<'_>, text: &str, quote: &str) -> Matched {
    match matched(context, text, quote) {
        Matched::None => rewritten(context, text, quote, REWRITES_MAX),
        found => found,
    }
}

pub(super) enum Matched {
    Finding(Box<Finding>),
    Skipped(&'static str),
    None,
}

/// Reads a fragment together with what it leaves out.
fn continued(context: &Context<'_>, text: &str, quote: &str) -> Matched {
    for continuation in &context.language.continues {
        if context.open.is_match(&continuation.pattern, text) {
            let whole = format!("{}{text}", continuation.with);
            let open = &context.language.gate.open(&whole);
            if let Matched::Finding(finding) = matched(&Context { open, ..*context }, &whole, quote) {
                return Matched::Finding(finding);
            }
        }
    }
    Matched::None
}

/// How often the words of a clause are put in another order.
const REWRITES_MAX: usize = 2;

/// Reads a clause of another order of words as the plain one: *as a nurse* says *I'm a nurse*.
fn rewritten(context: &Context<'_>, text: &str, quote: &str, more: usize) -> Matched {
    for rewrite in &context.language.rewrites {
        if !context.open.is_match(&rewrite.pattern, text) {
            continue;
        }
        let Some(plain) = rewrite
            .pattern
            .captures(text)
            .map(|groups| filled(&rewrite.to, &groups))
        else {
            continue;
        };
        let open = &context.language.gate.open(&plain);
        let context = &Context { open, ..*context };
        let found = match matched(context, &plain, quote) {
            Matched::None if 1 < more => rewritten(context, &plain, quote, more - 1),
            found => found,
        };
        if let Matched::Finding(finding) = found {
            return Matched::Finding(finding);
        }
    }
    Matched::None
}

/// A text with what the groups hold in the places of their names.
fn filled(to: &str, groups: &Groups<'_>) -> String {
    let mut made = String::with_capacity(2 * to.len());
    let mut rest = to;
    while let Some((before, (name, after))) = rest
        .split_once('{')
        .and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        made.push_str(before);
        made.push_str(groups.name(name).unwrap_or("").trim());
        rest = after;
    }
    made.push_str(rest);
    made.trim().to_owned()
}

/// The rules of a kind whose patterns match, in their order.
fn fitting<'l>(
    context: &Context<'l>,
    text: &str,
    wanted: impl Fn(&Rule) -> bool,
) -> impl Iterator<Item = &'l Rule> {
    let Context { language, open, .. } = *context;
    let rules = language.rules.iter();
    rules.filter(move |rule| open.lets(&rule.pattern) && wanted(rule) && rule.pattern.is_match(text))
}

/// The first rule that fits.
fn matched(context: &Context<'_>, text: &str, quote: &str) -> Matched {
    if CONTENT_CHARS_MAX < text.chars().count() {
        return Matched::None;
    }
    let Context { language, open, .. } = *context;
    let mut why = Matched::None;
    let tells = |rule: &Rule| !matches!(rule.does, Does::Remember | Does::Forget | Does::Adds);
    for rule in fitting(context, text, tells) {
        if rule.not.as_ref().is_some_and(|not| open.is_match(not, text)) {
            continue;
        }
        if rule.does == Does::Holds {
            if !rule.any_time && open.is_match(&language.passing, text) {
                why = Matched::Skipped("passing");
                continue;
            }
            if open.is_match(&language.hedged, text) {
                why = Matched::Skipped("not certain");
                continue;
            }
        }
        let Some(groups) = rule.pattern.captures(text) else {
            continue;
        };
        let content = groups.name("c").map_or(text, trimmed);
        let said = Said {
            content,
            quote,
            groups,
        };
        return Matched::Finding(Box::new(meant(context, rule, &said)));
    }
    why
}

fn meant(context: &Context<'_>, rule: &Rule, said: &Said<'_>) -> Finding {
    match rule.does {
        Does::Ends => {
            let day = named(said.content, context.language, context.said_at);
            Finding::Ended(Ended {
                slot: slot(rule, said),
                about: said.about(),
                statement: said.content.to_owned(),
                how: Ending::Until(day.map(|(first, _)| first)),
                quote: said.quote.to_owned(),
                rule: rule.id.clone(),
            })
        }
        Does::NotMe | Does::Corrects => Finding::Corrected(Correction {
            of: said.group("who").map(str::to_owned),
            value: said.group("v").map(str::to_owned),
            instead_of: said.group("old").map(str::to_owned),
            quote: said.quote.to_owned(),
            rule: rule.id.clone(),
        }),
        Does::Holds | Does::Remember | Does::Forget | Does::Adds => Finding::Holds(fact(context, rule, said)),
    }
}

fn fact(context: &Context<'_>, rule: &Rule, said: &Said<'_>) -> Fact {
    let slot = slot(rule, said);
    let about = said.about();
    let days = named(said.content, context.language, context.said_at);
    let short = about.chars().count() <= ABOUT_CHARS_MAX;
    Fact {
        content: with_days(said.content, days),
        about,
        key: slot.as_ref().and_then(Slot::key).filter(|_| short),
        category: category(rule.attribute),
        confidence: SAID,
        quote: said.quote.to_owned(),
        since: days.map(|(first, _)| first),
        opposite: rule.opposite,
        rule: Some(rule.id.clone()),
        slot,
    }
}

fn slot(rule: &Rule, said: &Said<'_>) -> Option<Slot> {
    let attribute = rule.attribute?;
    let of_word = |word: &str| Subject::of_word(word).unwrap_or_else(|| Subject::Thing(word.to_lowercase()));
    let subject = said.group("who").map(of_word).or_else(|| rule.subject.clone());
    let topic = said
        .group("topic")
        .map(|topic| topic.to_lowercase().replace([' ', '-'], "_"));
    let topic = topic.filter(|_| attribute == Attribute::Favourite);
    Some(Slot {
        subject: subject.unwrap_or(Subject::User),
        attribute,
        topic,
    })
}

/// Whether a clause says more of whom was spoken of last: *his name is Rex*.
pub(super) fn adds(context: &Context<'_>, text: &str) -> bool {
    fitting(context, text, |rule| rule.does == Does::Adds)
        .next()
        .is_some()
}

/// Reads a sentence as a whole, if a rule of this kind fits it: *could you be brief?* asks for
/// answers of a kind, and *my mail: ana@example.org* is no letter.
pub(super) fn read_as<'t>(context: &Context<'_>, body: &'t str, kind: &str) -> Option<ClauseRead<'t>> {
    fitting(context, body, |rule| rule.id.starts_with(kind)).next()?;
    let read = read_clause(context, body, body, false);
    let rule = read.finding.as_ref().and_then(Finding::rule);
    rule.is_some_and(|rule| rule.starts_with(kind)).then_some(read)
}
