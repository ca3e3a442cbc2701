"""Two users through every door: 2,000 calls with each other's ids and random bodies show nothing foreign, and ids of others answer like unknown ones."""

import os
import random
import time
import uuid

import httpx
from _served import served

CALLS = int(os.environ.get("CALLS", "2000"))
MARK = "zebra-quartz"
# Ana's words have it, and nothing that Bob sends.
OWN = "plover"


def seed(http):
    """Stores something through each door; gives the ids that came back."""
    made = http.post("/openai/v1/conversations", json={"items": [{"role": "user", "content": f"{MARK} {OWN}"}]}).json()
    items = http.get(f"/openai/v1/conversations/{made['id']}/items").json()
    added = http.post("/mem0/v3/memories/add/", json={"messages": f"{MARK} {OWN}", "user_id": "u", "infer": False}).json()
    http.put("/langgraph/store/items", json={"namespace": ["n"], "key": "k", "value": {"t": f"{MARK} {OWN} item"}})
    http.post("/anthropic/v1/tools/memory", json={"command": "create", "path": "/memories/f", "file_text": f"{MARK} {OWN} file"})
    http.put("/v1/checkpoints", json={"thread_id": "t", "checkpoint_id": "c", "type": "x", "data": "AAAA", "metadata": {"m": f"{MARK} {OWN}"}})
    store = http.post("/anthropic/v1/memory_stores", json={"name": f"{MARK} {OWN}"}).json()
    document = http.post(f"/anthropic/v1/memory_stores/{store['id']}/memories", json={"path": "/p", "content": f"{MARK} {OWN} document"}).json()
    pending = http.post("/mem0/v3/memories/add/", json={"messages": f"I like {MARK} and {OWN}", "user_id": "u"}).json()
    for _ in range(100):
        # What is learned in the background must not look like a change by somebody else.
        if http.get(f"/mem0/v1/event/{pending['event_id']}/").json()["status"] == "SUCCEEDED":
            break
        time.sleep(0.2)
    return {"conversation": made["id"], "item": items["data"][0]["id"], "memory": added["results"][0]["id"], "event": pending["event_id"], "store": store["id"], "document": document["id"], "version": document["memory_version_id"]}


