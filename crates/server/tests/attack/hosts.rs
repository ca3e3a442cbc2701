//! DNS rebinding: a page of `evil.example` that points its name at 127.0.0.1 must not reach a
//! server on the user's machine.

use std::net::SocketAddr;

use recalld_server::Limits;

use crate::stage::Stage;

const LOOPBACK: &str = "127.0.0.1:7077";
const EVERYWHERE: &str = "0.0.0.0:7077";

async fn status_and_code(listening_on: &str, host: &str, call: &str) -> (u16, String) {
    let mut stage = Stage::new(Limits::default()).await;
    let address: SocketAddr = listening_on.parse().unwrap();
    stage.app = stage.app.listening_on(address);
    let key = stage.as_ana();
    let headers = [("authorization", key.as_str()), ("host", host)];
    let reply = stage.ask(call, &headers, None).await;
    (reply.status, reply.code().to_owned())
}

#[tokio::test]
async fn on_loopback_a_foreign_name_is_refused_as_what_it_is() {
    let refused = (403, "wrong_host".to_owned());
    for host in ["evil.example", "evil.example:7077", "localhost.evil.example"] {
        for call in ["GET /v1/memories", "DELETE /v1/me", "POST /mcp"] {
            assert_eq!(
                status_and_code(LOOPBACK, host, call).await,
                refused,
                "{host} {call}"
            );
        }
    }
}

#[tokio::test]
async fn names_of_this_machine_are_answered() {
    for host in ["localhost:7077", "127.0.0.1:7077", "[::1]:7077"] {
        let answer = status_and_code(LOOPBACK, host, "GET /v1/memories").await;
        assert_eq!(answer, (200, String::new()), "{host}");
    }
    let health = status_and_code(LOOPBACK, "probe.internal", "GET /health/live").await;
    assert_eq!(health.0, 200);
}

#[tokio::test]
async fn a_server_that_others_reach_is_addressed_by_any_name() {
    let answer = status_and_code(EVERYWHERE, "memory.example", "GET /v1/memories").await;
    assert_eq!(answer.0, 200);
}
