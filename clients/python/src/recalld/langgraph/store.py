"""A LangGraph store over the server's `/langgraph/store` routes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Any, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from .._adapter import Clients
from .._client import Recalld
from .._request import Repeat, Request, given

_ITEMS = "/langgraph/store/items"


class RecalldStore(BaseStore):
    """Items with namespaces, filters, expiry and search by meaning. Nobody else sees the user's items.

    A namespace is a label inside the user's own space, whatever it is called.
    """

    __slots__ = ("_clients", "ttl_config")

    supports_ttl = True

    def __init__(self, client: Recalld | None = None, *, ttl: TTLConfig | None = None) -> None:
        self._clients = Clients(client)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads first, then writes: what a batch reads is what was there before it."""
        listed, (reads, writes) = _ordered(ops)
        answers = {number: self._clients.send(_request(listed[number])) for number in [*reads, *writes]}
        return [_result(op, answers.get(number)) for number, op in enumerate(listed)]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads first, then writes: what a batch reads is what was there before it."""
        listed, (reads, writes) = _ordered(ops)
        answers: dict[int, Any] = {}
        for numbers in (reads, writes):
            found = await asyncio.gather(*(self._clients.asend(_request(listed[number])) for number in numbers))
            answers |= dict(zip(numbers, found))
        return [_result(op, answers.get(number)) for number, op in enumerate(listed)]


def _ordered(ops: Iterable[Op]) -> tuple[list[Op], tuple[list[int], list[int]]]:
    """The operations, and the numbers of the reads and of the writes that count: the last of each key."""
    listed = list(ops)
    last: dict[tuple[tuple[str, ...], str], int] = {}
    reads: list[int] = []
    for number, op in enumerate(listed):
        validate_op_namespace(op)
        if isinstance(op, PutOp):
            last[op.namespace, op.key] = number
        else:
            reads.append(number)
    return listed, (reads, list(last.values()))


def _request(op: Op) -> Request[Any]:
    if isinstance(op, GetOp):
        query = {"namespace": ".".join(op.namespace), "key": op.key, "refresh_ttl": op.refresh_ttl}
        return Request("GET", _ITEMS, query=query, repeat=Repeat.SAFE)
    if isinstance(op, PutOp):
        place = {"namespace": list(op.namespace), "key": op.key}
        if op.value is None:
            return Request("DELETE", _ITEMS, body=place, repeat=Repeat.SAFE, answer="none")
        body = place | given(("value", op.value), ("index", op.index), ("ttl", op.ttl))
        return Request("PUT", _ITEMS, body=body, repeat=Repeat.SAFE, answer="none")
    if isinstance(op, SearchOp):
        body = given(
            ("namespace_prefix", list(op.namespace_prefix)),
            ("filter", op.filter),
            ("limit", op.limit),
            ("offset", op.offset),
            ("query", op.query),
            ("refresh_ttl", op.refresh_ttl),
        )
        return Request("POST", f"{_ITEMS}/search", body=body, repeat=Repeat.SAFE)
    conditions = {each.match_type: list(each.path) for each in op.match_conditions or ()}
    body = given(("max_depth", op.max_depth), ("limit", op.limit), ("offset", op.offset))
    return Request("POST", "/langgraph/store/namespaces", body=conditions | body, repeat=Repeat.SAFE)


def _result(op: Op, answer: Any) -> Result:
    if isinstance(op, PutOp) or answer is None:
        return None
    if isinstance(op, GetOp):
        return Item(**_fields(answer))
    if isinstance(op, SearchOp):
        return [SearchItem(**_fields(each), score=each.get("score")) for each in answer["items"]]
    return [tuple(cast(list[str], each)) for each in answer["namespaces"]]


def _fields(answer: dict[str, Any]) -> dict[str, Any]:
    times = {name: datetime.fromisoformat(answer[name]) for name in ("created_at", "updated_at")}
    return {"namespace": tuple(answer["namespace"]), "key": answer["key"], "value": answer["value"], **times}
