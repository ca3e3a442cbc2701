"""Anthropic's SDK against `/anthropic/v1/memory_stores`."""

import hashlib

import anthropic
from _served import served


def refused(kind, call):
    try:
        call()
    except kind as error:
        return error.body["error"]["type"]
    raise AssertionError(f"{kind} was not raised")


def main(server):
    ana, bob = (anthropic.Anthropic(base_url=f"{server.url}/anthropic", api_key=server.key(name), max_retries=0).beta.memory_stores for name in ("ana", "bob"))
    store = ana.create(name="Notes", description="What matters", metadata={"team": "red"})
    assert ana.retrieve(store.id).metadata == {"team": "red"} and store.type == "memory_store"
    assert ana.update(store.id, name="Better notes").name == "Better notes"
    assert [one.id for one in ana.list()] == [store.id] and list(bob.list()) == []
    refused(anthropic.NotFoundError, lambda: bob.retrieve(store.id))

    made = ana.memories.create(store.id, path="/a/tea.md", content="Prefers oolong tea\n")
    read = ana.memories.retrieve(made.id, memory_store_id=store.id)
    assert read.content == "Prefers oolong tea\n" and made.content is None
    assert read.content_sha256 == hashlib.sha256(read.content.encode()).hexdigest()
    conflict = refused(anthropic.ConflictError, lambda: ana.memories.create(store.id, path="/a/tea.md", content="x"))
    assert conflict == "memory_path_conflict_error", conflict
    condition = {"type": "content_sha256", "content_sha256": read.content_sha256}
    changed = ana.memories.update(made.id, memory_store_id=store.id, content="Prefers sencha\n", precondition=condition)
    assert changed.memory_version_id != made.memory_version_id
    stale = refused(anthropic.ConflictError, lambda: ana.memories.update(made.id, memory_store_id=store.id, content="no", precondition=condition))
    assert stale == "memory_precondition_failed_error", stale
    assert ana.memories.update(made.id, memory_store_id=store.id, path="/tea.md").path == "/tea.md"
    for number in range(25):
        ana.memories.create(store.id, path=f"/b/{number:02}", content=str(number))
    assert len(list(ana.memories.list(store.id, limit=10))) == 26
    assert [one.path for one in ana.memories.list(store.id, depth=1)] == ["/b/", "/tea.md"]
    assert len(list(ana.memories.list(store.id, path_prefix="/b/", view="full"))) == 25

    versions = list(ana.memory_versions.list(store.id, memory_id=made.id))
    assert [one.operation for one in versions] == ["modified", "modified", "created"], versions
    redacted = ana.memory_versions.redact(versions[-1].id, memory_store_id=store.id)
    assert redacted.content is None and redacted.path is None and redacted.redacted_at
    assert ana.memory_versions.retrieve(versions[0].id, memory_store_id=store.id).content == "Prefers sencha\n"
    refused(anthropic.ConflictError, lambda: ana.memories.delete(made.id, memory_store_id=store.id, expected_content_sha256="0" * 64))
    assert ana.memories.delete(made.id, memory_store_id=store.id).type == "memory_deleted"
    refused(anthropic.NotFoundError, lambda: ana.memories.retrieve(made.id, memory_store_id=store.id))
    assert ana.archive(store.id).archived_at
    refused(anthropic.BadRequestError, lambda: ana.memories.create(store.id, path="/x", content=""))
    assert ana.delete(store.id).type == "memory_store_deleted"


with served() as server:
    main(server)
