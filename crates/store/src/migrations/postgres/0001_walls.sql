-- Who may do what. Every transaction takes on one of these roles for itself alone. None of them can log in, owns
-- anything, or passes by row-level security; roles belong to the whole server, so they may be there already.
--   recalld_user    one user's own space, told by the claims of the request
--   recalld_shared  the shared space
--   recalld_upkeep  looks across spaces and removes, for jobs and figures; never for a request of a user
--   recalld_gate    the keys by which callers prove who they are
--   recalld_reader  reads one's own and what is shared; for tokens that come through PostgREST
DO $$
DECLARE
    wanted text;
    -- Since version 16 a member may be one who cannot take on the role.
    privilege text := CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['recalld_user', 'recalld_shared', 'recalld_upkeep', 'recalld_gate', 'recalld_reader']
    LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION', wanted);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL; -- Another database of this server was quicker.
            END;
        END IF;
        IF NOT pg_has_role(current_user, wanted, privilege) THEN
            EXECUTE format('GRANT %I TO %I', wanted, current_user);
        END IF;
    END LOOP;
END
$$;

GRANT USAGE ON SCHEMA recalld TO recalld_user, recalld_shared, recalld_upkeep, recalld_gate, recalld_reader;
GRANT SELECT ON recalld.migrations TO recalld_upkeep;

-- Names the space of whoever the request is for, as PostgREST and recalld tell it: null when nobody is told.
-- The body is bound to its names here and now, whatever path a session searches later.
CREATE FUNCTION recalld.own_space() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE
        WHEN c.namespace IS NULL THEN 'user:' || c.sub
        WHEN c.namespace ~ '^[a-z0-9_-]{1,64}$' THEN 'user@' || c.namespace || ':' || c.sub
    END
    FROM (
        SELECT NULLIF(claims ->> 'sub', '') AS sub, NULLIF(claims ->> 'recalld_namespace', '') AS namespace
        FROM (SELECT NULLIF(current_setting('request.jwt.claims', true), '')::json AS claims) AS told
    ) AS c;
END;

-- Puts a table that is keyed by space behind its wall. For the steps of the schema alone.
CREATE PROCEDURE recalld.wall(walled text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE recalld.%I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE recalld.%I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format(
        'CREATE POLICY own ON recalld.%I TO recalld_user, recalld_reader
         USING (space = (SELECT recalld.own_space())) WITH CHECK (space = (SELECT recalld.own_space()))', walled);
    EXECUTE format(
        'CREATE POLICY shared ON recalld.%I TO recalld_shared
         USING (space = ''shared'') WITH CHECK (space = ''shared'')', walled);
    EXECUTE format(
        'CREATE POLICY shared_reading ON recalld.%I FOR SELECT TO recalld_reader USING (space = ''shared'')', walled);
    EXECUTE format('CREATE POLICY upkeep_reading ON recalld.%I FOR SELECT TO recalld_upkeep USING (true)', walled);
    EXECUTE format('CREATE POLICY upkeep_removing ON recalld.%I FOR DELETE TO recalld_upkeep USING (true)', walled);
    EXECUTE format(
        'GRANT SELECT, INSERT, UPDATE, DELETE ON recalld.%I TO recalld_user, recalld_shared', walled);
    EXECUTE format('GRANT SELECT, DELETE ON recalld.%I TO recalld_upkeep', walled);
END
$$;

REVOKE ALL ON PROCEDURE recalld.wall(text) FROM PUBLIC;
