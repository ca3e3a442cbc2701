-- JSON values under a kind and a name. The revision is that of the write which made the value so; a receipt is no
-- event, so nothing here refers to the log.
CREATE TABLE records (
    space      TEXT    NOT NULL REFERENCES spaces (space),
    kind       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    revision   INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    value      TEXT    NOT NULL,
    written_at INTEGER NOT NULL,
    PRIMARY KEY (space, kind, name)
) STRICT;

-- For upkeep: the receipts that nobody will ask for any more.
CREATE INDEX receipts_by_age ON records (written_at) WHERE kind = 'receipt';
