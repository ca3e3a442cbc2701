//! Tokens: what is accepted, and what never is.

use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use recalld_server::{Limits, TokenKeys, TokenRules};
use serde_json::{Value, json};

use crate::stage::Stage;

const SECRET: &[u8] = b"a secret of thirty-two bytes or more";

async fn stage() -> Stage {
    let rules = TokenRules {
        keys: TokenKeys::Secret(SECRET.to_vec()),
        issuer: Some("https://id.example".to_owned()),
        audience: Some("recalld".to_owned()),
    };
    Stage::with(Limits::default(), Some(rules)).await
}

fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn claims() -> Value {
    json!({"sub": "ana", "iss": "https://id.example", "aud": "recalld", "exp": now_s() + 600})
}

fn signed(claims: &Value) -> String {
    encode(&Header::default(), claims, &EncodingKey::from_secret(SECRET)).unwrap()
}

#[tokio::test]
async fn a_token_is_the_user_it_names() {
    let stage = stage().await;
    stage
        .put("POST /v1/memories", json!({"content": "Likes tea"}))
        .await
        .ok(201);
    let seen = stage
        .ask(&signed(&claims()), "GET /v1/memories", &[], None)
        .await
        .ok(200);
    assert_eq!(seen["memories"][0]["content"], "Likes tea");
    let named = [("recalld-user", "bob")];
    stage
        .ask(&signed(&claims()), "GET /v1/memories", &named, None)
        .await
        .refused(403, "forbidden");
    stage
        .ask(&signed(&claims()), "GET /v1/admin/keys", &[], None)
        .await
        .refused(403, "forbidden");
}

#[tokio::test]
async fn a_token_with_a_wrong_claim_is_refused() {
    let stage = stage().await;
    let cases = [
        ("exp", json!(now_s() - 600)),
        ("exp", Value::Null),
        ("nbf", json!(now_s() + 600)),
        ("aud", json!("elsewhere")),
        ("aud", Value::Null),
        ("iss", json!("https://evil.example")),
        ("iss", Value::Null),
        ("sub", Value::Null),
        ("sub", json!("")),
        ("sub", json!("a\nb")),
        ("sub", json!({"user": "ana"})),
    ];
    for (claim, value) in cases {
        let mut claims = claims();
        match value.is_null() {
            true => drop(claims.as_object_mut().unwrap().remove(claim)),
            false => claims[claim] = value,
        }
        let reply = stage.ask(&signed(&claims), "GET /v1/memories", &[], None).await;
        reply.refused(401, "unauthenticated");
    }
}

#[tokio::test]
async fn a_token_does_not_choose_how_it_is_checked() {
    let stage = stage().await;
    let good = signed(&claims());
    let body = good.split('.').nth(1).unwrap();
    // {"alg":"none","typ":"JWT"}
    let none = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{body}.");
    let other = encode(
        &Header::new(Algorithm::HS384),
        &claims(),
        &EncodingKey::from_secret(SECRET),
    )
    .unwrap();
    let path = Header {
        kid: Some("../../etc/passwd".to_owned()),
        ..Header::default()
    };
    let with_path = encode(&path, &claims(), &EncodingKey::from_secret(b"guessed")).unwrap();
    let cut = &good[..good.len() - 2];
    for token in [none.as_str(), &other, &with_path, cut, "a.b.c", ".."] {
        let reply = stage.ask(token, "GET /v1/memories", &[], None).await;
        reply.refused(401, "unauthenticated");
        assert_eq!(reply.json()["detail"], "the token is not accepted");
    }
}
