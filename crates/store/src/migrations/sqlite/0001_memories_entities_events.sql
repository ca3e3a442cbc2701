-- The first schema: spaces, memories with their history, entities with their mentions, and the audit log.
-- Every table is keyed by space first, and all but one clustered that way, so that reading one space touches few pages.
-- Times are microseconds since 1970, revisions count the writes to a space, ordinals the changes within a write.

CREATE TABLE spaces (
    space    TEXT    NOT NULL PRIMARY KEY,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a change, without content. The subject is the 16 bytes of a memory's id, or the text of another id.
CREATE TABLE events (
    space        TEXT    NOT NULL REFERENCES spaces (space),
    revision     INTEGER NOT NULL,
    ordinal      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    verb         TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    subject      BLOB    NOT NULL,
    actor        TEXT    NOT NULL,
    conversation TEXT,
    message      TEXT,
    source       TEXT,
    PRIMARY KEY (space, revision, ordinal)
) STRICT, WITHOUT ROWID;

-- The events of a memory are found through its states, which name them: an index would make every write a quarter
-- dearer. Only what has no states, or none any more, is looked up here.
CREATE INDEX events_of_others ON events (space, kind, subject, revision, ordinal) WHERE kind <> 'memory';
CREATE INDEX events_of_erasure ON events (space, kind, subject, revision, ordinal) WHERE verb = 'erase';

-- Each memory as it stands now. Its revision and ordinal name the event that made it so.
-- These rows are long, and lie in the order of writing: writes of many users at once then share their pages.
CREATE TABLE memories (
    space        TEXT    NOT NULL,
    id           BLOB    NOT NULL CHECK (length(id) = 16),
    revision     INTEGER NOT NULL,
    ordinal      INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    key          TEXT,
    content      TEXT    NOT NULL,
    category     TEXT    NOT NULL,
    tier         TEXT    NOT NULL,
    confidence   REAL    NOT NULL,
    origin       TEXT    NOT NULL,
    trust        TEXT    NOT NULL,
    source       TEXT,
    conversation TEXT,
    message      TEXT,
    learned_at   INTEGER NOT NULL,
    revised_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    retired_at   INTEGER,
    retired_why  TEXT,
    in_document  INTEGER NOT NULL CHECK (in_document IN (0, 1)),
    PRIMARY KEY (space, id),
    FOREIGN KEY (space, revision, ordinal) REFERENCES events (space, revision, ordinal),
    CHECK ((retired_at IS NULL) = (retired_why IS NULL))
) STRICT;

-- For upkeep: which spaces hold active memories whose time has passed.
CREATE INDEX memories_that_expire ON memories (expires_at, space)
    WHERE expires_at IS NOT NULL AND retired_at IS NULL;

-- The earlier states of each memory. The state of now is in memories alone: most memories never change,
-- and a new one costs one row.
CREATE TABLE memory_versions (
    space        TEXT    NOT NULL,
    id           BLOB    NOT NULL,
    revision     INTEGER NOT NULL,
    ordinal      INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    key          TEXT,
    content      TEXT    NOT NULL,
    category     TEXT    NOT NULL,
    tier         TEXT    NOT NULL,
    confidence   REAL    NOT NULL,
    origin       TEXT    NOT NULL,
    trust        TEXT    NOT NULL,
    source       TEXT,
    conversation TEXT,
    message      TEXT,
    learned_at   INTEGER NOT NULL,
    revised_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    retired_at   INTEGER,
    retired_why  TEXT,
    in_document  INTEGER NOT NULL CHECK (in_document IN (0, 1)),
    PRIMARY KEY (space, id, revision, ordinal),
    FOREIGN KEY (space, id) REFERENCES memories (space, id) ON DELETE CASCADE,
    FOREIGN KEY (space, revision, ordinal) REFERENCES events (space, revision, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE entities (
    space       TEXT    NOT NULL REFERENCES spaces (space),
    id          TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    notes       TEXT,
    added_at    INTEGER NOT NULL,
    revised_at  INTEGER NOT NULL,
    retired     INTEGER NOT NULL CHECK (retired IN (0, 1)),
    in_document INTEGER NOT NULL CHECK (in_document IN (0, 1)),
    PRIMARY KEY (space, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE mentions (
    space        TEXT    NOT NULL,
    entity       TEXT    NOT NULL,
    revision     INTEGER NOT NULL,
    ordinal      INTEGER NOT NULL,
    conversation TEXT    NOT NULL,
    message      TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    PRIMARY KEY (space, entity, revision, ordinal),
    FOREIGN KEY (space, entity) REFERENCES entities (space, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
