"""Reads server-sent events, line by line."""

from __future__ import annotations

import dataclasses
import json
from typing import Any


@dataclasses.dataclass(frozen=True)
class ServerSentEvent:
    """One event of a stream."""

    event: str
    data: Any
    """The JSON of the event."""
    id: str | None = None


class EventReader:
    """Puts lines together to events."""

    def __init__(self) -> None:
        self._event = "message"
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, line: str) -> ServerSentEvent | None:
        """Takes a line without its end; gives the event that it completes."""
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                self._event = value
            elif name == "data":
                self._data.append(value)
            elif name == "id":
                self._id = value
            return None
        if not self._data:
            self._event = "message"
            return None
        event = ServerSentEvent(self._event, json.loads("\n".join(self._data)), self._id)
        self._event, self._data = "message", []
        return event
