-- The keys by which callers prove who they are, as digests. They belong to no space.
CREATE TABLE keys (
    id           TEXT    NOT NULL PRIMARY KEY,
    digest       BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    kind         TEXT    NOT NULL,
    user         TEXT,
    namespace    TEXT,
    name         TEXT,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER,
    CHECK ((kind = 'user') = (user IS NOT NULL))
) STRICT, WITHOUT ROWID;
