//! Objects in our schema that no migration created, and objects elsewhere that reach our tables
//! past their policies. Each statement words what it finds, and what fixes it.

use super::expected::{OWNER, ROUTINES, VIEWS, table_names};
use crate::postgres::migrate::WITH_VECTOR;
use crate::postgres::statement::Statement;

/// Returns the queries, each with the columns `message` and `fix`.
pub(super) fn statements() -> Vec<Statement> {
    let relations = [table_names(), VIEWS.to_vec()].concat();
    vec![
        Statement::new(FOREIGN_RELATIONS)
            .with(table_names())
            .with(VIEWS.to_vec()),
        Statement::new(FOREIGN_ROUTINES)
            .with(ROUTINES.to_vec())
            .with(WITH_VECTOR),
        Statement::new(OWNERS)
            .with(OWNER)
            .with(relations)
            .with(ROUTINES.to_vec()),
        Statement::new(TRIGGERS),
        Statement::new(RULES),
        Statement::new(CHILDREN),
        Statement::new(REFERENCES),
        Statement::new(DEFAULT_PRIVILEGES),
        Statement::new(READERS_ELSEWHERE).with(VIEWS.to_vec()),
        Statement::new(DEFINERS_ELSEWHERE),
    ]
}

// Partitions of our tables are ours, and so are their shards on a node of a Citus cluster.
const FOREIGN_RELATIONS: &str = "
    SELECT format('the %s recalld.%I is not one of recalld''s', k.kind, c.relname),
           format('DROP %s recalld.%I;', upper(k.kind), c.relname)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN (VALUES ('r', 'table'), ('p', 'table'), ('v', 'view'), ('m', 'materialized view'), ('f', 'foreign table'),
                 ('S', 'sequence')) AS k (relkind, kind) ON k.relkind = c.relkind::text
    WHERE n.nspname = 'recalld'
      AND NOT (c.relkind IN ('r', 'p') AND c.relname = ANY ($1))
      AND NOT (c.relkind = 'v' AND c.relname = ANY ($2))
      AND NOT (c.relkind IN ('r', 'p') AND c.relispartition AND EXISTS (
          SELECT FROM pg_catalog.pg_class t WHERE t.oid = pg_partition_root(c.oid) AND t.relname = ANY ($1)
            AND t.relnamespace = n.oid))
      AND NOT (c.relkind = 'r' AND regexp_replace(c.relname, '_[0-9]+$', '') = ANY ($1)
          AND EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extname = 'citus'))
    UNION ALL
    SELECT format('the table recalld.%I is unlogged: a crash empties it', c.relname),
           format('ALTER TABLE recalld.%I SET LOGGED;', c.relname)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND c.relkind = 'r' AND c.relpersistence = 'u'";

const FOREIGN_ROUTINES: &str = "
    SELECT format('the function %s is not one of recalld''s', p.oid::regprocedure),
           format('DROP ROUTINE %s;', p.oid::regprocedure)
    FROM (SELECT p.oid, p.proname || '/' || p.pronargs = ANY ($1)
                 AND row_number() OVER (PARTITION BY p.proname ORDER BY p.oid) = 1 AS is_ours
          FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
          WHERE n.nspname = 'recalld') AS p
    WHERE NOT p.is_ours
    UNION ALL
    SELECT format('the function %s runs with the rights of its owner', p.oid::regprocedure),
           format('ALTER ROUTINE %s SECURITY INVOKER;', p.oid::regprocedure)
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = 'recalld' AND p.prosecdef
    UNION ALL
    SELECT format('the function %s was replaced', p.oid::regprocedure), 'restore the newest backup'
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language l ON l.oid = p.prolang
    WHERE n.nspname = 'recalld' AND p.proname || '/' || p.pronargs = ANY ($1)
      AND CASE
          WHEN p.proname = 'wall' THEN false
          WHEN p.proname LIKE 'match\\_%' THEN l.lanname <> 'plpgsql' OR strpos($2, '$body$' || p.prosrc || '$body$') = 0
              OR NOT coalesce(array_length(p.proconfig, 1) = 1 AND p.proconfig[1] LIKE 'search\\_path=pg\\_catalog, %', false)
          ELSE l.lanname <> 'sql' OR p.prosqlbody IS NULL OR p.proconfig IS NOT NULL END
    UNION ALL
    SELECT format('the operator %s is not one of recalld''s', o.oid::regoperator),
           format('DROP OPERATOR %s;', o.oid::regoperator)
    FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace WHERE n.nspname = 'recalld'";

