"""What the adapters share: one client for code that waits, and one for each event loop."""

from __future__ import annotations

import asyncio
import weakref
from typing import Any, TypeVar

from ._async_client import AsyncRecalld
from ._client import Recalld
from ._request import Request

T = TypeVar("T")


class Clients:
    """A client in both forms. Connections of an async client belong to the loop that opened them."""

    def __init__(self, client: Recalld | None) -> None:
        self.sync = client or Recalld()
        self._of_loops: weakref.WeakKeyDictionary[Any, AsyncRecalld] = weakref.WeakKeyDictionary()

    @property
    def of_loop(self) -> AsyncRecalld:
        """The async client of the running loop."""
        loop = asyncio.get_running_loop()
        found = self._of_loops.get(loop)
        if found is None:
            found = self._of_loops[loop] = self.sync.as_async()
        return found

    def send(self, request: Request[T]) -> T:
        return self.sync._transport.send(request)

    async def asend(self, request: Request[T]) -> T:
        return await self.of_loop._transport.send(request)
