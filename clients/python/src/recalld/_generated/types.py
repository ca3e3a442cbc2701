"""The JSON of requests and responses.

Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.
"""


from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union

__all__ = [
    "Appended",
    "Arm",
    "AuditExample",
    "AuditFinding",
    "AuditReport",
    "BatchLine",
    "BatchWritten",
    "ChatBody",
    "ChatMemory",
    "ChatReply",
    "ChatUsage",
    "CheckpointBody",
    "CheckpointCount",
    "CheckpointList",
    "CheckpointSearch",
    "ContextRequest",
    "ContextText",
    "Conversation",
    "ConversationContextBody",
    "ConversationEdit",
    "ConversationPage",
    "ConversationText",
    "CreatedKey",
    "DocumentFact",
    "DocumentMetadata",
    "DocumentPlace",
    "DocumentSize",
    "EmbedBody",
    "EmbedRole",
    "Embedding",
    "Entity",
    "EntityCounts",
    "EntityList",
    "EntityMention",
    "Erased",
    "ErasedKind",
    "EventBody",
    "EventList",
    "Evidence",
    "ExtractionRun",
    "ExtractionRunList",
    "FaultBody",
    "FieldProblem",
    "Figure",
    "FileList",
    "ForgetBody",
    "Forgotten",
    "FoundChunk",
    "Grant",
    "History",
    "ImportProblem",
    "ImportReport",
    "ImportState",
    "ImportStatus",
    "ImportedKind",
    "IngestedBody",
    "KeptMemory",
    "KeyList",
    "KnowledgeChunk",
    "KnowledgeDocument",
    "KnowledgePage",
    "KnowledgeQuestion",
    "KnowledgeResult",
    "KnowledgeText",
    "LineError",
    "ListedKey",
    "ListedUser",
    "Memory",
    "MemoryBatch",
    "MemoryCounts",
    "MemoryDocument",
    "MemoryEdit",
    "MemoryPage",
    "MentionBody",
    "Message",
    "MessagePage",
    "MessageRole",
    "NewCheckpoint",
    "NewConversation",
    "NewDocument",
    "NewEntityBody",
    "NewEvidence",
    "NewInteraction",
    "NewInteractions",
    "NewKey",
    "NewMemory",
    "NewMessageBody",
    "NewMessageList",
    "NewMessages",
    "NewWrite",
    "NewWrites",
    "Noted",
    "PastMemory",
    "Problem",
    "ProfileCategory",
    "ProfileCategoryList",
    "ProfileEntry",
    "PromptText",
    "PruneBody",
    "Pruned",
    "RecallsBody",
    "ReceiptBody",
    "Redirect",
    "RequestReport",
    "Review",
    "ReviewItem",
    "RolloutBody",
    "Rotation",
    "RunList",
    "SearchArm",
    "SearchBody",
    "SearchExplanation",
    "SearchHit",
    "SearchResult",
    "ShadowBody",
    "SignInBody",
    "SignInLink",
    "SignedIn",
    "SimilarList",
    "SimilarMemory",
    "StatsBody",
    "StoreBody",
    "StoredValue",
    "ThreadCopy",
    "ThreadPrune",
    "Tokens",
    "ToolAnswer",
    "UndoReport",
    "UndoRequest",
    "UntouchedThing",
    "UserContextAnswer",
    "UserContextBody",
    "UserList",
    "Whoami",
    "WireEntityKind",
    "WireFormat",
    "WireItemKind",
    "WireKeyKind",
    "WireTier",
    "WireValidity",
    "WriteBody",
    "Written",
]



class Appended(TypedDict):
    """The messages as they were kept."""
    messages: list[Message]


class Arm(TypedDict):
    """The figures of one group of messages; null where nothing was measured."""
    arm: str
    """`task`, `conversation`, `control`, `treatment`, or `pass` for conversations that callers keep."""
    messages: int
    conversations: int
    categories: dict[str, Any]
    """How often each category was looked up."""
    fell_back: int
    memory_off: int
    tool_share: NotRequired[Figure | None]
    """The share of messages that call a tool."""
    calls_per_conversation: NotRequired[float | None]
    first_word_ms: NotRequired[Figure | None]
    """Milliseconds until the model said something."""
    tokens_in: NotRequired[Figure | None]
    tokens_out: NotRequired[Figure | None]
    queries: NotRequired[Figure | None]
    """Questions to the store before the model was asked."""
    tool_call_accuracy: NotRequired[Figure | None]
    """The share of look-ups that were needed, of those that found something: a word of the result that the model
    had not seen before is in the reply.
    """
    miss_share: NotRequired[Figure | None]
    """The share of look-ups that found nothing."""
    follow_up_share: NotRequired[Figure | None]
    """The share of replies after which the user went on."""


class AuditExample(TypedDict):
    """One memory to review."""
    memory: Memory
    """The memory."""
    suggestion: str
    """A command to run after the review."""
    like: NotRequired[Memory | None]
    """The memory that it resembles."""


class AuditFinding(TypedDict):
    """What was found of one kind."""
    kind: str
    """secret, duplicate, near_duplicate, contradiction, outdated, low_trust, stale, never_recalled, expired or
    over_cap.
    """
    count: int
    """How many memories are of this kind."""
    examples: list[AuditExample]
    """The first of them."""


class AuditReport(TypedDict):
    """The health of a user's memory."""
    memories: int
    """How many memories are active."""
    document_tokens_cl100k: int
    """How many tokens the memory document has in cl100k_base."""
    document_tokens_o200k: int
    """How many tokens the memory document has in o200k_base."""
    document_tokens_max: int
    """The most tokens that the memory document may have."""
    recalled: int
    """How many of the memories were recalled since then."""
    findings: list[AuditFinding]
    """What was found, by kind."""
    recalls_since: NotRequired[str | None]
    """The day since which recalls are counted; absent if nothing was ever recalled."""