const OWNERS: &str = "
    SELECT format('%s belongs to the role %s', o.name, pg_get_userbyid(o.owner)),
           format('ALTER %s OWNER TO %I;', o.name, $1)
    FROM (
        SELECT 'SCHEMA recalld' AS name, nspowner AS owner FROM pg_catalog.pg_namespace WHERE nspname = 'recalld'
        UNION ALL
        SELECT format('%s recalld.%I', CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, c.relname), c.relowner
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'recalld' AND c.relkind IN ('r', 'p', 'v') AND (c.relname = ANY ($2) OR c.relispartition)
        UNION ALL
        SELECT format('ROUTINE %s', p.oid::regprocedure), p.proowner
        FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = 'recalld' AND p.proname || '/' || p.pronargs = ANY ($3) AND NOT EXISTS (
            SELECT FROM pg_catalog.pg_proc o
            WHERE o.pronamespace = p.pronamespace AND o.proname = p.proname AND o.oid < p.oid)
    ) AS o WHERE pg_get_userbyid(o.owner) <> $1";

// Internal ones are those of foreign keys; without them an erasure leaves what it should take
// along.
const TRIGGERS: &str = "
    SELECT format('the trigger %s on recalld.%I is not one of recalld''s', t.tgname, c.relname),
           format('DROP TRIGGER %I ON recalld.%I;', t.tgname, c.relname)
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND NOT t.tgisinternal AND t.tgparentid = 0
    UNION
    SELECT format('triggers of the table recalld.%I are disabled', c.relname),
           format('ALTER TABLE recalld.%I ENABLE TRIGGER ALL;', c.relname)
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND t.tgisinternal AND t.tgenabled <> 'O'";

const RULES: &str = "
    SELECT format('the rule %s on recalld.%I is not one of recalld''s', w.rulename, c.relname),
           format('DROP RULE %I ON recalld.%I;', w.rulename, c.relname)
    FROM pg_catalog.pg_rewrite w JOIN pg_catalog.pg_class c ON c.oid = w.ev_class
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND NOT (c.relkind IN ('v', 'm') AND w.rulename = '_RETURN')";

const CHILDREN: &str = "
    SELECT format('the table %s inherits from %s', i.inhrelid::regclass, i.inhparent::regclass),
           CASE WHEN c.relispartition
                THEN format('ALTER TABLE %s DETACH PARTITION %s;', i.inhparent::regclass, i.inhrelid::regclass)
                ELSE format('ALTER TABLE %s NO INHERIT %s;', i.inhrelid::regclass, i.inhparent::regclass) END
    FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class t ON t.oid = i.inhparent
    JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
    WHERE n.nspname = 'recalld' AND t.relkind IN ('r', 'p') AND (c.relnamespace <> n.oid OR NOT c.relispartition)";

// A foreign key shows whether a row exists, whatever the policies say.
const REFERENCES: &str = "
    SELECT format('the foreign key %s of %s refers to %s', f.conname, f.conrelid::regclass, f.confrelid::regclass),
           format('ALTER TABLE %s DROP CONSTRAINT %I;', f.conrelid::regclass, f.conname)
    FROM pg_catalog.pg_constraint f JOIN pg_catalog.pg_class t ON t.oid = f.confrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace JOIN pg_catalog.pg_class c ON c.oid = f.conrelid
    WHERE f.contype = 'f' AND n.nspname = 'recalld' AND c.relnamespace <> n.oid";

