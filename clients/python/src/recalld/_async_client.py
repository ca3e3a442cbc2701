"""The client that does not block: the same methods as `Recalld`, to be awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

import httpx

from . import _streams, types
from ._client import Mode, acting_headers
from ._generated import async_api
from ._resource import AsyncResource
from ._sse import ServerSentEvent
from ._transport import RETRIES_DEFAULT, TIMEOUT_S_DEFAULT, AsyncTransport, Settings


class AsyncChat(AsyncResource):
    """A conversation with a model that remembers."""

    async def send(
        self, message: str, *, session_id: str | None = None, mode: Mode | None = None, model: str | None = None
    ) -> types.ChatReply:
        """Sends a message and waits for the whole reply."""
        request = _streams.chat(message, session_id=session_id, mode=mode, model=model, stream="none")
        return await self._transport.send(request)

    async def stream(
        self, message: str, *, session_id: str | None = None, mode: Mode | None = None, model: str | None = None
    ) -> AsyncIterator[ServerSentEvent]:
        """Sends a message and gives the reply as it is made: `started`, `text`, `tool_call`, `done`, …"""
        request = _streams.chat(message, session_id=session_id, mode=mode, model=model, stream="events")
        async for event in self._transport.events(request):
            yield _streams.checked(event)


class AsyncEvents(async_api.EventsApi):
    """The log of changes."""

    def follow(self, *, last_event_id: str | None = None) -> AsyncIterator[ServerSentEvent]:
        """Gives changes as they happen, from now on or after the event that is named."""
        return self._transport.events(_streams.events(last_event_id))


class AsyncRecalld(async_api.ClientApi):
    """A client to be awaited.

    >>> async with AsyncRecalld(key="rk_…") as client:
    ...     await client.memories.create("Prefers window seats")
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout_s: float = TIMEOUT_S_DEFAULT,
        retries: int = RETRIES_DEFAULT,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """`url` and `key` default to RECALLD_URL and RECALLD_KEY. An `http` client of your own stays open."""
        self._owns_http = http is None
        http = http or httpx.AsyncClient(timeout=timeout_s)
        super().__init__(AsyncTransport(Settings.of(url, key, retries), http))

    @staticmethod
    def of_settings(settings: Settings, timeout: httpx.Timeout) -> AsyncRecalld:
        """Makes a client from the settings of another."""
        client = object.__new__(AsyncRecalld)
        client._owns_http = True
        async_api.ClientApi.__init__(client, AsyncTransport(settings, httpx.AsyncClient(timeout=timeout)))
        return client

    def acting(
        self,
        *,
        user: str | None = None,
        conversation: str | None = None,
        message: str | None = None,
        project: str | None = None,
    ) -> AsyncRecalld:
        """Gives a client for another user (with a service key), or within a conversation or project.

        It shares the connections of this one.
        """
        other = object.__new__(AsyncRecalld)
        settings = self._transport.settings.with_headers(acting_headers(user, conversation, message, project))
        other._owns_http = False
        async_api.ClientApi.__init__(other, AsyncTransport(settings, self._transport.http))
        return other

    async def import_data(
        self,
        data: bytes,
        *,
        from_: str | None = None,
        dry_run: bool | None = None,
        content_type: str | None = None,
    ) -> types.ImportReport | types.ImportStatus:
        """Imports an archive, or memories from another product. A long one gives a status to ask for again."""
        request = _streams.import_data(data, from_=from_, dry_run=dry_run, content_type=content_type)
        return await self._transport.send(request)

    async def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def chat(self) -> AsyncChat:
        """A conversation with a model that remembers."""
        return AsyncChat(self._transport)

    @property
    def events(self) -> AsyncEvents:
        """The log of changes."""
        return AsyncEvents(self._transport)
