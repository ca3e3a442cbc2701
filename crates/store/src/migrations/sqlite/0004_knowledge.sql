-- Documents of the knowledge base, and the chunks they are found by.
CREATE TABLE documents (
    space      TEXT    NOT NULL REFERENCES spaces (space),
    id         TEXT    NOT NULL,
    revision   INTEGER NOT NULL,
    source     TEXT    NOT NULL,
    title      TEXT,
    digest     TEXT    NOT NULL,
    chunks     INTEGER NOT NULL,
    added_at   INTEGER NOT NULL,
    revised_at INTEGER NOT NULL,
    PRIMARY KEY (space, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX documents_by_revision ON documents (space, revision);

CREATE TABLE chunks (
    space    TEXT    NOT NULL,
    document TEXT    NOT NULL,
    ordinal  INTEGER NOT NULL,
    heading  TEXT,
    content  TEXT    NOT NULL,
    PRIMARY KEY (space, document, ordinal),
    FOREIGN KEY (space, document) REFERENCES documents (space, id) ON DELETE CASCADE
) STRICT;
