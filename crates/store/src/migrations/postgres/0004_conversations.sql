-- Conversations, and their messages in order. Numbers are not unique: they may meet when a conversation is erased and
-- begun again.
CREATE TABLE recalld.conversations (
    space      text COLLATE "C" NOT NULL REFERENCES recalld.spaces (space),
    id         text COLLATE "C" NOT NULL,
    revision   bigint           NOT NULL,
    title      text,
    began_at   bigint           NOT NULL,
    touched_at bigint           NOT NULL,
    last_seq   bigint           NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE INDEX conversations_by_revision ON recalld.conversations (space, revision);
CALL recalld.wall('conversations');

CREATE TABLE recalld.messages (
    space        text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    id           text COLLATE "C" NOT NULL,
    revision     bigint           NOT NULL,
    seq          bigint           NOT NULL,
    role         text             NOT NULL,
    content      text             NOT NULL,
    sender       text,
    at           bigint           NOT NULL,
    metadata     text,
    PRIMARY KEY (space, conversation, id),
    FOREIGN KEY (space, conversation) REFERENCES recalld.conversations (space, id) ON DELETE CASCADE
);
CREATE INDEX messages_in_order ON recalld.messages (space, conversation, seq, id);
CREATE INDEX messages_by_revision ON recalld.messages (space, revision);
CALL recalld.wall('messages');
