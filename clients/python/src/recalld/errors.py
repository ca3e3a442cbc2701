"""What can go wrong, as types. Every error of the server has a stable `code` and often a `hint`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .types import FieldProblem


class RecalldError(Exception):
    """The base of all errors of this package."""


class ConnectionFailed(RecalldError):
    """The server could not be reached, or the connection broke."""


class TimedOut(ConnectionFailed):
    """The server did not answer in time."""


class ApiError(RecalldError):
    """The server refused the request or failed."""

    status: int
    """The HTTP status."""
    code: str
    """The stable word for a program, such as `secret_refused`."""
    title: str
    detail: str
    """What is wrong this time."""
    hint: str | None
    """What to do about it."""
    errors: list[FieldProblem]
    """Where in the request it is wrong."""
    retry_after_s: float | None
    """How long the server asks to wait."""
    idempotency_key: str | None
    """With `outcome_unknown`: ask `client.request_outcome(key)` later."""

    def __init__(self, status: int, problem: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code = str(problem.get("code") or "unknown")
        self.title = str(problem.get("title") or f"HTTP {status}")
        self.detail = str(problem.get("detail") or self.title)
        self.hint = problem.get("hint")
        self.errors = list(problem.get("errors") or [])
        self.retry_after_s = _seconds(headers.get("retry-after"))
        self.idempotency_key = headers.get("idempotency-key")
        hint = f" (hint: {self.hint})" if self.hint else ""
        super().__init__(f"{self.detail}{hint} [{status} {self.code}]")


class InvalidRequest(ApiError):
    """The request is not valid; `errors` says where."""


class Unauthenticated(ApiError):
    """The key is missing, wrong or revoked."""


class Forbidden(ApiError):
    """The key may not do that."""


class NotFound(ApiError):
    """There is no such thing for this user."""


class Conflict(ApiError):
    """It collides with what is there; for a memory, its key holds a different statement."""


class Stale(ApiError):
    """It has changed since it was read."""


class SecretRefused(ApiError):
    """The text contains a secret, which is not stored."""


class RateLimited(ApiError):
    """Too many requests."""


class ServerError(ApiError):
    """The server failed."""


class Unavailable(ServerError):
    """The server, its storage or its model cannot be used now."""


class OutcomeUnknown(ServerError):
    """The write goes on, and its outcome is not known yet."""


_BY_CODE: dict[str, type[ApiError]] = {"secret_refused": SecretRefused, "outcome_unknown": OutcomeUnknown}
_BY_STATUS: dict[int, type[ApiError]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Stale,
    429: RateLimited,
    503: Unavailable,
}


def error_from(status: int, headers: Mapping[str, str], content: bytes) -> ApiError:
    """Reads the error of an answer, whatever its body is."""
    try:
        problem = json.loads(content)
    except ValueError:
        problem = {"detail": content.decode(errors="replace")[:500]}
    if not isinstance(problem, dict):
        problem = {}
    usual = ServerError if status >= 500 else InvalidRequest
    kind = _BY_CODE.get(str(problem.get("code"))) or _BY_STATUS.get(status, usual)
    return kind(status, problem, headers)


def _seconds(raw: str | None) -> float | None:
    try:
        return None if raw is None else float(raw)
    except ValueError:
        return None
