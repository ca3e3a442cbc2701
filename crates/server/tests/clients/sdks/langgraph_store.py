"""LangGraph's own SDK against `/langgraph`."""

import asyncio

from _served import served
from langgraph_sdk import get_client


async def main(server):
    ana = get_client(url=f"{server.url}/langgraph", api_key=server.key("ana")).store
    bob = get_client(url=f"{server.url}/langgraph", api_key=server.key("bob")).store
    value = {"text": "Prefers window seats", "score": 4.5, "nested": {"a": [1, None, "ü"], "b": {}}}
    await ana.put_item(["users", "ana"], key="seat", value=value)
    item = await ana.get_item(["users", "ana"], key="seat")
    assert item["value"] == value and item["namespace"] == ["users", "ana"] and item["key"] == "seat", item
    assert item["created_at"] and item["updated_at"]
    assert await ana.get_item(["users", "ana"], key="none") is None
    assert await bob.get_item(["users", "ana"], key="seat") is None

    await ana.put_item(["users", "ana", "food"], key="1", value={"text": "Loves sourdough bread", "n": 1, "kind": {"of": "food"}})
    await ana.put_item(["users", "ana", "food"], key="2", value={"text": "Hates olives", "n": 2, "kind": {"of": "food"}})
    await ana.put_item(["users", "ana", "food"], key="3", value={"n": 3, "kind": {"of": "other"}}, index=False)

    async def keys(*prefix, **options):
        found = await ana.search_items(list(prefix), **options)
        return [item["key"] for item in found["items"]]

    assert set(await keys("users", "ana", "food")) == {"1", "2", "3"}
    assert (await keys("users", query="bread"))[0] == "1"
    for filter, expected in [
        ({"n": 2}, {"2"}),
        ({"n": {"$gt": 1}}, {"2", "3"}),
        ({"n": {"$gte": 1, "$lt": 3}}, {"1", "2"}),
        ({"n": {"$ne": 2}, "kind": {"of": "food"}}, {"1"}),
        ({"kind": {"of": {"$eq": "other"}}}, {"3"}),
        ({"n": {"$lte": 0}}, set()),
    ]:
        assert set(await keys("users", "ana", "food", filter=filter)) == expected, filter
    assert len(await keys("users", limit=2)) == 2 and len(await keys("users", limit=2, offset=3)) == 1

    async def namespaces(**options):
        return (await ana.list_namespaces(**options))["namespaces"]

    assert await namespaces() == [["users", "ana"], ["users", "ana", "food"]]
    assert await namespaces(max_depth=1) == [["users"]]
    assert await namespaces(prefix=["users", "*"], suffix=["food"]) == [["users", "ana", "food"]]
    assert (await bob.list_namespaces())["namespaces"] == []

    await ana.put_item(["t"], key="short", value={"text": "A passing thought"}, ttl=0.03)
    assert await ana.get_item(["t"], key="short", refresh_ttl=False)
    await asyncio.sleep(2.2)
    assert await ana.get_item(["t"], key="short") is None

    await ana.delete_item(["users", "ana"], key="seat")
    await ana.delete_item(["users", "ana"], key="seat")
    assert await ana.get_item(["users", "ana"], key="seat") is None
    for namespace in ([], ["a.b"], ["langgraph"]):
        try:
            await ana.put_item(namespace, key="k", value={})
        except Exception:
            continue
        raise AssertionError(f"{namespace} was accepted")


with served() as server:
    asyncio.run(main(server))