class BatchLine(TypedDict):
    """What became of one statement."""
    outcome: str
    """`stored`, `duplicate` when it was known already, or `refused`."""
    demoted: bool
    """Whether it became a daily note because its confidence was too low to be durable."""
    memory: NotRequired[Memory | None]
    """The memory that was stored or known; none if the statement was refused."""
    error: NotRequired[LineError | None]
    """Why it was refused."""


class BatchWritten(TypedDict):
    """What became of each statement."""
    results: list[BatchLine]
    """In the order of the request, one for each."""
    stored: int
    duplicates: int
    refused: int


class ChatBody(TypedDict):
    """A message: as `message`, or as `messages` with `id`, the way the AI SDK sends a chat."""
    message: NotRequired[str | None]
    session_id: NotRequired[str | None]
    """The conversation; a new one if none is named."""
    user_id: NotRequired[str | None]
    """The user, for a service key."""
    mode: NotRequired[str | None]
    """`task` or `conversation`; chosen by the message if none is given."""
    model: NotRequired[str | None]
    """A model of the deployment."""
    stream: NotRequired[bool | None]
    """Whether the reply comes as a stream."""
    id: NotRequired[str | None]
    """The AI SDK's id of the chat."""
    messages: NotRequired[list[dict[str, Any]] | None]
    """The AI SDK's messages; the last one is answered."""
    trigger: NotRequired[str | None]
    """The AI SDK's reason, such as `regenerate-message`."""
    messageId: NotRequired[str | None]
    """The AI SDK's id of the message that is made again."""


class ChatMemory(TypedDict):
    """Whether memory took part."""
    on: bool
    reason: NotRequired[str | None]
    """Why not."""


class ChatReply(TypedDict):
    """A reply, whole."""
    reply: str
    session_id: str
    message_id: str
    mode: str
    """`task` or `conversation`."""
    mode_reason: str
    """Why this mode was chosen."""
    fell_back: bool
    """Whether a tool failed, so that the model got the context at hand instead."""
    memory: ChatMemory
    tools: list[str]
    """The tools that were called, in order."""
    usage: ChatUsage
    cut: NotRequired[bool]
    """Whether the reply broke off."""


class ChatUsage(TypedDict):
    """What the reply cost, as the provider counts it."""
    tokens_in: int
    tokens_cached: int
    tokens_out: int


class CheckpointBody(TypedDict):
    """A checkpoint with the writes that are pending on it."""
    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    metadata: dict[str, Any]
    type: str
    data: str
    written_at: str
    writes: list[WriteBody]
    """By path, task and number."""
    parent_id: NotRequired[str | None]


class CheckpointCount(TypedDict):
    """How many checkpoints were touched."""
    checkpoints: int


class CheckpointList(TypedDict):
    """One page of checkpoints."""
    checkpoints: list[CheckpointBody]
    next: NotRequired[str | None]
    """The `cursor` of the next page; none on the last."""


class CheckpointSearch(TypedDict):
    """Which checkpoints are listed."""
    thread_id: NotRequired[str | None]
    """Of this thread; of all, if none is given."""
    checkpoint_ns: NotRequired[str | None]
    """Of this namespace; of all, if none is given."""
    checkpoint_id: NotRequired[str | None]
    """Only this one."""
    before: NotRequired[str | None]
    """Only with ids smaller than this."""
    filter: NotRequired[dict[str, Any]]
    """Only with these values in `metadata`."""
    limit: NotRequired[int | None]
    """At most so many; 100, if none is given. A page ends earlier when it becomes large."""
    cursor: NotRequired[str | None]
    """The `next` of the page before."""


class ContextRequest(TypedDict):
    """What the text is for."""
    topic: str
    """What the conversation or task is about."""
    max_tokens: NotRequired[int | None]
    """The most tokens of the text, in either encoding; 1500 if none is given."""


class ContextText(TypedDict):
    """What is remembered for a topic, as text."""
    text: str
    """Empty when nothing is remembered, or not even one entry fits."""
    tokens: Tokens
    memories: list[str]
    """The ids of the memories in it."""
    left_out: int
    """How many entries did not fit the budget."""


class Conversation(TypedDict):
    """A thread of messages."""
    id: str
    began_at: str
    touched_at: str
    """When it last changed."""
    title: NotRequired[str | None]


class ConversationContextBody(TypedDict):
    """How much of a conversation a model should get."""
    instructions: NotRequired[str]
    """Your own instructions, which open the system message. They are not part of the budget."""
    max_messages: NotRequired[int | None]
    """The most messages; 10 if none is given."""
    max_tokens: NotRequired[int | None]
    """The most tokens of what memory adds; 4000 if none is given."""
    first_message: NotRequired[bool | None]
    """Whether the conversation opens now, and memories come along; without it, that is so until something was
    answered.
    """


class ConversationEdit(TypedDict):
    """What should change of a conversation."""
    title: str


class ConversationPage(TypedDict):
    """Some conversations, and where to go on."""
    conversations: list[Conversation]
    next_page: NotRequired[str | None]
    """Give it as `after` to read on; absent on the last page."""


class ConversationText(TypedDict):
    """A conversation, ready to be handed to a model."""
    system: str
    """The system message: the instructions, the time, what is remembered, what is held in mind."""
    messages: list[Message]
    """The last messages that found room, the oldest first."""
    tokens: Tokens
    """Of what memory adds."""
    left_out: int
    """How many messages, memories and fields of working memory found no room."""


