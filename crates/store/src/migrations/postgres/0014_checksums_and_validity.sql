-- Checksums of what rows hold, so that damage is noticed when a row is read; null in rows written before, and in events
-- whose circumstances were erased. Memories and their versions have their columns in the same order.
-- The other columns of memories: when a statement holds in the world, what replaced it, which project it belongs to,
-- the passages it rests on (JSON), and whether a person has to look at it.
ALTER TABLE recalld.memories
    ADD COLUMN checksum      bigint,
    ADD COLUMN valid_from    bigint,
    ADD COLUMN valid_until   bigint,
    ADD COLUMN superseded_by uuid,
    ADD COLUMN project       text,
    ADD COLUMN evidence      text,
    ADD COLUMN review        text CHECK (review IN ('quarantined', 'confirmed'));

ALTER TABLE recalld.memory_versions
    ADD COLUMN checksum      bigint,
    ADD COLUMN valid_from    bigint,
    ADD COLUMN valid_until   bigint,
    ADD COLUMN superseded_by uuid,
    ADD COLUMN project       text,
    ADD COLUMN evidence      text,
    ADD COLUMN review        text;

ALTER TABLE recalld.events ADD COLUMN checksum bigint;
ALTER TABLE recalld.entities ADD COLUMN checksum bigint;
ALTER TABLE recalld.mentions ADD COLUMN checksum bigint;
ALTER TABLE recalld.records ADD COLUMN checksum bigint;
ALTER TABLE recalld.conversations ADD COLUMN checksum bigint;
ALTER TABLE recalld.messages ADD COLUMN checksum bigint;
ALTER TABLE recalld.documents ADD COLUMN checksum bigint;
ALTER TABLE recalld.chunks ADD COLUMN checksum bigint;
ALTER TABLE recalld.vectors ADD COLUMN checksum bigint;
