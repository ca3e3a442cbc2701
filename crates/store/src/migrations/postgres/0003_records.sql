-- JSON values under a kind and a name. They are text: what is read is what was written, to the order of its fields.
CREATE TABLE recalld.records (
    space      text COLLATE "C" NOT NULL REFERENCES recalld.spaces (space),
    kind       text COLLATE "C" NOT NULL,
    name       text COLLATE "C" NOT NULL,
    revision   bigint           NOT NULL,
    version    bigint           NOT NULL,
    value      text             NOT NULL,
    written_at bigint           NOT NULL,
    PRIMARY KEY (space, kind, name)
);
-- For upkeep: the receipts that nobody will ask for any more, and the spaces that hold something of a kind.
CREATE INDEX receipts_by_age ON recalld.records (written_at) WHERE kind = 'receipt';
CREATE INDEX records_by_kind ON recalld.records (kind, space) WHERE kind <> 'receipt';
CALL recalld.wall('records');
