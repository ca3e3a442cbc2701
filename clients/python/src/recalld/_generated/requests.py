"""One function an operation: it makes the request and names the answer's type.

Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.
"""


from __future__ import annotations

from typing import Any, Literal

from .. import types
from .._request import UNSET, Repeat, Request, Unset, edited, etag, given, path


def profile_ask(category: str, *, query: str | None = None) -> Request[types.UserContextAnswer]:
    return Request(
        "POST",
        "/api/tools/user-context",
        body=given(("category", category), ("query", query)),
        repeat=Repeat.SAFE,
    )


def admin_keys() -> Request[types.KeyList]:
    return Request(
        "GET",
        "/v1/admin/keys",
        repeat=Repeat.SAFE,
    )


def admin_create_key(
    kind: types.WireKeyKind,
    *,
    user: str | None = None,
    namespace: str | None = None,
    name: str | None = None,
    scopes: list[str] | None = None,
    expires_at: str | None = None,
) -> Request[types.CreatedKey]:
    return Request(
        "POST",
        "/v1/admin/keys",
        body=given(("kind", kind), ("user", user), ("namespace", namespace), ("name", name), ("scopes", scopes), ("expires_at", expires_at)),
    )


def admin_revoke_key(id: str) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/admin/keys/{}", id),
        answer="none",
    )


def admin_rotate_key(id: str, *, overlap_s: int | None = None) -> Request[types.CreatedKey]:
    return Request(
        "POST",
        path("/v1/admin/keys/{}/rotate", id),
        body=given(("overlap_s", overlap_s)),
    )


def admin_rollout() -> Request[types.RolloutBody]:
    return Request(
        "GET",
        "/v1/admin/rollout",
        repeat=Repeat.SAFE,
    )


def admin_store() -> Request[types.StoreBody]:
    return Request(
        "GET",
        "/v1/admin/store",
        repeat=Repeat.SAFE,
    )


def admin_users(
    *,
    query: str | None = None,
    limit: int | None = None,
    after: str | None = None,
) -> Request[types.UserList]:
    return Request(
        "GET",
        "/v1/admin/users",
        query=given(("query", query), ("limit", limit), ("after", after)),
        repeat=Repeat.SAFE,
    )


def audit() -> Request[types.AuditReport]:
    return Request(
        "GET",
        "/v1/audit",
        repeat=Repeat.SAFE,
    )


def checkpoints_get(
    thread_id: str,
    *,
    checkpoint_ns: str | None = None,
    checkpoint_id: str | None = None,
) -> Request[types.CheckpointBody]:
    return Request(
        "GET",
        "/v1/checkpoints",
        query=given(("thread_id", thread_id), ("checkpoint_ns", checkpoint_ns), ("checkpoint_id", checkpoint_id)),
        repeat=Repeat.SAFE,
    )


def checkpoints_put(
    thread_id: str,
    checkpoint_id: str,
    type: str,
    data: str,
    *,
    checkpoint_ns: str | None = None,
    parent_id: str | None = None,
    metadata: dict[str, Any] | None = None,
) -> Request[None]:
    return Request(
        "PUT",
        "/v1/checkpoints",
        body=given(("thread_id", thread_id), ("checkpoint_id", checkpoint_id), ("type", type), ("data", data), ("checkpoint_ns", checkpoint_ns), ("parent_id", parent_id), ("metadata", metadata)),
        repeat=Repeat.SAFE,
        answer="none",
    )


def checkpoints_delete_thread(thread_id: str) -> Request[types.CheckpointCount]:
    return Request(
        "DELETE",
        "/v1/checkpoints",
        query=given(("thread_id", thread_id)),
        repeat=Repeat.SAFE,
    )


def checkpoints_copy(from_: str, to: str) -> Request[types.CheckpointCount]:
    return Request(
        "POST",
        "/v1/checkpoints/copy",
        body=given(("from", from_), ("to", to)),
        repeat=Repeat.SAFE,
    )