class CreatedKey(TypedDict):
    """A key that was just created. It is shown once."""
    id: str
    """The id by which it is listed and revoked."""
    key: str
    """The key itself."""


class DocumentFact(TypedDict):
    """DocumentFact."""
    id: str
    content: str
    added_at: str
    is_active: bool
    source_conversation_id: NotRequired[str | None]
    source_message_id: NotRequired[str | None]


class DocumentMetadata(TypedDict):
    """DocumentMetadata."""
    total_facts: int
    total_active_facts: int
    total_pois: int
    token_count: int
    schema_version: str
    last_updated: NotRequired[str | None]


class DocumentPlace(TypedDict):
    """DocumentPlace."""
    place_id: str
    place_name: str
    mentioned_in: dict[str, list[list[str]]]
    """By conversation: pairs of message id and time."""
    added_at: str
    notes: NotRequired[str | None]


class DocumentSize(TypedDict):
    """How full the memory document is."""
    facts: int
    tokens: int
    """In the encoding that counts more."""
    tokens_max: int


class EmbedBody(TypedDict):
    """A text, and what it is for."""
    text: str
    """At most 8192 bytes."""
    role: NotRequired[EmbedRole]
    """`query` if none is given."""


class Embedding(TypedDict):
    """A vector of unit length, or of zeros where the model can say nothing."""
    model: str
    """Changes whenever the vectors would."""
    dimension: int
    embedding: list[float]


class Entity(TypedDict):
    """A place, account or person."""
    id: str
    """The writer's own id, such as a place id."""
    kind: str
    """place, account or person."""
    name: str
    """Its name."""
    origin: str
    """Who said so: user, inferred, assistant, import, tool or document."""
    added_at: str
    """When it was first added."""
    revised_at: str
    """When it last changed."""
    conversations: int
    """How many conversations mention it."""
    mentions: list[EntityMention]
    """The messages that mention it."""
    notes: NotRequired[str | None]
    """What is known about it."""
    review: NotRequired[str | None]
    """`quarantined`: it reads like an instruction and waits for a person to confirm it."""


class EntityCounts(TypedDict):
    """EntityCounts."""
    places: int
    accounts: int
    people: int


class EntityList(TypedDict):
    """The entities of a user."""
    entities: list[Entity]
    """The entities, in the order in which they were added."""


class EntityMention(TypedDict):
    """A message that mentions an entity."""
    conversation: str
    """The conversation of the message."""
    message: str
    """The message."""
    at: str
    """When it was said."""


class Erased(TypedDict):
    """What went with a conversation."""
    erased_memories: int


class ErasedKind(TypedDict):
    """How many rows of a kind there were."""
    kind: str
    rows: int


class EventBody(TypedDict):
    """One audited change. It holds no content."""
    place: str
    """Its place in the log, which `GET /v1/events/stream` takes as `Last-Event-ID`."""
    verb: str
    """What happened: remember, revise, retire, restore, evict, erase, mention, write or say."""
    kind: str
    """To what kind of thing."""
    id: str
    at: str
    actor: str
    """Who did it: a key's id, a tool, a command."""
    conversation: NotRequired[str | None]
    message: NotRequired[str | None]
    source: NotRequired[str | None]


class EventList(TypedDict):
    """Some events, and where to go on."""
    events: list[EventBody]
    next_page: NotRequired[str | None]
    """Give it as `after` to read on; absent on the last page."""


class Evidence(TypedDict):
    """A place in the files of a project."""
    path: str
    """The path of the file from the root of the project."""
    symbol: NotRequired[str | None]
    """What is meant in the file, such as the name of a function."""
    hash: NotRequired[str | None]
    """The SHA-256 of what was there, in base 16."""
    commit: NotRequired[str | None]
    """The commit at which it was there."""


class ExtractionRun(TypedDict):
    """One run of the daily extraction."""
    name: str
    """The day it was for, or the moment at which somebody started it."""
    status: str
    """`running`, `done` or `failed`."""
    started_at: str
    """When it started."""
    attempts: int
    """How often it was started."""
    interactions: int
    """How many interactions it read."""
    tool_calls: int
    """How many tools the model called."""
    tokens_in: int
    """How many tokens the model read."""
    tokens_out: int
    """How many tokens the model wrote."""
    finished_at: NotRequired[str | None]
    """When it finished."""
    error: NotRequired[str | None]
    """Why it failed."""


class ExtractionRunList(TypedDict):
    """Some runs, the latest first."""
    runs: list[ExtractionRun]
    """The runs."""


class FaultBody(TypedDict):
    """Something that was left out."""
    place: str
    """Where it is in what was sent."""
    reason: str


class FieldProblem(TypedDict):
    """One place in a request that is wrong."""
    pointer: str
    """A JSON pointer into the body."""
    detail: str


class Figure(TypedDict):
    """A figure with the interval in which it lies with 95 percent."""
    value: float
    low: float
    high: float


class FileList(TypedDict):
    """The files that there are."""
    files: list[str]
    """Paths below `/v1/files/`."""


class ForgetBody(TypedDict):
    """Which memories are hidden."""
    ids: list[str]


class Forgotten(TypedDict):
    """What became of them."""
    hidden: list[str]
    """The ids of those that are hidden now."""
    not_found: list[str]
    """The ids that name nothing, or something hidden already."""


class FoundChunk(TypedDict):
    """A piece of a document that matches a question."""
    document: str
    """The document's id."""
    source: str
    content: str
    ordinal: int
    """Its place in the document, from 0."""
    score: float
    title: NotRequired[str | None]
    heading: NotRequired[str | None]


