//! Which service answers: it can be replaced while connections stay open.

use std::sync::Arc;

use axum::Router;
use parking_lot::RwLock;

use crate::app::App;
use crate::auth::TokenRules;
use crate::error::{ApiError, Code};
use crate::health;
use crate::limits::Limits;
use crate::routes;

/// The service that answers at present. Clones share it.
#[derive(Clone, Debug)]
pub struct Switch(Arc<RwLock<Served>>);

/// A service, and what it is made of.
#[derive(Clone, Debug)]
struct Served {
    router: Router,
    app: App,
}

impl Switch {
    /// Begins with `app`.
    pub fn new(app: App) -> Switch {
        Switch(Arc::new(RwLock::new(Served {
            router: routes::router(app.clone()),
            app,
        })))
    }

    /// Lets `app` answer from now on.
    pub fn to(&self, app: App) {
        let router = routes::router(app.clone());
        *self.0.write() = Served { router, app };
    }

    /// Answers everything but health checks with 503 from now on, and returns when the writes that
    /// had begun are done.
    pub async fn pause(&self) {
        let app = self.app();
        let paused =
            async || ApiError::new(Code::Busy, "the server is changing to its database").retry_after(1);
        self.0.write().router = Router::new().merge(health::paused_router()).fallback(paused);
        app.writes.close();
        app.writes.wait().await;
    }

    /// Takes over what can change while the service runs: how many requests and writes are allowed,
    /// and which tokens are accepted.
    pub fn reload(&self, limits: &Limits, tokens: Option<TokenRules>) {
        self.app().reload(limits, tokens);
    }

    /// Ends the streams that have no end of their own.
    pub fn close(&self) {
        self.app().closing.cancel();
    }

    /// What answers at present.
    pub(crate) fn app(&self) -> App {
        self.0.read().app.clone()
    }

    pub(crate) fn router(&self) -> Router {
        self.0.read().router.clone()
    }
}