const DEFAULT_PRIVILEGES: &str = "
    SELECT format('default privileges of the role %s apply in the schema recalld', pg_get_userbyid(d.defaclrole)),
           format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA recalld REVOKE ALL ON %s FROM %s;',
                  pg_get_userbyid(d.defaclrole),
                  CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'ROUTINES' ELSE 'TYPES' END,
                  (SELECT string_agg(DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC'
                                                   ELSE quote_ident(pg_get_userbyid(a.grantee)) END, ', ')
                   FROM aclexplode(d.defaclacl) a))
    FROM pg_catalog.pg_default_acl d JOIN pg_catalog.pg_namespace n ON n.oid = d.defaclnamespace
    WHERE n.nspname = 'recalld'";

/// The relations that read ours, directly or through others.
macro_rules! reading {
    () => {
        "WITH RECURSIVE reading (oid) AS (
            SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'recalld' AND c.relkind IN ('r', 'p', 'v', 'm')
            UNION
            SELECT w.ev_class FROM reading r
            JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = r.oid
                AND d.classid = 'pg_catalog.pg_rewrite'::regclass
            JOIN pg_catalog.pg_rewrite w ON w.oid = d.objid AND w.ev_class <> r.oid)"
    };
}

// A view reads with the rights of its owner unless it is told otherwise, a materialized one holds a
// copy of the rows, and a rule acts with the rights of whoever wrote it.
const READERS_ELSEWHERE: &str = concat!(
    reading!(),
    "SELECT format(CASE c.relkind WHEN 'v' THEN 'the view %s runs with the rights of its owner'
                                  WHEN 'm' THEN 'the materialized view %s copies rows of recalld'
                                  ELSE 'a rule on the table %s reaches tables of recalld' END, c.oid::regclass),
            format(CASE c.relkind WHEN 'v' THEN 'ALTER VIEW %s SET (security_invoker = true);'
                                  WHEN 'm' THEN 'DROP MATERIALIZED VIEW %s;'
                                  ELSE 'drop the rules on %s' END, c.oid::regclass)
     FROM reading r JOIN pg_catalog.pg_class c ON c.oid = r.oid
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE (n.nspname <> 'recalld' OR c.relkind = 'v' AND c.relname = ANY ($1))
       AND NOT (c.relkind = 'v' AND coalesce(c.reloptions && ARRAY[
           'security_invoker=true', 'security_invoker=on', 'security_invoker=yes', 'security_invoker=1'], false))"
);

// What a body that is text reads is only known from its words.
const DEFINERS_ELSEWHERE: &str = concat!(
    reading!(),
    "SELECT format('the function %s reads tables of recalld with the rights of its owner', p.oid::regprocedure),
            format('ALTER ROUTINE %s SECURITY INVOKER;', p.oid::regprocedure)
     FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
     WHERE p.prosecdef AND n.nspname <> 'recalld' AND (
         p.prosrc ~* '\\mrecalld' OR coalesce(array_to_string(p.proconfig, ' ') ~* '\\mrecalld', false)
         OR EXISTS (
             SELECT FROM reading r JOIN pg_catalog.pg_class c ON c.oid = r.oid
             WHERE c.relnamespace <> (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'recalld')
               AND p.prosrc ~* format('\\m%s\\M', regexp_replace(c.relname, '[^a-z0-9_]', '.', 'gi')))
         OR p.prosrc ~* '\\mmatch_(memories|knowledge)\\M'
         OR EXISTS (
             SELECT FROM pg_catalog.pg_depend d
             WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid
               AND (d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid IN (SELECT oid FROM reading)
                    OR d.refclassid = 'pg_catalog.pg_proc'::regclass AND d.refobjid IN (
                        SELECT f.oid FROM pg_catalog.pg_proc f JOIN pg_catalog.pg_namespace o ON o.oid = f.pronamespace
                        WHERE o.nspname = 'recalld'))))"
);
