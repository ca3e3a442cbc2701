//! MCP clients sign in (OAuth 2.1 with PKCE), and what they were given ends.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::stage::{Reply, Stage};

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(super) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(super) const REDIRECT: &str = "http://localhost:33418/callback";
pub(super) const HOST: [(&str, &str); 1] = [("host", "localhost:7077")];

pub(super) async fn client(stage: &Stage, name: &str) -> String {
    let said = json!({"client_name": name, "redirect_uris": [REDIRECT], "grant_types": ["authorization_code"],
        "token_endpoint_auth_method": "none", "some_extension": 1});
    let made = stage
        .ask("", "POST /oauth/register", &HOST, Some(said))
        .await
        .ok(201);
    made["client_id"].as_str().unwrap().to_owned()
}

/// Ana says yes. Gives the code.
pub(super) async fn code(stage: &Stage, client: &str, scope: &str) -> String {
    let asked = json!({"client_id": client, "redirect_uri": REDIRECT, "code_challenge": CHALLENGE,
        "state": "s 1", "scope": scope, "allow": true});
    let answer = stage
        .ask(&stage.ana, "POST /v1/oauth/grants", &HOST, Some(asked))
        .await
        .ok(201);
    let to = answer["redirect_to"].as_str().unwrap();
    assert!(
        to.starts_with(REDIRECT) && to.contains("&state=s%201&iss=http%3A%2F%2Flocalhost%3A7077"),
        "{to}"
    );
    let (_, rest) = to.split_once("code=").unwrap();
    rest.split('&').next().unwrap().to_owned()
}

pub(super) async fn form(stage: &Stage, path: &str, fields: &[(&str, &str)]) -> Reply {
    let body: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let request = Request::post(path)
        .header("host", "localhost:7077")
        .header("content-type", "application/x-www-form-urlencoded");
    stage
        .send(request.body(Body::from(body.join("&"))).unwrap())
        .await
}

pub(super) fn with_code<'a>(client: &'a str, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ]
}

pub(super) fn with_refresh<'a>(client: &'a str, token: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "refresh_token"),
        ("client_id", client),
        ("refresh_token", token),
    ]
}

pub(super) async fn tokens(stage: &Stage, client: &str, scope: &str) -> (String, String) {
    let code = code(stage, client, scope).await;
    let given = form(stage, "/oauth/token", &with_code(client, &code))
        .await
        .ok(200);
    let text = |name: &str| given[name].as_str().unwrap().to_owned();
    (text("access_token"), text("refresh_token"))
}

pub(super) async fn is_accepted(stage: &Stage, key: &str) -> bool {
    stage.ask(key, "GET /v1/memories", &[], None).await.status == 200
}

#[tokio::test]
async fn a_client_finds_its_way_from_a_401_to_a_token() {
    let stage = Stage::new().await;
    let refused = stage.ask("", "POST /mcp", &HOST, Some(json!({}))).await;
    assert_eq!(refused.status, 401);
    let challenge = refused.header("www-authenticate").to_owned();
    let (_, document) = challenge
        .split_once("resource_metadata=\"http://localhost:7077")
        .unwrap();
    let call = format!("GET {}", document.trim_end_matches('"'));
    let resource = stage.ask("", &call, &HOST, None).await.ok(200);
    assert_eq!(
        resource["authorization_servers"],
        json!(["http://localhost:7077"])
    );
    let server = stage
        .ask("", "GET /.well-known/oauth-authorization-server", &HOST, None)
        .await
        .ok(200);
    assert_eq!(server["issuer"], "http://localhost:7077");
    assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));
    let client = client(&stage, "Editor").await;
    let page = format!(
        "GET /oauth/authorize?response_type=code&client_id={client}&redirect_uri=http%3A%2F%2Flocalhost%3A9%2Fcallback\
         &code_challenge={CHALLENGE}&code_challenge_method=S256&state=x&resource=http%3A%2F%2Flocalhost%3A7077%2Fmcp"
    );
    let led = stage.ask("", &page, &HOST, None).await;
    assert_eq!(led.status, 302, "{}", led.text);
    assert!(
        led.header("location")
            .starts_with("http://localhost:7077/#/authorize?client_id=rc_")
    );
    let (access, refresh) = tokens(&stage, &client, "").await;
    assert!(is_accepted(&stage, &access).await);
    let me = stage.ask(&access, "GET /v1/me", &[], None).await.ok(200);
    assert_eq!((&me["user"], &me["kind"]), (&json!("ana"), &json!("user")));
    let again = form(&stage, "/oauth/token", &with_refresh(&client, &refresh))
        .await
        .ok(200);
    assert!(is_accepted(&stage, again["access_token"].as_str().unwrap()).await);
    assert!(!is_accepted(&stage, &refresh).await, "a refresh token is no key");
}

