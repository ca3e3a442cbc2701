"""LangChain: a chat history that recalld keeps, and a retriever over the user's memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages import message_to_dict, messages_from_dict
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, PrivateAttr

from . import types
from ._adapter import Clients
from ._client import Recalld
from ._generated import requests
from ._request import Request
from ._transcript import LatestMessages, Role, appends, message, original, text_of
from .errors import NotFound

_NAME = "langchain"


class RecalldChatMessageHistory(BaseChatMessageHistory):
    """The messages of one conversation."""

    def __init__(self, session_id: str, client: Recalld | None = None, *, extract: bool = False) -> None:
        """With `extract`, lasting facts in what the user says are remembered."""
        self.session_id = session_id
        self._clients = Clients(client)
        self._extract = extract

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """All messages, the oldest first."""
        latest = LatestMessages(self.session_id, None)
        try:
            while not latest.done:
                latest.take(self._clients.send(latest.request()))
        except NotFound:
            return []
        return [_unwrapped(each) for each in latest.result()]

    async def aget_messages(self) -> list[BaseMessage]:
        """All messages, the oldest first."""
        latest = LatestMessages(self.session_id, None)
        try:
            while not latest.done:
                latest.take(await self._clients.asend(latest.request()))
        except NotFound:
            return []
        return [_unwrapped(each) for each in latest.result()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Appends messages."""
        for request in appends(self.session_id, [_wrapped(each) for each in messages], self._extract):
            self._clients.send(request)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Appends messages."""
        for request in appends(self.session_id, [_wrapped(each) for each in messages], self._extract):
            await self._clients.asend(request)

    def clear(self) -> None:
        """Removes all messages. What was learned from them stays."""
        try:
            self._clients.send(self._erasure())
        except NotFound:
            pass

    async def aclear(self) -> None:
        """Removes all messages. What was learned from them stays."""
        try:
            await self._clients.asend(self._erasure())
        except NotFound:
            pass

    def _erasure(self) -> Request[types.Erased]:
        return requests.conversations_erase(self.session_id, keep_memories=True)


def _wrapped(given: BaseMessage) -> types.NewMessageBody:
    roles: dict[str, Role] = {"human": "user", "system": "system"}
    role = roles.get(given.type, "assistant")
    return message(_NAME, message_to_dict(given), role, text_of(given.content))


def _unwrapped(stored: types.Message) -> BaseMessage:
    kept = original(_NAME, stored)
    if kept is not None:
        return messages_from_dict([kept])[0]
    kinds: dict[str, type[BaseMessage]] = {"user": HumanMessage, "system": SystemMessage}
    return kinds.get(stored["role"], AIMessage)(content=stored["content"])


class RecalldRetriever(BaseRetriever):
    """Finds what is remembered about the user, best first."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: Recalld | None = None
    k: int = 10
    """The most results."""
    kinds: list[str] | None = None
    """Only these kinds, such as `memory` or `knowledge`; all by default."""
    category: str | None = None

    _clients: Clients = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        self._clients = Clients(self.client)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return _documents(self._clients.send(self._request(query)))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        return _documents(await self._clients.asend(self._request(query)))

    def _request(self, query: str) -> Request[types.SearchResult]:
        kinds: Any = self.kinds
        return requests.search(query, limit=self.k, kinds=kinds, category=self.category)


def _documents(found: types.SearchResult) -> list[Document]:
    return [_document(hit) for hit in found["results"]]


def _document(hit: types.SearchHit) -> Document:
    about: dict[str, Any] = {"kind": hit["kind"], "score": hit["score"], "shared": hit["shared"]}
    thing: Any = hit.get(hit["kind"])
    if isinstance(thing, dict):
        about |= {name: thing[name] for name in ("id", "category", "origin", "trust", "learned_at") if thing.get(name)}
    return Document(page_content=hit["text"], metadata=about, id=about.get("id"))
