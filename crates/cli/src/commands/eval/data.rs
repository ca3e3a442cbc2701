//! Reads a data set: the documents and queries of each user, and the judgements.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// A document.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Doc {
    user: String,
    pub(crate) id: String,
    pub(crate) text: String,
    #[serde(default)]
    ts: Option<String>,
    #[serde(default)]
    pub(crate) session: Option<String>,
    #[serde(default)]
    pub(crate) seq: Option<i64>,
}

impl Doc {
    /// When it was said, in milliseconds; within the same moment, in their order.
    pub(crate) fn time_ms(&self) -> i64 {
        let moment = self
            .ts
            .as_deref()
            .and_then(moment)
            .map_or(0, Timestamp::as_millisecond);
        moment.saturating_add(self.seq.unwrap_or(0))
    }
}

/// A query.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Query {
    pub(crate) user: String,
    pub(crate) id: String,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) category: Option<String>,
    /// Only documents with a smaller `seq` exist when the query runs.
    #[serde(default)]
    pub(crate) before_seq: Option<i64>,
    #[serde(default)]
    split: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Judgement {
    user: String,
    query: String,
    doc: String,
    rel: f64,
}

#[derive(Debug, Default, Deserialize)]
struct About {
    /// The smallest `rel` that counts.
    min_rel: Option<f64>,
    #[serde(default)]
    users: Vec<AboutUser>,
}

#[derive(Debug, Deserialize)]
struct AboutUser {
    user: String,
    split: Option<String>,
}

/// The data of one user.
#[derive(Debug, Default)]
pub(crate) struct User {
    pub(crate) docs: Vec<Doc>,
    pub(crate) queries: Vec<Query>,
    /// Gains of documents, by query.
    pub(crate) gains: HashMap<String, HashMap<String, f64>>,
}

/// A data set, by user.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) users: BTreeMap<String, User>,
}

impl Data {
    /// Reads a directory, with the queries of one split or all of them.
    pub(crate) fn read(directory: &Path, split: Option<&str>) -> Result<Data, Failure> {
        let about = about(&directory.join("users.json"))?;
        let split_of: HashMap<&str, &str> = about
            .users
            .iter()
            .filter_map(|user| Some((user.user.as_str(), user.split.as_deref()?)))
            .collect();
        let mut users: BTreeMap<String, User> = BTreeMap::new();
        for doc in lines::<Doc>(&directory.join("docs.jsonl"))? {
            users.entry(doc.user.clone()).or_default().docs.push(doc);
        }
        for query in lines::<Query>(&directory.join("queries.jsonl"))? {
            let own = query
                .split
                .as_deref()
                .or_else(|| split_of.get(query.user.as_str()).copied());
            if split.is_none_or(|wanted| own == Some(wanted)) {
                users.entry(query.user.clone()).or_default().queries.push(query);
            }
        }
        // What is judged not to be an answer is no gain, whatever the bound says.
        let least = about.min_rel.unwrap_or(1.0).max(f64::MIN_POSITIVE);
        for judged in lines::<Judgement>(&directory.join("qrels.jsonl"))? {
            if judged.rel >= least {
                let gains = &mut users.entry(judged.user).or_default().gains;
                gains
                    .entry(judged.query)
                    .or_default()
                    .insert(judged.doc, judged.rel);
            }
        }
        if users.values().all(|user| user.queries.is_empty()) {
            let which = split.map_or(String::new(), |split| format!(" of the split {split:?}"));
            let message = format!("{} has no questions{which}", directory.display());
            return Err(Failure::bad_input("data", message));
        }
        Ok(Data { users })
    }
}

fn about(path: &Path) -> Result<About, Failure> {
    if !path.exists() {
        return Ok(About::default());
    }
    serde_json::from_str(&text(path)?).map_err(|error| unreadable(path, &error))
}

/// Reads a file with one JSON object per line.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let text = text(path)?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            serde_json::from_str(line)
                .map_err(|error| unreadable(path, &format_args!("line {}: {error}", at + 1)))
        })
        .collect()
}

fn text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::bad_input("data", format!("{} cannot be read: {why}", path.display()))
        .hint("docs/recall.md describes the format")
}

/// Reads a time, a time without a zone (taken as UTC), or a day.
fn moment(raw: &str) -> Option<Timestamp> {
    let raw = raw.trim();
    let local = || raw.parse::<DateTime>().ok();
    let day = || raw.parse::<Date>().ok().map(|day| day.at(0, 0, 0, 0));
    raw.parse().ok().or_else(|| {
        let civil = local().or_else(day)?;
        Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        directory
    }

    const DOCS: &str = r#"{"user":"u","id":"d","text":"tea","ts":"2026-03-01","session":"","seq":2}"#;

    #[test]
    fn splits_and_least_relevance_are_honoured() {
        let files = directory(&[
            ("docs.jsonl", DOCS),
            (
                "queries.jsonl",
                "{\"user\":\"u\",\"id\":\"q\",\"text\":\"tea?\",\"split\":\"dev\"}\n\n{\"user\":\"u\",\"id\":\"r\",\"text\":\"?\"}",
            ),
            (
                "qrels.jsonl",
                "{\"user\":\"u\",\"query\":\"q\",\"doc\":\"d\",\"rel\":1}\n{\"user\":\"u\",\"query\":\"q\",\"doc\":\"e\",\"rel\":2}",
            ),
            (
                "users.json",
                r#"{"min_rel":2,"users":[{"user":"u","split":"test"}]}"#,
            ),
        ]);
        let asked = |split| {
            let data = Data::read(files.path(), split).map(|mut data| data.users.remove("u").unwrap());
            data.map(|user| {
                user.queries
                    .iter()
                    .map(|query| query.id.clone())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(asked(None).unwrap(), ["q", "r"]);
        assert_eq!(asked(Some("dev")).unwrap(), ["q"]);
        assert_eq!(asked(Some("test")).unwrap(), ["r"]);
        assert!(asked(Some("other")).is_err());
        let user = &Data::read(files.path(), None).unwrap().users["u"];
        assert_eq!(user.gains["q"], HashMap::from([("e".to_owned(), 2.0)]));
        assert_eq!(user.docs[0].time_ms(), 1_772_323_200_002);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let files = directory(&[("docs.jsonl", "{}\n")]);
        let failure = Data::read(files.path(), None).unwrap_err();
        assert!(
            failure.message.contains("docs.jsonl") && failure.message.contains("line 1"),
            "{failure:?}"
        );
        assert!(Data::read(Path::new("no such directory"), None).is_err());
    }

    #[test]
    fn times_come_in_several_forms() {
        for raw in [
            "2026-03-01",
            "2026-03-01T00:00:00",
            "2026-03-01T00:00:00Z",
            " 2026-03-01 ",
        ] {
            assert_eq!(
                moment(raw).map(Timestamp::as_second),
                Some(1_772_323_200),
                "{raw}"
            );
        }
        assert_eq!(moment(""), None);
        assert_eq!(moment("soon"), None);
    }
}