#[tokio::test]
async fn tokens_end_by_themselves_and_by_revocation() {
    let stage = Stage::new().await;
    let client = client(&stage, "Editor").await;
    let (access, refresh) = tokens(&stage, &client, "read").await;
    let write = stage
        .ask(&access, "POST /v1/memories", &[], Some(json!({"content": "x"})))
        .await;
    write.refused(403, "forbidden");
    stage.advance(3601);
    assert!(!is_accepted(&stage, &access).await, "an hour is over");
    let fresh = form(&stage, "/oauth/token", &with_refresh(&client, &refresh))
        .await
        .ok(200);
    assert_eq!(fresh["scope"], "read");
    let more = [("scope", "read%20write")];
    let newer = fresh["refresh_token"].as_str().unwrap();
    let greedy = [&with_refresh(&client, newer)[..], &more[..]].concat();
    let reply = form(&stage, "/oauth/token", &greedy).await;
    assert_eq!(
        (reply.status, &reply.json()["error"]),
        (400, &json!("invalid_scope"))
    );
    let (access, refresh) = tokens(&stage, &client, "").await;
    assert_eq!(
        form(&stage, "/oauth/revoke", &[("token", &refresh)]).await.status,
        200
    );
    assert!(!is_accepted(&stage, &access).await, "the grant is over");
    assert_eq!(
        form(&stage, "/oauth/token", &with_refresh(&client, &refresh))
            .await
            .status,
        400
    );
    // A key that a person made is none of OAuth's business.
    assert_eq!(
        form(&stage, "/oauth/revoke", &[("token", &stage.ana)])
            .await
            .status,
        200
    );
    assert!(is_accepted(&stage, &stage.ana).await);
    let (_, old) = tokens(&stage, &client, "").await;
    stage.advance(31 * 86_400);
    assert_eq!(
        form(&stage, "/oauth/token", &with_refresh(&client, &old))
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn what_is_used_twice_is_taken_back() {
    let stage = Stage::new().await;
    let client = client(&stage, "Editor").await;
    let code = code(&stage, &client, "").await;
    let given = form(&stage, "/oauth/token", &with_code(&client, &code))
        .await
        .ok(200);
    let access = given["access_token"].as_str().unwrap();
    assert!(is_accepted(&stage, access).await);
    let replay = form(&stage, "/oauth/token", &with_code(&client, &code)).await;
    assert_eq!(
        (replay.status, &replay.json()["error"]),
        (400, &json!("invalid_grant"))
    );
    assert!(
        !is_accepted(&stage, access).await,
        "whoever saw the code may have the token"
    );
    let (access, refresh) = tokens(&stage, &client, "").await;
    let fresh = form(&stage, "/oauth/token", &with_refresh(&client, &refresh))
        .await
        .ok(200);
    assert_eq!(
        form(&stage, "/oauth/token", &with_refresh(&client, &refresh))
            .await
            .status,
        400
    );
    for key in [access.as_str(), fresh["access_token"].as_str().unwrap()] {
        assert!(!is_accepted(&stage, key).await, "the whole grant is over");
    }
    let newest = fresh["refresh_token"].as_str().unwrap();
    assert_eq!(
        form(&stage, "/oauth/token", &with_refresh(&client, newest))
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn nobody_grants_more_than_they_have() {
    let stage = Stage::new().await;
    let client = client(&stage, "Editor").await;
    let new = json!({"kind": "user", "user": "ana", "scopes": ["read"]});
    let made = stage
        .ask(&stage.admin, "POST /v1/admin/keys", &[], Some(new))
        .await
        .ok(201);
    let asked =
        json!({"client_id": client, "redirect_uri": REDIRECT, "code_challenge": CHALLENGE, "allow": true});
    let key = made["key"].as_str().unwrap();
    let answer = stage
        .ask(key, "POST /v1/oauth/grants", &HOST, Some(asked))
        .await
        .ok(201);
    let (_, rest) = answer["redirect_to"]
        .as_str()
        .unwrap()
        .split_once("code=")
        .unwrap();
    let code = rest.split('&').next().unwrap();
    let given = form(&stage, "/oauth/token", &with_code(&client, code))
        .await
        .ok(200);
    assert_eq!(given["scope"], "read");
    let no =
        json!({"client_id": client, "redirect_uri": REDIRECT, "code_challenge": CHALLENGE, "allow": false});
    let answer = stage
        .ask(&stage.ana, "POST /v1/oauth/grants", &HOST, Some(no))
        .await
        .ok(201);
    assert!(
        answer["redirect_to"]
            .as_str()
            .unwrap()
            .contains("error=access_denied")
    );
}
