"""What the methods of a resource hang on."""

from __future__ import annotations

from ._transport import AsyncTransport, Transport


class Resource:
    """A part of the client that waits for answers."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    """A part of the async client."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
