//! Working memory of the user and of a conversation.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn it_is_replaced_merged_and_cleared_at_the_version_that_was_seen() {
    let stage = Stage::new().await;
    for path in ["/v1/working-memory", "/v1/conversations/c/working-memory"] {
        let (get, put, patch) = (
            format!("GET {path}"),
            format!("PUT {path}"),
            format!("PATCH {path}"),
        );
        stage.get(&get).await.refused(404, "not_found");
        stage.put(&put, json!({"goal": "trip", "step": 1})).await.ok(200);
        let merged = stage
            .ask(
                &stage.ana,
                &patch,
                &[("if-match", "\"v1\"")],
                Some(json!({"step": null})),
            )
            .await;
        assert_eq!(merged.ok(200)["value"], json!({"goal": "trip"}));
        assert!(merged.header("etag").starts_with("\"v2-"));
        stage
            .ask(&stage.ana, &put, &[("if-match", "\"v1\"")], Some(json!({})))
            .await
            .refused(412, "stale");
        stage
            .ask(
                &stage.ana,
                &format!("DELETE {path}"),
                &[("if-match", "\"v1\"")],
                None,
            )
            .await
            .refused(412, "stale");
        assert_eq!(stage.get(&get).await.header("etag"), merged.header("etag"));
        stage
            .put(&put, json!("x".repeat(70_000)))
            .await
            .refused(400, "invalid_request");
        stage.get(&format!("DELETE {path}")).await.ok(204);
        stage.get(&get).await.refused(404, "not_found");
    }
}

#[tokio::test]
async fn a_schema_holds_and_padding_nulls_do_not_wipe() {
    let stage = Stage::new().await;
    for path in ["/v1/working-memory", "/v1/conversations/c/working-memory"] {
        let schema = json!({"type": "object", "properties": {"goal": {"type": "string"}, "step": {"type": "integer"}}});
        stage
            .get(&format!("GET {path}/schema"))
            .await
            .refused(404, "not_found");
        stage
            .put(&format!("PUT {path}/schema"), schema.clone())
            .await
            .ok(204);
        assert_eq!(stage.get(&format!("GET {path}/schema")).await.ok(200), schema);
        let misfit = stage.put(&format!("PUT {path}"), json!({"step": "one"})).await;
        misfit.refused(400, "invalid_request");
        assert_eq!(misfit.json()["errors"][0]["pointer"], "/step");
        stage
            .put(&format!("PUT {path}"), json!({"goal": "trip", "step": 1}))
            .await
            .ok(200);
        let padded = stage
            .put(&format!("PATCH {path}"), json!({"goal": null, "step": 2}))
            .await
            .ok(200);
        assert_eq!(padded["value"], json!({"goal": "trip", "step": 2}));
        stage
            .put(&format!("PUT {path}/schema"), json!({"type": "no such"}))
            .await
            .refused(400, "invalid_request");
        let elsewhere = json!({"$ref": "http://127.0.0.1:9/schema"});
        stage
            .put(&format!("PUT {path}/schema"), elsewhere)
            .await
            .refused(400, "invalid_request");
        stage.get(&format!("DELETE {path}/schema")).await.ok(204);
        stage
            .put(&format!("PUT {path}"), json!({"step": "one"}))
            .await
            .ok(200);
    }
}

#[tokio::test]
async fn what_was_cleared_and_made_anew_is_not_what_was_seen() {
    let stage = Stage::new().await;
    let path = "/v1/working-memory";
    let put = async |value: i32| {
        let body = json!({ "step": value });
        stage
            .put(&format!("PUT {path}"), body)
            .await
            .header("etag")
            .to_owned()
    };
    let first = put(1).await;
    stage.get(&format!("DELETE {path}")).await.ok(204);
    let second = put(2).await;
    assert_ne!(first, second);
    for (tag, status) in [(first, 412), (second, 200)] {
        let seen = [("if-match", tag.as_str())];
        let body = Some(json!({"step": 3}));
        let answer = stage.ask(&stage.ana, &format!("PUT {path}"), &seen, body).await;
        assert_eq!(answer.status, status, "{tag}");
    }
}
