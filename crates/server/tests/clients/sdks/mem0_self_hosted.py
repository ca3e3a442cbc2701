"""The routes of mem0's self-hosted server, for programs that take MEM0_HOST: `/mem0/memories`, `/mem0/search`, with X-API-Key."""

import httpx
from _served import served


def main(server):
    ana, bob = (httpx.Client(base_url=f"{server.url}/mem0", headers={"X-API-Key": server.key(name)}, timeout=60) for name in ("ana", "bob"))
    assert httpx.get(f"{server.url}/mem0/memories?user_id=alex", headers={"X-API-Key": "rk_wrong"}).status_code == 401
    tea = {"messages": [{"role": "user", "content": "Likes tea"}], "user_id": "alex", "infer": False, "metadata": {"topic": "drinks"}}
    [added] = ana.post("/memories", json=tea).json()["results"]
    assert (added["event"], added["memory"]) == ("ADD", "Likes tea"), added
    memory = f"/memories/{added['id']}"
    assert [each["id"] for each in ana.get("/memories", params={"user_id": "alex"}).json()["results"]] == [added["id"]]
    assert ana.get("/memories", params={"user_id": "kim"}).json()["results"] == []
    assert ana.get(memory).json()["metadata"] == {"topic": "drinks"}
    assert ana.post("/search", json={"query": "tea", "user_id": "alex"}).json()["results"][0]["id"] == added["id"]
    for client, path in ((bob, memory), (bob, f"{memory}/history"), (ana, "/memories/01a00000-0000-7000-8000-000000000000")):
        assert client.get(path).status_code == 404, path
    assert bob.post("/search", json={"query": "tea", "user_id": "alex"}).json()["results"] == []
    assert ana.put(memory, json={"text": "Likes green tea"}).json()["memory"] == "Likes green tea"
    assert [each["event"] for each in ana.get(f"{memory}/history").json()] == ["ADD", "UPDATE"]
    for body in ({}, {"messages": 5}, {"messages": [], "user_id": "alex"}, []):
        assert ana.post("/memories", json=body).status_code == 400, body
    assert ana.post("/memories", content="no JSON", headers={"Content-Type": "application/json"}).status_code == 400
    assert ana.delete("/memories").status_code == 400, "nothing is deleted without a label"
    assert ana.delete(memory).status_code == 200 and ana.get(memory).status_code == 404
    ana.post("/memories", json=tea)
    assert ana.delete("/memories", params={"user_id": "alex"}).status_code == 200
    assert ana.get("/memories", params={"user_id": "alex"}).json()["results"] == []


with served() as server:
    main(server)
