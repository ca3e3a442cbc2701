-- Conversations, and their messages in order.
CREATE TABLE conversations (
    space      TEXT    NOT NULL REFERENCES spaces (space),
    id         TEXT    NOT NULL,
    revision   INTEGER NOT NULL,
    title      TEXT,
    began_at   INTEGER NOT NULL,
    touched_at INTEGER NOT NULL,
    last_seq   INTEGER NOT NULL,
    PRIMARY KEY (space, id)
) STRICT, WITHOUT ROWID;

-- Long rows in the order of writing, as memories are. The log tells which have changed. Numbers are not unique: they
-- may meet when a conversation is erased and begun again.
CREATE TABLE messages (
    space        TEXT    NOT NULL,
    conversation TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    seq          INTEGER NOT NULL,
    role         TEXT    NOT NULL,
    content      TEXT    NOT NULL,
    sender       TEXT,
    at           INTEGER NOT NULL,
    metadata     TEXT,
    PRIMARY KEY (space, conversation, id),
    FOREIGN KEY (space, conversation) REFERENCES conversations (space, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX messages_in_order ON messages (space, conversation, seq, id);
