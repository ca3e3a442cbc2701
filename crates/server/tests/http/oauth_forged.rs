//! Whatever is forged, replayed, late or another's is refused at every step of signing in.

use serde_json::{Value, json};

use super::oauth::{
    CHALLENGE, HOST, REDIRECT, client, code, form, is_accepted, tokens, with_code, with_refresh,
};
use crate::stage::Stage;

/// Values that do not belong in a field: forged, empty, oversized, hostile.
fn bad_values() -> Vec<String> {
    let long = "x".repeat(9_000);
    let mut values: Vec<String> = [
        "",
        "x",
        "null",
        "rc_",
        "rc_e30",
        "rr_0",
        "rk_0",
        "%00",
        "%27%20OR%201=1",
        "..%2F..",
        "%F0%9F%98%80",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect();
    values.push(long);
    values.push(CHALLENGE.to_owned());
    values
}

#[tokio::test]
async fn two_hundred_forged_steps_are_refused() {
    let stage = Stage::new().await;
    let (client, other) = (client(&stage, "Editor").await, client(&stage, "Other").await);
    let refused = forged_exchanges(&stage, &client).await
        + foreign_codes(&stage, &client, &other).await
        + forged_pages(&stage, &client).await
        + forged_consents(&stage, &client).await;
    let bearer_of_refresh = tokens(&stage, &client, "").await.1;
    assert!(!is_accepted(&stage, &bearer_of_refresh).await);
    assert!(200 <= refused, "{refused} steps");
}

async fn forged_exchanges(stage: &Stage, client: &str) -> usize {
    let mut refused = 0;
    // A wrong value in each field of the exchange, with a code that is good otherwise.
    for field in [
        "grant_type",
        "client_id",
        "code",
        "redirect_uri",
        "code_verifier",
        "resource",
    ] {
        for bad in bad_values() {
            if field == "resource" && bad.is_empty() {
                continue;
            }
            let code = code(stage, client, "").await;
            let mut fields = with_code(client, &code);
            fields.retain(|(name, _)| *name != field);
            fields.push((field, &bad));
            let reply = form(stage, "/oauth/token", &fields).await;
            assert!(
                (400..=401).contains(&reply.status),
                "{field}={bad}: {}",
                reply.text
            );
            assert_eq!(reply.json()["access_token"], Value::Null);
            refused += 1;
        }
    }
    refused
}

async fn foreign_codes(stage: &Stage, client: &str, other: &str) -> usize {
    let mut refused = 0;
    // Codes and refresh tokens of another client, and fields given twice or left out.
    for _ in 0..30 {
        let theirs = code(stage, other, "").await;
        assert_eq!(
            form(stage, "/oauth/token", &with_code(client, &theirs))
                .await
                .status,
            400
        );
        let (_, refresh) = tokens(stage, other, "").await;
        assert_eq!(
            form(stage, "/oauth/token", &with_refresh(client, &refresh))
                .await
                .status,
            400
        );
        let twice = [&with_code(client, &theirs)[..], &[("code", "x")]].concat();
        assert_eq!(form(stage, "/oauth/token", &twice).await.status, 400);
        refused += 3;
    }
    for bad in bad_values() {
        let reply = form(stage, "/oauth/token", &with_refresh(client, &bad)).await;
        assert_eq!(reply.status, 400, "{bad}: {}", reply.text);
        refused += 1;
    }
    refused
}

async fn forged_pages(stage: &Stage, client: &str) -> usize {
    let mut refused = 0;
    // The authorization page leads nowhere that the client did not register.
    for uri in [
        "https://evil.example/cb",
        "javascript:alert(1)",
        "http://localhost:33418/other",
        "//evil.example",
        "",
    ] {
        let page = format!(
            "GET /oauth/authorize?response_type=code&client_id={client}&redirect_uri={uri}\
             &code_challenge={CHALLENGE}&code_challenge_method=S256"
        );
        let reply = stage.ask("", &page, &HOST, None).await;
        assert_eq!((reply.status, reply.header("location")), (400, ""), "{uri}");
        refused += 1;
    }
    // What is wrong in the request itself is told to the client, by its own address.
    for (name, value) in [
        ("response_type", "token"),
        ("code_challenge_method", "plain"),
        ("code_challenge", "x"),
        ("scope", "admin"),
        ("resource", "https://other.example"),
    ] {
        let mut pairs = vec![
            ("response_type", "code"),
            ("code_challenge_method", "S256"),
            ("code_challenge", CHALLENGE),
        ];
        pairs.retain(|(known, _)| *known != name);
        pairs.push((name, value));
        let query: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let page = format!(
            "GET /oauth/authorize?client_id={client}&redirect_uri={REDIRECT}&{}",
            query.join("&")
        );
        let reply = stage.ask("", &page, &HOST, None).await;
        assert_eq!(reply.status, 302, "{name}");
        assert!(
            reply
                .header("location")
                .starts_with(&format!("{REDIRECT}?error=")),
            "{name}"
        );
        refused += 1;
    }
    refused
}

async fn forged_consents(stage: &Stage, client: &str) -> usize {
    let mut refused = 0;
    // Nobody consents for another, without a key, or to an address of their own.
    let good =
        json!({"client_id": client, "redirect_uri": REDIRECT, "code_challenge": CHALLENGE, "allow": true});
    for (field, bad) in [
        ("client_id", "rc_x"),
        ("redirect_uri", "https://evil.example/"),
        ("code_challenge", "x"),
        ("scope", "admin"),
        ("user", "bob"),
        ("user_id", "bob"),
    ] {
        let mut asked = good.clone();
        asked[field] = json!(bad);
        let reply = stage
            .ask(&stage.ana, "POST /v1/oauth/grants", &HOST, Some(asked))
            .await;
        assert_eq!(reply.status, 400, "{field}: {}", reply.text);
        refused += 1;
    }
    for (key, headers, status) in [
        ("", &[][..], 401),
        ("rk_x", &[][..], 401),
        (stage.service.as_str(), &[][..], 400),
        (stage.ana.as_str(), &[("recalld-user", "bob")][..], 403),
    ] {
        let reply = stage
            .ask(key, "POST /v1/oauth/grants", headers, Some(good.clone()))
            .await;
        assert_eq!(reply.status, status, "{}", reply.text);
        refused += 1;
    }
    for said in [
        json!({}),
        json!({"redirect_uris": []}),
        json!({"redirect_uris": ["javascript:x"]}),
        json!([]),
        json!({"redirect_uris": [REDIRECT], "token_endpoint_auth_method": "client_secret_basic"}),
    ] {
        assert_eq!(
            stage
                .ask("", "POST /oauth/register", &HOST, Some(said))
                .await
                .status,
            400
        );
        refused += 1;
    }
    refused
}