def checkpoints_delete_runs(run_ids: list[str]) -> Request[types.CheckpointCount]:
    return Request(
        "POST",
        "/v1/checkpoints/delete_runs",
        body=given(("run_ids", run_ids)),
        repeat=Repeat.SAFE,
    )


def checkpoints_prune(
    thread_ids: list[str],
    *,
    strategy: Literal["keep_latest", "delete"] | None = None,
) -> Request[types.CheckpointCount]:
    return Request(
        "POST",
        "/v1/checkpoints/prune",
        body=given(("thread_ids", thread_ids), ("strategy", strategy)),
        repeat=Repeat.SAFE,
    )


def checkpoints_search(
    *,
    thread_id: str | None = None,
    checkpoint_ns: str | None = None,
    checkpoint_id: str | None = None,
    before: str | None = None,
    filter: dict[str, Any] | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Request[types.CheckpointList]:
    return Request(
        "POST",
        "/v1/checkpoints/search",
        body=given(("thread_id", thread_id), ("checkpoint_ns", checkpoint_ns), ("checkpoint_id", checkpoint_id), ("before", before), ("filter", filter), ("limit", limit), ("cursor", cursor)),
        repeat=Repeat.SAFE,
    )


def checkpoints_put_writes(
    thread_id: str,
    checkpoint_id: str,
    task_id: str,
    writes: list[types.NewWrite],
    *,
    checkpoint_ns: str | None = None,
    task_path: str | None = None,
) -> Request[None]:
    return Request(
        "PUT",
        "/v1/checkpoints/writes",
        body=given(("thread_id", thread_id), ("checkpoint_id", checkpoint_id), ("task_id", task_id), ("writes", writes), ("checkpoint_ns", checkpoint_ns), ("task_path", task_path)),
        repeat=Repeat.SAFE,
        answer="none",
    )


def context(topic: str, *, max_tokens: int | None = None) -> Request[types.ContextText]:
    return Request(
        "POST",
        "/v1/context",
        body=given(("topic", topic), ("max_tokens", max_tokens)),
        repeat=Repeat.SAFE,
    )


def conversations_list(
    *,
    limit: int | None = None,
    after: str | None = None,
) -> Request[types.ConversationPage]:
    return Request(
        "GET",
        "/v1/conversations",
        query=given(("limit", limit), ("after", after)),
        repeat=Repeat.SAFE,
    )


def conversations_open(
    *,
    id: str | None = None,
    channel: str | None = None,
    chat: str | None = None,
    root: str | None = None,
    title: str | None = None,
    idempotency_key: str | None = None,
) -> Request[types.Conversation]:
    return Request(
        "POST",
        "/v1/conversations",
        body=given(("id", id), ("channel", channel), ("chat", chat), ("root", root), ("title", title)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def conversations_get(id: str) -> Request[types.Conversation]:
    return Request(
        "GET",
        path("/v1/conversations/{}", id),
        repeat=Repeat.SAFE,
    )


def conversations_rename(id: str, title: str) -> Request[types.Conversation]:
    return Request(
        "PATCH",
        path("/v1/conversations/{}", id),
        body=edited(("title", title)),
    )


def conversations_erase(id: str, *, keep_memories: bool | None = None) -> Request[types.Erased]:
    return Request(
        "DELETE",
        path("/v1/conversations/{}", id),
        query=given(("keep_memories", keep_memories)),
    )


def conversations_context(
    id: str,
    *,
    instructions: str | None = None,
    max_messages: int | None = None,
    max_tokens: int | None = None,
    first_message: bool | None = None,
) -> Request[types.ConversationText]:
    return Request(
        "POST",
        path("/v1/conversations/{}/context", id),
        body=given(("instructions", instructions), ("max_messages", max_messages), ("max_tokens", max_tokens), ("first_message", first_message)),
        repeat=Repeat.SAFE,
    )


def conversations_messages(
    id: str,
    *,
    limit: int | None = None,
    before: int | None = None,
) -> Request[types.MessagePage]:
    return Request(
        "GET",
        path("/v1/conversations/{}/messages", id),
        query=given(("limit", limit), ("before", before)),
        repeat=Repeat.SAFE,
    )


def conversations_append(
    id: str,
    messages: list[types.NewMessageBody],
    *,
    extract: bool | None = None,
    idempotency_key: str | None = None,
) -> Request[types.Appended]:
    return Request(
        "POST",
        path("/v1/conversations/{}/messages", id),
        query=given(("extract", extract)),
        body=given(("messages", messages)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def conversations_erase_message(id: str, message: str) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/conversations/{}/messages/{}", id, message),
        answer="none",
    )


def conversations_working_memory(id: str) -> Request[types.StoredValue]:
    return Request(
        "GET",
        path("/v1/conversations/{}/working-memory", id),
        repeat=Repeat.SAFE,
    )


def conversations_replace_working_memory(
    id: str,
    value: Any,
    *,
    if_match: int | str | None = None,
    if_none_match: str | None = None,
) -> Request[types.StoredValue]:
    return Request(
        "PUT",
        path("/v1/conversations/{}/working-memory", id),
        body=value,
        headers=given(("If-Match", etag(if_match)), ("If-None-Match", if_none_match)),
        repeat=Repeat.SAFE,
    )


def conversations_merge_working_memory(
    id: str,
    value: Any,
    *,
    if_match: int | str | None = None,
) -> Request[types.StoredValue]:
    return Request(
        "PATCH",
        path("/v1/conversations/{}/working-memory", id),
        body=value,
        headers=given(("If-Match", etag(if_match))),
    )


def conversations_clear_working_memory(id: str, *, if_match: int | str | None = None) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/conversations/{}/working-memory", id),
        headers=given(("If-Match", etag(if_match))),
        answer="none",
    )


def conversations_working_memory_schema(id: str) -> Request[Any]:
    return Request(
        "GET",
        path("/v1/conversations/{}/working-memory/schema", id),
        repeat=Repeat.SAFE,
    )


def conversations_set_working_memory_schema(id: str, value: Any) -> Request[None]:
    return Request(
        "PUT",
        path("/v1/conversations/{}/working-memory/schema", id),
        body=value,
        repeat=Repeat.SAFE,
        answer="none",
    )


def conversations_clear_working_memory_schema(id: str) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/conversations/{}/working-memory/schema", id),
        answer="none",
    )


def document(
    *,
    places_as: Literal["places_of_interest", "placer_user_datapoints"] | None = None,
) -> Request[types.MemoryDocument]:
    return Request(
        "GET",
        "/v1/document",
        query=given(("places_as", places_as)),
        repeat=Repeat.SAFE,
    )


def embed(text: str, *, role: types.EmbedRole | None = None) -> Request[types.Embedding]:
    return Request(
        "POST",
        "/v1/embed",
        body=given(("text", text), ("role", role)),
        repeat=Repeat.SAFE,
    )


def entities_list(*, kind: Literal["place", "account", "person"] | None = None) -> Request[types.EntityList]:
    return Request(
        "GET",
        "/v1/entities",
        query=given(("kind", kind)),
        repeat=Repeat.SAFE,
    )


def entities_put(
    id: str,
    kind: types.WireEntityKind,
    name: str,
    *,
    notes: str | None = None,
    origin: str | None = None,
) -> Request[types.Entity]:
    return Request(
        "POST",
        "/v1/entities",
        body=given(("id", id), ("kind", kind), ("name", name), ("notes", notes), ("origin", origin)),
    )


def entities_get(id: str) -> Request[types.Entity]:
    return Request(
        "GET",
        path("/v1/entities/{}", id),
        repeat=Repeat.SAFE,
    )


def entities_forget(id: str) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/entities/{}", id),
        answer="none",
    )


def entities_confirm(id: str) -> Request[types.Entity]:
    return Request(
        "POST",
        path("/v1/entities/{}/confirm", id),
    )


def entities_mention(id: str, conversation: str, message: str) -> Request[types.Entity]:
    return Request(
        "POST",
        path("/v1/entities/{}/mentions", id),
        body=given(("conversation", conversation), ("message", message)),
    )


def events_list(
    *,
    kind: str | None = None,
    id: str | None = None,
    limit: int | None = None,
    after: str | None = None,
) -> Request[types.EventList]:
    return Request(
        "GET",
        "/v1/events",
        query=given(("kind", kind), ("id", id), ("limit", limit), ("after", after)),
        repeat=Repeat.SAFE,
    )


def export() -> Request[bytes]:
    return Request(
        "GET",
        "/v1/export",
        repeat=Repeat.SAFE,
        answer="bytes",
    )


def interactions_runs(*, limit: int | None = None) -> Request[types.ExtractionRunList]:
    return Request(
        "GET",
        "/v1/extraction/runs",
        query=given(("limit", limit)),
        repeat=Repeat.SAFE,
    )


def files_list() -> Request[types.FileList]:
    return Request(
        "GET",
        "/v1/files",
        repeat=Repeat.SAFE,
    )


def files_memory() -> Request[str]:
    return Request(
        "GET",
        "/v1/files/MEMORY.md",
        repeat=Repeat.SAFE,
        answer="text",
    )


def files_day(day: str) -> Request[str]:
    return Request(
        "GET",
        path("/v1/files/memory/{}", day),
        repeat=Repeat.SAFE,
        answer="text",
    )


def import_status(id: str) -> Request[types.ImportStatus]:
    return Request(
        "GET",
        path("/v1/import/{}", id),
        repeat=Repeat.SAFE,
    )


def interactions_note(
    interactions: list[types.NewInteraction],
    *,
    idempotency_key: str | None = None,
) -> Request[types.Noted]:
    return Request(
        "POST",
        "/v1/interactions",
        body=given(("interactions", interactions)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def knowledge_list(
    *,
    prefix: str | None = None,
    limit: int | None = None,
    after: str | None = None,
) -> Request[types.KnowledgePage]:
    return Request(
        "GET",
        "/v1/knowledge",
        query=given(("prefix", prefix), ("limit", limit), ("after", after)),
        repeat=Repeat.SAFE,
    )


def knowledge_ingest(
    source: str,
    *,
    title: str | None = None,
    format: types.WireFormat | None = None,
    content: str | None = None,
    content_base64: str | None = None,
    idempotency_key: str | None = None,
) -> Request[types.IngestedBody]:
    return Request(
        "POST",
        "/v1/knowledge",
        body=given(("source", source), ("title", title), ("format", format), ("content", content), ("content_base64", content_base64)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def knowledge_prune(prefix: str, keep: list[str]) -> Request[types.Pruned]:
    return Request(
        "POST",
        "/v1/knowledge/prune",
        body=given(("prefix", prefix), ("keep", keep)),
    )


def knowledge_search(query: str, *, limit: int | None = None) -> Request[types.KnowledgeResult]:
    return Request(
        "POST",
        "/v1/knowledge/search",
        body=given(("query", query), ("limit", limit)),
        repeat=Repeat.SAFE,
    )


def knowledge_get(id: str) -> Request[types.KnowledgeText]:
    return Request(
        "GET",
        path("/v1/knowledge/{}", id),
        repeat=Repeat.SAFE,
    )


def knowledge_delete(id: str) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/knowledge/{}", id),
        answer="none",
    )


def me() -> Request[types.Whoami]:
    return Request(
        "GET",
        "/v1/me",
        repeat=Repeat.SAFE,
    )


def erase_everything(*, dry_run: bool | None = None) -> Request[types.ReceiptBody]:
    return Request(
        "DELETE",
        "/v1/me",
        query=given(("dry_run", dry_run)),
    )


def memories_list(
    *,
    category: str | None = None,
    tier: Literal["durable", "daily"] | None = None,
    showing: Literal["current", "hidden", "all"] | None = None,
    origin: str | None = None,
    confidence_below: float | None = None,
    since: str | None = None,
    conversation: str | None = None,
    project: str | None = None,
    limit: int | None = None,
    after: str | None = None,
    at: str | None = None,
) -> Request[types.MemoryPage]:
    return Request(
        "GET",
        "/v1/memories",
        query=given(("category", category), ("tier", tier), ("showing", showing), ("origin", origin), ("confidence_below", confidence_below), ("since", since), ("conversation", conversation), ("project", project), ("limit", limit), ("after", after), ("at", at)),
        repeat=Repeat.SAFE,
    )


def memories_create(
    content: str,
    *,
    key: str | None = None,
    category: str | None = None,
    tier: types.WireTier | None = None,
    confidence: float | None = None,
    source: str | None = None,
    origin: str | None = None,
    valid_from: str | None = None,
    valid_until: str | None = None,
    project: str | None = None,
    evidence: list[types.NewEvidence] | None = None,
    idempotency_key: str | None = None,
) -> Request[types.Written]:
    return Request(
        "POST",
        "/v1/memories",
        body=given(("content", content), ("key", key), ("category", category), ("tier", tier), ("confidence", confidence), ("source", source), ("origin", origin), ("valid_from", valid_from), ("valid_until", valid_until), ("project", project), ("evidence", evidence)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def memories_create_many(
    memories: list[types.NewMemory],
    *,
    idempotency_key: str | None = None,
) -> Request[types.BatchWritten]:
    return Request(
        "POST",
        "/v1/memories/batch",
        body=given(("memories", memories)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def memories_forget_many(ids: list[str], *, idempotency_key: str | None = None) -> Request[types.Forgotten]:
    return Request(
        "POST",
        "/v1/memories/forget",
        body=given(("ids", ids)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def memories_get(id: str) -> Request[types.Memory]:
    return Request(
        "GET",
        path("/v1/memories/{}", id),
        repeat=Repeat.SAFE,
    )


def memories_update(
    id: str,
    *,
    content: str | Unset = UNSET,
    key: str | None | Unset = UNSET,
    category: str | Unset = UNSET,
    tier: types.WireTier | Unset = UNSET,
    confidence: float | Unset = UNSET,
    source: str | None | Unset = UNSET,
    valid_from: str | None | Unset = UNSET,
    valid_until: str | None | Unset = UNSET,
    project: str | None | Unset = UNSET,
    if_match: int | str | None = None,
) -> Request[types.Memory]:
    return Request(
        "PATCH",
        path("/v1/memories/{}", id),
        body=edited(("content", content), ("key", key), ("category", category), ("tier", tier), ("confidence", confidence), ("source", source), ("valid_from", valid_from), ("valid_until", valid_until), ("project", project)),
        headers=given(("If-Match", etag(if_match))),
    )


def memories_forget(
    id: str,
    *,
    erase: bool | None = None,
    if_match: int | str | None = None,
) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/memories/{}", id),
        query=given(("erase", erase)),
        headers=given(("If-Match", etag(if_match))),
        answer="none",
    )


def memories_confirm(id: str) -> Request[types.Memory]:
    return Request(
        "POST",
        path("/v1/memories/{}/confirm", id),
    )


def memories_history(id: str) -> Request[types.History]:
    return Request(
        "GET",
        path("/v1/memories/{}/history", id),
        repeat=Repeat.SAFE,
    )


def memories_recalls(id: str) -> Request[types.RecallsBody]:
    return Request(
        "GET",
        path("/v1/memories/{}/recalls", id),
        repeat=Repeat.SAFE,
    )


def memories_restore(id: str, *, version: int | None = None, at: str | None = None) -> Request[types.Memory]:
    return Request(
        "POST",
        path("/v1/memories/{}/restore", id),
        query=given(("version", version), ("at", at)),
    )


def memories_similar(id: str, *, limit: int | None = None) -> Request[types.SimilarList]:
    return Request(
        "GET",
        path("/v1/memories/{}/similar", id),
        query=given(("limit", limit)),
        repeat=Repeat.SAFE,
    )


def oauth_grant(
    client_id: str,
    redirect_uri: str,
    code_challenge: str,
    allow: bool,
    *,
    state: str | None = None,
    scope: str | None = None,
    resource: str | None = None,
) -> Request[types.Redirect]:
    return Request(
        "POST",
        "/v1/oauth/grants",
        body=given(("client_id", client_id), ("redirect_uri", redirect_uri), ("code_challenge", code_challenge), ("allow", allow), ("state", state), ("scope", scope), ("resource", resource)),
    )


def profile_list() -> Request[types.ProfileCategoryList]:
    return Request(
        "GET",
        "/v1/profile",
        repeat=Repeat.SAFE,
    )


def profile_get(category: str) -> Request[types.StoredValue]:
    return Request(
        "GET",
        path("/v1/profile/{}", category),
        repeat=Repeat.SAFE,
    )


def profile_replace(
    category: str,
    value: Any,
    *,
    if_match: int | str | None = None,
    if_none_match: str | None = None,
) -> Request[types.StoredValue]:
    return Request(
        "PUT",
        path("/v1/profile/{}", category),
        body=value,
        headers=given(("If-Match", etag(if_match)), ("If-None-Match", if_none_match)),
        repeat=Repeat.SAFE,
    )


def profile_merge(
    category: str,
    value: Any,
    *,
    if_match: int | str | None = None,
) -> Request[types.StoredValue]:
    return Request(
        "PATCH",
        path("/v1/profile/{}", category),
        body=value,
        headers=given(("If-Match", etag(if_match))),
    )


def profile_clear(category: str, *, if_match: int | str | None = None) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/profile/{}", category),
        headers=given(("If-Match", etag(if_match))),
        answer="none",
    )


def prompt(*, first_message: bool | None = None, max_tokens: int | None = None) -> Request[types.PromptText]:
    return Request(
        "GET",
        "/v1/prompt",
        query=given(("first_message", first_message), ("max_tokens", max_tokens)),
        repeat=Repeat.SAFE,
    )


def request_outcome(key: str) -> Request[types.RequestReport]:
    return Request(
        "GET",
        path("/v1/requests/{}", key),
        repeat=Repeat.SAFE,
    )


def review(*, limit: int | None = None) -> Request[types.Review]:
    return Request(
        "GET",
        "/v1/review",
        query=given(("limit", limit)),
        repeat=Repeat.SAFE,
    )


def search(
    query: str,
    *,
    limit: int | None = None,
    category: str | None = None,
    kinds: list[types.WireItemKind] | None = None,
    max_tokens: int | None = None,
    as_of: str | None = None,
    explain: bool | None = None,
) -> Request[types.SearchResult]:
    return Request(
        "POST",
        "/v1/search",
        body=given(("query", query), ("limit", limit), ("category", category), ("kinds", kinds), ("max_tokens", max_tokens), ("as_of", as_of), ("explain", explain)),
        repeat=Repeat.SAFE,
    )


def shared_memories_list(*, limit: int | None = None, after: str | None = None) -> Request[types.MemoryPage]:
    return Request(
        "GET",
        "/v1/shared/memories",
        query=given(("limit", limit), ("after", after)),
        repeat=Repeat.SAFE,
    )


def shared_memories_create(
    content: str,
    *,
    key: str | None = None,
    category: str | None = None,
    tier: types.WireTier | None = None,
    confidence: float | None = None,
    source: str | None = None,
    origin: str | None = None,
    valid_from: str | None = None,
    valid_until: str | None = None,
    project: str | None = None,
    evidence: list[types.NewEvidence] | None = None,
) -> Request[types.Written]:
    return Request(
        "POST",
        "/v1/shared/memories",
        body=given(("content", content), ("key", key), ("category", category), ("tier", tier), ("confidence", confidence), ("source", source), ("origin", origin), ("valid_from", valid_from), ("valid_until", valid_until), ("project", project), ("evidence", evidence)),
    )


def shared_memories_forget(
    id: str,
    *,
    erase: bool | None = None,
    if_match: int | str | None = None,
) -> Request[None]:
    return Request(
        "DELETE",
        path("/v1/shared/memories/{}", id),
        query=given(("erase", erase)),
        headers=given(("If-Match", etag(if_match))),
        answer="none",
    )


def stats() -> Request[types.StatsBody]:
    return Request(
        "GET",
        "/v1/stats",
        repeat=Repeat.SAFE,
    )


def tools_list(
    *,
    format: Literal["openai", "responses", "anthropic", "mcp"] | None = None,
    sets: str | None = None,
) -> Request[list[Any]]:
    return Request(
        "GET",
        "/v1/tools",
        query=given(("format", format), ("sets", sets)),
        repeat=Repeat.SAFE,
    )


def tools_call(
    name: Literal["get_user_context", "get_account_context", "manage_user_memory", "write_memory", "read_memory", "search_memory", "get_memory_context", "update_memory", "delete_memory", "store_memory", "recall_memory", "get_conversation_history", "search_knowledge_base", "memory"],
    value: Any,
    *,
    idempotency_key: str | None = None,
) -> Request[types.ToolAnswer]:
    return Request(
        "POST",
        path("/v1/tools/{}", name),
        body=value,
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def undo(
    *,
    source: str | None = None,
    conversation: str | None = None,
    to: str | None = None,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Request[types.UndoReport]:
    return Request(
        "POST",
        "/v1/undo",
        body=given(("source", source), ("conversation", conversation), ("to", to), ("dry_run", dry_run)),
        idempotency_key=idempotency_key,
        repeat=Repeat.KEYED,
    )


def working_memory_get() -> Request[types.StoredValue]:
    return Request(
        "GET",
        "/v1/working-memory",
        repeat=Repeat.SAFE,
    )


def working_memory_replace(
    value: Any,
    *,
    if_match: int | str | None = None,
    if_none_match: str | None = None,
) -> Request[types.StoredValue]:
    return Request(
        "PUT",
        "/v1/working-memory",
        body=value,
        headers=given(("If-Match", etag(if_match)), ("If-None-Match", if_none_match)),
        repeat=Repeat.SAFE,
    )


def working_memory_merge(value: Any, *, if_match: int | str | None = None) -> Request[types.StoredValue]:
    return Request(
        "PATCH",
        "/v1/working-memory",
        body=value,
        headers=given(("If-Match", etag(if_match))),
    )


def working_memory_clear(*, if_match: int | str | None = None) -> Request[None]:
    return Request(
        "DELETE",
        "/v1/working-memory",
        headers=given(("If-Match", etag(if_match))),
        answer="none",
    )


def working_memory_schema() -> Request[Any]:
    return Request(
        "GET",
        "/v1/working-memory/schema",
        repeat=Repeat.SAFE,
    )


def working_memory_set_schema(value: Any) -> Request[None]:
    return Request(
        "PUT",
        "/v1/working-memory/schema",
        body=value,
        repeat=Repeat.SAFE,
        answer="none",
    )


def working_memory_clear_schema() -> Request[None]:
    return Request(
        "DELETE",
        "/v1/working-memory/schema",
        answer="none",
    )
