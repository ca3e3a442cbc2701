"""Sends requests over HTTP, once waiting and once async. All else is shared."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, TypeVar

import httpx

from ._generated.version import VERSION
from ._request import Request
from ._retry import Attempts
from ._sse import EventReader, ServerSentEvent
from .errors import ConnectionFailed, TimedOut, error_from

T = TypeVar("T")

URL_DEFAULT = "http://127.0.0.1:7077"
TIMEOUT_S_DEFAULT = 30.0
RETRIES_DEFAULT = 2


@dataclasses.dataclass(frozen=True)
class Settings:
    """Where requests go, and as whom."""

    url: str
    key: str
    retries_max: int
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @staticmethod
    def of(url: str | None, key: str | None, retries: int) -> Settings:
        """Takes what is not given from RECALLD_URL and RECALLD_KEY."""
        key = key or os.environ.get("RECALLD_KEY")
        if not key:
            raise ValueError("no key: pass key=… or set RECALLD_KEY (`recalld keys create --kind user --for you -q`)")
        url = url or os.environ.get("RECALLD_URL") or URL_DEFAULT
        return Settings(url.rstrip("/"), key, retries)

    def with_headers(self, headers: Mapping[str, str]) -> Settings:
        return dataclasses.replace(self, headers={**self.headers, **headers})

    def wire(self, request: Request[Any], key: str | None) -> dict[str, Any]:
        """The arguments of httpx for a request."""
        content, headers = request.encoded()
        if key is not None:
            headers["Idempotency-Key"] = key
        headers = {"User-Agent": f"recalld-python/{VERSION}", **self.headers, **headers}
        headers["Authorization"] = f"Bearer {self.key}"
        query = {name: _text(value) for name, value in request.query.items()}
        return {
            "method": request.method,
            "url": self.url + request.path,
            "params": query or None,
            "content": content,
            "headers": headers,
        }


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _typed(error: httpx.HTTPError) -> ConnectionFailed:
    return (TimedOut if isinstance(error, httpx.TimeoutException) else ConnectionFailed)(repr(error))


class Transport:
    """Sends and waits."""

    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self.settings = settings
        self.http = http

    def send(self, request: Request[T]) -> T:
        attempts = Attempts(request, self.settings.retries_max)
        while True:
            try:
                response = self.http.request(**self.settings.wire(request, attempts.key))
            except httpx.HTTPError as error:
                pause = attempts.after_failure(error)
            else:
                again = attempts.after_answer(response.status_code, response.headers, response.content)
                if again is None:
                    return request.decoded(response.content)
                pause = again
            time.sleep(pause)

    def events(self, request: Request[Any]) -> Iterator[ServerSentEvent]:
        """Reads a stream of events. It is not repeated: the caller decides how to go on."""
        reader = EventReader()
        try:
            with self.http.stream(**self.settings.wire(request, None)) as response:
                if response.status_code >= 400:
                    raise error_from(response.status_code, response.headers, response.read())
                for line in response.iter_lines():
                    event = reader.feed(line)
                    if event is not None:
                        yield event
        except httpx.HTTPError as error:
            raise _typed(error) from error


class AsyncTransport:
    """Sends without blocking."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self.settings = settings
        self.http = http

    async def send(self, request: Request[T]) -> T:
        attempts = Attempts(request, self.settings.retries_max)
        while True:
            try:
                response = await self.http.request(**self.settings.wire(request, attempts.key))
            except httpx.HTTPError as error:
                pause = attempts.after_failure(error)
            else:
                again = attempts.after_answer(response.status_code, response.headers, response.content)
                if again is None:
                    return request.decoded(response.content)
                pause = again
            await asyncio.sleep(pause)

    async def events(self, request: Request[Any]) -> AsyncIterator[ServerSentEvent]:
        """Reads a stream of events. It is not repeated: the caller decides how to go on."""
        reader = EventReader()
        try:
            async with self.http.stream(**self.settings.wire(request, None)) as response:
                if response.status_code >= 400:
                    raise error_from(response.status_code, response.headers, await response.aread())
                async for line in response.aiter_lines():
                    event = reader.feed(line)
                    if event is not None:
                        yield event
        except httpx.HTTPError as error:
            raise _typed(error) from error
