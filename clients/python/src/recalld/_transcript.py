"""Keeps a framework's own messages in a conversation of recalld.

The text is the message's content, so that people and search can read it. The whole message, as the framework
has it, travels as metadata and comes back byte for byte. Metadata is limited; a message that is larger is
stored as the content itself.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from . import types
from ._generated import requests
from ._request import Request

METADATA_BYTES_MAX = 15_000
MESSAGES_MAX = 1_000

Role: TypeAlias = Literal["system", "user", "assistant"]


def message(name: str, original: Any, role: Role, text: str) -> types.NewMessageBody:
    """Wraps an original of the framework `name`."""
    encoded = json.dumps(original, ensure_ascii=False, separators=(",", ":"))
    if len(encoded.encode()) <= METADATA_BYTES_MAX and text.strip():
        return {"role": role, "content": text, "metadata": {name: original}}
    return {"role": role, "content": encoded, "metadata": {name: "content"}}


def original(name: str, stored: types.Message) -> Any | None:
    """The original, if the framework `name` wrote the message."""
    metadata = stored.get("metadata")
    if not isinstance(metadata, dict) or name not in metadata:
        return None
    kept = metadata[name]
    return json.loads(stored["content"]) if kept == "content" else kept


def appends(conversation: str, messages: list[types.NewMessageBody], extract: bool) -> list[Request[types.Appended]]:
    """The requests that append all messages, in order."""
    parts = [messages[start : start + MESSAGES_MAX] for start in range(0, len(messages), MESSAGES_MAX)]
    return [requests.conversations_append(conversation, part, extract=extract or None) for part in parts]


class LatestMessages:
    """Reads backwards through a conversation until there is enough, page by page."""

    def __init__(self, conversation: str, limit: int | None) -> None:
        self._conversation = conversation
        self._limit = limit
        self._before: int | None = None
        self._found: list[types.Message] = []
        self.done = limit is not None and limit <= 0

    def request(self) -> Request[types.MessagePage]:
        page = 500 if self._limit is None else min(500, self._limit - len(self._found))
        return requests.conversations_messages(self._conversation, limit=page, before=self._before)

    def take(self, page: types.MessagePage) -> None:
        self._found = page["messages"] + self._found
        self._before = page.get("next_page")
        full = self._limit is not None and len(self._found) >= self._limit
        self.done = self._before is None or full

    def result(self) -> list[types.Message]:
        return self._found


def text_of(content: Any) -> str:
    """The words of a message's content, whichever of the usual forms it has."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, (str, dict))]
    return "\n".join(each for each in texts if isinstance(each, str))
