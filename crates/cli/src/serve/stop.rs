//! When the server is told to stop.

/// Waits for an interrupt from the keyboard, or for the request of the system to end.
pub(crate) async fn asked() {
    let interrupt = async {
        // Without a handler there is nothing to wait for, and the system's own way of stopping
        // remains.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let terminate = async {
            match signal(SignalKind::terminate()) {
                Ok(mut terminate) => drop(terminate.recv().await),
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = interrupt => {}
            () = terminate => {}
        }
    }
    #[cfg(not(unix))]
    interrupt.await;
}
