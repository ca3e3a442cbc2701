-- Vectors, one for each model of each memory or chunk, which take them along when they go. Components are 32-bit
-- floats, the lowest byte first.
CREATE TABLE vectors (
    space       TEXT    NOT NULL,
    memory      BLOB,
    document    TEXT,
    chunk       INTEGER,
    model       TEXT    NOT NULL,
    dimension   INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    text_digest BLOB    NOT NULL CHECK (length(text_digest) = 16),
    components  BLOB    NOT NULL,
    FOREIGN KEY (space, memory) REFERENCES memories (space, id) ON DELETE CASCADE,
    FOREIGN KEY (space, document, chunk) REFERENCES chunks (space, document, ordinal) ON DELETE CASCADE,
    CHECK ((memory IS NULL) <> (document IS NULL)),
    CHECK ((document IS NULL) = (chunk IS NULL)),
    CHECK (length(components) = 4 * dimension)
) STRICT;

CREATE UNIQUE INDEX vectors_of_memory ON vectors (space, memory, model, dimension) WHERE memory IS NOT NULL;

CREATE UNIQUE INDEX vectors_of_chunk ON vectors (space, document, chunk, model, dimension)
    WHERE document IS NOT NULL;

-- The model comes first, so that models nobody uses any more are found without reading all vectors.
CREATE INDEX vectors_of_model ON vectors (model, dimension, space, revision);
