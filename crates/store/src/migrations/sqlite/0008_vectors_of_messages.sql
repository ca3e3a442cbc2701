-- Messages have vectors, too. Vectors are derived: those there were are made again.
DROP TABLE vectors;

-- Vectors, one for each model of each memory, chunk or message, which take them along when they go. Components are
-- 32-bit floats, the lowest byte first.
CREATE TABLE vectors (
    space        TEXT    NOT NULL,
    memory       BLOB,
    document     TEXT,
    chunk        INTEGER,
    conversation TEXT,
    message      TEXT,
    model        TEXT    NOT NULL,
    dimension    INTEGER NOT NULL,
    revision     INTEGER NOT NULL,
    text_digest  BLOB    NOT NULL CHECK (length(text_digest) = 16),
    components   BLOB    NOT NULL,
    FOREIGN KEY (space, memory) REFERENCES memories (space, id) ON DELETE CASCADE,
    FOREIGN KEY (space, document, chunk) REFERENCES chunks (space, document, ordinal) ON DELETE CASCADE,
    FOREIGN KEY (space, conversation, message) REFERENCES messages (space, conversation, id) ON DELETE CASCADE,
    CHECK ((memory IS NOT NULL) + (document IS NOT NULL) + (conversation IS NOT NULL) = 1),
    CHECK ((document IS NULL) = (chunk IS NULL)),
    CHECK ((conversation IS NULL) = (message IS NULL)),
    CHECK (length(components) = 4 * dimension)
) STRICT;

CREATE UNIQUE INDEX vectors_of_memory ON vectors (space, memory, model, dimension) WHERE memory IS NOT NULL;

CREATE UNIQUE INDEX vectors_of_chunk ON vectors (space, document, chunk, model, dimension)
    WHERE document IS NOT NULL;

CREATE UNIQUE INDEX vectors_of_message ON vectors (space, conversation, message, model, dimension)
    WHERE conversation IS NOT NULL;

-- The model comes first, so that models nobody uses any more are found without reading all vectors.
CREATE INDEX vectors_of_model ON vectors (model, dimension, space, revision);
