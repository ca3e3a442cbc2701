"""The client that waits for answers."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

import httpx

from . import _streams, types
from ._generated import sync_api
from ._resource import Resource
from ._sse import ServerSentEvent
from ._transport import RETRIES_DEFAULT, TIMEOUT_S_DEFAULT, Settings, Transport

if TYPE_CHECKING:
    from ._async_client import AsyncRecalld

Mode = Literal["task", "conversation"]


def acting_headers(
    user: str | None, conversation: str | None, message: str | None, project: str | None
) -> dict[str, str]:
    named = {
        "Recalld-User": user,
        "Recalld-Conversation": conversation,
        "Recalld-Message": message,
        "Recalld-Project": project,
    }
    return {name: value for name, value in named.items() if value is not None}


class Chat(Resource):
    """A conversation with a model that remembers."""

    def send(
        self, message: str, *, session_id: str | None = None, mode: Mode | None = None, model: str | None = None
    ) -> types.ChatReply:
        """Sends a message and waits for the whole reply."""
        request = _streams.chat(message, session_id=session_id, mode=mode, model=model, stream="none")
        return self._transport.send(request)

    def stream(
        self, message: str, *, session_id: str | None = None, mode: Mode | None = None, model: str | None = None
    ) -> Iterator[ServerSentEvent]:
        """Sends a message and gives the reply as it is made: `started`, `text`, `tool_call`, `done`, …"""
        request = _streams.chat(message, session_id=session_id, mode=mode, model=model, stream="events")
        return map(_streams.checked, self._transport.events(request))


class Events(sync_api.EventsApi):
    """The log of changes."""

    def follow(self, *, last_event_id: str | None = None) -> Iterator[ServerSentEvent]:
        """Gives changes as they happen, from now on or after the event that is named."""
        return self._transport.events(_streams.events(last_event_id))


class Recalld(sync_api.ClientApi):
    """A client that waits for answers.

    >>> client = Recalld(key="rk_…")
    >>> client.memories.create("Prefers window seats")["outcome"]
    'stored'
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout_s: float = TIMEOUT_S_DEFAULT,
        retries: int = RETRIES_DEFAULT,
        http: httpx.Client | None = None,
    ) -> None:
        """`url` and `key` default to RECALLD_URL and RECALLD_KEY. An `http` client of your own stays open."""
        self._owns_http = http is None
        http = http or httpx.Client(timeout=timeout_s)
        super().__init__(Transport(Settings.of(url, key, retries), http))

    def acting(
        self,
        *,
        user: str | None = None,
        conversation: str | None = None,
        message: str | None = None,
        project: str | None = None,
    ) -> Recalld:
        """Gives a client for another user (with a service key), or within a conversation or project.

        It shares the connections of this one.
        """
        other = object.__new__(Recalld)
        settings = self._transport.settings.with_headers(acting_headers(user, conversation, message, project))
        other._owns_http = False
        sync_api.ClientApi.__init__(other, Transport(settings, self._transport.http))
        return other

    def as_async(self) -> AsyncRecalld:
        """Gives an async client for the same server, as the same user, with connections of its own."""
        from ._async_client import AsyncRecalld

        return AsyncRecalld.of_settings(self._transport.settings, self._transport.http.timeout)

    def import_data(
        self,
        data: bytes,
        *,
        from_: str | None = None,
        dry_run: bool | None = None,
        content_type: str | None = None,
    ) -> types.ImportReport | types.ImportStatus:
        """Imports an archive, or memories from another product. A long one gives a status to ask for again."""
        request = _streams.import_data(data, from_=from_, dry_run=dry_run, content_type=content_type)
        return self._transport.send(request)

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._transport.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def chat(self) -> Chat:
        """A conversation with a model that remembers."""
        return Chat(self._transport)

    @property
    def events(self) -> Events:
        """The log of changes."""
        return Events(self._transport)
