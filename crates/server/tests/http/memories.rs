//! Memories, search and texts for prompts.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn a_memory_is_written_read_revised_hidden_restored_and_erased() {
    let stage = Stage::new().await;
    let written = stage
        .put(
            "POST /v1/memories",
            json!({"content": "Ana lives in Lisbon", "key": "home"}),
        )
        .await;
    assert_eq!(written.header("etag"), "\"v1\"");
    let body = written.ok(201);
    assert_eq!(
        (&body["outcome"], &body["memory"]["content"]),
        (&json!("stored"), &json!("Ana lives in Lisbon"))
    );
    let id = body["memory"]["id"].as_str().unwrap().to_owned();

    assert_eq!(stage.get("GET /v1/memories/key:home").await.ok(200)["id"], id);
    let revised = stage
        .put(
            &format!("PATCH /v1/memories/{id}"),
            json!({"content": "Ana lives in Porto"}),
        )
        .await;
    assert_eq!(
        (revised.ok(200)["version"].clone(), revised.header("etag")),
        (json!(2), "\"v2\"")
    );
    stage.get(&format!("DELETE /v1/memories/{id}")).await.ok(204);
    assert_eq!(stage.get("GET /v1/memories").await.ok(200)["memories"], json!([]));
    stage
        .get(&format!("POST /v1/memories/{id}/restore"))
        .await
        .ok(200);
    let history = stage.get(&format!("GET /v1/memories/{id}/history")).await.ok(200);
    let acts: Vec<&str> = history["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["act"].as_str().unwrap())
        .collect();
    assert_eq!(acts, ["remember", "revise", "retire", "restore"]);
    stage
        .get(&format!("DELETE /v1/memories/{id}?erase=true"))
        .await
        .ok(204);
    stage
        .get(&format!("GET /v1/memories/{id}"))
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn what_was_not_seen_is_not_overwritten() {
    let stage = Stage::new().await;
    stage
        .put(
            "POST /v1/memories",
            json!({"content": "Ana lives in Lisbon", "key": "home"}),
        )
        .await
        .ok(201);
    let call = "PATCH /v1/memories/key:home";
    let edit = |city: &str| Some(json!({"content": format!("Ana lives in {city}")}));
    stage
        .ask(&stage.ana, call, &[("if-match", "\"v1\"")], edit("Porto"))
        .await
        .ok(200);
    stage
        .ask(&stage.ana, call, &[("if-match", "\"v1\"")], edit("Faro"))
        .await
        .refused(412, "stale");
    stage
        .ask(&stage.ana, call, &[("if-match", "W/\"x\"")], edit("Faro"))
        .await
        .refused(412, "stale");
    stage
        .ask(&stage.ana, call, &[("if-match", "v1")], edit("Faro"))
        .await
        .refused(400, "invalid_request");
    assert_eq!(
        stage.get("GET /v1/memories/key:home").await.ok(200)["content"],
        "Ana lives in Porto"
    );
}

#[tokio::test]
async fn a_statement_that_does_not_fit_is_refused_with_its_place() {
    let stage = Stage::new().await;
    let blank = stage.put("POST /v1/memories", json!({"content": "  "})).await;
    blank.refused(400, "invalid_request");
    assert_eq!(blank.json()["errors"][0]["pointer"], "/content");
    stage
        .put("POST /v1/memories", json!({"content": "x", "colour": 1}))
        .await
        .refused(400, "invalid_json");
    stage
        .put("POST /v1/memories", json!({"content": 7}))
        .await
        .refused(400, "invalid_json");
    stage
        .put("POST /v1/memories", json!([]))
        .await
        .refused(400, "invalid_json");
    let secret = json!({"content": "my password is hunter2hunter2"});
    stage
        .put("POST /v1/memories", secret)
        .await
        .refused(422, "secret_refused");
    stage
        .get("POST /v1/memories")
        .await
        .refused(415, "unsupported_media_type");
    stage
        .get("GET /v1/memories?colour=1")
        .await
        .refused(400, "invalid_request");
    stage
        .get("GET /v1/memories?limit=0")
        .await
        .refused(400, "invalid_request");
    stage
        .get("GET /v1/memories?after=x")
        .await
        .refused(400, "invalid_request");
    stage
        .get("GET /v1/memories/no-such")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_list_is_paged_without_gap_or_repetition() {
    let stage = Stage::new().await;
    for number in 0..5 {
        stage
            .put(
                "POST /v1/memories",
                json!({"content": format!("Fact number {number}")}),
            )
            .await
            .ok(201);
    }
    let mut seen = Vec::new();
    let mut call = "GET /v1/memories?limit=2".to_owned();
    for _ in 0..3 {
        let page = stage.get(&call).await.ok(200);
        seen.extend(
            page["memories"]
                .as_array()
                .unwrap()
                .iter()
                .map(|m| m["content"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["next_page"].as_str() else {
            break;
        };
        call = format!("GET /v1/memories?limit=2&after={next}");
    }
    let expected: Vec<String> = (0..5)
        .rev()
        .map(|number| format!("Fact number {number}"))
        .collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_search_ranks_every_kind_in_one_list() {
    let stage = Stage::new().await;
    stage
        .put(
            "POST /v1/memories",
            json!({"content": "Prefers window seats on the plane"}),
        )
        .await
        .ok(201);
    stage
        .put("POST /v1/memories", json!({"content": "Plays chess on Sundays"}))
        .await
        .ok(201);
    stage
        .put(
            "POST /v1/conversations/c1/messages",
            json!({"role": "user", "content": "A window seat again, please"}),
        )
        .await
        .ok(201);
    let place = json!({"id": "p1", "kind": "place", "name": "Window Café"});
    stage.put("POST /v1/entities", place).await.ok(201);
    let found = stage
        .put(
            "POST /v1/search",
            json!({"query": "window seat", "explain": true}),
        )
        .await
        .ok(200);
    let kinds: Vec<&str> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["kind"].as_str().unwrap())
        .collect();
    for kind in ["memory", "message", "entity"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    assert!(found["results"][0]["explain"]["arms"][0]["rank"].is_u64());
    let body = json!({"query": "window seat", "kinds": ["message"], "max_tokens": 1});
    let none = stage.put("POST /v1/search", body).await.ok(200);
    assert_eq!((&none["results"], &none["left_out"]), (&json!([]), &json!(1)));
    stage
        .put("POST /v1/search", json!({"query": "x", "kinds": ["dream"]}))
        .await
        .refused(400, "invalid_json");
    stage
        .put("POST /v1/search", json!({"query": "x", "limit": 101}))
        .await
        .refused(400, "invalid_request");
}

#[tokio::test]
async fn texts_for_prompts_come_with_their_tokens() {
    let stage = Stage::new().await;
    stage
        .put("POST /v1/memories", json!({"content": "Prefers window seats"}))
        .await
        .ok(201);
    let context = stage
        .put("POST /v1/context", json!({"topic": "seats"}))
        .await
        .ok(200);
    assert!(context["text"].as_str().unwrap().contains("window seats"));
    assert!(context["tokens"]["o200k_base"].as_u64().unwrap() > 0);
    assert!(
        stage.get("GET /v1/prompt").await.ok(200)["text"]
            .as_str()
            .unwrap()
            .contains("window seats")
    );
    let document = stage.get("GET /v1/document").await.ok(200);
    assert_eq!(document["facts"][0]["content"], "Prefers window seats");
    let events = stage.get("GET /v1/events").await.ok(200);
    assert_eq!(events["events"][0]["verb"], "remember");
}

#[tokio::test]
async fn a_key_is_never_lost_nor_taken_from_another_statement() {
    let stage = Stage::new().await;
    let say = async |content: &str, key: &str| {
        let body = json!({"content": content, "key": key});
        stage.put("POST /v1/memories", body).await
    };
    let first = json!({"content": "Prefers window seats"});
    stage.put("POST /v1/memories", first).await.ok(201);

    let again = say("prefers window seats!", "seat").await.ok(200);
    assert_eq!(
        (
            &again["outcome"],
            &again["memory"]["key"],
            &again["memory"]["version"]
        ),
        (&json!("duplicate"), &json!("seat"), &json!(2))
    );
    let kept = say("Prefers window seats", "other").await.ok(200);
    assert_eq!(kept["memory"]["key"], "seat", "the first key stays");

    let taken = say("Prefers trains", "Seat").await;
    taken.refused(409, "duplicate");
    assert_eq!(taken.json()["errors"][0]["pointer"], "/key");
    let all = stage.get("GET /v1/memories").await.ok(200);
    assert_eq!(all["memories"].as_array().unwrap().len(), 1, "nothing was stored");
}

#[tokio::test]
async fn null_takes_a_label_away_and_nothing_else() {
    let stage = Stage::new().await;
    let new = json!({"content": "Prefers window seats", "key": "seat", "source": "survey"});
    stage.put("POST /v1/memories", new).await.ok(201);
    for name in ["content", "category", "tier", "confidence"] {
        let refused = stage
            .put("PATCH /v1/memories/key:seat", json!({ name: null }))
            .await;
        refused.refused(400, "invalid_json");
        assert_eq!(refused.json()["errors"][0]["pointer"], format!("/{name}"));
    }
    let bare = stage
        .put(
            "PATCH /v1/memories/key:seat",
            json!({"key": null, "source": null}),
        )
        .await
        .ok(200);
    assert_eq!((&bare["key"], &bare["source"]), (&json!(null), &json!(null)));
    assert_eq!(
        (&bare["content"], &bare["version"]),
        (&json!("Prefers window seats"), &json!(2))
    );
    stage
        .get("GET /v1/memories/key:seat")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn what_is_hidden_is_in_no_document() {
    let stage = Stage::new().await;
    let new = json!({"content": "Prefers window seats", "key": "seat"});
    stage.put("POST /v1/memories", new).await.ok(201);
    let shown = async || stage.get("GET /v1/memories/key:seat").await.ok(200)["in_document"].clone();
    assert_eq!(shown().await, true);
    stage.get("DELETE /v1/memories/key:seat").await.ok(204);
    assert_eq!(shown().await, false);
}

#[tokio::test]
async fn a_body_is_an_object_in_the_words_of_json() {
    let stage = Stage::new().await;
    let list = json!(["Prefers window seats", null, null, null, null, null]);
    let object = stage.put("POST /v1/memories", list).await;
    object.refused(400, "invalid_json");
    let number = json!({"content": "Prefers window seats", "confidence": "high"});
    let number = stage.put("POST /v1/memories", number).await;
    number.refused(400, "invalid_json");
    for (refused, wanted) in [(object, "expected an object"), (number, "expected a number")] {
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(wanted), "{detail}");
    }
    let search = json!({"query": "seats", "limit": 5.0, "max_tokens": 500.0});
    stage.put("POST /v1/search", search).await.ok(200);
    let search = json!({"query": "seats", "limit": 5.5});
    stage
        .put("POST /v1/search", search)
        .await
        .refused(400, "invalid_json");
}

/// What was said about the world's time is stored; the rest is worked out from newer memories.
#[tokio::test]
async fn a_memory_holds_for_a_time() {
    let stage = Stage::new().await;
    let said = json!({"content": "Works at Acme", "valid_from": "2020-05-01", "valid_until": "2024-01-01T00:00:00Z"});
    let acme = stage.put("POST /v1/memories", said).await.ok(201)["memory"].clone();
    assert_eq!(
        (&acme["valid_from"], &acme["valid_until"]),
        (&json!("2020-05-01T00:00:00Z"), &json!("2024-01-01T00:00:00Z"))
    );
    let patch = format!("PATCH /v1/memories/{}", acme["id"].as_str().unwrap());
    let before = json!({"valid_until": "2019-01-01"});
    stage.put(&patch, before).await.refused(400, "invalid_request");
    let open = stage.put(&patch, json!({"valid_until": null})).await.ok(200);
    assert_eq!(open["valid_until"], json!(null));
    let odd = json!({"content": "Works at Initech", "valid_from": "soon"});
    stage
        .put("POST /v1/memories", odd)
        .await
        .refused(400, "invalid_request");

    let globex = stage
        .put("POST /v1/memories", json!({"content": "Works at Globex"}))
        .await
        .ok(201)["memory"]
        .clone();
    let get = format!("GET /v1/memories/{}", acme["id"].as_str().unwrap());
    let acme = stage.get(&get).await.ok(200);
    assert_eq!(acme["superseded_by"], globex["id"]);
    assert_eq!(acme["valid_until"], globex["learned_at"]);
    let listed = stage.get("GET /v1/memories").await.ok(200);
    assert_eq!(listed["memories"][1], acme);
    let audit = stage.get("GET /v1/audit").await;
    assert!(audit.ok(200).to_string().contains("outdated"));
}
