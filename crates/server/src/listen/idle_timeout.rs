//! A stream that fails when its client is silent for too long: before the first request, while it
//! still decides between HTTP/1 and HTTP/2, and between requests.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::connections::Connection;
use crate::limits::Limits;

/// A stream with the clock of its connection.
#[derive(Debug)]
pub(super) struct IdleTimeout<S> {
    stream: S,
    connection: Arc<Connection>,
    limits: Limits,
    alarm: Pin<Box<Sleep>>,
}

impl<S> IdleTimeout<S> {
    pub(super) fn new(stream: S, connection: Arc<Connection>, limits: &Limits) -> IdleTimeout<S> {
        IdleTimeout {
            stream,
            connection,
            alarm: Box::pin(sleep_until(Instant::now() + limits.head_timeout)),
            limits: limits.clone(),
        }
    }

    /// Fails if nothing has happened for too long, and else wakes the task when that may be so.
    fn poll_silence(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        while self.alarm.as_mut().poll(context).is_ready() {
            let now = Instant::now();
            let until = match self.connection.silent_until(&self.limits) {
                Some(until) => Instant::from_std(until),
                // A request is under way: look again later.
                None => now + self.limits.head_timeout,
            };
            if until <= now {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            self.alarm.as_mut().reset(until);
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for IdleTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            self.connection.touch();
            return Poll::Ready(read);
        }
        self.poll_silence(context).map(Err)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for IdleTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.connection.touch();
        }
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        if written.is_ready() {
            self.connection.touch();
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
