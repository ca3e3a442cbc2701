//! What a query asks of this index: its terms, and what each is worth here.

use std::collections::HashMap;

use super::params::{AGAIN, Bm25, query_weight};
use super::postings::Postings;
use crate::text::{Term, TermKind};

/// More terms than this in one query tell no more and cost time: the most telling are taken.
const TERMS_MAX: usize = 256;

/// A term of the query that some live entry holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankQuery {
    pub(super) term: u32,
    pub(super) kind: TermKind,
    /// Rarity in the index times `k1 + 1`.
    rarity: f32,
    /// Rarity times weight in the query: the most that it can add to a score.
    pub(super) worth: f32,
}

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) asked: Vec<RankQuery>,
    /// For a query of one word: what an entry that holds all of it gets on top, so that no entry
    /// with only a part of it comes before.
    pub(super) whole_bonus: Option<f32>,
    /// How many words the whole is made of, those that no entry holds included.
    pub(super) words: usize,
    /// The most that an entry could score that holds every word of the query, were there one.
    pub(super) worth: f32,
}

impl Plan {
    pub(super) fn of(terms: &[Term], postings: &Postings, live: usize, params: Bm25) -> Plan {
        let mut asked: Vec<RankQuery> = Vec::with_capacity(terms.len().min(TERMS_MAX));
        let mut places: HashMap<&str, Option<usize>> = HashMap::with_capacity(terms.len());
        let (mut words, mut worth) = (0, 0.0);
        let rarity_of = |holders| idf(live, holders) * (params.k1 + 1.0);
        for term in terms {
            match places.get(term.text.as_str()) {
                Some(Some(place)) => {
                    let again: &mut RankQuery = &mut asked[*place];
                    again.worth += again.rarity * query_weight(term.kind) * AGAIN;
                }
                Some(None) => {}
                None => {
                    words += usize::from(term.kind == TermKind::Word);
                    let found = postings.find(&term.text);
                    if !matches!(term.kind, TermKind::Alias | TermKind::Part) {
                        let holders = found.map_or(0, |(_, holders)| holders);
                        worth += rarity_of(holders) * query_weight(term.kind);
                    }
                    let found = found.map(|(number, holders)| {
                        let rarity = rarity_of(holders);
                        let worth = rarity * query_weight(term.kind);
                        asked.push(RankQuery {
                            term: number,
                            kind: term.kind,
                            rarity,
                            worth,
                        });
                        asked.len() - 1
                    });
                    places.insert(&term.text, found);
                }
            }
        }
        keep_most_telling(&mut asked);
        let whole_bonus = is_one_word(terms).then(|| asked.iter().map(|asked| asked.worth).sum());
        Plan {
            asked,
            whole_bonus,
            words,
            worth,
        }
    }
}

impl Plan {
    /// What a query is worth here when all of it is found once in an entry of mean length.
    pub(super) fn ideal(query: &[Term], postings: &Postings, live: usize) -> f32 {
        let mut terms: Vec<&Term> = query.iter().collect();
        // Parts, grams and other spellings stand for words that are counted already, unless there
        // are no words.
        let is_word = |term: &&Term| matches!(term.kind, TermKind::Word | TermKind::Weak);
        if terms.iter().any(is_word) {
            terms.retain(is_word);
        }
        terms.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        terms.dedup_by(|a, b| a.text == b.text);
        let worth = |term: &&Term| {
            let holders = postings.find(&term.text).map_or(0, |(_, holders)| holders);
            idf(live, holders) * query_weight(term.kind)
        };
        // One occurrence in an entry of mean length: `k1 + 1` above and below the line.
        terms
            .iter()
            .take(TERMS_MAX)
            .map(worth)
            .sum::<f32>()
            .max(f32::MIN_POSITIVE)
    }
}

/// How telling a term is that `holders` of `live` entries hold. Never negative.
fn idf(live: usize, holders: u32) -> f32 {
    let (live, holders) = (live as f64, f64::from(holders));
    (1.0 + (live - holders + 0.5) / (holders + 0.5)).ln() as f32
}

fn is_one_word(terms: &[Term]) -> bool {
    terms
        .first()
        .is_some_and(|first| terms.iter().all(|term| term.word == first.word))
}

fn keep_most_telling(asked: &mut Vec<RankQuery>) {
    if asked.len() <= TERMS_MAX {
        return;
    }
    let mut worths: Vec<f32> = asked.iter().map(|asked| asked.worth).collect();
    worths.sort_unstable_by(|a, b| b.total_cmp(a));
    let least = worths[TERMS_MAX - 1];
    let mut room = TERMS_MAX - worths.iter().take_while(|worth| **worth > least).count();
    asked.retain(|asked| {
        let tied = asked.worth == least && room > 0;
        room -= usize::from(tied);
        asked.worth > least || tied
    });
}
