-- The schema and everything in it belong to a role of their own, which nobody serves as:
--   recalld_owner  owns the schema; later steps run as it
-- Until here they belonged to whichever role migrated, which usually also served.
DO $$
DECLARE
    privilege text := CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'recalld_owner') THEN
        BEGIN
            CREATE ROLE recalld_owner NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- Another database of this server was faster.
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'recalld_owner', privilege) THEN
        EXECUTE format('GRANT recalld_owner TO %I', current_user);
    END IF;
END
$$;

GRANT USAGE, CREATE ON SCHEMA recalld TO recalld_owner;

DO $$
DECLARE
    object record;
BEGIN
    -- Indexes and the types of rows follow their tables.
    FOR object IN
        SELECT c.oid::regclass AS name,
               CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END AS kind
        FROM pg_catalog.pg_class c
        WHERE c.relnamespace = 'recalld'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S', 'm')
        ORDER BY c.relispartition
    LOOP
        EXECUTE format('ALTER %s %s OWNER TO recalld_owner', object.kind, object.name);
    END LOOP;
    FOR object IN
        SELECT p.oid::regprocedure AS name FROM pg_catalog.pg_proc p WHERE p.pronamespace = 'recalld'::regnamespace
    LOOP
        EXECUTE format('ALTER ROUTINE %s OWNER TO recalld_owner', object.name);
    END LOOP;
END
$$;

-- The views and functions that are offered in public are ours if they read ours.
DO $$
DECLARE
    object record;
BEGIN
    GRANT USAGE, CREATE ON SCHEMA public TO recalld_owner;
    FOR object IN
        SELECT DISTINCT c.oid::regclass AS name FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_rewrite w ON w.ev_class = c.oid
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
        JOIN pg_catalog.pg_class o ON o.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_class'::regclass
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v' AND o.relname = c.relname
          AND o.relnamespace = 'recalld'::regnamespace
    LOOP
        EXECUTE format('ALTER VIEW %s OWNER TO recalld_owner', object.name);
    END LOOP;
    FOR object IN
        SELECT DISTINCT p.oid::regprocedure AS name FROM pg_catalog.pg_proc p
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid
        JOIN pg_catalog.pg_proc o ON o.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_proc'::regclass
        WHERE p.pronamespace = 'public'::regnamespace AND o.proname = p.proname
          AND o.pronamespace = 'recalld'::regnamespace
    LOOP
        EXECUTE format('ALTER ROUTINE %s OWNER TO recalld_owner', object.name);
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'the views and functions in public keep their owner: %', SQLERRM;
END
$$;

ALTER SCHEMA recalld OWNER TO recalld_owner;
