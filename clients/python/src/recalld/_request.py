"""A request as plain data, before any transport sees it."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar, cast
from urllib.parse import quote

T = TypeVar("T")


class Unset(enum.Enum):
    """The type of an argument that was not given, where `None` means something."""

    TOKEN = 0


UNSET = Unset.TOKEN


class Repeat(enum.Enum):
    """Whether a request may be sent again when it is not known what became of it."""

    NEVER = 0
    SAFE = 1
    KEYED = 2
    """Yes, under the same Idempotency-Key: the server carries it out once."""


@dataclasses.dataclass(frozen=True)
class Request(Generic[T]):
    """A request whose answer is a `T`."""

    method: str
    path: str
    query: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    body: Any = UNSET
    content: bytes | None = None
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    idempotency_key: str | None = None
    repeat: Repeat = Repeat.NEVER
    answer: Literal["json", "text", "bytes", "none"] = "json"

    def may_repeat(self) -> bool:
        """Whether repeating is harmless. With a precondition, a repetition would fail on its own success."""
        conditional = "If-Match" in self.headers or "If-None-Match" in self.headers
        return self.repeat is Repeat.KEYED or (self.repeat is Repeat.SAFE and not conditional)

    def encoded(self) -> tuple[bytes | None, dict[str, str]]:
        """The bytes of the body, and the headers that go with it."""
        headers = dict(self.headers)
        if self.content is not None:
            return self.content, headers
        if self.body is UNSET:
            return None, headers
        headers["Content-Type"] = "application/json"
        return json.dumps(self.body, ensure_ascii=False, allow_nan=False).encode(), headers

    def decoded(self, content: bytes) -> T:
        """Reads a successful answer."""
        if self.answer == "json":
            return cast(T, json.loads(content))
        if self.answer == "text":
            return cast(T, content.decode())
        return cast(T, content if self.answer == "bytes" else None)


def given(*pairs: tuple[str, Any]) -> dict[str, Any]:
    """The pairs that the caller gave: `None` was not given."""
    return {name: value for name, value in pairs if value is not None}


def edited(*pairs: tuple[str, Any]) -> dict[str, Any]:
    """The same for a change, where `None` removes a value."""
    return {name: value for name, value in pairs if value is not UNSET}


def path(template: str, *parts: str) -> str:
    """A path with its parts escaped."""
    return template.format(*(quote(part, safe="") for part in parts))


def etag(version: int | str | None) -> str | None:
    """The ETag of a version, or the ETag itself."""
    return f'"v{version}"' if isinstance(version, int) else version