def calls(dice, ids):
    """One call, with ids of somebody else."""
    anything = lambda: dice.choice([{}, [], None, MARK[:3], 3, {"a": {"b": []}}, "x" * 300, {"user_id": "ana"}])
    c, i, m, e = ids["conversation"], ids["item"], ids["memory"], ids["event"]
    s, d, v = (f"/anthropic/v1/memory_stores{tail}" for tail in ("/" + ids["store"], f"/{ids['store']}/memories/{ids['document']}", f"/{ids['store']}/memory_versions/{ids['version']}"))
    return dice.choice(
        [
            ("GET", f"/openai/v1/conversations/{c}", None),
            ("POST", f"/openai/v1/conversations/{c}", {"metadata": anything()}),
            ("GET", f"/openai/v1/conversations/{c}/items", None),
            ("POST", f"/openai/v1/conversations/{c}/items", {"items": [{"role": "user", "content": anything()}]}),
            ("GET", f"/openai/v1/conversations/{c}/items/{i}", None),
            ("DELETE", f"/openai/v1/conversations/{c}/items/{i}", None),
            ("DELETE", f"/openai/v1/conversations/{c}", None),
            ("GET", f"/mem0/v1/memories/{m}/", None),
            ("PUT", f"/mem0/v1/memories/{m}/", {"text": "mine now"}),
            ("DELETE", f"/mem0/v1/memories/{m}/", None),
            ("GET", f"/mem0/v1/memories/{m}/history/", None),
            ("GET", f"/mem0/v1/event/{e}/", None),
            ("PUT", "/mem0/v1/batch/", {"memories": [{"memory_id": m, "text": "x"}]}),
            ("DELETE", "/mem0/v1/batch/", {"memories": [{"memory_id": m}]}),
            ("POST", "/mem0/v3/memories/search/", {"query": MARK, "filters": dice.choice([{"user_id": "*"}, {"user_id": "u"}, {"OR": [{"user_id": "ana"}]}, anything()])}),
            ("POST", "/mem0/v3/memories/", {"filters": dice.choice([{"user_id": "u"}, {"NOT": [{"user_id": "z"}], "user_id": "*"}, anything()])}),
            ("GET", "/mem0/v1/entities/", None),
            ("DELETE", "/mem0/v2/entities/user/u/", None),
            ("POST", "/mem0/search", {"query": MARK, "user_id": dice.choice(["u", "ana"])}),
            ("GET", "/mem0/memories?user_id=u", None),
            ("GET", "/langgraph/store/items?namespace=n&key=k", None),
            ("POST", "/langgraph/store/items/search", {"namespace_prefix": dice.choice([[], ["n"], anything()]), "query": MARK, "filter": dice.choice([{}, anything()])}),
            ("POST", "/langgraph/store/namespaces", {"prefix": dice.choice([["*"], anything()])}),
            ("DELETE", "/langgraph/store/items", {"namespace": ["n"], "key": "k"}),
            ("PUT", "/langgraph/store/items", {"namespace": anything(), "key": anything(), "value": anything()}),
            ("POST", "/anthropic/v1/tools/memory", {"command": "view", "path": dice.choice(["/memories", "/memories/f", "/memories/../f"])}),
            ("POST", "/anthropic/v1/tools/memory", {"command": dice.choice(["delete", "view", "rename", "fly"]), "path": anything(), "old_path": "/memories/f", "new_path": "/memories/g"}),
            ("GET", s, None),
            ("POST", s, {"name": anything()}),
            ("POST", f"{s}/archive", None),
            ("DELETE", s, None),
            ("GET", f"{s}/memories", None),
            ("POST", f"{s}/memories", {"path": dice.choice(["/p", anything()]), "content": anything()}),
            ("GET", d, None),
            ("POST", d, {"content": "mine"}),
            ("DELETE", d, None),
            ("GET", f"{s}/memory_versions", None),
            ("GET", v, None),
            ("POST", f"{v}/redact", None),
            ("GET", "/anthropic/v1/memory_stores", None),
            ("GET", f"/openai/v1/responses/{c.replace('conv', 'resp')}", None),
            ("GET", "/v1/checkpoints?thread_id=t", None),
            ("POST", "/v1/checkpoints/search", {}),
            ("DELETE", "/v1/checkpoints?thread_id=t", None),
            ("POST", "/v1/memories/batch", {"memories": anything()}),
        ]
    )


def unknown(ids):
    return {
        "conversation": "conv_" + uuid.uuid4().hex,
        "item": "msg_" + uuid.uuid4().hex,
        "memory": str(uuid.uuid4()),
        "event": ids["event"][:-4] + "AAAA",
        "store": "memstore_" + uuid.uuid4().hex,
        "document": "mem_" + uuid.uuid4().hex,
        "version": "memver_" + uuid.uuid4().hex,
    }


def main(server):
    ana, bob = (httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {server.key(name)}"}, timeout=60) for name in ("ana", "bob"))
    ids = seed(ana)
    # Ana sees her own by the same calls, so that a search that finds nothing proves something.
    assert OWN in ana.post("/mem0/v3/memories/search/", json={"query": MARK, "filters": {"user_id": "u"}}).text
    assert OWN in ana.post("/langgraph/store/items/search", json={"namespace_prefix": [], "query": MARK}).text
    before = {path: ana.get(path).text for path in ("/v1/memories", f"/openai/v1/conversations/{ids['conversation']}/items", "/v1/checkpoints?thread_id=t", f"/anthropic/v1/memory_stores/{ids['store']}/memories?view=full")}
    dice, statuses = random.Random(16), {}
    for number in range(CALLS):
        method, path, body = calls(dice, ids)
        answer = bob.request(method, path, json=body)
        statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        assert answer.status_code < 500, (method, path, body, answer.text)
        assert OWN not in answer.text, (method, path, body, answer.text)
        if answer.status_code == 404 and any(known in path for known in ids.values()):
            other = path
            for known, new in zip(ids.values(), unknown(ids).values()):
                other = other.replace(known, new)
            alike = bob.request(method, other, json=body)
            assert (answer.status_code, answer.text) == (alike.status_code, alike.text), (path, other, answer.text, alike.text)
    after = {path: ana.get(path).text for path in before}
    assert before == after, "something of Ana's changed"
    print(f"      {CALLS} calls, by status: {dict(sorted(statuses.items()))}")


with served() as server:
    main(server)
