//! Every value that can be configured: its name, what it is for, how it is read and how it is
//! shown.

use std::path::Path;
use std::sync::LazyLock;

use recalld_agent::tools::ToolSet;
use recalld_memory::id::UserId;
use recalld_memory::policy::injection::Inject;
use recalld_server::TokenAlgorithm;
use serde_json::{Value, json};

use super::{Values, parse, shortened};
use crate::failure::Failure;
use crate::logging;
use crate::suggest;

/// One value of the configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Its name, with the table it is in: `memory.daily_days`.
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Reads it from text; the path is what a relative one starts from. Fails with what is wrong
    /// with it.
    pub(crate) set: fn(&mut Values, &str, &Path) -> Result<(), String>,
    pub(crate) get: fn(&Values) -> Value,
}

impl Key {
    /// Names the variable of the environment that sets it.
    pub(crate) fn variable(&self) -> String {
        format!("RECALLD_{}", self.name.replace('.', "_").to_uppercase())
    }
}

/// All of them, in the order in which they are shown.
pub(crate) static ALL: LazyLock<Vec<Key>> =
    LazyLock::new(|| BASIC.iter().chain(super::talk::KEYS).copied().collect());

const BASIC: &[Key] = &[
    Key {
        name: "data",
        about: "the directory in which the memories are kept",
        set: |values, text, base| {
            values.data = Some(base.join(parse::path(text)?));
            Ok(())
        },
        get: |values| json!(values.data.as_ref().map(|path| path.display().to_string())),
    },
    Key {
        name: "data_wait_ms",
        about: "how long to wait for another process that holds the data directory, in milliseconds",
        set: |values, text, _| parse::within(text, 0, 600_000).map(|n| values.data_wait_ms = n),
        get: |values| json!(values.data_wait_ms),
    },
    Key {
        name: "user",
        about: "the user whose memories are meant",
        set: |values, text, _| {
            let user = UserId::new(text).map_err(|error| format!("cannot be used: {error}"))?;
            values.user = user.as_str().to_owned();
            Ok(())
        },
        get: |values| json!(values.user),
    },
    Key {
        name: "log",
        about: "what is logged: error, warn, info, debug, trace, or TARGET=LEVEL,…",
        set: |values, text, _| match logging::is_valid(text) {
            true => {
                values.log = text.to_owned();
                Ok(())
            }
            false => Err(format!("is {:?}, which is not a log level", shortened(text))),
        },
        get: |values| json!(values.log),
    },
    Key {
        name: "model",
        about: "the model for semantic search: builtin, none, endpoint, or the name of an installed one",
        set: |values, text, _| parse::model_name(text).map(|name| values.model = name),
        get: |values| json!(values.model),
    },
    Key {
        name: "reranker",
        about: "the model that reads the best answers again: none, or the name of an installed cross-encoder",
        set: |values, text, _| parse::model_name(text).map(|name| values.reranker = name),
        get: |values| json!(values.reranker),
    },
    Key {
        name: "database.url",
        about: "a PostgreSQL database for the memories, in place of the directory: postgres://user:password@host/database",
        set: |values, text, _| {
            values.database.url = Some(text.to_owned()).filter(|url| !url.is_empty());
            Ok(())
        },
        // It holds a password, which is not shown.
        get: |values| json!(values.database.url.as_ref().map_or("", |_| "(set)")),
    },
    Key {
        name: "database.owner_url",
        about: "the address of the database for a role that may migrate it; `database.url` is for a role that owns nothing",
        set: |values, text, _| {
            values.database.owner_url = Some(text.to_owned()).filter(|url| !url.is_empty());
            Ok(())
        },
        get: |values| json!(values.database.owner_url.as_ref().map_or("", |_| "(set)")),
    },
    Key {
        name: "database.migrate",
        about: "whether a start migrates the database, if `database.owner_url` is set; otherwise `recalld migrate` does",
        set: |values, text, _| parse::truth(text).map(|migrate| values.database.migrate = migrate),
        get: |values| json!(values.database.migrate),
    },
    Key {
        name: "database.connections_max",
        about: "how many connections to the database one process has at the most",
        set: |values, text, _| parse::within(text, 1, 10_000).map(|n| values.database.connections_max = n),
        get: |values| json!(values.database.connections_max),
    },
    Key {
        name: "database.storage_vouched",
        about: "whether you vouch for a storage below PostgreSQL that keeps writes although fsync is off",
        set: |values, text, _| parse::truth(text).map(|vouched| values.database.storage_vouched = vouched),
        get: |values| json!(values.database.storage_vouched),
    },
    Key {
        name: "database.tables_role",
        about: "the role in which tables of your own are read for the profile, such as Supabase's authenticated",
        set: |values, text, _| {
            values.database.tables_role = text.to_owned();
            Ok(())
        },
        get: |values| json!(values.database.tables_role),
    },
    Key {
        name: "database.keep_vectors",
        about: "whether vectors of the built-in model are kept too, for match_memories; only where pgvector is there",
        set: |values, text, _| parse::truth(text).map(|keep| values.database.keep_vectors = keep),
        get: |values| json!(values.database.keep_vectors),
    },
    Key {
        name: "embedding.url",
        about: "the address of an OpenAI-compatible endpoint, up to and including its version",
        set: |values, text, _| {
            values.endpoint.url = Some(text.to_owned()).filter(|url| !url.is_empty());
            Ok(())
        },
        get: |values| json!(values.endpoint.url.as_deref().unwrap_or("")),
    },
    Key {
        name: "embedding.model",
        about: "the model's name at the endpoint",
        set: |values, text, _| {
            values.endpoint.model = Some(text.to_owned()).filter(|model| !model.is_empty());
            Ok(())
        },
        get: |values| json!(values.endpoint.model.as_deref().unwrap_or("")),
    },
    Key {
        name: "embedding.dimension",
        about: "the number of components of the endpoint's vectors; 0 if there is no endpoint",
        set: |values, text, _| {
            parse::within(text, 0, 16_384)
                .map(|count: usize| values.endpoint.dimension = Some(count).filter(|n| 0 < *n))
        },
        get: |values| json!(values.endpoint.dimension.unwrap_or(0)),
    },
    Key {
        name: "embedding.key",
        about: "the key that the endpoint asks for; better given by the environment than in a file",
        set: |values, text, _| {
            values.endpoint.key = Some(text.to_owned()).filter(|key| !key.is_empty());
            Ok(())
        },
        // A secret is not shown.
        get: |values| json!(values.endpoint.key.as_ref().map_or("", |_| "(set)")),
    },
    Key {
        name: "memory.durable_confidence_min",
        about: "the confidence (0 to 1) below which nothing becomes durable",
        set: |values, text, _| {
            parse::within(text, 0.0, 1.0).map(|share| values.memory.durable_confidence_min = share)
        },
        get: |values| json!(values.memory.durable_confidence_min),
    },
    Key {
        name: "memory.daily_days",
        about: "how many days a daily note is shown",
        set: |values, text, _| parse::within(text, 1, 36_500).map(|days| values.memory.daily_days = days),
        get: |values| json!(values.memory.daily_days),
    },
    Key {
        name: "memory.document_tokens_max",
        about: "the most tokens the memory document may have",
        set: |values, text, _| {
            parse::within(text, 200, 10_000_000).map(|tokens| values.memory.document_tokens_max = tokens)
        },
        get: |values| json!(values.memory.document_tokens_max),
    },
    Key {
        name: "memory.context_notes_days",
        about: "how many days back a context looks for daily notes",
        set: |values, text, _| {
            parse::within(text, 0, 36_500).map(|days| values.memory.context_notes_days = days)
        },
        get: |values| json!(values.memory.context_notes_days),
    },
    Key {
        name: "prompt.inject",
        about: "whose statements are put before a model unasked: user, user+assistant or all",
        set: |values, text, _| {
            let unknown = || {
                format!(
                    "is {:?}, which is not user, user+assistant or all",
                    shortened(text)
                )
            };
            values.memory.inject = Inject::parse(text).ok_or_else(unknown)?;
            Ok(())
        },
        get: |values| json!(values.memory.inject.as_str()),
    },
    Key {
        name: "memory.tool_tokens_max",
        about: "the most tokens of memories that the answer of a tool shows",
        set: |values, text, _| {
            parse::within(text, 50, 10_000_000).map(|tokens| values.memory.tool_tokens_max = tokens)
        },
        get: |values| json!(values.memory.tool_tokens_max),
    },
    Key {
        name: "memory.spaces_bytes_max",
        about: "how much of the users' memories is held in memory, such as 256 MiB",
        set: |values, text, _| parse::bytes(text).map(|bytes| values.memory.spaces_bytes_max = bytes),
        get: |values| json!(values.memory.spaces_bytes_max),
    },
    Key {
        name: "memory.bm25_k1",
        about: "BM25's saturation of repeated terms",
        set: |values, text, _| parse::within(text, 0.0, 10.0).map(|k1| values.memory.bm25_k1 = k1),
        get: |values| single(values.memory.bm25_k1),
    },
    Key {
        name: "memory.bm25_b",
        about: "BM25's correction for length",
        set: |values, text, _| parse::within(text, 0.0, 1.0).map(|b| values.memory.bm25_b = b),
        get: |values| single(values.memory.bm25_b),
    },
    Key {
        name: "knowledge.chunk_tokens_max",
        about: "the most tokens of a chunk that a document is cut into; for documents taken in from now on",
        set: |values, text, _| {
            parse::within(text, 50, 8_000).map(|tokens| values.memory.chunk_tokens_max = tokens)
        },
        get: |values| json!(values.memory.chunk_tokens_max),
    },
    Key {
        name: "knowledge.chunk_overlap_tokens",
        about: "how many tokens of a chunk the next one repeats at the most",
        set: |values, text, _| {
            parse::within(text, 0, 4_000).map(|tokens| values.memory.chunk_overlap_tokens = tokens)
        },
        get: |values| json!(values.memory.chunk_overlap_tokens),
    },
    Key {
        name: "profile.presets",
        about: "built-in categories of user context: b2b, account, with commas between them",
        set: |values, text, _| {
            let named = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            values.profile.presets = named.map(str::to_owned).collect();
            Ok(())
        },
        get: |values| json!(values.profile.presets.join(",")),
    },
    Key {
        name: "profile.categories",
        about: "a JSON file with categories of the deployment's own, which are added or replace those of the presets",
        set: |values, text, base| {
            values.profile.categories = match text.is_empty() {
                true => None,
                false => Some(base.join(parse::path(text)?)),
            };
            Ok(())
        },
        get: |values| {
            json!(
                values
                    .profile
                    .categories
                    .as_ref()
                    .map_or_else(String::new, |path| path.display().to_string())
            )
        },
    },
    Key {
        name: "server.listen",
        about: "the address that `recalld serve` listens on",
        set: |values, text, _| {
            values.server.listen = text.to_owned();
            Ok(())
        },
        get: |values| json!(values.server.listen),
    },
    Key {
        name: "server.public",
        about: "whether the server may listen where other machines reach it; callers need keys all the same",
        set: |values, text, _| parse::truth(text).map(|public| values.server.public = public),
        get: |values| json!(values.server.public),
    },
    Key {
        name: "server.body_bytes_max",
        about: "the most bytes of a request, such as 1 MiB",
        set: |values, text, _| parse::bytes(text).map(|bytes| values.server.body_bytes_max = bytes),
        get: |values| json!(values.server.body_bytes_max),
    },
    Key {
        name: "server.concurrent_max",
        about: "how many requests are served at a time; more are answered 503",
        set: |values, text, _| parse::within(text, 1, 100_000).map(|n| values.server.concurrent_max = n),
        get: |values| json!(values.server.concurrent_max),
    },
    Key {
        name: "server.per_key_second_max",
        about: "how many requests a key may make each second; more are answered 429",
        set: |values, text, _| {
            parse::within(text, 1, 1_000_000).map(|n| values.server.per_key_second_max = n)
        },
        get: |values| json!(values.server.per_key_second_max),
    },
    Key {
        name: "server.request_timeout_s",
        about: "how many seconds a request may take",
        set: |values, text, _| parse::within(text, 1, 3_600).map(|n| values.server.request_timeout_s = n),
        get: |values| json!(values.server.request_timeout_s),
    },
    Key {
        name: "server.url",
        about: "the address by which clients from outside reach the server, such as https://memory.example",
        set: |values, text, _| {
            values.server.url = Some(text.to_owned()).filter(|url| !url.is_empty());
            Ok(())
        },
        get: |values| json!(values.server.url.as_deref().unwrap_or("")),
    },
    Key {
        name: "server.tool_sets",
        about: "the sets of tools that MCP clients are shown, with commas between them; all, if none is named",
        set: |values, text, _| {
            let named = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            let sets: Option<Vec<ToolSet>> = named.map(ToolSet::parse).collect();
            let known = ToolSet::ALL.map(ToolSet::as_str).join(", ");
            values.server.tool_sets =
                sets.ok_or_else(|| format!("is {:?}; known are {known}", shortened(text)))?;
            Ok(())
        },
        get: |values| {
            let names = values.server.tool_sets.iter().map(|set| set.as_str());
            json!(names.collect::<Vec<_>>().join(","))
        },
    },
    Key {
        name: "server.cors_origins",
        about: "pages of these origins may call from a browser, with commas between them",
        set: |values, text, _| {
            let origins = text.split(',').map(str::trim).filter(|origin| !origin.is_empty());
            values.server.cors_origins = origins.map(str::to_owned).collect();
            Ok(())
        },
        get: |values| json!(values.server.cors_origins.join(",")),
    },
    Key {
        name: "server.jwt_secret",
        about: "the secret (HS256) of the issuer whose tokens are accepted",
        set: |values, text, _| {
            values.server.jwt_secret = Some(text.to_owned()).filter(|secret| !secret.is_empty());
            Ok(())
        },
        // A secret is not shown.
        get: |values| json!(values.server.jwt_secret.as_ref().map_or("", |_| "(set)")),
    },
    Key {
        name: "server.jwt_jwks_url",
        about: "where the issuer whose tokens are accepted publishes its keys (RS256, ES256), instead of a secret",
        set: |values, text, _| {
            values.server.jwt_jwks_url = Some(text.to_owned()).filter(|url| !url.is_empty());
            Ok(())
        },
        get: |values| json!(values.server.jwt_jwks_url.as_deref().unwrap_or("")),
    },
    Key {
        name: "server.jwt_algorithms",
        about: "the algorithms of published keys that are accepted: RS256, ES256, with commas between them",
        set: |values, text, _| {
            let named = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            let known = named.map(|name| {
                TokenAlgorithm::ALL
                    .into_iter()
                    .find(|known| known.as_str() == name)
            });
            let known: Option<Vec<TokenAlgorithm>> = known.collect();
            values.server.jwt_algorithms = known
                .filter(|known| !known.is_empty())
                .ok_or_else(|| format!("is {:?}; it can be RS256, ES256 or both", shortened(text)))?;
            Ok(())
        },
        get: |values| {
            let names = values.server.jwt_algorithms.iter().map(|known| known.as_str());
            json!(names.collect::<Vec<_>>().join(","))
        },
    },
    Key {
        name: "server.jwt_issuer",
        about: "what the `iss` of a token must be",
        set: |values, text, _| {
            values.server.jwt_issuer = Some(text.to_owned()).filter(|issuer| !issuer.is_empty());
            Ok(())
        },
        get: |values| json!(values.server.jwt_issuer.as_deref().unwrap_or("")),
    },
    Key {
        name: "server.jwt_audience",
        about: "what the `aud` of a token must name",
        set: |values, text, _| {
            values.server.jwt_audience = Some(text.to_owned()).filter(|audience| !audience.is_empty());
            Ok(())
        },
        get: |values| json!(values.server.jwt_audience.as_deref().unwrap_or("")),
    },
    Key {
        name: "mcp.url",
        about: "the server that `recalld mcp` passes everything on to; without it, the data directory is used",
        set: |values, text, _| {
            values.remote.url = Some(text.to_owned()).filter(|url| !url.is_empty());
            Ok(())
        },
        get: |values| json!(values.remote.url.as_deref().unwrap_or("")),
    },
    Key {
        name: "mcp.key",
        about: "the key for that server; better given by the environment than in a file",
        set: |values, text, _| {
            values.remote.key = Some(text.to_owned()).filter(|key| !key.is_empty());
            Ok(())
        },
        // A secret is not shown.
        get: |values| json!(values.remote.key.as_ref().map_or("", |_| "(set)")),
    },
];

