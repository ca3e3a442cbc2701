-- The whole memory document of a user as one value, with everything that the document itself has. Its tokens are counted
-- by the server that wrote last and kept with the write; null where none has been kept yet.
CREATE OR REPLACE VIEW recalld.memory_documents WITH (security_invoker = true) AS
SELECT recalld.user_of(s.space) AS user_id,
       jsonb_build_object(
           'facts', coalesce(f.facts, '[]'::jsonb),
           'places_of_interest', coalesce(p.places, '[]'::jsonb),
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
