"""LangGraph: `RecalldStore` for long-term memory, `RecalldSaver` for the state of threads.

    graph = builder.compile(checkpointer=RecalldSaver(), store=RecalldStore())
"""

from .saver import RecalldSaver
from .store import RecalldStore

__all__ = ["RecalldSaver", "RecalldStore"]
