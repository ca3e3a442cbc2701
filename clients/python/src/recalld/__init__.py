"""The client of recalld, the memory server for LLM agents.

`Recalld` waits for answers, `AsyncRecalld` is awaited. Adapters for frameworks are in modules of their own:
`recalld.langgraph`, `recalld.langchain`, `recalld.openai_agents`, `recalld.anthropic` and `recalld.llamaindex`.
"""

from . import errors, types
from ._async_client import AsyncRecalld
from ._client import Recalld
from ._generated.version import VERSION as __version__
from ._request import UNSET
from ._sse import ServerSentEvent
from .errors import ApiError, RecalldError

__all__ = [
    "UNSET",
    "ApiError",
    "AsyncRecalld",
    "Recalld",
    "RecalldError",
    "ServerSentEvent",
    "__version__",
    "errors",
    "types",
]
