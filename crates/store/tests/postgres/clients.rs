//! What other clients see with a user's own token, set up as PostgREST sets up its transactions.

use recalld_memory::change::{Act, Effect};
use recalld_memory::id::SpaceId;
use recalld_memory::memory::{Memory, Retirement, Standing};
use recalld_testing::postgres_database::{Database, administrator};
use tokio_postgres::Client;

use crate::sabotage::column;
use crate::world::{all_of, apply, change, memory, now, space};

/// The role that tokens of signed-in users name, and that belongs to nobody of ours.
const SIGNED_IN: &str = "recalld_test_signed_in";

struct Api {
    client: Client,
    _database: Database,
}

impl Api {
    async fn new() -> Api {
        let database = Database::new().await;
        let store = database.open().await;
        for user in ["ana", "bob"] {
            apply(&store, &space(user), &all_of(user)).await;
        }
        apply(&store, &SpaceId::shared(), &all_of("everybody")).await;
        let hidden = Memory {
            standing: Standing::Retired {
                at: now(),
                why: Retirement::Forgotten,
            },
            version: 2,
            ..memory(2, "other of ana")
        };
        let (act, memory) = (Act::Retire, hidden);
        apply(&store, &space("ana"), &[change(Effect::Memory { act, memory })]).await;
        let client = administrator(&database.name).await;
        let role = format!(
            "DO $$ BEGIN CREATE ROLE {SIGNED_IN} NOLOGIN; GRANT recalld_reader TO {SIGNED_IN};
             EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
        );
        client.batch_execute(&role).await.unwrap();
        Api {
            client,
            _database: database,
        }
    }

    /// Asks with Ana's token.
    async fn ask(&self, sql: &str) -> Vec<String> {
        self.try_ask(sql).await.unwrap()
    }

    async fn try_ask(&self, sql: &str) -> Result<Vec<String>, String> {
        let begin = format!(
            "BEGIN; SET LOCAL ROLE {SIGNED_IN};
             SET LOCAL request.jwt.claims = '{{\"sub\":\"ana\",\"role\":\"{SIGNED_IN}\"}}'"
        );
        self.client.batch_execute(&begin).await.unwrap();
        let found = column(&self.client, sql).await;
        self.client.batch_execute("ROLLBACK").await.unwrap();
        found.map_err(|error| error.as_db_error().unwrap().message().to_owned())
    }
}

#[tokio::test]
async fn a_user_finds_own_and_shared_memories_and_no_others() {
    let api = Api::new().await;
    let matched = |filter: &str| {
        format!("SELECT content FROM match_memories('[0.6,0.8]', 10, {filter}) ORDER BY content")
    };
    assert_eq!(
        api.ask(&matched("NULL")).await,
        ["second of ana", "second of everybody"]
    );
    assert_eq!(api.ask(&matched("'ana'")).await, ["second of ana"]);
    assert_eq!(api.ask(&matched("'bob'")).await, [""; 0], "a filter never widens");
    let nearest = "SELECT round(similarity::numeric, 3) FROM match_memories('[0.8,0.6]', 1)";
    assert_eq!(api.ask(nearest).await, ["0.960"]);
    assert_eq!(
        api.ask("SELECT content FROM match_memories('[1,2,3]', 9)").await,
        [""; 0],
        "vectors of another dimension are no answer"
    );
    let above = |threshold: &str| {
        format!("SELECT content FROM match_memories('[0.8,0.6]', 10, 'ana', {threshold}) ORDER BY content")
    };
    assert_eq!(api.ask(&above("0.95")).await, ["second of ana"]);
    assert_eq!(api.ask(&above("0.97")).await, [""; 0], "nothing is so near");
    assert_eq!(api.ask(&above("NULL")).await, ["second of ana"]);
    let named =
        "SELECT content FROM match_knowledge(query_embedding => '[0.8,0.6]', match_threshold => 0.97)";
    assert_eq!(api.ask(named).await, [""; 0]);
    let knowledge = "SELECT content FROM match_knowledge('[0.6,0.8]', 10) ORDER BY content";
    assert_eq!(api.ask(knowledge).await, ["chunk of ana", "chunk of everybody"]);
    assert_eq!(
        api.ask("SELECT content FROM match_knowledge('[0.6,0.8]', -1)")
            .await,
        [""; 0]
    );
}

