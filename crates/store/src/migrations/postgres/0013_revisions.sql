-- The role that reads revisions gets a name that says so:
--   recalld_revisions  reads the revisions of the spaces that its transaction names, and nothing else
-- It is a new role rather than the old one renamed: roles belong to the whole server, and another database of the
-- server may still be at an earlier step. The old role goes as soon as no database refers to it.
DO $$
DECLARE
    privilege text := CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'recalld_revisions') THEN
        BEGIN
            CREATE ROLE recalld_revisions NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- Another database of this server was faster.
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'recalld_revisions', privilege) THEN
        EXECUTE format('GRANT recalld_revisions TO %I', current_user);
    END IF;
END
$$;

GRANT USAGE ON SCHEMA recalld TO recalld_revisions;
GRANT SELECT (space, revision) ON recalld.spaces TO recalld_revisions;
CREATE POLICY revisions ON recalld.spaces FOR SELECT TO recalld_revisions
    USING (space = ANY (string_to_array(NULLIF(current_setting('recalld.spaces', true), ''), chr(10))));

DROP POLICY IF EXISTS lookout ON recalld.spaces;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'recalld_lookout') THEN
        REVOKE ALL ON recalld.spaces FROM recalld_lookout;
        REVOKE ALL ON SCHEMA recalld FROM recalld_lookout;
        BEGIN
            DROP ROLE recalld_lookout;
        EXCEPTION WHEN dependent_objects_still_exist OR insufficient_privilege OR undefined_object THEN
            NULL; -- Another database still refers to it, an administrator created it, or another database was faster.
        END;
    END IF;
END
$$;
