-- The keys by which callers prove who they are, as digests. They belong to no space, so they have a wall of their own.
CREATE TABLE recalld.keys (
    id           text COLLATE "C" NOT NULL PRIMARY KEY,
    digest       bytea            NOT NULL UNIQUE CHECK (length(digest) = 32),
    kind         text             NOT NULL,
    owner        text,
    namespace    text,
    name         text,
    created_at   bigint           NOT NULL,
    last_used_at bigint,
    revoked_at   bigint,
    CHECK ((kind = 'user') = (owner IS NOT NULL))
);
ALTER TABLE recalld.keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE recalld.keys FORCE ROW LEVEL SECURITY;
CREATE POLICY gate ON recalld.keys TO recalld_gate USING (true) WITH CHECK (true);
CREATE POLICY upkeep_reading ON recalld.keys FOR SELECT TO recalld_upkeep USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON recalld.keys TO recalld_gate;
GRANT SELECT ON recalld.keys TO recalld_upkeep;
