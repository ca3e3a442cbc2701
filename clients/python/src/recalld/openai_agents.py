"""A session of the OpenAI Agents SDK that recalld keeps: `Runner.run(agent, text, session=RecalldSession("s1"))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from . import types
from ._adapter import Clients
from ._client import Recalld
from ._transcript import LatestMessages, Role, appends, message, original, text_of
from .errors import NotFound

if TYPE_CHECKING:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings

_NAME = "openai_agents"


class RecalldSession:
    """The items of one conversation, which the server sees, too. It follows the SDK's `Session` protocol."""

    session_settings: SessionSettings | None = None

    def __init__(self, session_id: str, client: Recalld | None = None, *, extract: bool = False) -> None:
        """With `extract`, lasting facts in what the user says are remembered."""
        self.session_id = session_id
        self._clients = Clients(client)
        self._extract = extract

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Gives the latest items, the oldest first."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        found = [item for _, item in await self._latest(limit)]
        return cast("list[TResponseInputItem]", found)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Appends items."""
        wrapped = [_wrapped(cast(dict[str, Any], item)) for item in items]
        for request in appends(self.session_id, wrapped, self._extract):
            await self._clients.asend(request)

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the latest item and gives it back."""
        for stored, item in await self._latest(1):
            await self._clients.of_loop.conversations.erase_message(self.session_id, stored["id"])
            return cast("TResponseInputItem", item)
        return None

    async def clear_session(self) -> None:
        """Removes all items. What was learned from them stays."""
        try:
            await self._clients.of_loop.conversations.erase(self.session_id, keep_memories=True)
        except NotFound:
            pass

    async def _latest(self, limit: int | None) -> list[tuple[types.Message, Any]]:
        latest = LatestMessages(self.session_id, limit)
        try:
            while not latest.done:
                latest.take(await self._clients.asend(latest.request()))
        except NotFound:
            return []
        return [(stored, _unwrapped(stored)) for stored in latest.result()]


def _wrapped(item: dict[str, Any]) -> types.NewMessageBody:
    said_by = item.get("role")
    role: Role = "user" if said_by == "user" else "system" if said_by in ("system", "developer") else "assistant"
    text = text_of(item.get("content")) or str(item.get("output") or item.get("name") or "")
    return message(_NAME, item, role, text)


def _unwrapped(stored: types.Message) -> Any:
    """The item; a message that something else wrote becomes one."""
    item = original(_NAME, stored)
    return item if item is not None else {"role": stored["role"], "content": stored["content"]}
