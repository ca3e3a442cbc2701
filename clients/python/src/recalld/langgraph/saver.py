"""A LangGraph checkpointer over `/v1/checkpoints`."""

from __future__ import annotations

import base64
import builtins
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from .. import types
from .._adapter import Clients
from .._client import Recalld
from .._generated import requests
from .._request import Request
from ..errors import NotFound

_PAGE = 100


class RecalldSaver(BaseCheckpointSaver[int]):
    """Keeps the state of a user's threads: nobody else reads it, and it is exported and erased with the user.

    A state may have up to 4 MiB, as the serializer writes it.
    """

    def __init__(self, client: Recalld | None = None, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        self._clients = Clients(client)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Reads the latest checkpoint of a thread, or the one that `config` names."""
        try:
            return self._tuple(self._clients.send(_get(config)))
        except NotFound:
            return None

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Reads the latest checkpoint of a thread, or the one that `config` names."""
        try:
            return self._tuple(await self._clients.asend(_get(config)))
        except NotFound:
            return None

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Lists checkpoints, the latest first."""
        pages = _Pages(config, filter, before, limit)
        while not pages.done:
            for body in pages.take(self._clients.send(pages.request())):
                yield self._tuple(body)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Lists checkpoints, the latest first."""
        pages = _Pages(config, filter, before, limit)
        while not pages.done:
            for body in pages.take(await self._clients.asend(pages.request())):
                yield self._tuple(body)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Stores a checkpoint."""
        self._clients.send(self._put(config, checkpoint, metadata))
        return _config(_thread(config), _namespace(config), checkpoint["id"])

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Stores a checkpoint."""
        await self._clients.asend(self._put(config, checkpoint, metadata))
        return _config(_thread(config), _namespace(config), checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Stores what a task wrote before the next checkpoint."""
        self._clients.send(self._put_writes(config, writes, task_id, task_path))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Stores what a task wrote before the next checkpoint."""
        await self._clients.asend(self._put_writes(config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        """Removes a thread."""
        self._clients.send(requests.checkpoints_delete_thread(thread_id))

    async def adelete_thread(self, thread_id: str) -> None:
        """Removes a thread."""
        await self._clients.asend(requests.checkpoints_delete_thread(thread_id))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Removes the checkpoints of runs."""
        self._clients.send(requests.checkpoints_delete_runs([*run_ids]))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Removes the checkpoints of runs."""
        await self._clients.asend(requests.checkpoints_delete_runs([*run_ids]))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copies a thread with its whole history."""
        self._clients.send(requests.checkpoints_copy(source_thread_id, target_thread_id))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copies a thread with its whole history."""
        await self._clients.asend(requests.checkpoints_copy(source_thread_id, target_thread_id))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Removes all but the latest checkpoint of each namespace, or all."""
        self._clients.send(_prune(thread_ids, strategy))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Removes all but the latest checkpoint of each namespace, or all."""
        await self._clients.asend(_prune(thread_ids, strategy))

    def _put(self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata) -> Request[None]:
        kind, data = self.serde.dumps_typed(checkpoint)
        return requests.checkpoints_put(
            _thread(config),
            checkpoint["id"],
            kind,
            base64.b64encode(data).decode(),
            checkpoint_ns=_namespace(config),
            parent_id=get_checkpoint_id(config),
            metadata=dict(get_serializable_checkpoint_metadata(config, metadata)),
        )

    def _put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> Request[None]:
        bodies: builtins.list[types.NewWrite] = []
        for number, (channel, value) in enumerate(writes):
            kind, data = self.serde.dumps_typed(value)
            idx = WRITES_IDX_MAP.get(channel, number)
            bodies.append({"idx": idx, "channel": channel, "type": kind, "data": base64.b64encode(data).decode()})
        checkpoint = config["configurable"]["checkpoint_id"]
        return requests.checkpoints_put_writes(
            _thread(config),
            checkpoint,
            task_id,
            bodies,
            checkpoint_ns=_namespace(config),
            task_path=task_path,
        )

    def _tuple(self, body: types.CheckpointBody) -> CheckpointTuple:
        thread, namespace, parent = body["thread_id"], body["checkpoint_ns"], body.get("parent_id")
        metadata: Any = body["metadata"]
        return CheckpointTuple(
            config=_config(thread, namespace, body["checkpoint_id"]),
            checkpoint=self._loaded(body["type"], body["data"]),
            metadata=metadata,
            parent_config=_config(thread, namespace, parent) if parent else None,
            pending_writes=[
                (each["task_id"], each["channel"], self._loaded(each["type"], each["data"]))
                for each in body["writes"]
            ],
        )

    def _loaded(self, kind: str, data: str) -> Any:
        return self.serde.loads_typed((kind, base64.b64decode(data)))


class _Pages:
    """Goes through a list of checkpoints until there is enough."""

    def __init__(
        self,
        config: RunnableConfig | None,
        filter: dict[str, Any] | None,
        before: RunnableConfig | None,
        limit: int | None,
    ) -> None:
        place = config["configurable"] if config else {}
        self._thread: str | None = place.get("thread_id")
        self._namespace: str | None = place.get("checkpoint_ns")
        self._id: str | None = place.get("checkpoint_id")
        self._filter = filter
        self._before = get_checkpoint_id(before) if before else None
        self._left = limit
        self._cursor: str | None = None
        self.done = limit is not None and limit <= 0

    def request(self) -> Request[types.CheckpointList]:
        return requests.checkpoints_search(
            thread_id=self._thread,
            checkpoint_ns=self._namespace,
            checkpoint_id=self._id,
            before=self._before,
            filter=self._filter,
            limit=_PAGE if self._left is None else min(self._left, _PAGE),
            cursor=self._cursor,
        )

    def take(self, page: types.CheckpointList) -> builtins.list[types.CheckpointBody]:
        self._cursor = page.get("next")
        if self._left is not None:
            self._left -= len(page["checkpoints"])
        self.done = self._cursor is None or self._left == 0
        return page["checkpoints"]


def _thread(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])


def _namespace(config: RunnableConfig) -> str:
    return str(config["configurable"].get("checkpoint_ns", ""))


def _config(thread: str, namespace: str, checkpoint: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint}}


def _get(config: RunnableConfig) -> Request[types.CheckpointBody]:
    return requests.checkpoints_get(
        _thread(config), checkpoint_ns=_namespace(config), checkpoint_id=get_checkpoint_id(config)
    )


def _prune(thread_ids: Sequence[str], strategy: str) -> Request[types.CheckpointCount]:
    kinds: Any = strategy
    return requests.checkpoints_prune([*thread_ids], strategy=kinds)
