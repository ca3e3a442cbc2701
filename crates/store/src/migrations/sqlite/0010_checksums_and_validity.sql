-- Checksums of what rows hold, so that damage is noticed when a row is read; null in rows written before, and in events
-- whose circumstances were erased. Memories and their versions have their columns in the same order.
-- The other columns of memories: when a statement holds in the world, what replaced it, which project it belongs to,
-- the passages it rests on (JSON), and whether a person has to look at it.
ALTER TABLE memories ADD COLUMN checksum INTEGER;
ALTER TABLE memories ADD COLUMN valid_from INTEGER;
ALTER TABLE memories ADD COLUMN valid_until INTEGER;
ALTER TABLE memories ADD COLUMN superseded_by BLOB CHECK (length(superseded_by) = 16);
ALTER TABLE memories ADD COLUMN project TEXT;
ALTER TABLE memories ADD COLUMN evidence TEXT;
ALTER TABLE memories ADD COLUMN review TEXT CHECK (review IN ('quarantined', 'confirmed'));

ALTER TABLE memory_versions ADD COLUMN checksum INTEGER;
ALTER TABLE memory_versions ADD COLUMN valid_from INTEGER;
ALTER TABLE memory_versions ADD COLUMN valid_until INTEGER;
ALTER TABLE memory_versions ADD COLUMN superseded_by BLOB;
ALTER TABLE memory_versions ADD COLUMN project TEXT;
ALTER TABLE memory_versions ADD COLUMN evidence TEXT;
ALTER TABLE memory_versions ADD COLUMN review TEXT;

ALTER TABLE events ADD COLUMN checksum INTEGER;
ALTER TABLE entities ADD COLUMN checksum INTEGER;
ALTER TABLE mentions ADD COLUMN checksum INTEGER;
ALTER TABLE records ADD COLUMN checksum INTEGER;
ALTER TABLE conversations ADD COLUMN checksum INTEGER;
ALTER TABLE messages ADD COLUMN checksum INTEGER;
ALTER TABLE documents ADD COLUMN checksum INTEGER;
ALTER TABLE chunks ADD COLUMN checksum INTEGER;
ALTER TABLE vectors ADD COLUMN checksum INTEGER;
