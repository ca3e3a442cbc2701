//! A body that may not pause for too long.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use thiserror::Error;
use tokio::time::Sleep;

/// Fails when nothing arrives for `pause_max`. A body that is there already needs no timer.
#[derive(Debug)]
struct BodyWithTimeout {
    body: Body,
    pause_max: Duration,
    pause: Option<Pin<Box<Sleep>>>,
}

/// The body paused for too long.
#[derive(Debug, Error)]
#[error("nothing arrived for {0:?}")]
struct BodyPaused(Duration);

/// Lets `body` fail when it pauses for longer than `pause_max`.
pub(super) fn with_timeout(body: Body, pause_max: Duration) -> Body {
    match body.is_end_stream() {
        true => body,
        false => Body::new(BodyWithTimeout {
            body,
            pause_max,
            pause: None,
        }),
    }
}

impl HttpBody for BodyWithTimeout {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            self.pause = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)));
        }
        let pause_max = self.pause_max;
        let pause = self
            .pause
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(pause_max)));
        pause
            .as_mut()
            .poll(context)
            .map(|()| Some(Err(BodyPaused(pause_max).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures::{StreamExt, stream};
    use http_body_util::BodyExt;

    use super::*;

    const PAUSE_MAX: Duration = Duration::from_secs(10);

    /// A body that gives a byte after each of these pauses.
    fn body_with(pauses: &'static [u64]) -> Body {
        let bytes = stream::iter(pauses).then(async |pause| {
            tokio::time::sleep(Duration::from_secs(*pause)).await;
            Ok::<_, std::io::Error>("x")
        });
        with_timeout(Body::from_stream(bytes), PAUSE_MAX)
    }

    #[tokio::test(start_paused = true)]
    async fn each_pause_counts_by_itself() {
        let whole = body_with(&[9, 9, 0, 9]).collect().await.unwrap();
        assert_eq!(whole.to_bytes(), "xxxx");
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_that_is_too_long_ends_the_body() {
        let mut body = body_with(&[1, 11]);
        assert!(body.frame().await.unwrap().is_ok());
        let error = body.frame().await.unwrap().unwrap_err();
        assert_eq!(error.to_string(), "nothing arrived for 10s");
    }
}
