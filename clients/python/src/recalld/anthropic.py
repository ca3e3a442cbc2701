"""Anthropic's memory tool (`memory_20250818`), whose files recalld keeps.

    client.beta.messages.tool_runner(model=…, tools=[RecalldMemoryTool()], …)
"""

from __future__ import annotations

from typing import Any, TypedDict

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from ._adapter import Clients
from ._client import Recalld
from ._request import Request


class _Answer(TypedDict):
    content: str
    is_error: bool


def _request(command: Any) -> Request[_Answer]:
    body = command.to_dict() if hasattr(command, "to_dict") else dict(command)
    return Request("POST", "/anthropic/v1/tools/memory", body=body)


def _checked(answer: _Answer) -> str:
    if answer["is_error"]:
        raise ToolError(answer["content"])
    return answer["content"]


class RecalldMemoryTool(BetaAbstractMemoryTool):
    """The tool for `Anthropic`."""

    def __init__(self, client: Recalld | None = None, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._clients = Clients(client)

    def _run(self, command: Any) -> str:
        return _checked(self._clients.send(_request(command)))

    view = create = str_replace = insert = delete = rename = _run


class AsyncRecalldMemoryTool(BetaAsyncAbstractMemoryTool):
    """The tool for `AsyncAnthropic`."""

    def __init__(self, client: Recalld | None = None, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._clients = Clients(client)

    async def _run(self, command: Any) -> str:
        return _checked(await self._clients.asend(_request(command)))

    view = create = str_replace = insert = delete = rename = _run
