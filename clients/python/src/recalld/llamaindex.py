"""LlamaIndex: memory of an agent that recalld keeps, `agent.run(text, memory=RecalldMemory.from_defaults(session_id="s1"))`."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import ConfigDict, PrivateAttr
from llama_index.core.memory import BaseMemory

from . import types
from ._adapter import Clients
from ._client import Recalld
from ._transcript import LatestMessages, Role, appends, message, original, text_of
from .errors import NotFound

_NAME = "llamaindex"


class RecalldMemory(BaseMemory):
    """The messages of one conversation, and before them what is remembered that bears on the input."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    session_id: str
    last_messages: int = 40
    """How many messages an agent gets."""
    max_tokens: int = 1_000
    """The most tokens of what is remembered."""
    extract: bool = False
    """Whether lasting facts in what the user says are remembered."""

    _clients: Clients = PrivateAttr()

    @classmethod
    def class_name(cls) -> str:
        return "RecalldMemory"

    @classmethod
    def from_defaults(cls, client: Recalld | None = None, **fields: Any) -> RecalldMemory:
        """Makes a memory; `session_id` is needed."""
        memory = cls(**fields)
        memory._clients = Clients(client)
        return memory

    def get(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:
        """Gives what is remembered for the input as a system message, then the last messages."""
        said = self._latest(self.last_messages)
        asked = input or next((each.content for each in reversed(said) if each.role == MessageRole.USER), None)
        known = self._clients.sync.context(asked, max_tokens=self.max_tokens)["text"] if asked else ""
        return [ChatMessage(role=MessageRole.SYSTEM, content=known), *said] if known else said

    def get_all(self) -> list[ChatMessage]:
        """Gives all messages."""
        return self._latest(None)

    def put(self, message: ChatMessage) -> None:
        """Appends a message."""
        self.put_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Appends messages."""
        for request in appends(self.session_id, [_wrapped(each) for each in messages], self.extract):
            self._clients.send(request)

    def set(self, messages: list[ChatMessage]) -> None:
        """Replaces all messages."""
        self.reset()
        self.put_messages(messages)

    def reset(self) -> None:
        """Removes all messages. What was learned from them stays."""
        try:
            self._clients.sync.conversations.erase(self.session_id, keep_memories=True)
        except NotFound:
            pass

    def _latest(self, limit: int | None) -> list[ChatMessage]:
        latest = LatestMessages(self.session_id, limit)
        try:
            while not latest.done:
                latest.take(self._clients.send(latest.request()))
        except NotFound:
            return []
        return [_unwrapped(each) for each in latest.result()]


def _wrapped(given: ChatMessage) -> types.NewMessageBody:
    roles: dict[str, Role] = {"user": "user", "system": "system", "developer": "system"}
    return message(_NAME, given.model_dump(mode="json"), roles.get(given.role.value, "assistant"), text_of(given.content))


def _unwrapped(stored: types.Message) -> ChatMessage:
    kept = original(_NAME, stored)
    if kept is not None:
        return ChatMessage.model_validate(kept)
    return ChatMessage(role=MessageRole(stored["role"]), content=stored["content"])
