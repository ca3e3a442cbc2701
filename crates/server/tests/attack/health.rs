//! Health checks are answered whatever else happens.

use recalld_server::Limits;

use crate::stage::Stage;

#[tokio::test]
async fn a_full_server_is_alive_and_says_so() {
    let full = Limits {
        concurrent_max: 0,
        ..Limits::default()
    };
    let stage = Stage::new(full).await;
    for call in ["GET /health/live", "GET /health/ready"] {
        let reply = stage.ask(call, &[], None).await;
        assert_eq!(reply.status, 200, "{call}: {}", reply.body);
    }
    let key = stage.as_ana();
    let other = stage
        .ask("GET /v1/memories", &[("authorization", key.as_str())], None)
        .await;
    assert_eq!((other.status, other.code()), (503, "busy"));
}