class Grant(TypedDict):
    """What a client asked for on `/oauth/authorize`, and the user's decision."""
    client_id: str
    redirect_uri: str
    code_challenge: str
    """By the method S256."""
    allow: bool
    """False: the client is told that the user refused."""
    state: NotRequired[str]
    scope: NotRequired[str]
    """`read`, `write` or both, separated by a space; both if none is given."""
    resource: NotRequired[str]


class History(TypedDict):
    """Every version of a memory, the oldest first."""
    versions: list[PastMemory]
    """The versions, the oldest first."""


class ImportProblem(TypedDict):
    """Why an import failed."""
    code: str
    detail: str


class ImportReport(TypedDict):
    """What an import did, or would do."""
    dry_run: bool
    imported: list[ImportedKind]
    faults: list[FaultBody]


class ImportStatus(TypedDict):
    """How an import stands."""
    id: str
    state: ImportState
    dry_run: bool
    total: int
    """How many memories, messages and other things there are; 0 until all of them were read."""
    done: int
    """Of how many it is decided what becomes of them."""
    stored: int
    """How many of those were stored."""
    refused: int
    """How many were not acceptable."""
    report: NotRequired[ImportReport | None]
    """What the import did, when it is finished."""
    problem: NotRequired[ImportProblem | None]
    """Why it failed."""


class ImportedKind(TypedDict):
    """What became of the things of one kind."""
    kind: str
    added: int
    """New here, or newer than what was here."""
    known: int
    """Here already."""
    kept: int
    """Other than what is here, which stays."""
    hidden: int
    """Of those that are kept, how many are hidden here: `POST /v1/memories/{id}/restore` shows one again."""
    refused: int
    """Not acceptable."""


class IngestedBody(TypedDict):
    """What became of a document."""
    outcome: str
    """`added`, `replaced`, or `unchanged` when it was known just like that."""
    document: KnowledgeDocument


class KeptMemory(TypedDict):
    """A memory that was left as it is."""
    memory: Memory
    """The memory."""
    why: str
    """`changed_since`: it was changed again; `taken`: another memory says the same by now."""


class KeyList(TypedDict):
    """All keys."""
    keys: list[ListedKey]
    """The keys, the oldest first."""


class KnowledgeChunk(TypedDict):
    """A piece of a document."""
    ordinal: int
    """Its place in the document, from 0."""
    content: str
    heading: NotRequired[str | None]
    """The headings above it."""


class KnowledgeDocument(TypedDict):
    """A document of the knowledge base."""
    id: str
    source: str
    """Where it came from. One document a source."""
    chunks: int
    """How many chunks it was cut into."""
    added_at: str
    revised_at: str
    title: NotRequired[str | None]


class KnowledgePage(TypedDict):
    """Some documents, and where to go on."""
    documents: list[KnowledgeDocument]
    next_page: NotRequired[str | None]
    """Give it as `after` to read on; absent on the last page."""


class KnowledgeQuestion(TypedDict):
    """What to look for in the documents."""
    query: str
    limit: NotRequired[int | None]
    """The most results; 10 if none is given."""


class KnowledgeResult(TypedDict):
    """What was found in the documents, the best first."""
    results: list[FoundChunk]


class KnowledgeText(TypedDict):
    """A document with its text."""
    document: KnowledgeDocument
    chunks: list[KnowledgeChunk]


class LineError(TypedDict):
    """Why one statement was refused."""
    code: str
    """The stable word for a program, such as `secret_refused`."""
    detail: str
    pointer: NotRequired[str | None]
    """The field that is wrong, as a JSON pointer into the statement."""


class ListedKey(TypedDict):
    """A key in a list: never the key itself."""
    id: str
    """The id by which it is revoked."""
    kind: WireKeyKind
    """What it may do."""
    scopes: list[str]
    """What it may do: `read`, `write`, and `tools:SET` if it is for one set of tools."""
    created_at: str
    """When it was created."""
    user: NotRequired[str | None]
    """The user that a key of kind `user` acts as."""
    namespace: NotRequired[str | None]
    """The namespace to whose users it is limited."""
    name: NotRequired[str | None]
    """What its owner calls it."""
    last_used_at: NotRequired[str | None]
    """When it was last used."""
    expires_at: NotRequired[str | None]
    """From when on it is refused."""
    revoked_at: NotRequired[str | None]
    """When it was revoked."""


class ListedUser(TypedDict):
    """A user, in figures."""
    id: str
    """The user's id."""
    memories: int
    """Memories, hidden ones included."""
    messages: int
    """Messages of all conversations."""
    bytes: int
    """Bytes of the texts of memories and messages."""
    model_tokens_today: int
    """Tokens of models that were spent for them today (UTC); counted where `quotas.model_tokens_per_day_max` is
    set.
    """
    namespace: NotRequired[str | None]
    """The namespace of the user."""
    last_active_at: NotRequired[str | None]
    """When something of theirs last changed; null if nothing is logged."""


