"""The methods of the async client.

Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.
"""


from __future__ import annotations

import builtins
from collections.abc import AsyncIterator
from typing import Any, Literal

from .. import types
from .._request import UNSET, Unset
from .._resource import AsyncResource
from . import requests


class ClientApi(AsyncResource):
    """What has no resource of its own."""

    @property
    def admin(self) -> AdminApi:
        return AdminApi(self._transport)

    @property
    def checkpoints(self) -> CheckpointsApi:
        return CheckpointsApi(self._transport)

    @property
    def conversations(self) -> ConversationsApi:
        return ConversationsApi(self._transport)

    @property
    def entities(self) -> EntitiesApi:
        return EntitiesApi(self._transport)

    @property
    def events(self) -> EventsApi:
        return EventsApi(self._transport)

    @property
    def files(self) -> FilesApi:
        return FilesApi(self._transport)

    @property
    def interactions(self) -> InteractionsApi:
        return InteractionsApi(self._transport)

    @property
    def knowledge(self) -> KnowledgeApi:
        return KnowledgeApi(self._transport)

    @property
    def memories(self) -> MemoriesApi:
        return MemoriesApi(self._transport)

    @property
    def oauth(self) -> OauthApi:
        return OauthApi(self._transport)

    @property
    def profile(self) -> ProfileApi:
        return ProfileApi(self._transport)

    @property
    def shared_memories(self) -> SharedMemoriesApi:
        return SharedMemoriesApi(self._transport)

    @property
    def tools(self) -> ToolsApi:
        return ToolsApi(self._transport)

    @property
    def working_memory(self) -> WorkingMemoryApi:
        return WorkingMemoryApi(self._transport)

    async def audit(self) -> types.AuditReport:
        """Finds duplicate, contradictory, stale, little trusted, never recalled or secret-looking memories.
        Changes nothing.
        """
        return await self._transport.send(requests.audit())

    async def context(self, topic: str, *, max_tokens: int | None = None) -> types.ContextText:
        """Gathers core memories, what bears on the topic, and recent notes, within a token budget."""
        return await self._transport.send(requests.context(topic, max_tokens=max_tokens))

    async def document(
        self,
        *,
        places_as: Literal["places_of_interest", "placer_user_datapoints"] | None = None,
    ) -> types.MemoryDocument:
        """Gives the memory document. Its tokens are counted on this very text, with the list of places under its
        usual name.
        """
        return await self._transport.send(requests.document(places_as=places_as))

    async def embed(self, text: str, *, role: types.EmbedRole | None = None) -> types.Embedding:
        """Embeds a text with the model that search goes by."""
        return await self._transport.send(requests.embed(text, role=role))

    async def export(self) -> bytes:
        """Gives everything the user has as one archive (zip): memories with their history, entities,
        conversations, profile, working memory, the log, and Markdown files for people.
        """
        return await self._transport.send(requests.export())

    async def import_status(self, id: str) -> types.ImportStatus:
        """Shows how far an import is, or what became of it."""
        return await self._transport.send(requests.import_status(id))

    async def me(self) -> types.Whoami:
        """Describes the caller."""
        return await self._transport.send(requests.me())

    async def erase_everything(self, *, dry_run: bool | None = None) -> types.ReceiptBody:
        """Removes everything the user has, for good, and answers with a receipt, the only thing that is kept.
        The user's own keys go too.
        """
        return await self._transport.send(requests.erase_everything(dry_run=dry_run))

    async def prompt(
        self,
        *,
        first_message: bool | None = None,
        max_tokens: int | None = None,
    ) -> types.PromptText:
        """Gives the block for a system prompt: the time, and at the first message what is remembered."""
        return await self._transport.send(requests.prompt(first_message=first_message, max_tokens=max_tokens))

    async def request_outcome(self, key: str) -> types.RequestReport:
        """Shows how a request ended: one of your own Idempotency-Key, or one whose answer was `outcome_unknown`
        and named a key. A request that is not found was never carried out by this server or ended over an
        hour ago without success: repeat it with the same key.
        """
        return await self._transport.send(requests.request_outcome(key))

    async def review(self, *, limit: int | None = None) -> types.Review:
        """Lists quarantined memories and entities, and what agents would change or hid of what the user said.
        """
        return await self._transport.send(requests.review(limit=limit))

    async def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        category: str | None = None,
        kinds: builtins.list[types.WireItemKind] | None = None,
        max_tokens: int | None = None,
        as_of: str | None = None,
        explain: bool | None = None,
    ) -> types.SearchResult:
        """Searches memories, messages, entities, profile and knowledge, the best first."""
        return await self._transport.send(
            requests.search(
                query,
                limit=limit,
                category=category,
                kinds=kinds,
                max_tokens=max_tokens,
                as_of=as_of,
                explain=explain,
            )
        )

    async def stats(self) -> types.StatsBody:
        """Counts what the user has."""
        return await self._transport.send(requests.stats())

    async def undo(
        self,
        *,
        source: str | None = None,
        conversation: str | None = None,
        to: str | None = None,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.UndoReport:
        """Takes back the last change, all of one source or conversation, or all since a time. Nothing is deleted
        by it.
        """
        return await self._transport.send(
            requests.undo(
                source=source,
                conversation=conversation,
                to=to,
                dry_run=dry_run,
                idempotency_key=idempotency_key,
            )
        )

class AdminApi(AsyncResource):
    """Admin."""

    async def keys(self) -> types.KeyList:
        """Lists all keys, the oldest first."""
        return await self._transport.send(requests.admin_keys())

    async def create_key(
        self,
        kind: types.WireKeyKind,
        *,
        user: str | None = None,
        namespace: str | None = None,
        name: str | None = None,
        scopes: builtins.list[str] | None = None,
        expires_at: str | None = None,
    ) -> types.CreatedKey:
        """Makes a key. It is shown in this answer and never again, so this request is not repeated by an
        Idempotency-Key.
        """
        return await self._transport.send(
            requests.admin_create_key(
                kind,
                user=user,
                namespace=namespace,
                name=name,
                scopes=scopes,
                expires_at=expires_at,
            )
        )

    async def revoke_key(self, id: str) -> None:
        """Revokes a key. It is refused everywhere within a second."""
        await self._transport.send(requests.admin_revoke_key(id))

    async def rotate_key(self, id: str, *, overlap_s: int | None = None) -> types.CreatedKey:
        """Replaces a key by a new one with the same rights. The old one goes on working for a while, so that its
        users can change over.
        """
        return await self._transport.send(requests.admin_rotate_key(id, overlap_s=overlap_s))

    async def rollout(self) -> types.RolloutBody:
        """Compares the modes."""
        return await self._transport.send(requests.admin_rollout())

    async def store(self) -> types.StoreBody:
        """Describes the server and its store."""
        return await self._transport.send(requests.admin_store())

    async def users(
        self,
        *,
        query: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> types.UserList:
        """Pages through the users, in the order of their ids. A service key sees those it may act for; a user's
        key sees none.
        """
        return await self._transport.send(requests.admin_users(query=query, limit=limit, after=after))

    async def each_of_users(
        self,
        *,
        query: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[types.ListedUser]:
        """Goes through all pages. `limit` is the length of a page."""
        after: str | None = None
        while True:
            page = await self.users(query=query, limit=limit, after=after)
            for item in page["users"]:
                yield item
            after = page.get("next_page")
            if after is None:
                return

class CheckpointsApi(AsyncResource):
    """Checkpoints."""

    async def get(
        self,
        thread_id: str,
        *,
        checkpoint_ns: str | None = None,
        checkpoint_id: str | None = None,
    ) -> types.CheckpointBody:
        """Reads one checkpoint with the writes that are pending on it: the latest, or the one with the id."""
        return await self._transport.send(
            requests.checkpoints_get(
                thread_id,
                checkpoint_ns=checkpoint_ns,
                checkpoint_id=checkpoint_id,
            )
        )

    async def put(
        self,
        thread_id: str,
        checkpoint_id: str,
        type: str,
        data: str,
        *,
        checkpoint_ns: str | None = None,
        parent_id: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> None:
        """Stores a checkpoint, in place of one with the same id."""
        await self._transport.send(
            requests.checkpoints_put(
                thread_id,
                checkpoint_id,
                type,
                data,
                checkpoint_ns=checkpoint_ns,
                parent_id=parent_id,
                metadata=metadata,
            )
        )

    async def delete_thread(self, thread_id: str) -> types.CheckpointCount:
        """Removes a thread with all its checkpoints and writes, for good."""
        return await self._transport.send(requests.checkpoints_delete_thread(thread_id))

    async def copy(self, from_: str, to: str) -> types.CheckpointCount:
        """Copies all checkpoints and writes of a thread to another one."""
        return await self._transport.send(requests.checkpoints_copy(from_, to))

    async def delete_runs(self, run_ids: builtins.list[str]) -> types.CheckpointCount:
        """Removes the checkpoints whose `metadata.run_id` is one of these, with their writes."""
        return await self._transport.send(requests.checkpoints_delete_runs(run_ids))

    async def prune(
        self,
        thread_ids: builtins.list[str],
        *,
        strategy: Literal["keep_latest", "delete"] | None = None,
    ) -> types.CheckpointCount:
        """Removes all but the latest checkpoints of threads, or all."""
        return await self._transport.send(requests.checkpoints_prune(thread_ids, strategy=strategy))

    async def search(
        self,
        *,
        thread_id: str | None = None,
        checkpoint_ns: str | None = None,
        checkpoint_id: str | None = None,
        before: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> types.CheckpointList:
        """Lists checkpoints with what is pending on them, the greatest id first."""
        return await self._transport.send(
            requests.checkpoints_search(
                thread_id=thread_id,
                checkpoint_ns=checkpoint_ns,
                checkpoint_id=checkpoint_id,
                before=before,
                filter=filter,
                limit=limit,
                cursor=cursor,
            )
        )

    async def put_writes(
        self,
        thread_id: str,
        checkpoint_id: str,
        task_id: str,
        writes: builtins.list[types.NewWrite],
        *,
        checkpoint_ns: str | None = None,
        task_path: str | None = None,
    ) -> None:
        """Stores what a task wrote before the next checkpoint. A write of a task and number that is there
        already stays as it is, unless the number is negative.
        """
        await self._transport.send(
            requests.checkpoints_put_writes(
                thread_id,
                checkpoint_id,
                task_id,
                writes,
                checkpoint_ns=checkpoint_ns,
                task_path=task_path,
            )
        )

class ConversationsApi(AsyncResource):
    """Conversations."""

    async def list(self, *, limit: int | None = None, after: str | None = None) -> types.ConversationPage:
        """Pages through the conversations, the last touched first."""
        return await self._transport.send(requests.conversations_list(limit=limit, after=after))

    async def each(self, *, limit: int | None = None) -> AsyncIterator[types.Conversation]:
        """Goes through all pages. `limit` is the length of a page."""
        after: str | None = None
        while True:
            page = await self.list(limit=limit, after=after)
            for item in page["conversations"]:
                yield item
            after = page.get("next_page")
            if after is None:
                return

    async def open(
        self,
        *,
        id: str | None = None,
        channel: str | None = None,
        chat: str | None = None,
        root: str | None = None,
        title: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.Conversation:
        """Opens a conversation. Answers 201 when it is new, 200 when it was known."""
        return await self._transport.send(
            requests.conversations_open(
                id=id,
                channel=channel,
                chat=chat,
                root=root,
                title=title,
                idempotency_key=idempotency_key,
            )
        )

    async def get(self, id: str) -> types.Conversation:
        """Reads one conversation, without its messages."""
        return await self._transport.send(requests.conversations_get(id))

    async def rename(self, id: str, title: str) -> types.Conversation:
        """Renames a conversation."""
        return await self._transport.send(requests.conversations_rename(id, title))

    async def erase(self, id: str, *, keep_memories: bool | None = None) -> types.Erased:
        """Removes a conversation with its messages and working memory for good, and what was learned from it
        unless that is kept.
        """
        return await self._transport.send(requests.conversations_erase(id, keep_memories=keep_memories))

    async def context(
        self,
        id: str,
        *,
        instructions: str | None = None,
        max_messages: int | None = None,
        max_tokens: int | None = None,
        first_message: bool | None = None,
    ) -> types.ConversationText:
        """Gives the system message with memory, and the last messages, within a token budget."""
        return await self._transport.send(
            requests.conversations_context(
                id,
                instructions=instructions,
                max_messages=max_messages,
                max_tokens=max_tokens,
                first_message=first_message,
            )
        )

    async def messages(
        self,
        id: str,
        *,
        limit: int | None = None,
        before: int | None = None,
    ) -> types.MessagePage:
        """Gives the last messages, the oldest first."""
        return await self._transport.send(requests.conversations_messages(id, limit=limit, before=before))

    async def append(
        self,
        id: str,
        messages: builtins.list[types.NewMessageBody],
        *,
        extract: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.Appended:
        """Appends one message or several, all or none, and begins the conversation if there is none."""
        return await self._transport.send(
            requests.conversations_append(
                id,
                messages,
                extract=extract,
                idempotency_key=idempotency_key,
            )
        )

    async def erase_message(self, id: str, message: str) -> None:
        """Removes one message for good, and what was learned from it."""
        await self._transport.send(requests.conversations_erase_message(id, message))

    async def working_memory(self, id: str) -> types.StoredValue:
        """Reads the working memory of a conversation."""
        return await self._transport.send(requests.conversations_working_memory(id))

    async def replace_working_memory(
        self,
        id: str,
        value: Any,
        *,
        if_match: int | str | None = None,
        if_none_match: str | None = None,
    ) -> types.StoredValue:
        """Replaces the working memory of a conversation. The body is the value itself."""
        return await self._transport.send(
            requests.conversations_replace_working_memory(
                id,
                value,
                if_match=if_match,
                if_none_match=if_none_match,
            )
        )

    async def merge_working_memory(
        self,
        id: str,
        value: Any,
        *,
        if_match: int | str | None = None,
    ) -> types.StoredValue:
        """Merges into the working memory of a conversation, as a JSON Merge Patch (RFC 7396)."""
        return await self._transport.send(
            requests.conversations_merge_working_memory(
                id,
                value,
                if_match=if_match,
            )
        )

    async def clear_working_memory(self, id: str, *, if_match: int | str | None = None) -> None:
        """Clears the working memory of a conversation. What was said stays."""
        await self._transport.send(requests.conversations_clear_working_memory(id, if_match=if_match))

    async def working_memory_schema(self, id: str) -> Any:
        """Reads the schema of the working memory of a conversation."""
        return await self._transport.send(requests.conversations_working_memory_schema(id))

    async def set_working_memory_schema(self, id: str, value: Any) -> None:
        """Sets the JSON Schema that the working memory of a conversation must fit from now on."""
        await self._transport.send(requests.conversations_set_working_memory_schema(id, value))

    async def clear_working_memory_schema(self, id: str) -> None:
        """Drops the schema of the working memory of a conversation."""
        await self._transport.send(requests.conversations_clear_working_memory_schema(id))

class EntitiesApi(AsyncResource):
    """Entities."""

    async def list(self, *, kind: Literal["place", "account", "person"] | None = None) -> types.EntityList:
        """Lists entities in the order in which they were added."""
        return await self._transport.send(requests.entities_list(kind=kind))

    async def put(
        self,
        id: str,
        kind: types.WireEntityKind,
        name: str,
        *,
        notes: str | None = None,
        origin: str | None = None,
    ) -> types.Entity:
        """Adds an entity, or brings it up to date. Answers 201 when it is new, 200 when it was known. What is
        known from somebody who is trusted more stays as it is.
        """
        return await self._transport.send(requests.entities_put(id, kind, name, notes=notes, origin=origin))

    async def get(self, id: str) -> types.Entity:
        """Reads one entity."""
        return await self._transport.send(requests.entities_get(id))

    async def forget(self, id: str) -> None:
        """Hides an entity."""
        await self._transport.send(requests.entities_forget(id))

    async def confirm(self, id: str) -> types.Entity:
        """Confirms an entity: it counts as the user's own from then on. No tool reaches this."""
        return await self._transport.send(requests.entities_confirm(id))

    async def mention(self, id: str, conversation: str, message: str) -> types.Entity:
        """Notes that a message mentions an entity."""
        return await self._transport.send(requests.entities_mention(id, conversation, message))

class EventsApi(AsyncResource):
    """Events."""

    async def list(
        self,
        *,
        kind: str | None = None,
        id: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> types.EventList:
        """Pages through the audit log, the newest first."""
        return await self._transport.send(requests.events_list(kind=kind, id=id, limit=limit, after=after))

    async def each(
        self,
        *,
        kind: str | None = None,
        id: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[types.EventBody]:
        """Goes through all pages. `limit` is the length of a page."""
        after: str | None = None
        while True:
            page = await self.list(kind=kind, id=id, limit=limit, after=after)
            for item in page["events"]:
                yield item
            after = page.get("next_page")
            if after is None:
                return

class FilesApi(AsyncResource):
    """Files."""

    async def list(self) -> types.FileList:
        """Lists the Markdown files: `MEMORY.md`, and one for each day of which there are notes."""
        return await self._transport.send(requests.files_list())

    async def memory(self) -> str:
        """Gives what is remembered for good as Markdown, by category."""
        return await self._transport.send(requests.files_memory())

    async def day(self, day: str) -> str:
        """Gives the notes of a day as Markdown; there is no such file when there are none."""
        return await self._transport.send(requests.files_day(day))

class InteractionsApi(AsyncResource):
    """Interactions."""

    async def runs(self, *, limit: int | None = None) -> types.ExtractionRunList:
        """Lists the runs for the user, the latest first."""
        return await self._transport.send(requests.interactions_runs(limit=limit))

    async def note(
        self,
        interactions: builtins.list[types.NewInteraction],
        *,
        idempotency_key: str | None = None,
    ) -> types.Noted:
        """Notes what the user did, all or none. The daily extraction reads it."""
        return await self._transport.send(
            requests.interactions_note(
                interactions,
                idempotency_key=idempotency_key,
            )
        )

class KnowledgeApi(AsyncResource):
    """Knowledge."""

    async def list(
        self,
        *,
        prefix: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> types.KnowledgePage:
        """Pages through the documents in the order of their sources."""
        return await self._transport.send(requests.knowledge_list(prefix=prefix, limit=limit, after=after))

    async def each(
        self,
        *,
        prefix: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[types.KnowledgeDocument]:
        """Goes through all pages. `limit` is the length of a page."""
        after: str | None = None
        while True:
            page = await self.list(prefix=prefix, limit=limit, after=after)
            for item in page["documents"]:
                yield item
            after = page.get("next_page")
            if after is None:
                return

    async def ingest(
        self,
        source: str,
        *,
        title: str | None = None,
        format: types.WireFormat | None = None,
        content: str | None = None,
        content_base64: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.IngestedBody:
        """Takes a document in. The same bytes again do nothing; other bytes replace it. Needs an admin key.
        """
        return await self._transport.send(
            requests.knowledge_ingest(
                source,
                title=title,
                format=format,
                content=content,
                content_base64=content_base64,
                idempotency_key=idempotency_key,
            )
        )

    async def prune(self, prefix: str, keep: builtins.list[str]) -> types.Pruned:
        """Takes out the documents of a folder that are no longer there, for good. Needs an admin key."""
        return await self._transport.send(requests.knowledge_prune(prefix, keep))

    async def search(self, query: str, *, limit: int | None = None) -> types.KnowledgeResult:
        """Searches the documents."""
        return await self._transport.send(requests.knowledge_search(query, limit=limit))

    async def get(self, id: str) -> types.KnowledgeText:
        """Reads one document with its chunks."""
        return await self._transport.send(requests.knowledge_get(id))

    async def delete(self, id: str) -> None:
        """Takes a document out for good. Needs an admin key."""
        await self._transport.send(requests.knowledge_delete(id))

class MemoriesApi(AsyncResource):
    """Memories."""

    async def list(
        self,
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
    ) -> types.MemoryPage:
        """Pages through the memories, the newest first, as they are or as they were at some time."""
        return await self._transport.send(
            requests.memories_list(
                category=category,
                tier=tier,
                showing=showing,
                origin=origin,
                confidence_below=confidence_below,
                since=since,
                conversation=conversation,
                project=project,
                limit=limit,
                after=after,
                at=at,
            )
        )

    async def each(
        self,
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
        at: str | None = None,
    ) -> AsyncIterator[types.Memory]:
        """Goes through all pages. `limit` is the length of a page."""
        after: str | None = None
        while True:
            page = await self.list(category=category, tier=tier, showing=showing, origin=origin, confidence_below=confidence_below, since=since, conversation=conversation, project=project, limit=limit, after=after, at=at)
            for item in page["memories"]:
                yield item
            after = page.get("next_page")
            if after is None:
                return

    async def create(
        self,
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
        evidence: builtins.list[types.NewEvidence] | None = None,
        idempotency_key: str | None = None,
    ) -> types.Written:
        """Remembers one statement. Answers 201 with what it became, or 200 when it was known already: then that
        memory has the key, if it had none. A key that another statement has is a conflict.
        """
        return await self._transport.send(
            requests.memories_create(
                content,
                key=key,
                category=category,
                tier=tier,
                confidence=confidence,
                source=source,
                origin=origin,
                valid_from=valid_from,
                valid_until=valid_until,
                project=project,
                evidence=evidence,
                idempotency_key=idempotency_key,
            )
        )

    async def create_many(
        self,
        memories: builtins.list[types.NewMemory],
        *,
        idempotency_key: str | None = None,
    ) -> types.BatchWritten:
        """Remembers up to 1,000 statements in one transaction. A statement that cannot be stored is refused
        alone; the answer has one line for each, in their order.
        """
        return await self._transport.send(
            requests.memories_create_many(
                memories,
                idempotency_key=idempotency_key,
            )
        )

    async def forget_many(self, ids: builtins.list[str], *, idempotency_key: str | None = None) -> types.Forgotten:
        """Hides memories, all in one change. Each can be restored."""
        return await self._transport.send(requests.memories_forget_many(ids, idempotency_key=idempotency_key))

    async def get(self, id: str) -> types.Memory:
        """Reads one memory, hidden or not."""
        return await self._transport.send(requests.memories_get(id))

    async def update(
        self,
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
    ) -> types.Memory:
        """Revises a memory. What it said before stays in its history. A change whose source names a document or
        a tool does not replace what is trusted more: it is stored beside it, with the id of the other in
        `amends`, and waits for review.
        """
        return await self._transport.send(
            requests.memories_update(
                id,
                content=content,
                key=key,
                category=category,
                tier=tier,
                confidence=confidence,
                source=source,
                valid_from=valid_from,
                valid_until=valid_until,
                project=project,
                if_match=if_match,
            )
        )

    async def forget(self, id: str, *, erase: bool | None = None, if_match: int | str | None = None) -> None:
        """Hides a memory, so that it can be restored; with `erase=true` it is gone for good."""
        await self._transport.send(requests.memories_forget(id, erase=erase, if_match=if_match))

    async def confirm(self, id: str) -> types.Memory:
        """Confirms a memory: it counts as the user's own from then on, and may be injected. One that an agent
        hid stays hidden. A proposed change is applied to the memory that it amends.
        """
        return await self._transport.send(requests.memories_confirm(id))

    async def history(self, id: str) -> types.History:
        """Gives every version of a memory, the oldest first."""
        return await self._transport.send(requests.memories_history(id))

    async def recalls(self, id: str) -> types.RecallsBody:
        """Tells how often a memory was recalled, and when last."""
        return await self._transport.send(requests.memories_recalls(id))

    async def restore(self, id: str, *, version: int | None = None, at: str | None = None) -> types.Memory:
        """Shows a hidden memory again, or takes it back to an earlier version or to what it was at some time.
        """
        return await self._transport.send(requests.memories_restore(id, version=version, at=at))

    async def similar(self, id: str, *, limit: int | None = None) -> types.SimilarList:
        """Finds the memories of the user that say something like this one. They do not count as recalled."""
        return await self._transport.send(requests.memories_similar(id, limit=limit))

class OauthApi(AsyncResource):
    """Oauth."""

    async def grant(
        self,
        client_id: str,
        redirect_uri: str,
        code_challenge: str,
        allow: bool,
        *,
        state: str | None = None,
        scope: str | None = None,
        resource: str | None = None,
    ) -> types.Redirect:
        """Lets a client act for the user, or refuses it. The client learns of it at `redirect_to`."""
        return await self._transport.send(
            requests.oauth_grant(
                client_id,
                redirect_uri,
                code_challenge,
                allow,
                state=state,
                scope=scope,
                resource=resource,
            )
        )

class ProfileApi(AsyncResource):
    """Profile."""

    async def ask(self, category: str, *, query: str | None = None) -> types.UserContextAnswer:
        """Gives structured context of the user by category."""
        return await self._transport.send(requests.profile_ask(category, query=query))

    async def list(self) -> types.ProfileCategoryList:
        """Lists the categories with what is kept of each."""
        return await self._transport.send(requests.profile_list())

    async def get(self, category: str) -> types.StoredValue:
        """Reads what is kept of a category."""
        return await self._transport.send(requests.profile_get(category))

    async def replace(
        self,
        category: str,
        value: Any,
        *,
        if_match: int | str | None = None,
        if_none_match: str | None = None,
    ) -> types.StoredValue:
        """Replaces what is kept of a category. The body is the value itself."""
        return await self._transport.send(
            requests.profile_replace(
                category,
                value,
                if_match=if_match,
                if_none_match=if_none_match,
            )
        )

    async def merge(
        self,
        category: str,
        value: Any,
        *,
        if_match: int | str | None = None,
    ) -> types.StoredValue:
        """Merges into what is kept of a category, as a JSON Merge Patch (RFC 7396)."""
        return await self._transport.send(requests.profile_merge(category, value, if_match=if_match))

    async def clear(self, category: str, *, if_match: int | str | None = None) -> None:
        """Removes what is kept of a category."""
        await self._transport.send(requests.profile_clear(category, if_match=if_match))

class SharedMemoriesApi(AsyncResource):
    """Shared memories."""

    async def list(self, *, limit: int | None = None, after: str | None = None) -> types.MemoryPage:
        """Pages through the memories that all users may read, the newest first."""
        return await self._transport.send(requests.shared_memories_list(limit=limit, after=after))

    async def each(self, *, limit: int | None = None) -> AsyncIterator[types.Memory]:
        """Goes through all pages. `limit` is the length of a page."""
        after: str | None = None
        while True:
            page = await self.list(limit=limit, after=after)
            for item in page["memories"]:
                yield item
            after = page.get("next_page")
            if after is None:
                return

    async def create(
        self,
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
        evidence: builtins.list[types.NewEvidence] | None = None,
    ) -> types.Written:
        """Remembers one statement for all users. Answers 201 with what it became, or 200 when it was known
        already.
        """
        return await self._transport.send(
            requests.shared_memories_create(
                content,
                key=key,
                category=category,
                tier=tier,
                confidence=confidence,
                source=source,
                origin=origin,
                valid_from=valid_from,
                valid_until=valid_until,
                project=project,
                evidence=evidence,
            )
        )

    async def forget(self, id: str, *, erase: bool | None = None, if_match: int | str | None = None) -> None:
        """Hides a memory that all users may read; with `erase=true` it is gone for good."""
        await self._transport.send(requests.shared_memories_forget(id, erase=erase, if_match=if_match))

class ToolsApi(AsyncResource):
    """Tools."""

    async def list(
        self,
        *,
        format: Literal["openai", "responses", "anthropic", "mcp"] | None = None,
        sets: str | None = None,
    ) -> builtins.list[Any]:
        """Gives the tools as a model provider takes them: a JSON array."""
        return await self._transport.send(requests.tools_list(format=format, sets=sets))

    async def call(
        self,
        name: Literal["get_user_context", "get_account_context", "manage_user_memory", "write_memory", "read_memory", "search_memory", "get_memory_context", "update_memory", "delete_memory", "store_memory", "recall_memory", "get_conversation_history", "search_knowledge_base", "memory"],
        value: Any,
        *,
        idempotency_key: str | None = None,
    ) -> types.ToolAnswer:
        """Runs a tool for the caller. The body is the arguments that the model gave."""
        return await self._transport.send(requests.tools_call(name, value, idempotency_key=idempotency_key))

class WorkingMemoryApi(AsyncResource):
    """Working memory."""

    async def get(self) -> types.StoredValue:
        """Reads the user's working memory."""
        return await self._transport.send(requests.working_memory_get())

    async def replace(
        self,
        value: Any,
        *,
        if_match: int | str | None = None,
        if_none_match: str | None = None,
    ) -> types.StoredValue:
        """Replaces the user's working memory. The body is the value itself."""
        return await self._transport.send(
            requests.working_memory_replace(
                value,
                if_match=if_match,
                if_none_match=if_none_match,
            )
        )

    async def merge(self, value: Any, *, if_match: int | str | None = None) -> types.StoredValue:
        """Merges into the user's working memory, as a JSON Merge Patch (RFC 7396)."""
        return await self._transport.send(requests.working_memory_merge(value, if_match=if_match))

    async def clear(self, *, if_match: int | str | None = None) -> None:
        """Clears the user's working memory."""
        await self._transport.send(requests.working_memory_clear(if_match=if_match))

    async def schema(self) -> Any:
        """Reads the schema of the user's working memory."""
        return await self._transport.send(requests.working_memory_schema())

    async def set_schema(self, value: Any) -> None:
        """Sets the JSON Schema that the user's working memory must fit from now on."""
        await self._transport.send(requests.working_memory_set_schema(value))

    async def clear_schema(self) -> None:
        """Drops the schema of the user's working memory."""
        await self._transport.send(requests.working_memory_clear_schema())
