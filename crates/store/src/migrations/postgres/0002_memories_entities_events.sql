-- Spaces, memories with their history, entities with their mentions, and the audit log.
-- Every key begins with the space, so that rows of two users never meet: not in a reference, not in a duplicate, and
-- not on one shard. Names are compared byte by byte, so that their order is the same everywhere.
-- Times are microseconds since 1970, revisions count the writes to a space, ordinals the changes within a write.

CREATE TABLE recalld.spaces (
    space    text COLLATE "C" NOT NULL PRIMARY KEY,
    revision bigint           NOT NULL
);
CALL recalld.wall('spaces');

-- One row a change, without content.
CREATE TABLE recalld.events (
    space        text COLLATE "C" NOT NULL REFERENCES recalld.spaces (space),
    revision     bigint           NOT NULL,
    ordinal      bigint           NOT NULL,
    at           bigint           NOT NULL,
    verb         text COLLATE "C" NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    subject      text COLLATE "C" NOT NULL,
    actor        text             NOT NULL,
    conversation text,
    message      text,
    source       text,
    PRIMARY KEY (space, revision, ordinal)
);
CREATE INDEX events_of_subject ON recalld.events (space, kind, subject, revision, ordinal);
CREATE INDEX events_of_erasure ON recalld.events (space, kind, revision) WHERE verb = 'erase';
CALL recalld.wall('events');

-- Each memory as it stands now. Its revision and ordinal name the event that made it so.
CREATE TABLE recalld.memories (
    space        text COLLATE "C" NOT NULL,
    id           uuid             NOT NULL,
    revision     bigint           NOT NULL,
    ordinal      bigint           NOT NULL,
    version      bigint           NOT NULL,
    key          text,
    content      text             NOT NULL,
    category     text             NOT NULL,
    tier         text             NOT NULL,
    confidence   double precision NOT NULL,
    origin       text             NOT NULL,
    trust        text             NOT NULL,
    source       text,
    conversation text,
    message      text,
    learned_at   bigint           NOT NULL,
    revised_at   bigint           NOT NULL,
    expires_at   bigint,
    retired_at   bigint,
    retired_why  text,
    in_document  boolean          NOT NULL,
    PRIMARY KEY (space, id),
    FOREIGN KEY (space, revision, ordinal) REFERENCES recalld.events (space, revision, ordinal),
    CHECK ((retired_at IS NULL) = (retired_why IS NULL))
);
CREATE INDEX memories_by_revision ON recalld.memories (space, revision);
-- For upkeep: which spaces hold active memories whose time has passed.
CREATE INDEX memories_that_expire ON recalld.memories (expires_at, space)
    WHERE expires_at IS NOT NULL AND retired_at IS NULL;
CALL recalld.wall('memories');

-- The earlier states of each memory. The state of now is in memories alone.
CREATE TABLE recalld.memory_versions (
    LIKE recalld.memories,
    PRIMARY KEY (space, id, revision, ordinal),
    FOREIGN KEY (space, id) REFERENCES recalld.memories (space, id) ON DELETE CASCADE,
    FOREIGN KEY (space, revision, ordinal) REFERENCES recalld.events (space, revision, ordinal)
);
CALL recalld.wall('memory_versions');

CREATE TABLE recalld.entities (
    space       text COLLATE "C" NOT NULL REFERENCES recalld.spaces (space),
    id          text COLLATE "C" NOT NULL,
    revision    bigint           NOT NULL,
    kind        text             NOT NULL,
    name        text             NOT NULL,
    notes       text,
    added_at    bigint           NOT NULL,
    revised_at  bigint           NOT NULL,
    retired     boolean          NOT NULL,
    in_document boolean          NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE INDEX entities_by_revision ON recalld.entities (space, revision);
CALL recalld.wall('entities');

CREATE TABLE recalld.mentions (
    space        text COLLATE "C" NOT NULL,
    entity       text COLLATE "C" NOT NULL,
    revision     bigint           NOT NULL,
    ordinal      bigint           NOT NULL,
    conversation text             NOT NULL,
    message      text             NOT NULL,
    at           bigint           NOT NULL,
    PRIMARY KEY (space, entity, revision, ordinal),
    FOREIGN KEY (space, entity) REFERENCES recalld.entities (space, id) ON DELETE CASCADE
);
CALL recalld.wall('mentions');