class Memory(TypedDict):
    """A memory."""
    id: str
    content: str
    category: str
    tier: str
    confidence: float
    origin: str
    """Who said it: user, import, assistant, inferred, tool or document."""
    trust: str
    """The least trusted origin along its lineage."""
    learned_at: str
    revised_at: str
    standing: Literal["active", "retired", "expired"] | dict[str, Any]
    in_document: bool
    """Whether it is part of the memory document."""
    version: int
    key: NotRequired[str | None]
    review: NotRequired[str | None]
    """`quarantined`: it reads like an instruction and waits for a person to confirm it."""
    amends: NotRequired[str | None]
    """The memory that it would change, which stays as it is until a person confirms this one."""
    valid_from: NotRequired[str | None]
    """Since when it holds in the world, if that was said. Otherwise it holds since it was learned."""
    valid_until: NotRequired[str | None]
    """From when on it no longer holds: it was said to end, or a newer version took its place."""
    superseded_by: NotRequired[str | None]
    """The memory that took its place."""
    project: NotRequired[str | None]
    """The project that it belongs to; null if it is the user's own everywhere."""
    evidence: NotRequired[list[Evidence]]
    """The places in the files of its project that it rests on."""
    source: NotRequired[str | None]
    conversation: NotRequired[str | None]
    message: NotRequired[str | None]
    expires_at: NotRequired[str | None]
    retired_at: NotRequired[str | None]
    """When it was hidden."""


class MemoryBatch(TypedDict):
    """Statements to remember."""
    memories: list[NewMemory]


class MemoryCounts(TypedDict):
    """MemoryCounts."""
    current: int
    """Neither forgotten nor expired."""
    durable: int
    daily: int
    forgotten: int
    expired: int


class MemoryDocument(TypedDict):
    """The memory document. Only its schema: the domain writes its text."""
    facts: list[DocumentFact]
    metadata: DocumentMetadata
    places_of_interest: NotRequired[list[DocumentPlace] | None]
    """Absent if `places_as` asks for the other name."""
    placer_user_datapoints: NotRequired[list[DocumentPlace] | None]
    """The same list, if `places_as=placer_user_datapoints` asks for this name."""


class MemoryEdit(TypedDict):
    """A change to a memory. Absent fields stay as they are."""
    content: NotRequired[str]
    key: NotRequired[str | None]
    """`null` removes the key."""
    category: NotRequired[str]
    tier: NotRequired[WireTier]
    confidence: NotRequired[float]
    source: NotRequired[str | None]
    """`null` removes the source."""
    valid_from: NotRequired[str | None]
    """Since when it holds in the world: a time, or a date, which means its beginning in UTC. `null`: that was
    not said.
    """
    valid_until: NotRequired[str | None]
    """From when on it no longer holds. `null`: it holds again."""
    project: NotRequired[str | None]
    """The project that it belongs to; `null` lets it be seen everywhere."""


class MemoryPage(TypedDict):
    """A page of memories."""
    memories: list[Memory]
    """The memories, the newest first."""
    total: int
    """How many memories there are on all pages."""
    next_page: NotRequired[str | None]
    """Give it as `after` to get the next page; absent on the last page."""


class MentionBody(TypedDict):
    """A message that mentions an entity."""
    conversation: str
    message: str


class Message(TypedDict):
    """One message."""
    id: str
    conversation: str
    seq: int
    """Its place in the conversation; numbers grow and may have gaps."""
    role: str
    content: str
    at: str
    sender: NotRequired[str | None]
    """Who typed it, in a group chat."""
    metadata: NotRequired[Any]


class MessagePage(TypedDict):
    """Some messages, the oldest first."""
    messages: list[Message]
    next_page: NotRequired[int | None]
    """Give it as `before` to read what was said earlier; absent when there is no more."""


class NewCheckpoint(TypedDict):
    """A checkpoint to store."""
    thread_id: str
    checkpoint_id: str
    """Later checkpoints of a thread have greater ids."""
    type: str
    """How `data` is written, such as `msgpack`."""
    data: str
    """The state, in base64; at most 4 MiB of bytes."""
    checkpoint_ns: NotRequired[str]
    """The graph inside the graph; the outer one, if none is given."""
    parent_id: NotRequired[str | None]
    """The id of the checkpoint before it."""
    metadata: NotRequired[dict[str, Any]]


class NewConversation(TypedDict):
    """A conversation to open: by `id`, or by `channel`, `chat` and `root`; with neither it gets an id."""
    id: NotRequired[str | None]
    channel: NotRequired[str | None]
    """Where the chat is, such as `slack`."""
    chat: NotRequired[str | None]
    """The chat's id there."""
    root: NotRequired[str | None]
    """The id of the message that the thread began with."""
    title: NotRequired[str | None]


class NewDocument(TypedDict):
    """A document to take in."""
    source: str
    """Where it comes from: a path or an address. The same source again replaces the document."""
    title: NotRequired[str | None]
    """What it is called; without it, what it calls itself."""
    format: NotRequired[WireFormat | None]
    """Without it, the ending of the source decides."""
    content: NotRequired[str | None]
    """Its text; for a PDF, `content_base64`."""
    content_base64: NotRequired[str | None]
    """Its bytes in base64, instead of `content`."""


class NewEntityBody(TypedDict):
    """An entity to remember."""
    id: str
    """Your own id of it, such as a place id."""
    kind: WireEntityKind
    """`place`, `account` or `person`."""
    name: str
    notes: NotRequired[str | None]
    origin: NotRequired[str | None]
    """Who says so, if not the user: `assistant`, `import`, `tool` or `document`. It can lower the origin and
    never raise it.
    """


class NewEvidence(TypedDict):
    """A place in the files of a project."""
    path: str
    """The path of the file from the root of the project."""
    symbol: NotRequired[str | None]
    """What is meant in the file, such as the name of a function."""
    hash: NotRequired[str | None]
    """The SHA-256 of what was there, in base 16."""
    commit: NotRequired[str | None]
    """The commit at which it was there."""


class NewInteraction(TypedDict):
    """Something the user did."""
    type: str
    """What kind of thing: `reaction`, `discussion`, `save`, or any short name."""
    at: NotRequired[str | None]
    """When; now, if none is given."""
    text: NotRequired[str | None]
    """What the user wrote."""
    data: NotRequired[dict[str, Any] | None]
    """What it is about."""


