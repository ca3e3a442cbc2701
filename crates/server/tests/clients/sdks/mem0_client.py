"""mem0's own client against `/mem0`."""

import time

from _served import served
from mem0 import MemoryClient


def refused(call):
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("it was accepted")


def main(server):
    host = f"{server.url}/mem0"
    ana, bob = (MemoryClient(api_key=server.key(name), host=host) for name in ("ana", "bob"))
    assert "Error" in str(refused(lambda: MemoryClient(api_key="rk_wrong", host=host)))
    added = ana.add("Likes pizza with olives", user_id="alex", infer=False, metadata={"topic": "food", "n": 2})
    [result] = added["results"]
    assert result["event"] == "ADD" and result["data"]["memory"] == "Likes pizza with olives", added
    memory = result["id"]
    ana.add([{"role": "user", "content": "Plays chess"}, {"role": "assistant", "content": "Noted chess"}], user_id="alex", agent_id="coach", infer=False)

    found = ana.search("pizza", filters={"user_id": "alex"}, top_k=2)["results"]
    assert found[0]["id"] == memory and 0 <= found[0]["score"] <= 1 and found[0]["metadata"]["topic"] == "food", found
    assert bob.search("pizza", filters={"user_id": "alex"})["results"] == []
    assert {m["memory"] for m in ana.get_all(filters={"agent_id": "coach"})["results"]} == {"Plays chess", "Noted chess"}
    both = {"AND": [{"user_id": "alex"}, {"metadata": {"n": {"gte": 2}}}]}
    assert [m["id"] for m in ana.get_all(filters=both)["results"]] == [memory]
    paged = ana.get_all(filters={"user_id": "alex"}, page=1, page_size=2)
    assert paged["count"] == 3 and len(paged["results"]) == 2 and paged["next"], paged

    assert ana.get(memory)["user_id"] == "alex"
    assert ana.update(memory, text="Likes pizza with capers")["memory"] == "Likes pizza with capers"
    assert ana.get(memory)["metadata"]["topic"] == "food"
    assert [e["event"] for e in ana.history(memory)] == ["ADD", "UPDATE"]
    for name in ("MemoryNotFound", "NotFound"):
        if name in type(refused(lambda: bob.get(memory))).__name__:
            break
    else:
        raise AssertionError(refused(lambda: bob.get(memory)))
    ana.batch_update([{"memory_id": memory, "text": "Likes calzone"}])
    assert ana.get(memory)["memory"] == "Likes calzone"
    assert {(e["type"], e["name"]) for e in ana.users()["results"]} >= {("user", "alex"), ("agent", "coach")}
    ana.batch_delete([{"memory_id": memory}])
    refused(lambda: ana.get(memory))

    pending = ana.add("My name is Alexandra and I live in Lisbon.", user_id="alex")
    assert pending["status"] == "PENDING", pending
    for _ in range(100):
        event = ana.client.get(f"/v1/event/{pending['event_id']}/").json()
        if event["status"] == "SUCCEEDED":
            break
        time.sleep(0.2)
    assert any("Lisbon" in r["data"]["memory"] for r in event["results"]), event
    ana.delete_users(agent_id="coach")
    ana.delete_all(user_id="alex")
    assert ana.get_all(filters={"user_id": "alex"})["count"] == 0
    assert refused(lambda: ana.search("x", filters={}))


with served() as server:
    main(server)
