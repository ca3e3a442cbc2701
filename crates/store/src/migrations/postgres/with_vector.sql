-- The functions that Supabase clients call. They need pgvector, which may come later, so they are no numbered step.
-- They run with the rights of whoever calls them: the policies decide what is found, and the filter and the threshold
-- can only narrow it. With a threshold, only what is more similar is found.
-- They are PL/pgSQL, because Citus plans a statement for its nodes only when it is executed. So that a session's path
-- changes nothing, each keeps the path with which it was created, on which the extension's schema is.

CREATE OR REPLACE FUNCTION recalld.match_memories(
    query_embedding vector, match_count integer DEFAULT 5, filter_user_id text DEFAULT NULL,
    match_threshold double precision DEFAULT NULL
) RETURNS TABLE (id uuid, user_id text, content text, category text, similarity double precision)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path FROM CURRENT
AS $body$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT m.id, recalld.user_of(m.space), m.content, m.category, 1 - (v.components::vector <=> query_embedding)
    FROM recalld.vectors v JOIN recalld.memories m ON m.space = v.space AND m.id = v.memory
    WHERE v.dimension = vector_dims(query_embedding)
      AND m.retired_at IS NULL AND (m.expires_at IS NULL OR recalld.now() < m.expires_at)
      AND (filter_user_id IS NULL OR recalld.user_of(m.space) = filter_user_id)
      AND (match_threshold IS NULL OR 1 - (v.components::vector <=> query_embedding) > match_threshold)
    ORDER BY v.components::vector <=> query_embedding, m.id
    LIMIT least(greatest(match_count, 0), 1000);
END
$body$;

CREATE OR REPLACE FUNCTION recalld.match_knowledge(
    query_embedding vector, match_count integer DEFAULT 5, match_threshold double precision DEFAULT NULL
) RETURNS TABLE (id uuid, source text, heading text, content text, similarity double precision)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path FROM CURRENT
AS $body$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT md5(c.space || E'\n' || c.document || E'\n' || c.ordinal)::uuid, d.source, c.heading, c.content,
           1 - (v.components::vector <=> query_embedding)
    FROM recalld.vectors v
    JOIN recalld.chunks c ON c.space = v.space AND c.document = v.document AND c.ordinal = v.chunk
    JOIN recalld.documents d ON d.space = c.space AND d.id = c.document
    WHERE v.dimension = vector_dims(query_embedding)
      AND (match_threshold IS NULL OR 1 - (v.components::vector <=> query_embedding) > match_threshold)
    ORDER BY v.components::vector <=> query_embedding, c.document, c.ordinal
    LIMIT least(greatest(match_count, 0), 1000);
END
$body$;

DO $$
BEGIN
    IF has_schema_privilege('public', 'CREATE') THEN
        IF to_regproc('public.match_memories') IS NULL THEN
            CREATE FUNCTION public.match_memories(
                query_embedding vector, match_count integer DEFAULT 5, filter_user_id text DEFAULT NULL,
                match_threshold double precision DEFAULT NULL
            ) RETURNS TABLE (id uuid, user_id text, content text, category text, similarity double precision)
            LANGUAGE sql STABLE PARALLEL SAFE
            BEGIN ATOMIC
                SELECT f.* FROM recalld.match_memories(query_embedding, match_count, filter_user_id, match_threshold) AS f;
            END;
        END IF;
        IF to_regproc('public.match_knowledge') IS NULL THEN
            CREATE FUNCTION public.match_knowledge(
                query_embedding vector, match_count integer DEFAULT 5, match_threshold double precision DEFAULT NULL
            ) RETURNS TABLE (id uuid, source text, heading text, content text, similarity double precision)
            LANGUAGE sql STABLE PARALLEL SAFE
            BEGIN ATOMIC
                SELECT f.* FROM recalld.match_knowledge(query_embedding, match_count, match_threshold) AS f;
            END;
        END IF;
    END IF;
END
$$;
