-- Documents of the knowledge base, and the chunks they are found by.
CREATE TABLE recalld.documents (
    space      text COLLATE "C" NOT NULL REFERENCES recalld.spaces (space),
    id         text COLLATE "C" NOT NULL,
    revision   bigint           NOT NULL,
    source     text             NOT NULL,
    title      text,
    digest     text             NOT NULL,
    chunks     bigint           NOT NULL,
    added_at   bigint           NOT NULL,
    revised_at bigint           NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE INDEX documents_by_revision ON recalld.documents (space, revision);
CALL recalld.wall('documents');

CREATE TABLE recalld.chunks (
    space    text COLLATE "C" NOT NULL,
    document text COLLATE "C" NOT NULL,
    ordinal  bigint           NOT NULL,
    heading  text,
    content  text             NOT NULL,
    PRIMARY KEY (space, document, ordinal),
    FOREIGN KEY (space, document) REFERENCES recalld.documents (space, id) ON DELETE CASCADE
);
CALL recalld.wall('chunks');
