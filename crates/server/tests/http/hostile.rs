//! Whatever a model or a client sends: never a failure of the server, and nothing of another user.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use recalld_agent::tools;
use recalld_server::Limits;
use serde_json::{Map, Value, json};

use crate::stage::Stage;

/// How many calls are made.
const CALLS: usize = 5_000;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z ]{0,20}",
        Just("garden".to_owned()),
        Just("'; DROP TABLE memories; --".to_owned()),
        Just("\u{0}\u{202e}\u{feff}".to_owned()),
        Just("../../etc/passwd".to_owned()),
        Just("x".repeat(50_000)),
        Just("key:garden".to_owned()),
        Just("add".to_owned()),
        Just("all".to_owned()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Arguments that mostly have the tool's own names, and mostly its types.
fn arguments(schema: &Value) -> BoxedStrategy<Value> {
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let fields: Vec<BoxedStrategy<Option<(String, Value)>>> = properties
        .into_iter()
        .map(|(name, property)| {
            let listed = property["enum"].as_array().cloned().unwrap_or_default();
            let fitting = match (listed.is_empty(), property["type"].as_str()) {
                (false, _) => prop::sample::select(listed).boxed(),
                (true, Some("integer" | "number")) => (0_u32..20).prop_map(Value::from).boxed(),
                _ => text().prop_map(Value::from).boxed(),
            };
            let any = prop_oneof![6 => fitting, 1 => value()];
            prop::option::weighted(0.8, any.prop_map(move |value| (name.clone(), value))).boxed()
        })
        .collect();
    let smuggled = prop::option::weighted(0.1, Just(("user_id".to_owned(), json!("ana"))));
    let object = (fields, smuggled).prop_map(|(fields, smuggled)| {
        Value::Object(
            fields
                .into_iter()
                .flatten()
                .chain(smuggled)
                .collect::<Map<String, Value>>(),
        )
    });
    prop_oneof![9 => object, 1 => value()].boxed()
}

/// The newest entry of Bob's audit log.
async fn last_change(stage: &Stage) -> String {
    stage
        .ask(&stage.bob, "GET /v1/events?limit=1", &[], None)
        .await
        .text
}

#[tokio::test]
async fn no_call_of_a_tool_makes_the_server_fail_or_reaches_another_user() {
    // One key sends all of it, perhaps faster than a key may by default.
    let unhurried = Limits {
        per_key_second_max: 1_000_000,
        ..Limits::default()
    };
    let stage = Stage::with(unhurried, None).await;
    stage
        .put(
            "POST /v1/memories",
            json!({"content": "Ana tends roses", "key": "garden"}),
        )
        .await
        .ok(201);
    let before = stage.get("GET /v1/memories?showing=all").await.text;
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    let settings = recalld_memory::settings::Settings::default();
    let mut statuses = [0_usize; 6];
    let mut last_change = last_change(&stage).await;
    for number in 0..CALLS {
        let tool = &tools::all()[number % tools::all().len()];
        let arguments = arguments(&tool.schema(&settings))
            .new_tree(&mut runner)
            .unwrap()
            .current();
        let call = format!("POST /v1/tools/{}", tool.name);
        let reply = stage.ask(&stage.bob, &call, &[], Some(arguments.clone())).await;
        assert!(
            [200, 400].contains(&reply.status),
            "{call} {arguments}: {}",
            reply.text
        );
        assert!(
            !reply.text.contains("roses"),
            "{call} {arguments}: {}",
            reply.text
        );
        let change = self::last_change(&stage).await;
        assert!(
            reply.status == 200 || change == last_change,
            "{call} {arguments} was refused and changed {change}"
        );
        last_change = change;
        statuses[usize::from(reply.status / 100)] += 1;
    }
    assert!(
        CALLS / 10 < statuses[2] && CALLS / 10 < statuses[4],
        "both happen: {statuses:?}"
    );
    assert_eq!(stage.get("GET /v1/memories?showing=all").await.text, before);
}

#[tokio::test]
async fn no_path_or_query_makes_the_server_fail() {
    let stage = Stage::new().await;
    let odd = [
        "%00",
        "%ff%fe",
        "..%2f..%2fetc",
        "%20",
        "a%0ab",
        "%E2%80%AE",
        &"x".repeat(3_000),
        "null",
        "%F0%9F%8C%8D",
    ];
    for odd in odd {
        for path in [
            "/v1/memories/{}",
            "/v1/memories/key:{}",
            "/v1/memories/{}/history",
            "/v1/entities/{}",
            "/v1/conversations/{}",
            "/v1/conversations/{}/messages",
            "/v1/conversations/{}/working-memory",
            "/v1/profile/{}",
            "/v1/knowledge/{}",
            "/v1/events?kind={}&id={}",
            "/v1/events?after={}",
            "/v1/conversations?after={}",
            "/v1/knowledge?after={}&prefix={}",
            "/v1/memories?category={}",
            "/v1/tools?sets={}",
            "/v1/{}",
            "/docs/{}",
        ] {
            for method in ["GET", "DELETE"] {
                let reply = stage.get(&format!("{method} {}", path.replace("{}", odd))).await;
                assert!(reply.status < 500, "{method} {path} {odd}: {}", reply.text);
            }
        }
    }
}
