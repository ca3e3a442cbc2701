-- The era in which a space begins that is written to for the first time: the upper bits of its revisions. Erasing a
-- space begins a new one, so that no revision of its former life comes again.
CREATE TABLE eras (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    era INTEGER NOT NULL
) STRICT;

INSERT INTO eras (one, era) VALUES (1, 0);
