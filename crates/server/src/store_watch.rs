//! Watches the store: its outage is logged once when it begins and once when it ends, and gauges
//! tell how it is.

use std::time::Duration;

use recalld_memory::id::SpaceId;
use recalld_memory::record::RecordKind;
use tokio::time::Instant;

use crate::app::App;
use crate::switch::Switch;

/// How often the store is asked.
const EVERY: Duration = Duration::from_secs(2);

/// How long the store may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// How many users with waiting tasks are counted.
const WAITING_MAX: usize = 10_000;

/// How often the queue is counted, in rounds: that asks more of the store than whether it is there.
const QUEUE_EVERY: u32 = 8;

/// Watches until it is stopped.
pub(crate) async fn run(switch: Switch) {
    let mut outage = Outage::default();
    let mut round = 0_u32;
    loop {
        // The service may have been replaced.
        let app = switch.app();
        outage.note(asked(&app).await);
        if outage.began.is_none() && round.is_multiple_of(QUEUE_EVERY) {
            count_queue(&app).await;
        }
        round = round.wrapping_add(1);
        tokio::time::sleep(EVERY).await;
    }
}

/// Asks the store for as little as possible. Gives why it did not answer.
async fn asked(app: &App) -> Result<(), String> {
    let shared = SpaceId::shared();
    match tokio::time::timeout(ANSWER_TIMEOUT, app.ports.store.revision(&shared)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("no answer within {} s", ANSWER_TIMEOUT.as_secs())),
    }
}

/// An outage of the store, while there is one.
#[derive(Debug, Default)]
struct Outage {
    began: Option<Instant>,
}

impl Outage {
    /// Logs the beginning and the end, and nothing in between.
    fn note(&mut self, answer: Result<(), String>) {
        match (answer, self.began) {
            (Err(cause), None) => {
                self.began = Some(Instant::now());
                tracing::error!(cause, "the store cannot be reached");
            }
            (Ok(()), Some(began)) => {
                self.began = None;
                let seconds = began.elapsed().as_secs();
                tracing::warn!(seconds, "the store can be reached again");
            }
            (Ok(()), None) | (Err(_), Some(_)) => {}
        }
        metrics::gauge!("recalld_store_up").set(f64::from(u8::from(self.began.is_none())));
    }
}

/// Counts the users for whom extraction still has something to do.
async fn count_queue(app: &App) {
    let Some(eraser) = &app.eraser else { return };
    let waiting = eraser
        .administration
        .spaces_with_records(RecordKind::Task, None, WAITING_MAX)
        .await;
    if let Ok(waiting) = waiting {
        metrics::gauge!("recalld_extraction_users_waiting").set(waiting.len() as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_outage_begins_and_ends_once() {
        let mut outage = Outage::default();
        outage.note(Ok(()));
        assert!(outage.began.is_none());
        outage.note(Err("gone".to_owned()));
        let began = outage.began;
        assert!(began.is_some());
        outage.note(Err("still gone".to_owned()));
        assert_eq!(outage.began, began, "it is one outage");
        outage.note(Ok(()));
        assert!(outage.began.is_none());
    }
}
