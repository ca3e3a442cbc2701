-- Whose words an entity is. Those written before count as noted by an agent: they may be the user's, or may not.
ALTER TABLE recalld.entities ADD COLUMN trust text NOT NULL DEFAULT 'assistant'
    CHECK (trust IN ('user', 'inferred', 'assistant', 'import', 'tool', 'document'));

-- The memory that a memory would change, once a person confirms it. Both tables have their columns in the same order.
ALTER TABLE recalld.memories ADD COLUMN amends uuid;
ALTER TABLE recalld.memory_versions ADD COLUMN amends uuid;