class NewKey(TypedDict):
    """A key to make."""
    kind: WireKeyKind
    user: NotRequired[str | None]
    """The user that a key of kind `user` acts as; only for that kind."""
    namespace: NotRequired[str | None]
    """Users of this namespace only."""
    name: NotRequired[str | None]
    """What you call it."""
    scopes: NotRequired[list[str] | None]
    """What it may do: `read`, `write`, `tools:SET`, `project:NAME`. Everything that its kind allows, if none is
    given.
    """
    expires_at: NotRequired[str | None]
    """From when on it is refused: a date (its end, UTC), or a date and time."""


class NewMemory(TypedDict):
    """A statement to remember."""
    content: str
    """What to remember."""
    key: NotRequired[str | None]
    """A short name by which it can be updated."""
    category: NotRequired[str | None]
    """Such as `preference`; `personal_context` if none."""
    tier: NotRequired[WireTier | None]
    confidence: NotRequired[float | None]
    """How sure it is. Below 0.7 it becomes a daily note."""
    source: NotRequired[str | None]
    """Where it came from. One that names a document or a tool (`document:42`, `https://…`, `tool:search`) lowers
    the origin.
    """
    origin: NotRequired[str | None]
    """Who says so, if not the user: `assistant`, `import`, `tool` or `document`. It can lower the origin and
    never raise it.
    """
    valid_from: NotRequired[str | None]
    """Since when it holds in the world: a time, or a date, which means its beginning in UTC."""
    valid_until: NotRequired[str | None]
    """From when on it no longer holds."""
    project: NotRequired[str | None]
    """The project that it belongs to: it is not seen in other projects. Without it, what is sent with `Recalld-
    Project` belongs to that project, unless it is a preference, and anything else to none: it is seen
    everywhere.
    """
    evidence: NotRequired[list[NewEvidence]]
    """The places in the files of the project that it rests on, at most 16."""


class NewMessageBody(TypedDict):
    """A message to append."""
    role: MessageRole
    content: str
    id: NotRequired[str | None]
    """Your own id; a message with the same id is replaced where it stands."""
    sender: NotRequired[str | None]
    """Who typed it, in a group chat."""
    at: NotRequired[str | None]
    """When it was said; now, if none is given."""
    metadata: NotRequired[Any]
    """What you keep with it, up to 16 KiB of JSON."""


class NewMessageList(TypedDict):
    """Several messages to append in their order, all or none."""
    messages: list[NewMessageBody]


class NewWrite(TypedDict):
    """One value that a task wrote."""
    idx: int
    """Its number within the task; a negative one replaces what is there."""
    channel: str
    type: str
    data: str
    """The value, in base64."""


class NewWrites(TypedDict):
    """What a task wrote."""
    thread_id: str
    checkpoint_id: str
    task_id: str
    writes: list[NewWrite]
    checkpoint_ns: NotRequired[str]
    task_path: NotRequired[str]


class Noted(TypedDict):
    """The names of what was noted."""
    ids: list[str]


class PastMemory(TypedDict):
    """One version of a memory, and the act that led to it."""
    version: int
    """Counts the changes, from 1."""
    act: str
    """What was done: remember, revise, retire, restore or evict."""
    at: str
    """When it was done."""
    actor: str
    """Who did it: a key's id, a tool or a command."""
    memory: Memory
    """The memory after the act."""
    conversation: NotRequired[str | None]
    """The conversation in which it was done."""
    message: NotRequired[str | None]
    """The message that led to it."""
    source: NotRequired[str | None]
    """Where the change came from."""


class Problem(TypedDict):
    """An error as a client reads it (RFC 9457)."""
    type: str
    """A name for this kind of problem."""
    title: str
    status: int
    detail: str
    """What is wrong this time."""
    code: str
    """The stable word for a program."""
    hint: NotRequired[str | None]
    """What to do about it."""
    errors: NotRequired[list[FieldProblem]]
    """Where in the request it is wrong."""


class ProfileCategory(TypedDict):
    """A category of structured user context."""
    name: str
    aliases: list[str]
    """Other names for it."""
    description: str
    schema: Any
    """What a value must fit, as JSON Schema."""
    kept: NotRequired[StoredValue | None]
    """What is stored for this user; null when nothing is."""


class ProfileCategoryList(TypedDict):
    """All categories of the deployment."""
    categories: list[ProfileCategory]


class ProfileEntry(TypedDict):
    """One entry of the user's structured context."""
    category: str
    path: list[str]
    """The names or numbers that lead to it within its category."""
    value: Any


class PromptText(TypedDict):
    """A block of a system prompt."""
    text: str
    tokens: Tokens
    left_out: int
    """How many memories and places did not fit the budget."""


class PruneBody(TypedDict):
    """What is left of a folder."""
    prefix: str
    """Only documents whose source is in this folder are taken out."""
    keep: list[str]
    """The sources that are still there."""


class Pruned(TypedDict):
    """What was taken out."""
    pruned: list[str]


class RecallsBody(TypedDict):
    """How often a memory answered a question."""
    times: int
    last_on: NotRequired[str | None]
    """The day (UTC) on which it did so last; null if it never did."""


class ReceiptBody(TypedDict):
    """What was removed, or would be."""
    erased: list[ErasedKind]
    subject: NotRequired[str | None]
    """A keyed hash of the user; absent when nothing was removed yet."""
    erased_at: NotRequired[str | None]
    seal: NotRequired[str | None]
    """Shows that this deployment made the receipt; `recalld erase --verify` checks it."""


