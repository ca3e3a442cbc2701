//! Structured user context.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn a_category_is_kept_within_its_schema_and_version() {
    let stage = Stage::new().await;
    stage.get("GET /v1/profile/icp").await.refused(404, "not_found");
    let icp = json!({"target_titles": ["CISO"], "employee_range": "1000-5000"});
    let kept = stage.put("PUT /v1/profile/icp", icp.clone()).await;
    assert_eq!(kept.ok(200)["value"], icp);
    assert!(kept.header("etag").starts_with("\"v1-"));
    let none_there = [("if-none-match", "*")];
    stage
        .ask(&stage.ana, "PUT /v1/profile/icp", &none_there, Some(json!({})))
        .await
        .refused(412, "stale");
    let merged = stage
        .put("PATCH /v1/profile/icp", json!({"employee_range": "10-50"}))
        .await
        .ok(200);
    assert_eq!(
        merged["value"],
        json!({"target_titles": ["CISO"], "employee_range": "10-50"})
    );
    let misfit = stage
        .put("PUT /v1/profile/icp", json!({"target_titles": 7}))
        .await;
    misfit.refused(400, "invalid_request");
    assert_eq!(misfit.json()["errors"][0]["pointer"], "/target_titles");
    let listed = stage.get("GET /v1/profile").await.ok(200);
    assert!(
        listed["categories"]
            .as_array()
            .unwrap()
            .iter()
            .any(|c| c["kept"]["version"] == 2)
    );
    stage.get("DELETE /v1/profile/icp").await.ok(204);
    stage.get("GET /v1/profile/icp").await.refused(404, "not_found");
    stage
        .get("GET /v1/profile/dreams")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn the_user_context_has_its_exact_shape() {
    let stage = Stage::new().await;
    let call = "POST /api/tools/user-context";
    let nothing = stage.put(call, json!({"category": "icp"})).await.ok(200);
    assert_eq!(
        (&nothing["found"], &nothing["data"], &nothing["query"]),
        (&json!(false), &json!(null), &json!(null))
    );
    let fields: Vec<&String> = nothing.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["category", "query", "data", "source", "found"]);
    stage
        .put("PUT /v1/profile/icp", json!({"target_titles": ["CISO"]}))
        .await
        .ok(200);
    let found = stage
        .put(call, json!({"category": "icp", "query": "titles"}))
        .await
        .ok(200);
    assert_eq!(
        (&found["found"], &found["data"]["target_titles"]),
        (&json!(true), &json!(["CISO"]))
    );
    let unknown = stage.put(call, json!({"category": "dreams"})).await;
    unknown.refused(400, "invalid_request");
    assert!(
        unknown.text.contains("preferences"),
        "the known ones are told: {}",
        unknown.text
    );
}
