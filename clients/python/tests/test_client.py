"""The client against a real server."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tomllib

import httpx
import pytest
from breaking import BreakingProxy
from stage import Stage

import recalld
from recalld import AsyncRecalld, Recalld, errors


def test_a_memory_is_stored_changed_and_found(client: Recalld) -> None:
    written = client.memories.create("Prefers window seats", key="seat", category="preference")
    assert written["outcome"] == "stored"
    assert client.memories.create("prefers window seats!")["outcome"] == "duplicate"
    client.memories.update("key:seat", content="Prefers aisle seats", if_match=1)
    assert [past["memory"]["content"] for past in client.memories.history("key:seat")["versions"]] == [
        "Prefers window seats",
        "Prefers aisle seats",
    ]
    hits = client.search("where does she like to sit")["results"]
    assert hits[0]["text"].startswith("Prefers aisle seats")
    assert "aisle" in client.context("a flight", max_tokens=200)["text"]


def test_none_removes_and_what_is_not_given_stays(client: Recalld) -> None:
    client.memories.create("Owns a boat", key="boat", source="chat")
    changed = client.memories.update("key:boat", key=None)
    assert (changed.get("key"), changed.get("source")) == (None, "chat")


def test_pages_are_gone_through(client: Recalld) -> None:
    words = ["tea", "jazz", "chess", "Porto", "rain"]
    for word in words:
        client.memories.create(f"Likes {word}")
    found = [memory["content"] for memory in client.memories.each(limit=2)]
    assert sorted(found) == sorted(f"Likes {word}" for word in words)


def test_two_users_never_see_each_other(client: Recalld, other: Recalld) -> None:
    memory = client.memories.create("Has a cat called Miso", key="cat")["memory"]
    client.conversations.append("c1", [{"role": "user", "content": "My cat is Miso"}])
    for place in (memory["id"], "key:cat"):
        with pytest.raises(errors.NotFound):
            other.memories.get(place)
    with pytest.raises(errors.NotFound):
        other.conversations.messages("c1")
    assert other.search("cat Miso")["results"] == []
    assert other.memories.list()["memories"] == []


def test_a_service_key_acts_for_users(stage: Stage) -> None:
    with Recalld(stage.url, stage.key(kind="service")) as service:
        ana, ben = (service.acting(user=f"{name}-{id(service)}") for name in ("ana", "ben"))
        ana.memories.create("Lives in Porto")
        assert ben.memories.list()["memories"] == []
        assert len(ana.memories.list()["memories"]) == 1


def test_errors_have_types_codes_and_hints(client: Recalld, stage: Stage) -> None:
    client.memories.create("Prefers trains", key="travel")
    with pytest.raises(errors.Conflict) as conflict:
        client.memories.create("Prefers boats", key="travel")
    assert conflict.value.code == "duplicate" and conflict.value.hint
    with pytest.raises(errors.Stale):
        client.memories.update("key:travel", content="Prefers planes", if_match=7)
    with pytest.raises(errors.SecretRefused):
        client.memories.create("My API key is " + "sk-" + "proj-" + "a1B2c3D4" * 6)
    with pytest.raises(errors.InvalidRequest) as invalid:
        client.memories.create("x", confidence=2.0)
    assert invalid.value.errors[0]["pointer"] == "/confidence"
    with pytest.raises(errors.Unauthenticated), Recalld(stage.url, "rk_wrong") as stranger:
        stranger.me()
    with pytest.raises(errors.Forbidden):
        client.admin.keys()
    with pytest.raises(errors.ConnectionFailed), Recalld("http://127.0.0.1:9", "rk_x", retries=0) as nowhere:
        nowhere.me()


def test_a_lost_answer_does_not_write_twice(stage: Stage) -> None:
    key = stage.key()
    proxy = BreakingProxy(stage.url, losses=2)
    with Recalld(proxy.url, key) as client:
        appended = client.conversations.append("c1", [{"role": "user", "content": "Book a flight"}])
    assert len(appended["messages"]) == 1
    assert len(proxy.keys) == 3 and len(set(proxy.keys)) == 1 and proxy.keys[0]
    with Recalld(stage.url, key) as direct:
        assert len(direct.conversations.messages("c1")["messages"]) == 1


def test_what_may_not_be_repeated_is_not(stage: Stage) -> None:
    proxy = BreakingProxy(stage.url, losses=1)
    with Recalld(proxy.url, stage.key()) as client, pytest.raises(errors.ConnectionFailed):
        client.memories.forget("key:nothing")
    assert len(proxy.keys) == 1


def test_a_slow_server_times_out() -> None:
    def slow(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("too slow", request=request)

    http = httpx.Client(transport=httpx.MockTransport(slow))
    with pytest.raises(errors.TimedOut):
        Recalld("http://recalld.test", "rk_x", retries=0, http=http).me()


def test_a_pause_that_the_server_asks_for_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    answers = iter(
        [
            httpx.Response(429, json={"code": "rate_limited"}, headers={"Retry-After": "3"}),
            httpx.Response(200, json={"kind": "user"}),
        ]
    )
    http = httpx.Client(transport=httpx.MockTransport(lambda request: next(answers)))
    assert Recalld("http://recalld.test", "rk_x", http=http).me()["kind"] == "user"
    assert pauses == [3.0]


def test_no_key_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RECALLD_KEY", raising=False)
    with pytest.raises(ValueError, match="recalld keys create"):
        Recalld("http://127.0.0.1:7077")


def test_chat_replies_whole_and_in_pieces(client: Recalld) -> None:
    client.memories.create("Prefers window seats")
    assert client.chat.send("What do you know about me?")["reply"] == "You prefer window seats."
    events = list(client.chat.stream("What do you know about me?"))
    assert events[0].event == "started" and events[-1].event == "done"
    assert "".join(event.data["text"] for event in events if event.event == "text") == "You prefer window seats."


def test_export_import_and_erasure(client: Recalld, other: Recalld) -> None:
    client.memories.create("Collects stamps")
    archive = client.export()
    assert archive[:2] == b"PK"
    other.import_data(archive)
    assert [memory["content"] for memory in other.memories.each()] == ["Collects stamps"]
    assert "Collects stamps" in client.files.memory()
    client.erase_everything()


def test_changes_are_followed(client: Recalld) -> None:
    client.memories.create("Runs marathons")
    first = client.events.list()["events"][0]["place"]
    client.memories.create("Swims on Fridays")
    change = next(iter(client.events.follow(last_event_id=first)))
    assert change.event == "change" and change.data["verb"] == "remember"


async def test_the_async_client_does_the_same(async_client: AsyncRecalld) -> None:
    await async_client.memories.create("Prefers window seats")
    assert [memory["content"] async for memory in async_client.memories.each()] == ["Prefers window seats"]
    stream = async_client.chat.stream("What do you know?")
    words = [event.data["text"] async for event in stream if event.event == "text"]
    assert "".join(words) == "You prefer window seats."
    with pytest.raises(errors.NotFound):
        await async_client.memories.get("key:none")
    within = async_client.acting(conversation="c9")
    assert (await within.tools.call("store_memory", {"content": "Likes tea"}))["text"]
    bridge, tunnel = (async_client.acting(project=name) for name in ("bridge", "tunnel"))
    await bridge.memories.create("The bridge opens in May")
    assert "The bridge opens in May" in [memory["content"] async for memory in bridge.memories.each()]
    assert "The bridge opens in May" not in [memory["content"] async for memory in tunnel.memories.each()]


async def test_async_retries_do_not_write_twice(stage: Stage) -> None:
    proxy = BreakingProxy(stage.url, losses=1)
    async with AsyncRecalld(proxy.url, stage.key()) as client:
        await client.conversations.append("c1", [{"role": "user", "content": "Book a flight"}])
        assert len((await client.conversations.messages("c1"))["messages"]) == 1


def test_every_operation_has_a_method() -> None:
    """What is not generated is there by hand; the generator checks that nothing is missing."""
    clients = pathlib.Path(__file__).resolve().parents[2]
    names = tomllib.loads((clients / "operations.toml").read_text())
    listed = [entry if isinstance(entry, str) else entry["name"] for entry in names["operations"].values()]
    for name in [*listed, *", ".join(names["by_hand"].values()).split(", ")]:
        for client in (Recalld("http://recalld.test", "rk_x"), AsyncRecalld("http://recalld.test", "rk_x")):
            found: object = client
            for part in name.split("."):
                found = getattr(found, part)
            assert callable(found), name


def test_the_core_needs_httpx_alone() -> None:
    others = "('langgraph', 'langchain_core', 'agents', 'anthropic', 'pydantic')"
    script = f"import sys, recalld; print([name for name in {others} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
    assert recalld.__version__
