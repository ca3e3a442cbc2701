//! Reads the configuration again when the operator asks for it, and applies what can change while
//! the server runs.

use recalld_server::Switch;

use crate::config::Config;
use crate::failure::Failure;
use crate::signals;

/// Waits for the signal, again and again.
pub(super) async fn run(config: Config, switch: Switch) {
    loop {
        signals::reload().await;
        match reload(&config, &switch) {
            Ok(()) => tracing::warn!("the configuration was read again: limits and token rules apply now"),
            Err(failure) => {
                tracing::error!(
                    problem = failure.message,
                    "the configuration was not applied; the server goes on with the former one"
                );
            }
        }
    }
}

fn reload(config: &Config, switch: &Switch) -> Result<(), Failure> {
    let server = config.reloaded()?.values.server;
    switch.reload(&server.limits(), server.token_rules()?);
    Ok(())
}
