"""Requests that are not made from the OpenAPI document: streams, and bodies that are not JSON."""

from __future__ import annotations

from typing import Any

from . import types
from ._request import Request, given
from ._sse import ServerSentEvent
from .errors import ServerError


def chat(
    message: str,
    *,
    session_id: str | None,
    mode: str | None,
    model: str | None,
    stream: str,
) -> Request[types.ChatReply]:
    """A message to reply to. It is never repeated by itself: a reply costs money."""
    body = given(("message", message), ("session_id", session_id), ("mode", mode), ("model", model))
    return Request("POST", "/api/chat", query={"stream": stream}, body=body)


def events(last_event_id: str | None) -> Request[Any]:
    """The changes as they happen."""
    return Request("GET", "/v1/events/stream", headers=given(("Last-Event-ID", last_event_id)))


def import_data(
    data: bytes, *, from_: str | None, dry_run: bool | None, content_type: str | None
) -> Request[types.ImportReport | types.ImportStatus]:
    """An archive, or another product's export."""
    kind = content_type or ("application/zip" if data[:2] == b"PK" else "application/json")
    query = given(("from", from_), ("dry_run", dry_run))
    return Request("POST", "/v1/import", query=query, content=data, headers={"Content-Type": kind})


def checked(event: ServerSentEvent) -> ServerSentEvent:
    """Raises what a stream reports as its failure."""
    if event.event == "error":
        problem = {"code": "model_failed", "title": "The reply failed", **event.data}
        raise ServerError(502, problem, {})
    return event
