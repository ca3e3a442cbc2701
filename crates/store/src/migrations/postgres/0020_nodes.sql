-- What a database of several nodes needs, and one of a single node does not notice.

-- Moving a shard while it is written to copies changes row by row, so every table must tell its rows apart. This one has
-- no key that is never null: the whole row does it. It costs nothing unless the log is written for logical replication.
DO $$
DECLARE
    part regclass;
BEGIN
    ALTER TABLE recalld.vectors REPLICA IDENTITY FULL;
    FOR part IN SELECT inhrelid FROM pg_catalog.pg_inherits WHERE inhparent = 'recalld.vectors'::regclass
    LOOP
        EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', part);
    END LOOP;
END
$$;

-- match_memories and match_knowledge are written anew. The former ones go here, and the migration makes the present ones
-- at its end.
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
