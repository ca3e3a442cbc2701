-- At which revision spaces stand is asked before every read, so it has a role and a policy of its own that cost little:
--   recalld_lookout  sees the revisions of the spaces that its transaction names, and nothing else
-- The names are in the setting recalld.spaces, one a line; no name holds a line's end.
DO $$
DECLARE
    privilege text := CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'recalld_lookout') THEN
        BEGIN
            CREATE ROLE recalld_lookout NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- Another database of this server was quicker.
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'recalld_lookout', privilege) THEN
        EXECUTE format('GRANT recalld_lookout TO %I', current_user);
    END IF;
END
$$;

GRANT USAGE ON SCHEMA recalld TO recalld_lookout;
GRANT SELECT (space, revision) ON recalld.spaces TO recalld_lookout;
CREATE POLICY lookout ON recalld.spaces FOR SELECT TO recalld_lookout
    USING (space = ANY (string_to_array(NULLIF(current_setting('recalld.spaces', true), ''), chr(10))));

-- The same as before, as one expression: the planner then writes it into each question, and nothing is called.
CREATE OR REPLACE FUNCTION recalld.own_space() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN NULLIF(NULLIF(current_setting('request.jwt.claims', true), '')::json ->> 'recalld_namespace', '') IS NULL
        THEN 'user:' || NULLIF(NULLIF(current_setting('request.jwt.claims', true), '')::json ->> 'sub', '')
    WHEN NULLIF(current_setting('request.jwt.claims', true), '')::json ->> 'recalld_namespace' ~ '^[a-z0-9_-]{1,64}$'
        THEN 'user@' || (NULLIF(current_setting('request.jwt.claims', true), '')::json ->> 'recalld_namespace') || ':'
            || NULLIF(NULLIF(current_setting('request.jwt.claims', true), '')::json ->> 'sub', '')
END;
