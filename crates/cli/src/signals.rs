//! Signals that ask the process to stop, or to read its configuration again.

/// Waits for SIGHUP, by which operators ask to read the configuration again. Elsewhere it never
/// comes.
pub(crate) async fn reload() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut hangup) = signal(SignalKind::hangup()) {
            hangup.recv().await;
            return;
        }
    }
    std::future::pending().await
}

/// Waits for Ctrl-C or, on Unix, for SIGTERM.
pub(crate) async fn shutdown() {
    let interrupt = async {
        // Without a handler there is nothing to wait for, and the default action applies.
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
