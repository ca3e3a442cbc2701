"""Decides whether a request is sent again, and when. It neither sends nor waits."""

from __future__ import annotations

import dataclasses
import random
import uuid
from typing import Any

import httpx

from ._request import Repeat, Request
from .errors import ConnectionFailed, RecalldError, TimedOut, error_from

PAUSE_S_MAX = 30.0

# With these the server says that it did not do what was asked.
_NOT_DONE = {"rate_limited", "busy", "timeout", "model_unavailable"}


@dataclasses.dataclass
class Attempts:
    """The attempts at one request."""

    request: Request[Any]
    retries_max: int
    key: str | None = None
    made: int = 0

    def __post_init__(self) -> None:
        if self.request.repeat is Repeat.KEYED:
            self.key = self.request.idempotency_key or str(uuid.uuid4())

    def after_failure(self, error: httpx.HTTPError) -> float:
        """Gives the pause before the next attempt, or raises."""
        never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        typed: RecalldError = (
            TimedOut(told) if isinstance(error, httpx.TimeoutException) else ConnectionFailed(told)
        )
        if not (never_sent or self.request.may_repeat()) or not self._has_more():
            raise typed from error
        return self._pause(None)

    def after_answer(self, status: int, headers: httpx.Headers, content: bytes) -> float | None:
        """Gives the pause before the next attempt; none if the answer is good. Raises what stays wrong."""
        if status < 400:
            return None
        error = error_from(status, headers, content)
        unknown = status in (502, 504) or error.code in ("overdue", "storage_unavailable")
        again = error.code in _NOT_DONE or (unknown and self.request.may_repeat())
        # A proxy in front of the server has no codes.
        again = again or (error.code == "unknown" and status == 503)
        if not again or error.code == "model_failed" or not self._has_more():
            raise error
        return self._pause(error.retry_after_s)

    def _has_more(self) -> bool:
        self.made += 1
        return self.made <= self.retries_max

    def _pause(self, asked_s: float | None) -> float:
        usual: float = 0.25 * 2**self.made * random.uniform(0.5, 1.0)
        return min(max(asked_s or 0.0, usual), PAUSE_S_MAX)