class Redirect(TypedDict):
    """Where the browser goes now."""
    redirect_to: str
    client_name: str
    """What the client calls itself."""


class RequestReport(TypedDict):
    """How a request stands."""
    key: str
    """The Idempotency-Key of the request."""
    state: str
    """`in_progress` or `done`."""
    status: NotRequired[int | None]
    """The status of its answer."""
    body: NotRequired[dict[str, Any] | None]
    """Its answer, unless that was empty or too large to keep."""


class Review(TypedDict):
    """What waits for review, the last changed first."""
    items: list[ReviewItem]
    entities: list[Entity]
    """Places, accounts and people that read like an instruction and are not in the user's own words."""


class ReviewItem(TypedDict):
    """Something that a person should confirm, forget or take back."""
    reason: str
    """Why it is listed: `quarantined`, `proposed_change`, `changed_by_agent` or `hidden_by_agent`; by the
    command line also `stale_evidence`.
    """
    memory: Memory
    reads_like: NotRequired[str | None]
    """What a quarantined memory reads like: `instruction`, `permission`, `command`, `link`, `markup` or
    `disguise`.
    """
    was: NotRequired[Memory | None]
    """What the user said: before an agent changed it, or what a proposed change would replace."""


class RolloutBody(TypedDict):
    """The rollout of this server since its start."""
    phase: str
    """`task-only`, `shadow`, `experiment` or `full`."""
    percent: float
    arms: list[Arm]
    shadow: ShadowBody


class Rotation(TypedDict):
    """How a key is replaced."""
    overlap_s: NotRequired[int | None]
    """For how long the old key works beside the new one, in seconds; a day if none is given."""


class RunList(TypedDict):
    """Runs whose checkpoints are removed."""
    run_ids: list[str]


class SearchArm(TypedDict):
    """One way of searching that found it."""
    name: str
    """`lexical`, `semantic`, or `rerank` for a second look at the best."""
    score: float
    """BM25, or the cosine."""
    share: float
    """The score on the span from 0 to 1."""
    weight: float
    """How much the arm counts for this query."""
    rank: NotRequired[int | None]
    """Its place in this arm's own order, from 1, if it is among the candidates there."""


class SearchBody(TypedDict):
    """What to look for."""
    query: str
    limit: NotRequired[int | None]
    """The most results; 10 if none is given."""
    category: NotRequired[str | None]
    """Only memories of this category; the other kinds have none."""
    kinds: NotRequired[list[WireItemKind] | None]
    """Only these kinds; all if none is given."""
    max_tokens: NotRequired[int | None]
    """The most tokens of all results together, in either encoding."""
    as_of: NotRequired[str | None]
    """Only what was known at this moment (a day means its end), and of versions of one fact the one that held
    then first.
    """
    explain: NotRequired[bool]
    """Whether each result says how it got its place."""


class SearchExplanation(TypedDict):
    """How a result got its rank: the weighted mean of the arms' shares, times every factor."""
    rank: int
    """Its place among the results of its kind, from 1."""
    arms: list[SearchArm]
    """The ways of searching that found it."""
    factors: dict[str, float]
    """What the mean is multiplied by, each with its name."""
    waits_for_vector: NotRequired[bool]
    """Whether the vector that tells its meaning is still to come. Until then the semantic score is that of what
    stands in for it, or missing.
    """


class SearchHit(TypedDict):
    """One result. The field named like its kind holds it."""
    kind: WireItemKind
    score: float
    """From 0 to 1, comparable between kinds."""
    text: str
    """What it says, for a prompt."""
    shared: bool
    """Whether it is for all users."""
    weak: NotRequired[bool]
    """Whether neither a word nor its meaning speaks for it: it fills the list up."""
    validity: NotRequired[WireValidity | None]
    """When it holds, if it is a memory about something that has one value at a time."""
    memory: NotRequired[Memory | None]
    message: NotRequired[Message | None]
    entity: NotRequired[Entity | None]
    profile: NotRequired[ProfileEntry | None]
    knowledge: NotRequired[FoundChunk | None]
    explain: NotRequired[SearchExplanation | None]


class SearchResult(TypedDict):
    """The results, the best first."""
    results: list[SearchHit]
    tokens: Tokens
    """The tokens of the texts of all results."""
    left_out: int
    """How many results did not fit `max_tokens`."""


class ShadowBody(TypedDict):
    """What conversation mode would have done, while the rollout only watched."""
    messages: int
    would_call_share: NotRequired[Figure | None]
    tokens_saved: NotRequired[Figure | None]


class SignInBody(TypedDict):
    """The code of a link."""
    code: str


class SignInLink(TypedDict):
    """A link that signs in once."""
    code: str
    """What `POST /v1/sign-in` takes."""
    path: str
    """The console's address on this server, with the code in the fragment, which browsers do not send."""
    expires_in: int
    """How many seconds the code is good for."""


class SignedIn(TypedDict):
    """The key or token that the code stood for."""
    key: str


class SimilarList(TypedDict):
    """The most similar memories, the best first."""
    results: list[SimilarMemory]


class SimilarMemory(TypedDict):
    """A memory that is like another."""
    memory: Memory
    score: float
    """From 0 to 1."""


class StatsBody(TypedDict):
    """What a user has."""
    memories: MemoryCounts
    categories: dict[str, int]
    """How many current memories each category has."""
    projects: dict[str, int]
    """How many current memories each project has; those of no project are not among them."""
    entities: EntityCounts
    document: DocumentSize
    conversations: int
    unconfirmed: int
    """Current memories that nobody has confirmed: an agent noted them, they would change another memory, or they
    are not certain.
    """
    knowledge: int
    """Documents that all users may search."""
    oldest: NotRequired[str | None]
    """When the oldest current memory was learned."""
    newest: NotRequired[str | None]
    """When the newest current memory was learned."""


