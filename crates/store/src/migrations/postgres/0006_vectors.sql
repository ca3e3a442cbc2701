-- Vectors, one for each model of each memory, chunk or message, which take them along when they go. They are plain
-- arrays, so that nothing but the functions for other clients needs the extension.
CREATE TABLE recalld.vectors (
    space        text COLLATE "C" NOT NULL,
    memory       uuid,
    document     text COLLATE "C",
    chunk        bigint,
    conversation text COLLATE "C",
    message      text COLLATE "C",
    model        text COLLATE "C" NOT NULL,
    dimension    bigint           NOT NULL,
    revision     bigint           NOT NULL,
    ordinal      bigint           NOT NULL,
    text_digest  bytea            NOT NULL CHECK (length(text_digest) = 16),
    components   real[]           NOT NULL,
    FOREIGN KEY (space, memory) REFERENCES recalld.memories (space, id) ON DELETE CASCADE,
    FOREIGN KEY (space, document, chunk) REFERENCES recalld.chunks (space, document, ordinal) ON DELETE CASCADE,
    FOREIGN KEY (space, conversation, message)
        REFERENCES recalld.messages (space, conversation, id) ON DELETE CASCADE,
    CHECK (num_nonnulls(memory, document, conversation) = 1),
    CHECK ((document IS NULL) = (chunk IS NULL)),
    CHECK ((conversation IS NULL) = (message IS NULL)),
    CHECK (cardinality(components) = dimension)
);
CREATE UNIQUE INDEX vectors_of_memory ON recalld.vectors (space, memory, model, dimension) WHERE memory IS NOT NULL;
CREATE UNIQUE INDEX vectors_of_chunk ON recalld.vectors (space, document, chunk, model, dimension)
    WHERE document IS NOT NULL;
CREATE UNIQUE INDEX vectors_of_message ON recalld.vectors (space, conversation, message, model, dimension)
    WHERE conversation IS NOT NULL;
-- The model comes first, so that models nobody uses any more are found without reading all vectors.
CREATE INDEX vectors_of_model ON recalld.vectors (model, dimension, space, revision);
CALL recalld.wall('vectors');