/// Shows a number of single precision as it was written, without the digits that double precision
/// adds.
fn single(number: f32) -> Value {
    json!(number.to_string().parse::<f64>().unwrap_or_default())
}

/// Finds a key by name, or else the name that may have been meant.
pub(crate) fn find(name: &str) -> Result<&'static Key, Option<&'static str>> {
    let found = ALL.iter().find(|key| key.name == name);
    found.ok_or_else(|| {
        // A key without its table is the likeliest slip.
        let bare = |key: &&Key| key.name.rsplit('.').next() == Some(name);
        let full = ALL.iter().find(bare).map(|key| key.name);
        let tables = ALL.iter().filter_map(|key| Some(key.name.rsplit_once('.')?.0));
        full.or_else(|| suggest::nearest(name, ALL.iter().map(|key| key.name).chain(tables)))
    })
}

/// Refuses a key that does not exist.
pub(crate) fn unknown(name: &str, place: &str, guess: Option<&str>) -> Failure {
    let message = format!("{place}: there is no setting {:?}", shortened(name));
    let hint = match guess {
        Some(guess) => format!("did you mean `{guess}`?"),
        None => "`recalld config` lists the settings".to_owned(),
    };
    Failure::bad_input("configuration", message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The defaults must be acceptable as given, or a template with all of them would be refused.
    #[test]
    fn every_default_reads_back() {
        for key in ALL.iter().filter(|key| key.name != "data") {
            let mut values = Values::default();
            let shown = (key.get)(&values);
            let text = shown.as_str().map_or_else(|| shown.to_string(), str::to_owned);
            (key.set)(&mut values, &text, Path::new("")).unwrap();
            assert_eq!((key.get)(&values), shown, "{}", key.name);
        }
    }

    #[test]
    fn a_mistyped_key_is_recognised() {
        assert_eq!(find("memory.dayly_days").unwrap_err(), Some("memory.daily_days"));
        assert_eq!(find("daily_days").unwrap_err(), Some("memory.daily_days"));
        assert_eq!(find("memry").unwrap_err(), Some("memory"));
        assert_eq!(find("colour").unwrap_err(), None);
    }
}
