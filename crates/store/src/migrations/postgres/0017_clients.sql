-- What clients of other memory systems expect under the names that they know.

-- The places of the memory document also under the name that the clients of its source read.
CREATE OR REPLACE VIEW recalld.memory_documents WITH (security_invoker = true) AS
SELECT recalld.user_of(s.space) AS user_id,
       jsonb_build_object(
           'facts', coalesce(f.facts, '[]'::jsonb),
           'places_of_interest', coalesce(p.places, '[]'::jsonb),
           'placer_user_datapoints', coalesce(p.places, '[]'::jsonb),
           'metadata', jsonb_build_object(
               'last_updated', recalld.iso(greatest(f.touched, p.touched)),
               'total_facts', f.total, 'total_active_facts', f.active, 'total_pois', p.total,
               'token_count', (SELECT recalld.as_jsonb(r.value) -> 'token_count' FROM recalld.records r
                               WHERE r.space = s.space AND r.kind = 'document_figures' AND r.name = 'document'),
               'revision', s.revision, 'schema_version', '1.0')) AS document
FROM recalld.spaces s
CROSS JOIN LATERAL (
    SELECT jsonb_agg(
               recalld.fact(m.id, m.content, m.learned_at, m.conversation, m.message, m.retired_at IS NULL)
               ORDER BY m.learned_at, m.id) AS facts,
           max(m.revised_at) AS touched, count(*) AS total, count(*) FILTER (WHERE m.retired_at IS NULL) AS active
    FROM recalld.memories m WHERE m.space = s.space AND m.in_document
) AS f
CROSS JOIN LATERAL (
    SELECT jsonb_agg(
               jsonb_build_object(
                   'place_id', e.id, 'place_name', e.name, 'notes', e.notes, 'added_at', recalld.iso(e.added_at),
                   'mentioned_in', coalesce(n.mentioned_in, '{}'::jsonb))
               ORDER BY e.added_at, e.id) AS places,
           max(greatest(e.revised_at, n.touched)) AS touched, count(*) AS total
    FROM recalld.entities e
    CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(talk.conversation, talk.said) AS mentioned_in, max(talk.touched) AS touched
        FROM (SELECT t.conversation,
                     jsonb_agg(jsonb_build_array(t.message, recalld.iso(t.at)) ORDER BY t.revision, t.ordinal) AS said,
                     max(t.at) AS touched
              FROM recalld.mentions t WHERE t.space = e.space AND t.entity = e.id GROUP BY t.conversation) AS talk
    ) AS n
    WHERE e.space = s.space AND e.in_document AND e.kind = 'place' AND NOT e.retired
) AS p
WHERE s.space <> 'shared';

-- Conversations as LangChain writes messages (`messages_to_dict`), so that `messages_from_dict` reads them.
CREATE VIEW recalld.langchain_conversations WITH (security_invoker = true) AS
SELECT c.id AS session_id, recalld.user_of(c.space) AS user_id,
       coalesce(
           (SELECT jsonb_agg(
                jsonb_build_object(
                    'type', k.kind,
                    'data', jsonb_build_object(
                        'type', k.kind, 'content', m.content, 'id', m.id, 'name', m.sender,
                        'additional_kwargs', '{}'::jsonb, 'response_metadata', '{}'::jsonb)
                        || CASE k.kind
                               WHEN 'ai' THEN '{"tool_calls": [], "invalid_tool_calls": [], "usage_metadata": null}'::jsonb
                               ELSE '{}'::jsonb END)
                ORDER BY m.seq, m.id)
            FROM recalld.messages m
            CROSS JOIN LATERAL (
                SELECT CASE m.role WHEN 'user' THEN 'human' WHEN 'assistant' THEN 'ai' ELSE m.role END AS kind) AS k
            WHERE m.space = c.space AND m.conversation = c.id),
           '[]'::jsonb) AS messages,
       recalld.moment(c.touched_at) AS updated_at
FROM recalld.conversations c;

-- The plan is a text, and no longer a JSON value. A view's column cannot change its type, so the view is made anew,
-- unless something of the deployment's own reads it.
DO $$
BEGIN
    IF EXISTS (
        SELECT FROM pg_catalog.pg_rewrite w
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
        WHERE w.ev_class = to_regclass('public.user_context') AND d.refobjid = 'recalld.user_context'::regclass)
    THEN
        DROP VIEW public.user_context;
    END IF;
    DROP VIEW recalld.user_context;
    CREATE VIEW recalld.user_context WITH (security_invoker = true) AS
    SELECT recalld.user_of(r.space) AS user_id,
           jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) -> 'account' ->> 'plan' AS plan,
           jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) -> 'account' -> 'usage' AS usage,
           jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) -> 'account' -> 'preferences' AS preferences,
           jsonb_object_agg(r.name, recalld.as_jsonb(r.value)) AS context,
           recalld.moment(max(r.written_at)) AS updated_at
    FROM recalld.records r WHERE r.kind = 'profile' GROUP BY r.space;
EXCEPTION WHEN dependent_objects_still_exist THEN
    RAISE WARNING 'user_context.plan stays a JSON value, because something depends on the view: %', SQLERRM;
END
$$;

DO $$
DECLARE
    offered text;
BEGIN
    FOREACH offered IN ARRAY ARRAY['langchain_conversations', 'user_context']
    LOOP
        EXECUTE format('GRANT SELECT ON recalld.%I TO recalld_reader, recalld_user, recalld_upkeep', offered);
        IF has_schema_privilege('public', 'CREATE') AND to_regclass('public.' || offered) IS NULL THEN
            EXECUTE format(
                'CREATE VIEW public.%I WITH (security_invoker = true) AS SELECT * FROM recalld.%I', offered, offered);
            EXECUTE format('GRANT SELECT ON public.%I TO recalld_reader, recalld_user, recalld_upkeep', offered);
        END IF;
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'the views are not offered to other clients: %', SQLERRM;
END
$$;

-- match_memories and match_knowledge have one more argument, and so are other functions. They need pgvector and are no
-- numbered step: the former ones go here, and the migration makes the present ones at its end.
DO $$
DECLARE
    object record;
BEGIN
    FOR object IN
        SELECT DISTINCT p.oid::regprocedure AS name FROM pg_catalog.pg_proc p
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid
        JOIN pg_catalog.pg_proc o ON o.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_proc'::regclass
        WHERE p.pronamespace = 'public'::regnamespace AND o.proname = p.proname
          AND p.proname IN ('match_memories', 'match_knowledge') AND o.pronamespace = 'recalld'::regnamespace
    LOOP
        EXECUTE format('DROP FUNCTION %s', object.name);
    END LOOP;
    FOR object IN
        SELECT p.oid::regprocedure AS name FROM pg_catalog.pg_proc p
        WHERE p.pronamespace = 'recalld'::regnamespace AND p.proname IN ('match_memories', 'match_knowledge')
    LOOP
        EXECUTE format('DROP FUNCTION %s', object.name);
    END LOOP;
END
$$;
