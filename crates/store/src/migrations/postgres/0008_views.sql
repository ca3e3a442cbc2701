-- What other clients read, with a user's own token, through PostgREST or plainly: views under the names that memory
-- systems on PostgreSQL use. Each runs with the rights of whoever asks, so the policies of the tables hold.

-- The user of a space; null for what is shared.
CREATE FUNCTION recalld.user_of(space text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN starts_with(space, 'user') THEN substr(space, strpos(space, ':') + 1) END;

CREATE FUNCTION recalld.moment(microseconds bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN TIMESTAMPTZ 'epoch' + microseconds / 1000000 * INTERVAL '1 second'
         + microseconds % 1000000 * INTERVAL '1 microsecond';

-- The same as JSON writes it, whatever a session says about dates.
CREATE FUNCTION recalld.iso(microseconds bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (to_jsonb(recalld.moment(microseconds) AT TIME ZONE 'UTC') #>> '{}') || 'Z';

CREATE FUNCTION recalld.now() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (extract(epoch FROM statement_timestamp()) * 1000000)::bigint;

-- A kept JSON text as jsonb. That type has no place for one character that JSON can write; it becomes the one that
-- stands for what could not be kept.
CREATE FUNCTION recalld.as_jsonb(value text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(value, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g')::jsonb;

CREATE VIEW recalld.agent_memories WITH (security_invoker = true) AS
SELECT m.id, recalld.user_of(m.space) AS user_id, m.key, m.content, m.category, m.tier, m.confidence, m.origin,
       m.source, m.conversation AS conversation_id, m.message AS message_id,
       recalld.moment(m.learned_at) AS created_at, recalld.moment(m.revised_at) AS updated_at,
       recalld.moment(m.expires_at) AS expires_at,
       (SELECT v.components FROM recalld.vectors v WHERE v.space = m.space AND v.memory = m.id
        ORDER BY v.revision DESC LIMIT 1) AS embedding
FROM recalld.memories m
WHERE m.retired_at IS NULL AND (m.expires_at IS NULL OR recalld.now() < m.expires_at);

CREATE VIEW recalld.agent_chats WITH (security_invoker = true) AS
SELECT c.id, c.title, recalld.user_of(c.space) AS user_id,
       recalld.moment(c.began_at) AS created_at, recalld.moment(c.touched_at) AS updated_at
FROM recalld.conversations c;

CREATE VIEW recalld.agent_messages WITH (security_invoker = true) AS
SELECT m.id, m.conversation AS conversation_id, recalld.user_of(m.space) AS user_id, m.seq, m.role, m.content,
       m.sender, recalld.as_jsonb(m.metadata) AS metadata, recalld.moment(m.at) AS created_at
FROM recalld.messages m;

CREATE VIEW recalld.agent_conversations WITH (security_invoker = true) AS
SELECT c.id AS session_id, recalld.user_of(c.space) AS user_id,
       coalesce(
           (SELECT jsonb_agg(
                jsonb_build_object('id', m.id, 'role', m.role, 'content', m.content, 'at', recalld.iso(m.at))
                ORDER BY m.seq, m.id)
            FROM recalld.messages m WHERE m.space = c.space AND m.conversation = c.id),
           '[]'::jsonb) AS messages,
       recalld.moment(c.touched_at) AS updated_at
FROM recalld.conversations c;

CREATE VIEW recalld.agent_working_memory WITH (security_invoker = true) AS
SELECT recalld.user_of(r.space) AS user_id,
       CASE WHEN r.name = 'user' THEN 'user' ELSE 'chat' END AS scope,
       CASE WHEN r.name <> 'user' THEN substr(r.name, strpos(r.name, ':') + 1) END AS conversation_id,
       recalld.as_jsonb(r.value) AS content, r.version, recalld.moment(r.written_at) AS updated_at
FROM recalld.records r WHERE r.kind = 'working_memory';

-- One row a user: every category of the structured context, and the account's three fields in columns of their own.
CREATE VIEW recalld.user_context WITH (security_invoker = true) AS
SELECT recalld.user_of(r.space) AS user_id,
       jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) -> 'account' -> 'plan' AS plan,
       jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) -> 'account' -> 'usage' AS usage,
       jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) -> 'account' -> 'preferences' AS preferences,
       jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) AS context,
       recalld.moment(max(r.written_at)) AS updated_at
FROM recalld.records r WHERE r.kind = 'profile' GROUP BY r.space;

CREATE VIEW recalld.knowledge_chunks WITH (security_invoker = true) AS
SELECT md5(c.space || E'\n' || c.document || E'\n' || c.ordinal)::uuid AS id, recalld.user_of(c.space) AS user_id,
       d.source, d.title, c.document AS document_id, c.ordinal, c.heading, c.content,
       (SELECT v.components FROM recalld.vectors v
        WHERE v.space = c.space AND v.document = c.document AND v.chunk = c.ordinal
        ORDER BY v.revision DESC LIMIT 1) AS embedding
FROM recalld.chunks c JOIN recalld.documents d ON d.space = c.space AND d.id = c.document;

CREATE VIEW recalld.memory_extraction_runs WITH (security_invoker = true) AS
SELECT r.name AS id, recalld.user_of(r.space) AS user_id,
       recalld.as_jsonb(r.value) ->> 'date' AS date, recalld.as_jsonb(r.value) ->> 'status' AS status,
       recalld.as_jsonb(r.value) -> 'tool_calls' AS tool_calls, recalld.as_jsonb(r.value) -> 'tokens' AS tokens,
       recalld.as_jsonb(r.value) ->> 'error' AS error, recalld.as_jsonb(r.value) AS details,
       recalld.moment(r.written_at) AS updated_at
FROM recalld.records r WHERE r.kind = 'run';

-- One fact of the memory document, as the document writes it.
CREATE FUNCTION recalld.fact(
    id uuid, content text, learned_at bigint, conversation text, message text, is_active boolean
) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN jsonb_build_object(
        'id', id, 'content', content, 'added_at', recalld.iso(learned_at),
        'source_conversation_id', conversation, 'source_message_id', message, 'is_active', is_active);

-- For administrators: which facts contain something, over all users. Who asks for their own document has few enough.
CREATE INDEX memories_as_facts ON recalld.memories USING gin (
    recalld.fact(id, content, learned_at, conversation, message, retired_at IS NULL) jsonb_path_ops) WHERE in_document;

CREATE VIEW recalld.memory_facts WITH (security_invoker = true) AS
SELECT recalld.user_of(m.space) AS user_id,
       recalld.fact(m.id, m.content, m.learned_at, m.conversation, m.message, m.retired_at IS NULL) AS fact
FROM recalld.memories m WHERE m.in_document;

-- The whole memory document of a user as one value.
CREATE VIEW recalld.memory_documents WITH (security_invoker = true) AS
SELECT recalld.user_of(s.space) AS user_id,
       jsonb_build_object(
           'facts', coalesce(
               (SELECT jsonb_agg(
                    recalld.fact(m.id, m.content, m.learned_at, m.conversation, m.message, m.retired_at IS NULL)
                    ORDER BY m.id)
                FROM recalld.memories m WHERE m.space = s.space AND m.in_document), '[]'::jsonb),
           'places_of_interest', coalesce(
               (SELECT jsonb_agg(
                    jsonb_build_object(
                        'place_id', e.id, 'place_name', e.name, 'notes', e.notes,
                        'added_at', recalld.iso(e.added_at),
                        'mentioned_in', coalesce(
                            (SELECT jsonb_object_agg(talk.conversation, talk.said)
                             FROM (SELECT n.conversation,
                                          jsonb_agg(jsonb_build_array(n.message, recalld.iso(n.at))
                                                    ORDER BY n.revision, n.ordinal) AS said
                                   FROM recalld.mentions n WHERE n.space = e.space AND n.entity = e.id
                                   GROUP BY n.conversation) AS talk), '{}'::jsonb))
                    ORDER BY e.added_at, e.id)
                FROM recalld.entities e
                WHERE e.space = s.space AND e.in_document AND e.kind = 'place' AND NOT e.retired), '[]'::jsonb),
           'metadata', jsonb_build_object('revision', s.revision, 'schema_version', 1)) AS document
FROM recalld.spaces s WHERE s.space <> 'shared';

GRANT SELECT ON recalld.spaces, recalld.memories, recalld.entities, recalld.mentions, recalld.records,
    recalld.conversations, recalld.messages, recalld.documents, recalld.chunks, recalld.vectors TO recalld_reader;

-- Each view is offered where clients look for it, unless the deployment has something of that name, or does not let us.
DO $$
DECLARE
    offered text;
BEGIN
    FOREACH offered IN ARRAY ARRAY[
        'agent_memories', 'agent_chats', 'agent_messages', 'agent_conversations', 'agent_working_memory',
        'user_context', 'knowledge_chunks', 'memory_extraction_runs', 'memory_facts', 'memory_documents']
    LOOP
        EXECUTE format('GRANT SELECT ON recalld.%I TO recalld_reader, recalld_user, recalld_upkeep', offered);
        IF has_schema_privilege('public', 'CREATE') AND to_regclass('public.' || offered) IS NULL THEN
            EXECUTE format(
                'CREATE VIEW public.%I WITH (security_invoker = true) AS SELECT * FROM recalld.%I', offered, offered);
            EXECUTE format('GRANT SELECT ON public.%I TO recalld_reader, recalld_user, recalld_upkeep', offered);
        END IF;
    END LOOP;
    -- Supabase gives this role to whoever is signed in.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN
        GRANT recalld_reader TO authenticated;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'the views are not offered to other clients: %', SQLERRM;
END
$$;
