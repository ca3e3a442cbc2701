//! Databases that are not safe to serve from: each is refused, by name, and changed by nothing but
//! what the refusal proposes.

use recalld_store::PostgresStore;
use recalld_store::postgres::OpenError;
use recalld_testing::postgres_database::{Database, administrator, settings};
use recalld_testing::postgres_server::PostgresServer;

use crate::sabotage::column;
use crate::world::{all_of, apply, everything, space};

/// What is done to a database, what the refusal says, and whether its fix, applied by an
/// administrator, lets the database open again.
struct Sabotage {
    sql: &'static str,
    message: &'static str,
    fix: Fix,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fix {
    Statement,
    /// What to do cannot be said in one statement.
    ByHand,
}

const fn sabotage(sql: &'static str, message: &'static str) -> Sabotage {
    let fix = Fix::Statement;
    Sabotage { sql, message, fix }
}

const fn by_hand(sql: &'static str, message: &'static str) -> Sabotage {
    let fix = Fix::ByHand;
    Sabotage { sql, message, fix }
}

/// Refuses each of them on a database of its own.
async fn are_refused(all: &[Sabotage]) {
    for Sabotage { sql, message, fix } in all {
        let database = Database::new().await;
        database.sabotage(sql).await;
        let refused = database.try_open().await.expect_err(sql);
        let OpenError::Unsafe(violations) = &refused else {
            panic!("{sql}: {refused:?}");
        };
        assert!(refused.to_string().contains(message), "{sql}: {refused}");
        assert!(!refused.hint().unwrap().contains("\"postgres\""), "{refused:?}");
        if *fix == Fix::Statement {
            for violation in violations {
                let statement = violation.fix.replace("CURRENT_USER", "recalld_test_server");
                database.sabotage(&statement).await;
            }
            database.try_open().await.expect(sql);
        }
    }
}

#[tokio::test]
async fn altered_policies_are_refused() {
    are_refused(&[
        sabotage(
            "ALTER TABLE recalld.memories DISABLE ROW LEVEL SECURITY",
            "the table recalld.memories has no row-level security",
        ),
        sabotage(
            "ALTER TABLE recalld.messages NO FORCE ROW LEVEL SECURITY",
            "the policies of the table recalld.messages do not apply to its owner",
        ),
        sabotage(
            "ALTER TABLE recalld.eras NO FORCE ROW LEVEL SECURITY",
            "the policies of the table recalld.eras do not apply to its owner",
        ),
        sabotage(
            "DROP POLICY own ON recalld.events",
            "the policy own on recalld.events is missing",
        ),
        sabotage(
            "DROP POLICY upkeep_removing ON recalld.keys",
            "the policy upkeep_removing on recalld.keys is missing",
        ),
        sabotage(
            "ALTER POLICY own ON recalld.records USING (true)",
            "the policy own on recalld.records was altered",
        ),
        sabotage(
            "ALTER POLICY own ON recalld.chunks WITH CHECK (true)",
            "the policy own on recalld.chunks was altered",
        ),
        sabotage(
            "ALTER POLICY revisions ON recalld.spaces USING (true)",
            "the policy revisions on recalld.spaces was altered",
        ),
        sabotage(
            "ALTER POLICY upkeep_reading ON recalld.keys TO PUBLIC",
            "the policy upkeep_reading on recalld.keys was altered",
        ),
        sabotage(
            "ALTER POLICY upkeep_beginning ON recalld.eras TO recalld_user",
            "the policy upkeep_beginning on recalld.eras was altered",
        ),
        sabotage(
            "CREATE POLICY \"let me in\" ON recalld.memories FOR SELECT TO PUBLIC USING (true)",
            "the policy let me in on recalld.memories is not one of recalld's",
        ),
        sabotage(
            "CREATE POLICY hide ON recalld.memories AS RESTRICTIVE FOR SELECT TO PUBLIC USING (false)",
            "the policy hide on recalld.memories is not one of recalld's",
        ),
        sabotage(
            "CREATE POLICY log ON recalld.migrations FOR SELECT TO PUBLIC USING (true)",
            "the policy log on recalld.migrations is not one of recalld's",
        ),
    ])
    .await;
}

#[tokio::test]
async fn foreign_objects_in_the_schema_are_refused() {
    are_refused(&[
        sabotage(
            "CREATE MATERIALIZED VIEW recalld.peek AS SELECT * FROM recalld.memories",
            "the materialized view recalld.peek is not one of recalld's",
        ),
        sabotage(
            "CREATE TABLE recalld.copies AS SELECT * FROM recalld.messages",
            "the table recalld.copies is not one of recalld's",
        ),
        sabotage(
            "CREATE TABLE recalld.memories_p0 AS SELECT * FROM recalld.memories",
            "the table recalld.memories_p0 is not one of recalld's",
        ),
        sabotage(
            "CREATE VIEW recalld.peek WITH (security_invoker = true) AS SELECT 1",
            "the view recalld.peek is not one of recalld's",
        ),
        sabotage(
            "CREATE SEQUENCE recalld.counter",
            "the sequence recalld.counter is not one of recalld's",
        ),
        sabotage(
            "CREATE FUNCTION recalld.peek() RETURNS bigint LANGUAGE sql RETURN 1",
            "the function recalld.peek() is not one of recalld's",
        ),
        sabotage(
            "CREATE FUNCTION recalld.user_of(integer) RETURNS text LANGUAGE sql RETURN 'ana'",
            "the function recalld.user_of(integer) is not one of recalld's",
        ),
        sabotage(
            "ALTER FUNCTION recalld.now() SECURITY DEFINER",
            "the function recalld.now() runs with the rights of its owner",
        ),
        by_hand(
            "CREATE OR REPLACE FUNCTION recalld.user_of(space text) RETURNS text LANGUAGE plpgsql IMMUTABLE
             AS $$ BEGIN RAISE LOG '%', space; RETURN space; END $$",
            "the function recalld.user_of(text) was replaced",
        ),
        sabotage(
            "CREATE OR REPLACE FUNCTION recalld.own_space() RETURNS text LANGUAGE sql STABLE
             RETURN coalesce(current_setting('request.jwt.claims', true)::json ->> 'as', 'user:a:b')",
            "the function recalld.own_space() was altered",
        ),
        sabotage(
            "CREATE FUNCTION public.copy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
             CREATE TRIGGER copy AFTER INSERT ON recalld.memories FOR EACH ROW EXECUTE FUNCTION public.copy()",
            "the trigger copy on recalld.memories is not one of recalld's",
        ),
        sabotage(
            "ALTER TABLE recalld.memories DISABLE TRIGGER ALL",
            "triggers of the table recalld.memories are disabled",
        ),
        sabotage(
            "CREATE RULE keep AS ON DELETE TO recalld.messages DO INSTEAD NOTHING",
            "the rule keep on recalld.messages is not one of recalld's",
        ),
        sabotage(
            "ALTER TABLE recalld.claims SET UNLOGGED",
            "the table recalld.claims is unlogged",
        ),
        by_hand("DROP TABLE recalld.vectors CASCADE", "the table recalld.vectors is missing"),
    ])
    .await;
}

#[tokio::test]
async fn foreign_privileges_are_refused() {
    are_refused(&[
        sabotage(
            "GRANT SELECT ON recalld.memories TO PUBLIC",
            "SELECT on recalld.memories is granted to PUBLIC",
        ),
        sabotage(
            "GRANT SELECT (content) ON recalld.messages TO recalld_reader",
            "SELECT (content) on recalld.messages is granted to recalld_reader",
        ),
        sabotage(
            "GRANT SELECT ON recalld.keys TO recalld_user",
            "SELECT on recalld.keys is granted to recalld_user",
        ),
        sabotage(
            "GRANT TRUNCATE ON recalld.records TO recalld_user",
            "TRUNCATE on recalld.records is granted to recalld_user",
        ),
        sabotage(
            "GRANT SELECT ON recalld.memories TO recalld_user WITH GRANT OPTION",
            "SELECT WITH GRANT OPTION on recalld.memories is granted to recalld_user",
        ),
        sabotage(
            "GRANT USAGE ON SCHEMA recalld TO PUBLIC",
            "USAGE on SCHEMA recalld is granted to PUBLIC",
        ),
        sabotage(
            "GRANT CREATE ON SCHEMA recalld TO recalld_user",
            "CREATE on SCHEMA recalld is granted to recalld_user",
        ),
        sabotage(
            "GRANT SELECT ON recalld.memory_facts TO PUBLIC",
            "SELECT on recalld.memory_facts is granted to PUBLIC",
        ),
        sabotage(
            "REVOKE DELETE ON recalld.vectors FROM recalld_upkeep",
            "DELETE on recalld.vectors is not granted to recalld_upkeep",
        ),
        sabotage(
            "ALTER DEFAULT PRIVILEGES FOR ROLE recalld_owner IN SCHEMA recalld GRANT SELECT ON TABLES TO PUBLIC",
            "default privileges of the role recalld_owner apply in the schema recalld",
        ),
        sabotage(
            "ALTER TABLE recalld.memories OWNER TO postgres",
            "TABLE recalld.memories belongs to the role postgres",
        ),
        sabotage(
            "ALTER FUNCTION recalld.now() OWNER TO postgres",
            "ROUTINE recalld.now() belongs to the role postgres",
        ),
    ])
    .await;
}

#[tokio::test]
async fn objects_elsewhere_that_pass_by_the_policies_are_refused() {
    are_refused(&[
        sabotage(
            "CREATE VIEW public.peek AS SELECT * FROM recalld.memories",
            "the view peek runs with the rights of its owner",
        ),
        sabotage(
            "CREATE VIEW public.peek AS SELECT * FROM public.agent_memories",
            "the view peek runs with the rights of its owner",
        ),
        sabotage(
            "CREATE MATERIALIZED VIEW public.peek AS SELECT * FROM recalld.agent_messages",
            "the materialized view peek copies rows of recalld",
        ),
        by_hand(
            "CREATE TABLE public.door (id integer);
             CREATE RULE open AS ON INSERT TO public.door DO ALSO DELETE FROM recalld.memories",
            "a rule on the table door reaches tables of recalld",
        ),
        sabotage(
            "CREATE FUNCTION public.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER
             AS 'SELECT count(*) FROM recalld.memories'",
            "the function peek() reads tables of recalld with the rights of its owner",
        ),
        sabotage(
            "CREATE FUNCTION public.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER
             BEGIN ATOMIC SELECT count(*) FROM recalld.messages; END",
            "the function peek() reads tables of recalld with the rights of its owner",
        ),
        sabotage(
            "CREATE FUNCTION public.peek() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
             AS $$ BEGIN RETURN (SELECT count(*) FROM Memory_Facts); END $$",
            "the function peek() reads tables of recalld with the rights of its owner",
        ),
        sabotage(
            "CREATE FUNCTION public.peek() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = recalld
             AS $$ BEGIN RETURN (SELECT count(*) FROM keys); END $$",
            "the function peek() reads tables of recalld with the rights of its owner",
        ),
        sabotage(
            "CREATE TABLE public.probe (space text COLLATE \"C\" REFERENCES recalld.spaces (space))",
            "the foreign key probe_space_fkey of probe refers to recalld.spaces",
        ),
        sabotage(
            "CREATE TABLE public.child () INHERITS (recalld.records)",
            "the table child inherits from recalld.records",
        ),
    ])
    .await;
}

/// Roles belong to the whole server, so these need one of their own. Each sabotage is undone before
/// the next.
#[tokio::test]
async fn roles_with_too_many_rights_are_refused() {
    let server = PostgresServer::start("");
    server.ask("CREATE ROLE authenticated; CREATE ROLE authenticator LOGIN NOINHERIT");
    for (sql, undo, message) in ROLE_SABOTAGES {
        server.ask(sql);
        let refused = PostgresStore::open(&server.address(), &settings()).await;
        server.ask(undo);
        let refused = refused.expect_err(sql);
        assert!(matches!(refused, OpenError::Unsafe(_)), "{sql}: {refused:?}");
        assert!(refused.to_string().contains(message), "{sql}: {refused}");
        let hint = refused.hint().unwrap();
        assert!(
            !hint.contains("ALTER ROLE \"recalld_test_server\""),
            "{sql}: {hint}"
        );
    }
    // What the documentation tells operators to grant, and a second server with another role.
    server.ask(
        "GRANT recalld_reader TO authenticated; GRANT authenticated TO authenticator;
         CREATE ROLE second LOGIN NOINHERIT IN ROLE recalld_user, recalld_shared, recalld_upkeep, recalld_gate,
             recalld_reader, recalld_revisions",
    );
    PostgresStore::open(&server.address(), &settings()).await.unwrap();
}

/// What is done, what undoes it, and what the refusal says.
const ROLE_SABOTAGES: [(&str, &str, &str); 22] = [
    (
        "GRANT recalld_upkeep TO recalld_user",
        "REVOKE recalld_upkeep FROM recalld_user",
        "the role recalld_user is a member of recalld_upkeep",
    ),
    (
        "GRANT recalld_upkeep TO recalld_reader",
        "REVOKE recalld_upkeep FROM recalld_reader",
        "the role recalld_reader is a member of recalld_upkeep",
    ),
    (
        "GRANT recalld_gate TO recalld_shared",
        "REVOKE recalld_gate FROM recalld_shared",
        "the role recalld_shared is a member of recalld_gate",
    ),
    (
        "GRANT recalld_reader TO recalld_revisions",
        "REVOKE recalld_reader FROM recalld_revisions",
        "the role recalld_revisions is a member of recalld_reader",
    ),
    (
        "GRANT recalld_owner TO recalld_user",
        "REVOKE recalld_owner FROM recalld_user",
        "the role recalld_user is a member of recalld_owner",
    ),
    (
        "GRANT pg_read_all_data TO recalld_user",
        "REVOKE pg_read_all_data FROM recalld_user",
        "the role recalld_user is a member of pg_read_all_data",
    ),
    (
        "GRANT recalld_owner TO recalld_test_server",
        "REVOKE recalld_owner FROM recalld_test_server",
        "the login role recalld_test_server is a member of recalld_owner, which owns",
    ),
    (
        "GRANT pg_write_all_data TO recalld_test_server",
        "REVOKE pg_write_all_data FROM recalld_test_server",
        "the login role recalld_test_server is a member of pg_write_all_data, which grants access to the whole server",
    ),
    (
        "GRANT postgres TO recalld_test_server",
        "REVOKE postgres FROM recalld_test_server",
        "the login role recalld_test_server is a member of postgres, which is a superuser",
    ),
    (
        "GRANT recalld_upkeep TO authenticated",
        "REVOKE recalld_upkeep FROM authenticated",
        "the role authenticated is a member of recalld_upkeep",
    ),
    (
        "GRANT recalld_user TO authenticator",
        "REVOKE recalld_user FROM authenticator",
        "the role authenticator is a member of recalld_user",
    ),
    (
        "GRANT recalld_owner TO authenticator",
        "REVOKE recalld_owner FROM authenticator",
        "the role authenticator is a member of recalld_owner",
    ),
    (
        "GRANT recalld_test_server TO authenticated",
        "REVOKE recalld_test_server FROM authenticated",
        "the role authenticated is a member of recalld_test_server",
    ),
    (
        "ALTER ROLE recalld_user LOGIN",
        "ALTER ROLE recalld_user NOLOGIN",
        "the role recalld_user can log in",
    ),
    (
        "ALTER ROLE recalld_upkeep BYPASSRLS",
        "ALTER ROLE recalld_upkeep NOBYPASSRLS",
        "the role recalld_upkeep can log in, create roles, replicate or bypass row-level security",
    ),
    (
        "ALTER ROLE recalld_test_server CREATEROLE",
        "ALTER ROLE recalld_test_server NOCREATEROLE",
        "the login role recalld_test_server may create roles",
    ),
    (
        "ALTER ROLE recalld_test_server REPLICATION",
        "ALTER ROLE recalld_test_server NOREPLICATION",
        "the login role recalld_test_server may replicate",
    ),
    (
        "ALTER ROLE recalld_test_server BYPASSRLS",
        "ALTER ROLE recalld_test_server NOBYPASSRLS",
        "the login role recalld_test_server bypasses row-level security",
    ),
    (
        "ALTER DATABASE memories OWNER TO recalld_test_server",
        "ALTER DATABASE memories OWNER TO recalld_test_owner",
        "the login role recalld_test_server owns the database memories",
    ),
    (
        "ALTER TABLE recalld.memories OWNER TO recalld_test_server",
        "ALTER TABLE recalld.memories OWNER TO recalld_owner",
        "the login role recalld_test_server owns recalld.memories",
    ),
    (
        "REVOKE recalld_gate FROM recalld_test_server GRANTED BY recalld_test_owner",
        "GRANT recalld_gate TO recalld_test_server",
        "the login role recalld_test_server cannot switch to the role recalld_gate",
    ),
    (
        "ALTER ROLE recalld_test_server SET session_replication_role = replica",
        "ALTER ROLE recalld_test_server RESET session_replication_role",
        "session_replication_role is replica",
    ),
];

#[tokio::test]
async fn settings_that_lose_writes_or_rows_are_refused() {
    let database = Database::new().await;
    for (setting, value) in [("synchronous_commit", "off"), ("row_security", "off")] {
        let alter = |value: &str| format!("ALTER DATABASE {} SET {setting} = {value}", database.name);
        database.sabotage(&alter(value)).await;
        let refused = database.try_open().await.unwrap_err().to_string();
        assert!(refused.contains(&format!("{setting} is {value}")), "{refused}");
        database.sabotage(&alter("on")).await;
    }
    database.open().await;
}

#[tokio::test]
async fn what_an_operator_may_add_is_accepted() {
    for database in [Database::new().await, Database::partitioned().await] {
        let store = database.open().await;
        apply(&store, &space("ana"), &all_of("ana")).await;
        database
            .sabotage(
                "CREATE TABLE public.own (id integer PRIMARY KEY, note text);
                 CREATE VIEW public.overview WITH (security_invoker = on) AS SELECT count(*) FROM recalld.memories;
                 CREATE MATERIALIZED VIEW public.totals AS SELECT count(*) FROM public.own;
                 CREATE FUNCTION public.help() RETURNS bigint LANGUAGE sql SECURITY DEFINER
                     AS 'SELECT count(*) FROM public.own';
                 CREATE FUNCTION public.mine() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM recalld.memories';
                 CREATE INDEX memories_by_category ON recalld.memories (space, category);
                 GRANT SELECT ON public.agent_memories TO PUBLIC",
            )
            .await;
        let again = database.try_open().await.unwrap();
        assert!(everything(&again, &space("ana")).await.contains("second of ana"));
    }
}

#[tokio::test]
async fn a_partition_that_others_may_read_is_refused() {
    let database = Database::partitioned().await;
    for (sql, undo, message) in [
        (
            "GRANT SELECT ON recalld.memories_p1 TO recalld_user",
            "REVOKE SELECT ON recalld.memories_p1 FROM recalld_user",
            "SELECT on recalld.memories_p1 is granted to recalld_user",
        ),
        (
            "ALTER TABLE recalld.messages_p0 OWNER TO postgres",
            "ALTER TABLE recalld.messages_p0 OWNER TO recalld_owner",
            "TABLE recalld.messages_p0 belongs to the role postgres",
        ),
        (
            "ALTER TABLE recalld.records_p2 SET SCHEMA public",
            "ALTER TABLE public.records_p2 SET SCHEMA recalld",
            "the table records_p2 inherits from recalld.records",
        ),
    ] {
        database.sabotage(sql).await;
        let refused = database.try_open().await.expect_err(sql).to_string();
        assert!(refused.contains(message), "{sql}: {refused}");
        database.sabotage(undo).await;
    }
    database.open().await;
}

/// The database is not migrated, and no hint proposes to change the operator's own role.
#[tokio::test]
async fn a_superuser_is_refused_and_changes_nothing() {
    let database = Database::empty().await;
    let mut address = std::env::var("RECALLD_TEST_POSTGRES").unwrap();
    address.truncate(address.rfind('/').unwrap() + 1);
    address += &database.name;
    let refused = PostgresStore::open(&address, &settings()).await.unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("the login role postgres is a superuser"),
        "{refused}"
    );
    let hint = refused.hint().unwrap();
    assert!(hint.contains("CREATE ROLE recalld_server LOGIN"), "{hint}");
    assert!(!hint.contains("ALTER"), "{hint}");
    let client = administrator(&database.name).await;
    let schemas = column(&client, "SELECT 1 FROM pg_namespace WHERE nspname = 'recalld'").await;
    assert_eq!(schemas.unwrap(), [""; 0]);
    database.migrate().await;
    database.open().await;
}
