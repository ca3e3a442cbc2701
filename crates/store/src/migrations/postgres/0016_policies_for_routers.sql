-- Policies compare the space with a function instead of a subquery. PostgreSQL inlines the function and evaluates it once
-- for each statement, as it did with the subquery; Citus sends a statement to one node only if its policies have no
-- subquery.
DO $$
DECLARE
    walled text;
BEGIN
    FOR walled IN
        SELECT tablename FROM pg_catalog.pg_policies WHERE schemaname = 'recalld' AND policyname = 'own'
    LOOP
        EXECUTE format(
            'ALTER POLICY own ON recalld.%I
             USING (space = recalld.own_space()) WITH CHECK (space = recalld.own_space())', walled);
    END LOOP;
END
$$;

CREATE OR REPLACE PROCEDURE recalld.wall(walled text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE recalld.%I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE recalld.%I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format(
        'CREATE POLICY own ON recalld.%I TO recalld_user, recalld_reader
         USING (space = recalld.own_space()) WITH CHECK (space = recalld.own_space())', walled);
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
