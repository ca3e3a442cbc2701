//! `/v1/export`: everything the user has, as one archive that is sent while it is packed.

use std::io;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use recalld_portability::archive::{Sink, export, signer};
use tokio::sync::mpsc;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::middleware::RouteLayers;
use crate::off_workers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(archive).layer(layers.caller()))
}

/// How many pieces may wait to be sent.
const PIECES_MAX: usize = 4;

/// The way from the packer to the client. Whoever reads slowly lets the packer wait.
struct Pieces(mpsc::Sender<io::Result<Bytes>>);

#[async_trait::async_trait]
impl Sink for Pieces {
    async fn take(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.send(Ok(bytes.into())).await.map_err(gone)
    }
}

/// Gives everything the user has as one archive (zip): memories with their history, entities,
/// conversations, profile, working memory, the log, and Markdown files for people.
#[utoipa::path(get, path = "/v1/export", tag = "me",
    responses((status = 200, content_type = "application/zip", body = Vec<u8>)))]
async fn archive(State(app): State<App>, caller: Caller) -> Result<Response, ApiError> {
    let scope = caller.scope()?;
    let signer = app.eraser.as_ref().and_then(signer);
    let (sender, mut receiver) = mpsc::channel(PIECES_MAX);
    tokio::spawn(off_workers::streaming(async move {
        let mut pieces = Pieces(sender);
        if let Err(error) = export(&app.ports, &scope, signer.as_ref(), &mut pieces).await {
            // An archive that breaks off must not look like a whole one.
            let _ = pieces.0.send(Err(io::Error::other("the export failed"))).await;
            tracing::warn!(%error, "an export was not finished");
        }
    }));
    let body = Body::from_stream(futures::stream::poll_fn(move |context| {
        receiver.poll_recv(context)
    }));
    let headers = [
        (header::CONTENT_TYPE, "application/zip"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"recalld-export.zip\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, body).into_response())
}