class StoreBody(TypedDict):
    """The server and its store."""
    version: str
    figures: dict[str, str]
    """What the store says of itself, by name."""
    embedding_model: NotRequired[str | None]
    """The model that search goes by; null if it goes by words alone."""
    chat_model: NotRequired[str | None]
    """The model that chat uses if a request names none; null without one."""


class StoredValue(TypedDict):
    """A stored value."""
    value: Any
    version: int
    """Counts its changes, from 1."""
    updated_at: str


class ThreadPrune(TypedDict):
    """What threads keep."""
    thread_ids: list[str]
    strategy: NotRequired[Literal["keep_latest", "delete"]]


class Tokens(TypedDict):
    """Exact token counts of a text."""
    cl100k_base: int
    """The count in cl100k_base."""
    o200k_base: int
    """The count in o200k_base."""


class ToolAnswer(TypedDict):
    """What a tool answers."""
    text: str
    """What the model reads."""
    data: dict[str, Any]
    """The same for the program; `outcome` says what happened."""


class UndoReport(TypedDict):
    """What was undone, or would be."""
    dry_run: bool
    """Whether nothing was changed."""
    hidden: list[Memory]
    """Memories that were new and are hidden now."""
    restored: list[Memory]
    """Memories that have their former content again."""
    kept: list[KeptMemory]
    """Memories that were left as they are, because they have changed since."""
    hidden_entities: list[Entity]
    """Entities that were new and are hidden now."""
    restored_entities: list[Entity]
    """Entities that are shown again."""
    untouched: list[UntouchedThing]
    """What else was changed and has no versions to go back to: review it yourself."""


class UndoRequest(TypedDict):
    """Which changes are taken back: the last one, if nothing is named."""
    source: NotRequired[str | None]
    """All that came from this source."""
    conversation: NotRequired[str | None]
    """All that were made in this conversation."""
    to: NotRequired[str | None]
    """All that were made after this time: a date (its end, UTC), or a date and time."""
    dry_run: NotRequired[bool]
    """Tell what would be done, and do nothing."""


class UntouchedThing(TypedDict):
    """Something that was changed too and was left as it is."""
    kind: str
    """profile, working_memory, working_memory_schema, conversation, summary, interaction, run, document or
    entity.
    """
    id: str
    """Its id."""


class UserContextAnswer(TypedDict):
    """What is known of the user in a category."""
    category: str
    data: Any
    """Null when the user has nothing there."""
    source: str
    """Where it comes from."""
    found: bool
    query: NotRequired[str | None]


class UserContextBody(TypedDict):
    """Which context of the user is wanted."""
    category: str
    """A category of the deployment, or `all`."""
    query: NotRequired[str | None]
    """Narrows the answer to the entries that matter."""


class UserList(TypedDict):
    """Some users, and where to go on."""
    users: list[ListedUser]
    """The users, in the order of their ids."""
    next_page: NotRequired[str | None]
    """Give it as `after` to read on; absent on the last page."""


class Whoami(TypedDict):
    """The caller, and what is there for them."""
    kind: str
    """`user`, `service` or `admin`."""
    scopes: list[str]
    """What the key may do: `read`, `write`, and `tools:SET` if it is for one set of tools."""
    chat: bool
    """Whether a chat model is configured."""
    semantic: bool
    """Whether search goes by meaning as well as by words."""
    version: str
    user: NotRequired[str | None]
    """The user that the caller is, or acts for."""
    scope: NotRequired[str | None]
    """The user scope, as chat agents write it: `user:<id>`. It is accepted wherever a user is named."""
    namespace: NotRequired[str | None]
    """The namespace to which the key is confined."""


class WireValidity(TypedDict):
    """When a memory holds, and the versions of the same fact before and after it."""
    valid_from: str
    valid_until: NotRequired[str | None]
    """Absent while it holds."""
    superseded_by: NotRequired[str | None]
    """The id of the memory that took its place."""
    replaces: NotRequired[str | None]
    """The id of the memory whose place it took."""


class WriteBody(TypedDict):
    """A value that a task wrote."""
    task_id: str
    task_path: str
    idx: int
    channel: str
    type: str
    data: str


class Written(TypedDict):
    """The result of a write."""
    outcome: str
    """`stored`, or `duplicate` when it was known already and nothing was stored."""
    memory: Memory
    """The memory that was stored, or that was known."""
    demoted: bool
    """Whether it became a daily note because its confidence was too low to be durable."""
    evicted: int
    """How many facts left the memory document so that it fits."""


EmbedRole: TypeAlias = Literal["query", "passage"]

ImportState: TypeAlias = Literal["running", "finished", "failed", "interrupted"]

MessageRole: TypeAlias = Literal["system", "user", "assistant"]

NewInteractions: TypeAlias = Union["dict[str, Any]", "NewInteraction"]

NewMessages: TypeAlias = Union["NewMessageBody", "NewMessageList"]

ThreadCopy = TypedDict(
    "ThreadCopy",
    {
        "from": "str",
        "to": "str",
    },
)

WireEntityKind: TypeAlias = Literal["place", "account", "person"]

WireFormat: TypeAlias = Literal["markdown", "text", "html", "json", "jsonl", "pdf"]

WireItemKind: TypeAlias = Literal["memory", "message", "entity", "profile", "knowledge"]

WireKeyKind: TypeAlias = Literal["user", "service", "admin"]

WireTier: TypeAlias = Literal["durable", "daily"]