/// Questions to the views, with what each finds of the user.
const OWN_ROWS: [(&str, &str); 13] = [
    (
        "SELECT content FROM agent_memories WHERE user_id = 'ana'",
        "second of ana",
    ),
    (
        "SELECT title FROM agent_chats WHERE user_id IS NOT NULL",
        "talk of ana",
    ),
    (
        "SELECT content FROM agent_messages WHERE user_id IS NOT NULL",
        "message of ana",
    ),
    (
        "SELECT messages -> 0 ->> 'content' FROM agent_conversations WHERE session_id = 'talk' AND user_id = 'ana'",
        "message of ana",
    ),
    (
        "SELECT messages -> 0 -> 'data' ->> 'content' FROM langchain_conversations WHERE session_id = 'talk' AND user_id = 'ana'",
        "message of ana",
    ),
    (
        "SELECT messages -> 0 ->> 'type' FROM langchain_conversations WHERE session_id = 'talk' AND user_id = 'ana'",
        "human",
    ),
    (
        "SELECT pg_typeof(plan) FROM user_context WHERE user_id = 'ana'",
        "text",
    ),
    (
        "SELECT document -> 'placer_user_datapoints' -> 0 ->> 'place_name' FROM memory_documents",
        "cafe of ana",
    ),
    (
        "SELECT context ->> 'work' FROM user_context WHERE user_id = 'ana'",
        "work of ana",
    ),
    (
        "SELECT content FROM knowledge_chunks WHERE user_id = 'ana'",
        "chunk of ana",
    ),
    (
        "SELECT document -> 'places_of_interest' -> 0 ->> 'place_name' FROM memory_documents",
        "cafe of ana",
    ),
    (
        "SELECT user_id FROM memory_documents WHERE document @> '{\"facts\":[{\"content\":\"second of ana\"}]}'",
        "ana",
    ),
    (
        "SELECT user_id FROM memory_facts WHERE fact @> '{\"content\":\"other of ana\",\"is_active\":false}'",
        "ana",
    ),
];

#[tokio::test]
async fn every_view_shows_the_users_own_rows() {
    let api = Api::new().await;
    for (sql, found) in OWN_ROWS {
        assert_eq!(api.ask(sql).await, [found], "{sql}");
    }
    for view in [
        "agent_memories",
        "agent_chats",
        "agent_messages",
        "agent_conversations",
        "agent_working_memory",
        "langchain_conversations",
        "user_context",
        "knowledge_chunks",
        "memory_extraction_runs",
        "memory_documents",
        "memory_facts",
    ] {
        let foreign = format!("SELECT count(*) FROM {view} AS row WHERE row::text LIKE '%of bob%'");
        assert_eq!(api.ask(&foreign).await, ["0"], "{view}");
    }
}

#[tokio::test]
async fn a_token_reads_and_never_writes() {
    let api = Api::new().await;
    for sql in [
        "INSERT INTO recalld.spaces VALUES ('user:ana', 1)",
        "UPDATE recalld.memories SET content = 'x'",
        "DELETE FROM recalld.memories",
        "DELETE FROM agent_memories",
        "SELECT * FROM recalld.events",
        "SELECT * FROM recalld.keys",
    ] {
        let refused = api.try_ask(sql).await.unwrap_err();
        assert!(refused.contains("permission denied"), "{sql}: {refused}");
    }
}

/// An administrator who looks for a fact over all users does not read all of them.
#[tokio::test]
async fn containment_is_answered_by_an_index() {
    let api = Api::new().await;
    for sql in [
        "BEGIN",
        "SET LOCAL ROLE recalld_upkeep",
        "SET LOCAL enable_seqscan = off",
    ] {
        api.client.batch_execute(sql).await.unwrap();
    }
    let asked = "SELECT user_id FROM memory_facts WHERE fact @> '{\"content\":\"second of bob\"}'";
    assert_eq!(column(&api.client, asked).await.unwrap(), ["bob"]);
    let plan = column(&api.client, &format!("EXPLAIN {asked}"))
        .await
        .unwrap()
        .join("\n");
    assert!(plan.contains("memories_as_facts"), "{plan}");
}
