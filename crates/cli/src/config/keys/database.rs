//! Settings of a PostgreSQL database.

use serde_json::json;

use super::super::database::Fallback;
use super::super::key::{Key, hidden};
use super::super::parse;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "database.url",
        about: "PostgreSQL database that stores the memories, instead of the data directory: postgres://user:password@host/database; none disables it",
        set: |values, text, _| {
            values.database.url = parse::optional(text).filter(|url| url != "none");
            Ok(())
        },
        get: |values| hidden(&values.database.url),
    },
    Key {
        name: "database.owner_url",
        about: "URL of the database for a role that may migrate it; database.url is for a role that owns nothing",
        set: |values, text, _| {
            values.database.owner_url = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.database.owner_url),
    },
    Key {
        name: "database.migrate",
        about: "whether a start applies missing schema migrations, if database.owner_url is set; otherwise run `recalld migrate`",
        set: |values, text, _| parse::truth(text).map(|migrate| values.database.migrate = migrate),
        get: |values| json!(values.database.migrate),
    },
    Key {
        name: "database.connections_max",
        about: "maximum number of connections per process",
        set: |values, text, _| parse::within(text, 1, 10_000).map(|n| values.database.connections_max = n),
        get: |values| json!(values.database.connections_max),
    },
    Key {
        name: "database.storage_vouched",
        about: "confirms that the storage below PostgreSQL preserves writes although fsync is off",
        set: |values, text, _| parse::truth(text).map(|vouched| values.database.storage_vouched = vouched),
        get: |values| json!(values.database.storage_vouched),
    },
    Key {
        name: "database.fallback",
        about: "what a server does if the database cannot be reached at its start: off (it ends) or memory (it serves without persistence, and stores what was written when the database is back)",
        set: |values, text, _| {
            let fallback = Fallback::ALL.into_iter().find(|one| one.as_str() == text.trim());
            values.database.fallback = fallback.ok_or("must be off or memory")?;
            Ok(())
        },
        get: |values| json!(values.database.fallback.as_str()),
    },
    Key {
        name: "database.tables_role",
        about: "role that reads your own tables for the profile, such as Supabase's authenticated",
        set: |values, text, _| {
            values.database.tables_role = text.to_owned();
            Ok(())
        },
        get: |values| json!(values.database.tables_role),
    },
    Key {
        name: "database.keep_vectors",
        about: "whether to store the vectors of the built-in model, for match_memories; requires pgvector",
        set: |values, text, _| parse::truth(text).map(|keep| values.database.keep_vectors = keep),
        get: |values| json!(values.database.keep_vectors),
    },
];
