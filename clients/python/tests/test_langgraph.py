"""LangGraph's store and checkpointer over the server."""

from __future__ import annotations

import operator
import time
import uuid
from collections.abc import AsyncIterator
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.graph import START, StateGraph
from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command, interrupt
from stage import Stage

from recalld import Recalld
from recalld.langgraph import RecalldSaver, RecalldStore

CONFORMANCE_TESTS = 81


async def test_the_checkpointer_conforms(stage: Stage) -> None:
    key = stage.key()

    async def saver() -> AsyncIterator[RecalldSaver]:
        with Recalld(stage.url, key) as client:
            yield RecalldSaver(client)

    registered = checkpointer_test(name="recalld")(saver)
    report = await validate(registered)
    results = report.results.items()
    failures = [f"{name}: {failure}" for name, result in results for failure in result.failures or []]
    assert failures == []
    assert sum(result.tests_passed for _, result in results) == CONFORMANCE_TESTS
    print(f"langgraph-checkpoint-conformance: {CONFORMANCE_TESTS} passed")


def thread() -> Any:
    return {"configurable": {"thread_id": str(uuid.uuid4()), "checkpoint_ns": ""}}


class State(TypedDict):
    said: Annotated[list[str], operator.add]


def graph(saver: RecalldSaver) -> Any:
    def ask(state: State) -> State:
        return {"said": [interrupt("which city?")]}

    builder = StateGraph(State)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    return builder.compile(checkpointer=saver)


def test_a_graph_goes_on_after_an_interruption(client: Recalld, other: Recalld) -> None:
    config = thread()
    graph(RecalldSaver(client)).invoke({"said": ["hello"]}, config)
    resumed = graph(RecalldSaver(client)).invoke(Command(resume="Porto"), config)
    assert resumed["said"] == ["hello", "Porto"]
    history = list(graph(RecalldSaver(client)).get_state_history(config))
    assert [state.values.get("said") for state in history] == [["hello", "Porto"], ["hello"], []]
    assert RecalldSaver(other).get_tuple(config) is None
    assert list(RecalldSaver(other).list(None)) == []
    RecalldSaver(other).delete_thread(config["configurable"]["thread_id"])
    assert RecalldSaver(client).get_tuple(config) is not None


def test_threads_are_copied_pruned_and_deleted(client: Recalld) -> None:
    saver, config = RecalldSaver(client), thread()
    graph(saver).invoke({"said": ["hello"]}, config)
    source, target = config["configurable"]["thread_id"], str(uuid.uuid4())
    saver.copy_thread(source, target)
    copied = {"configurable": {"thread_id": target}}
    assert len(list(saver.list(copied))) == len(list(saver.list(config))) > 1  # type: ignore[arg-type]
    saver.prune([target])
    assert len(list(saver.list(copied))) == 1  # type: ignore[arg-type]
    saver.delete_thread(target)
    assert list(saver.list(copied)) == []  # type: ignore[arg-type]


def test_the_store_agrees_with_the_one_in_memory(client: Recalld) -> None:
    """The same operations on both give the same items."""
    mine, theirs = RecalldStore(client), InMemoryStore()
    people: list[tuple[str, dict[str, Any]]] = [
        ("ana", {"age": 31, "city": {"name": "Porto"}, "tags": ["a", "b"]}),
        ("ben", {"age": 25, "city": {"name": "Lisbon"}, "note": "naïve ☃"}),
        ("cleo", {"age": 31, "city": {"name": "Faro"}, "none": None, "real": 0.1}),
    ]
    for store in (mine, theirs):
        for name, value in people:
            store.put(("people", "friends"), name, value)
        store.put(("people", "family"), "dora", {"age": 60})
        store.put(("places",), "porto", {"kind": "city", "age": 900})
        store.delete(("people", "friends"), "nobody")
    filters: list[dict[str, Any]] = [
        {},
        {"age": 31},
        {"age": {"$gt": 25}},
        {"age": {"$gte": 25, "$lt": 60}},
        {"age": {"$ne": 31}},
        {"city": {"name": "Porto"}},
        {"age": {"$lte": 25}},
        {"age": {"$eq": 60}},
    ]
    for prefix in ((), ("people",), ("people", "friends"), ("nowhere",)):
        for filter in filters:
            found = [sorted((item.namespace, item.key, str(item.value)) for item in store.search(prefix, filter=filter, limit=50)) for store in (mine, theirs)]
            assert found[0] == found[1], (prefix, filter)
    listings: list[dict[str, Any]] = [{}, {"prefix": ("people",)}, {"suffix": ("friends",)}, {"prefix": ("*", "family")}, {"max_depth": 1}]
    for listing in listings:
        assert sorted(mine.list_namespaces(**listing)) == sorted(theirs.list_namespaces(**listing)), listing
    got = mine.get(("people", "friends"), "ben")
    assert got is not None and got.value == people[1][1] and got.created_at.tzinfo is not None
    assert mine.get(("people", "friends"), "nobody") is None


def test_a_batch_reads_before_it_writes(client: Recalld) -> None:
    store, place = RecalldStore(client), ("batch",)
    store.put(place, "k", {"v": 1})
    read, first, second = store.batch([GetOp(place, "k"), PutOp(place, "k", {"v": 2}), PutOp(place, "k", {"v": 3})])
    assert read is not None and not isinstance(read, list) and read.value == {"v": 1}
    assert (first, second) == (None, None)
    again = store.get(place, "k")
    assert again is not None and again.value == {"v": 3}


async def test_the_store_works_async_and_finds_by_meaning(client: Recalld, other: Recalld) -> None:
    store = RecalldStore(client)
    await store.aput(("notes",), "1", {"text": "Prefers window seats on planes"})
    await store.aput(("notes",), "2", {"text": "Has a cat called Miso"})
    found = await store.asearch(("notes",), query="where does she like to sit on a flight", limit=1)
    assert [item.key for item in found] == ["1"] and found[0].score is not None
    assert await RecalldStore(other).asearch(("notes",)) == []
    assert await RecalldStore(other).aget(("notes",), "1") is None
    results = await store.abatch([SearchOp(("notes",)), GetOp(("notes",), "2")])
    assert isinstance(results[0], list) and len(results[0]) == 2


def test_items_expire_and_names_are_checked(client: Recalld) -> None:
    store = RecalldStore(client)
    store.put(("brief",), "k", {"v": 1}, ttl=0.02)
    assert store.get(("brief",), "k", refresh_ttl=False) is not None
    deadline = time.monotonic() + 10
    while store.get(("brief",), "k", refresh_ttl=False) is not None:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    for namespace in ((), ("a.b",), ("",), ("langgraph",)):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {})
