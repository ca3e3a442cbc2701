-- Which server is at the work of which space, so that several share it. A row is made when work is found, belongs to
-- its holder until its time has passed, and goes when the work is done. Times are the database's own: servers need not
-- agree about them.
CREATE TABLE recalld.claims (
    space  text COLLATE "C" NOT NULL REFERENCES recalld.spaces (space) ON DELETE CASCADE,
    job    text COLLATE "C" NOT NULL,
    holder text             NOT NULL,
    until  bigint           NOT NULL,
    PRIMARY KEY (space, job)
);
CREATE INDEX claims_by_time ON recalld.claims (job, until);
ALTER TABLE recalld.claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE recalld.claims FORCE ROW LEVEL SECURITY;
CREATE POLICY upkeep ON recalld.claims TO recalld_upkeep USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON recalld.claims TO recalld_upkeep;
