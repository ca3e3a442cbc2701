-- The era in which a space begins that is written to for the first time: the upper bits of its revisions. Erasing a
-- space begins a new one, so that no revision of its former life comes again. The mark tells this database from all
-- others, and goes with its backups: by it those who were erased here are known.
CREATE TABLE recalld.eras (
    one  integer NOT NULL PRIMARY KEY CHECK (one = 1),
    era  bigint  NOT NULL,
    mark uuid    NOT NULL
);
-- Before the wall is up: no role may add another row.
INSERT INTO recalld.eras (one, era, mark) VALUES (1, 0, gen_random_uuid());
ALTER TABLE recalld.eras ENABLE ROW LEVEL SECURITY;
ALTER TABLE recalld.eras FORCE ROW LEVEL SECURITY;
CREATE POLICY reading ON recalld.eras FOR SELECT TO recalld_user, recalld_shared, recalld_upkeep USING (true);
CREATE POLICY upkeep_beginning ON recalld.eras FOR UPDATE TO recalld_upkeep USING (true) WITH CHECK (true);
GRANT SELECT ON recalld.eras TO recalld_user, recalld_shared, recalld_upkeep;
GRANT UPDATE (era) ON recalld.eras TO recalld_upkeep;

-- The keys of a user go with the user's space.
CREATE POLICY upkeep_removing ON recalld.keys FOR DELETE TO recalld_upkeep USING (true);
GRANT DELETE ON recalld.keys TO recalld_upkeep;

-- Whether a version still refers to an event is asked for every event that goes.
CREATE INDEX memory_versions_of_event ON recalld.memory_versions (space, revision, ordinal);
