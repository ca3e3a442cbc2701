// The JSON of requests and responses.
//
// Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.

/** The messages as they were kept. */
export interface Appended {
  messages: Message[];
}

/** The figures of one group of messages; null where nothing was measured. */
export interface Arm {
  /** `task`, `conversation`, `control`, `treatment`, or `pass` for conversations that callers keep. */
  arm: string;
  messages: number;
  conversations: number;
  /** How often each category was looked up. */
  categories: Record<string, unknown>;
  fell_back: number;
  memory_off: number;
  /** The share of messages that call a tool. */
  tool_share?: Figure | null;
  calls_per_conversation?: number | null;
  /** Milliseconds until the model said something. */
  first_word_ms?: Figure | null;
  tokens_in?: Figure | null;
  tokens_out?: Figure | null;
  /** Questions to the store before the model was asked. */
  queries?: Figure | null;
  /**
   * The share of look-ups that were needed, of those that found something: a word of the result that the
   * model had not seen before is in the reply.
   */
  tool_call_accuracy?: Figure | null;
  /** The share of look-ups that found nothing. */
  miss_share?: Figure | null;
  /** The share of replies after which the user went on. */
  follow_up_share?: Figure | null;
}

/** One memory to review. */
export interface AuditExample {
  /** The memory. */
  memory: Memory;
  /** A command to run after the review. */
  suggestion: string;
  /** The memory that it resembles. */
  like?: Memory | null;
}

/** What was found of one kind. */
export interface AuditFinding {
  /**
   * secret, duplicate, near_duplicate, contradiction, outdated, low_trust, stale, never_recalled, expired or
   * over_cap.
   */
  kind: string;
  /** How many memories are of this kind. */
  count: number;
  /** The first of them. */
  examples: AuditExample[];
}

/** The health of a user's memory. */
export interface AuditReport {
  /** How many memories are active. */
  memories: number;
  /** How many tokens the memory document has in cl100k_base. */
  document_tokens_cl100k: number;
  /** How many tokens the memory document has in o200k_base. */
  document_tokens_o200k: number;
  /** The most tokens that the memory document may have. */
  document_tokens_max: number;
  /** How many of the memories were recalled since then. */
  recalled: number;
  /** What was found, by kind. */
  findings: AuditFinding[];
  /** The day since which recalls are counted; absent if nothing was ever recalled. */
  recalls_since?: string | null;
}

/** What became of one statement. */
export interface BatchLine {
  /** `stored`, `duplicate` when it was known already, or `refused`. */
  outcome: string;
  /** Whether it became a daily note because its confidence was too low to be durable. */
  demoted: boolean;
  /** The memory that was stored or known; none if the statement was refused. */
  memory?: Memory | null;
  /** Why it was refused. */
  error?: LineError | null;
}

/** What became of each statement. */
export interface BatchWritten {
  /** In the order of the request, one for each. */
  results: BatchLine[];
  stored: number;
  duplicates: number;
  refused: number;
}

/** A message: as `message`, or as `messages` with `id`, the way the AI SDK sends a chat. */
export interface ChatBody {
  message?: string | null;
  /** The conversation; a new one if none is named. */
  session_id?: string | null;
  /** The user, for a service key. */
  user_id?: string | null;
  /** `task` or `conversation`; chosen by the message if none is given. */
  mode?: string | null;
  /** A model of the deployment. */
  model?: string | null;
  /** Whether the reply comes as a stream. */
  stream?: boolean | null;
  /** The AI SDK's id of the chat. */
  id?: string | null;
  /** The AI SDK's messages; the last one is answered. */
  messages?: (Record<string, unknown>)[] | null;
  /** The AI SDK's reason, such as `regenerate-message`. */
  trigger?: string | null;
  /** The AI SDK's id of the message that is made again. */
  messageId?: string | null;
}

/** Whether memory took part. */
export interface ChatMemory {
  on: boolean;
  /** Why not. */
  reason?: string | null;
}

/** A reply, whole. */
export interface ChatReply {
  reply: string;
  session_id: string;
  message_id: string;
  /** `task` or `conversation`. */
  mode: string;
  /** Why this mode was chosen. */
  mode_reason: string;
  /** Whether a tool failed, so that the model got the context at hand instead. */
  fell_back: boolean;
  memory: ChatMemory;
  /** The tools that were called, in order. */
  tools: string[];
  usage: ChatUsage;
  /** Whether the reply broke off. */
  cut?: boolean;
}

/** What the reply cost, as the provider counts it. */
export interface ChatUsage {
  tokens_in: number;
  tokens_cached: number;
  tokens_out: number;
}

/** A checkpoint with the writes that are pending on it. */
export interface CheckpointBody {
  thread_id: string;
  checkpoint_ns: string;
  checkpoint_id: string;
  metadata: Record<string, unknown>;
  type: string;
  data: string;
  written_at: string;
  /** By path, task and number. */
  writes: WriteBody[];
  parent_id?: string | null;
}

/** How many checkpoints were touched. */
export interface CheckpointCount {
  checkpoints: number;
}

/** One page of checkpoints. */
export interface CheckpointList {
  checkpoints: CheckpointBody[];
  /** The `cursor` of the next page; none on the last. */
  next?: string | null;
}

/** Which checkpoints are listed. */
export interface CheckpointSearch {
  /** Of this thread; of all, if none is given. */
  thread_id?: string | null;
  /** Of this namespace; of all, if none is given. */
  checkpoint_ns?: string | null;
  /** Only this one. */
  checkpoint_id?: string | null;
  /** Only with ids smaller than this. */
  before?: string | null;
  /** Only with these values in `metadata`. */
  filter?: Record<string, unknown>;
  /** At most so many; 100, if none is given. A page ends earlier when it becomes large. */
  limit?: number | null;
  /** The `next` of the page before. */
  cursor?: string | null;
}

/** What the text is for. */
export interface ContextRequest {
  /** What the conversation or task is about. */
  topic: string;
  /** The most tokens of the text, in either encoding; 1500 if none is given. */
  max_tokens?: number | null;
}

/** What is remembered for a topic, as text. */
export interface ContextText {
  /** Empty when nothing is remembered, or not even one entry fits. */
  text: string;
  tokens: Tokens;
  /** The ids of the memories in it. */
  memories: string[];
  /** How many entries did not fit the budget. */
  left_out: number;
}

/** A thread of messages. */
export interface Conversation {
  id: string;
  began_at: string;
  /** When it last changed. */
  touched_at: string;
  title?: string | null;
}

/** How much of a conversation a model should get. */
export interface ConversationContextBody {
  /** Your own instructions, which open the system message. They are not part of the budget. */
  instructions?: string;
  /** The most messages; 10 if none is given. */
  max_messages?: number | null;
  /** The most tokens of what memory adds; 4000 if none is given. */
  max_tokens?: number | null;
  /**
   * Whether the conversation opens now, and memories come along; without it, that is so until something was
   * answered.
   */
  first_message?: boolean | null;
}

/** What should change of a conversation. */
export interface ConversationEdit {
  title: string;
}

/** Some conversations, and where to go on. */
export interface ConversationPage {
  conversations: Conversation[];
  /** Give it as `after` to read on; absent on the last page. */
  next_page?: string | null;
}

/** A conversation, ready to be handed to a model. */
export interface ConversationText {
  /** The system message: the instructions, the time, what is remembered, what is held in mind. */
  system: string;
  /** The last messages that found room, the oldest first. */
  messages: Message[];
  /** Of what memory adds. */
  tokens: Tokens;
  /** How many messages, memories and fields of working memory found no room. */
  left_out: number;
}

/** A key that was just created. It is shown once. */
export interface CreatedKey {
  /** The id by which it is listed and revoked. */
  id: string;
  /** The key itself. */
  key: string;
}

export interface DocumentFact {
  id: string;
  content: string;
  added_at: string;
  is_active: boolean;
  source_conversation_id?: string | null;
  source_message_id?: string | null;
}

export interface DocumentMetadata {
  total_facts: number;
  total_active_facts: number;
  total_pois: number;
  token_count: number;
  schema_version: string;
  last_updated?: string | null;
}

export interface DocumentPlace {
  place_id: string;
  place_name: string;
  /** By conversation: pairs of message id and time. */
  mentioned_in: Record<string, string[][]>;
  added_at: string;
  notes?: string | null;
}

/** How full the memory document is. */
export interface DocumentSize {
  facts: number;
  /** In the encoding that counts more. */
  tokens: number;
  tokens_max: number;
}

/** A text, and what it is for. */
export interface EmbedBody {
  /** At most 8192 bytes. */
  text: string;
  /** `query` if none is given. */
  role?: EmbedRole;
}

/** Whether the text asks, or is one that may be found. */
export type EmbedRole = 'query' | 'passage';

/** A vector of unit length, or of zeros where the model can say nothing. */
export interface Embedding {
  /** Changes whenever the vectors would. */
  model: string;
  dimension: number;
  embedding: number[];
}

/** A place, account or person. */
export interface Entity {
  /** The writer's own id, such as a place id. */
  id: string;
  /** place, account or person. */
  kind: string;
  /** Its name. */
  name: string;
  /** Who said so: user, inferred, assistant, import, tool or document. */
  origin: string;
  /** When it was first added. */
  added_at: string;
  /** When it last changed. */
  revised_at: string;
  /** How many conversations mention it. */
  conversations: number;
  /** The messages that mention it. */
  mentions: EntityMention[];
  /** What is known about it. */
  notes?: string | null;
  /** `quarantined`: it reads like an instruction and waits for a person to confirm it. */
  review?: string | null;
}

export interface EntityCounts {
  places: number;
  accounts: number;
  people: number;
}

/** The entities of a user. */
export interface EntityList {
  /** The entities, in the order in which they were added. */
  entities: Entity[];
}

/** A message that mentions an entity. */
export interface EntityMention {
  /** The conversation of the message. */
  conversation: string;
  /** The message. */
  message: string;
  /** When it was said. */
  at: string;
}

/** What went with a conversation. */
export interface Erased {
  erased_memories: number;
}

/** How many rows of a kind there were. */
export interface ErasedKind {
  kind: string;
  rows: number;
}

/** One audited change. It holds no content. */
export interface EventBody {
  /** Its place in the log, which `GET /v1/events/stream` takes as `Last-Event-ID`. */
  place: string;
  /** What happened: remember, revise, retire, restore, evict, erase, mention, write or say. */
  verb: string;
  /** To what kind of thing. */
  kind: string;
  id: string;
  at: string;
  /** Who did it: a key's id, a tool, a command. */
  actor: string;
  conversation?: string | null;
  message?: string | null;
  source?: string | null;
}

/** Some events, and where to go on. */
export interface EventList {
  events: EventBody[];
  /** Give it as `after` to read on; absent on the last page. */
  next_page?: string | null;
}

/** A place in the files of a project. */
export interface Evidence {
  /** The path of the file from the root of the project. */
  path: string;
  /** What is meant in the file, such as the name of a function. */
  symbol?: string | null;
  /** The SHA-256 of what was there, in base 16. */
  hash?: string | null;
  /** The commit at which it was there. */
  commit?: string | null;
}

/** One run of the daily extraction. */
export interface ExtractionRun {
  /** The day it was for, or the moment at which somebody started it. */
  name: string;
  /** `running`, `done` or `failed`. */
  status: string;
  /** When it started. */
  started_at: string;
  /** How often it was started. */
  attempts: number;
  /** How many interactions it read. */
  interactions: number;
  /** How many tools the model called. */
  tool_calls: number;
  /** How many tokens the model read. */
  tokens_in: number;
  /** How many tokens the model wrote. */
  tokens_out: number;
  /** When it finished. */
  finished_at?: string | null;
  /** Why it failed. */
  error?: string | null;
}

/** Some runs, the latest first. */
export interface ExtractionRunList {
  /** The runs. */
  runs: ExtractionRun[];
}

/** Something that was left out. */
export interface FaultBody {
  /** Where it is in what was sent. */
  place: string;
  reason: string;
}

/** One place in a request that is wrong. */
export interface FieldProblem {
  /** A JSON pointer into the body. */
  pointer: string;
  detail: string;
}

/** A figure with the interval in which it lies with 95 percent. */
export interface Figure {
  value: number;
  low: number;
  high: number;
}

/** The files that there are. */
export interface FileList {
  /** Paths below `/v1/files/`. */
  files: string[];
}

/** Which memories are hidden. */
export interface ForgetBody {
  ids: string[];
}

/** What became of them. */
export interface Forgotten {
  /** The ids of those that are hidden now. */
  hidden: string[];
  /** The ids that name nothing, or something hidden already. */
  not_found: string[];
}

/** A piece of a document that matches a question. */
export interface FoundChunk {
  /** The document's id. */
  document: string;
  source: string;
  content: string;
  /** Its place in the document, from 0. */
  ordinal: number;
  score: number;
  title?: string | null;
  heading?: string | null;
}

/** What a client asked for on `/oauth/authorize`, and the user's decision. */
export interface Grant {
  client_id: string;
  redirect_uri: string;
  /** By the method S256. */
  code_challenge: string;
  /** False: the client is told that the user refused. */
  allow: boolean;
  state?: string;
  /** `read`, `write` or both, separated by a space; both if none is given. */
  scope?: string;
  resource?: string;
}

/** Every version of a memory, the oldest first. */
export interface History {
  /** The versions, the oldest first. */
  versions: PastMemory[];
}

/** Why an import failed. */
export interface ImportProblem {
  code: string;
  detail: string;
}

/** What an import did, or would do. */
export interface ImportReport {
  dry_run: boolean;
  imported: ImportedKind[];
  faults: FaultBody[];
}

/** Whether an import is over, and how it ended. */
export type ImportState = 'running' | 'finished' | 'failed' | 'interrupted';

/** How an import stands. */
export interface ImportStatus {
  id: string;
  state: ImportState;
  dry_run: boolean;
  /** How many memories, messages and other things there are; 0 until all of them were read. */
  total: number;
  /** Of how many it is decided what becomes of them. */
  done: number;
  /** How many of those were stored. */
  stored: number;
  /** How many were not acceptable. */
  refused: number;
  /** What the import did, when it is finished. */
  report?: ImportReport | null;
  /** Why it failed. */
  problem?: ImportProblem | null;
}

/** What became of the things of one kind. */
export interface ImportedKind {
  kind: string;
  /** New here, or newer than what was here. */
  added: number;
  /** Here already. */
  known: number;
  /** Other than what is here, which stays. */
  kept: number;
  /** Of those that are kept, how many are hidden here: `POST /v1/memories/{id}/restore` shows one again. */
  hidden: number;
  /** Not acceptable. */
  refused: number;
}

/** What became of a document. */
export interface IngestedBody {
  /** `added`, `replaced`, or `unchanged` when it was known just like that. */
  outcome: string;
  document: KnowledgeDocument;
}

/** A memory that was left as it is. */
export interface KeptMemory {
  /** The memory. */
  memory: Memory;
  /** `changed_since`: it was changed again; `taken`: another memory says the same by now. */
  why: string;
}

/** All keys. */
export interface KeyList {
  /** The keys, the oldest first. */
  keys: ListedKey[];
}

/** A piece of a document. */
export interface KnowledgeChunk {
  /** Its place in the document, from 0. */
  ordinal: number;
  content: string;
  /** The headings above it. */
  heading?: string | null;
}

/** A document of the knowledge base. */
export interface KnowledgeDocument {
  id: string;
  /** Where it came from. One document a source. */
  source: string;
  /** How many chunks it was cut into. */
  chunks: number;
  added_at: string;
  revised_at: string;
  title?: string | null;
}

/** Some documents, and where to go on. */
export interface KnowledgePage {
  documents: KnowledgeDocument[];
  /** Give it as `after` to read on; absent on the last page. */
  next_page?: string | null;
}

/** What to look for in the documents. */
export interface KnowledgeQuestion {
  query: string;
  /** The most results; 10 if none is given. */
  limit?: number | null;
}

/** What was found in the documents, the best first. */
export interface KnowledgeResult {
  results: FoundChunk[];
}

/** A document with its text. */
export interface KnowledgeText {
  document: KnowledgeDocument;
  chunks: KnowledgeChunk[];
}

/** Why one statement was refused. */
export interface LineError {
  /** The stable word for a program, such as `secret_refused`. */
  code: string;
  detail: string;
  /** The field that is wrong, as a JSON pointer into the statement. */
  pointer?: string | null;
}

/** A key in a list: never the key itself. */
export interface ListedKey {
  /** The id by which it is revoked. */
  id: string;
  /** What it may do. */
  kind: WireKeyKind;
  /** What it may do: `read`, `write`, and `tools:SET` if it is for one set of tools. */
  scopes: string[];
  /** When it was created. */
  created_at: string;
  /** The user that a key of kind `user` acts as. */
  user?: string | null;
  /** The namespace to whose users it is limited. */
  namespace?: string | null;
  /** What its owner calls it. */
  name?: string | null;
  /** When it was last used. */
  last_used_at?: string | null;
  /** From when on it is refused. */
  expires_at?: string | null;
  /** When it was revoked. */
  revoked_at?: string | null;
}

/** A user, in figures. */
export interface ListedUser {
  /** The user's id. */
  id: string;
  /** Memories, hidden ones included. */
  memories: number;
  /** Messages of all conversations. */
  messages: number;
  /** Bytes of the texts of memories and messages. */
  bytes: number;
  /**
   * Tokens of models that were spent for them today (UTC); counted where `quotas.model_tokens_per_day_max` is
   * set.
   */
  model_tokens_today: number;
  /** The namespace of the user. */
  namespace?: string | null;
  /** When something of theirs last changed; null if nothing is logged. */
  last_active_at?: string | null;
}

/** A memory. */
export interface Memory {
  id: string;
  content: string;
  category: string;
  tier: string;
  confidence: number;
  /** Who said it: user, import, assistant, inferred, tool or document. */
  origin: string;
  /** The least trusted origin along its lineage. */
  trust: string;
  learned_at: string;
  revised_at: string;
  standing: 'active' | 'retired' | 'expired' & Record<string, unknown>;
  /** Whether it is part of the memory document. */
  in_document: boolean;
  version: number;
  key?: string | null;
  /** `quarantined`: it reads like an instruction and waits for a person to confirm it. */
  review?: string | null;
  /** The memory that it would change, which stays as it is until a person confirms this one. */
  amends?: string | null;
  /** Since when it holds in the world, if that was said. Otherwise it holds since it was learned. */
  valid_from?: string | null;
  /** From when on it no longer holds: it was said to end, or a newer version took its place. */
  valid_until?: string | null;
  /** The memory that took its place. */
  superseded_by?: string | null;
  /** The project that it belongs to; null if it is the user's own everywhere. */
  project?: string | null;
  /** The places in the files of its project that it rests on. */
  evidence?: Evidence[];
  source?: string | null;
  conversation?: string | null;
  message?: string | null;
  expires_at?: string | null;
  /** When it was hidden. */
  retired_at?: string | null;
}

/** Statements to remember. */
export interface MemoryBatch {
  memories: NewMemory[];
}

export interface MemoryCounts {
  /** Neither forgotten nor expired. */
  current: number;
  durable: number;
  daily: number;
  forgotten: number;
  expired: number;
}

/** The memory document. Only its schema: the domain writes its text. */
export interface MemoryDocument {
  facts: DocumentFact[];
  metadata: DocumentMetadata;
  /** Absent if `places_as` asks for the other name. */
  places_of_interest?: DocumentPlace[] | null;
  /** The same list, if `places_as=placer_user_datapoints` asks for this name. */
  placer_user_datapoints?: DocumentPlace[] | null;
}

/** A change to a memory. Absent fields stay as they are. */
export interface MemoryEdit {
  content?: string;
  /** `null` removes the key. */
  key?: string | null;
  category?: string;
  tier?: WireTier;
  confidence?: number;
  /** `null` removes the source. */
  source?: string | null;
  /**
   * Since when it holds in the world: a time, or a date, which means its beginning in UTC. `null`: that was
   * not said.
   */
  valid_from?: string | null;
  /** From when on it no longer holds. `null`: it holds again. */
  valid_until?: string | null;
  /** The project that it belongs to; `null` lets it be seen everywhere. */
  project?: string | null;
}

/** A page of memories. */
export interface MemoryPage {
  /** The memories, the newest first. */
  memories: Memory[];
  /** How many memories there are on all pages. */
  total: number;
  /** Give it as `after` to get the next page; absent on the last page. */
  next_page?: string | null;
}

/** A message that mentions an entity. */
export interface MentionBody {
  conversation: string;
  message: string;
}

/** One message. */
export interface Message {
  id: string;
  conversation: string;
  /** Its place in the conversation; numbers grow and may have gaps. */
  seq: number;
  role: string;
  content: string;
  at: string;
  /** Who typed it, in a group chat. */
  sender?: string | null;
  metadata?: unknown;
}

/** Some messages, the oldest first. */
export interface MessagePage {
  messages: Message[];
  /** Give it as `before` to read what was said earlier; absent when there is no more. */
  next_page?: number | null;
}

/** Who speaks. */
export type MessageRole = 'system' | 'user' | 'assistant';

/** A checkpoint to store. */
export interface NewCheckpoint {
  thread_id: string;
  /** Later checkpoints of a thread have greater ids. */
  checkpoint_id: string;
  /** How `data` is written, such as `msgpack`. */
  type: string;
  /** The state, in base64; at most 4 MiB of bytes. */
  data: string;
  /** The graph inside the graph; the outer one, if none is given. */
  checkpoint_ns?: string;
  /** The id of the checkpoint before it. */
  parent_id?: string | null;
  metadata?: Record<string, unknown>;
}

/** A conversation to open: by `id`, or by `channel`, `chat` and `root`; with neither it gets an id. */
export interface NewConversation {
  id?: string | null;
  /** Where the chat is, such as `slack`. */
  channel?: string | null;
  /** The chat's id there. */
  chat?: string | null;
  /** The id of the message that the thread began with. */
  root?: string | null;
  title?: string | null;
}

/** A document to take in. */
export interface NewDocument {
  /** Where it comes from: a path or an address. The same source again replaces the document. */
  source: string;
  /** What it is called; without it, what it calls itself. */
  title?: string | null;
  /** Without it, the ending of the source decides. */
  format?: WireFormat | null;
  /** Its text; for a PDF, `content_base64`. */
  content?: string | null;
  /** Its bytes in base64, instead of `content`. */
  content_base64?: string | null;
}

/** An entity to remember. */
export interface NewEntityBody {
  /** Your own id of it, such as a place id. */
  id: string;
  /** `place`, `account` or `person`. */
  kind: WireEntityKind;
  name: string;
  notes?: string | null;
  /**
   * Who says so, if not the user: `assistant`, `import`, `tool` or `document`. It can lower the origin and
   * never raise it.
   */
  origin?: string | null;
}

/** A place in the files of a project. */
export interface NewEvidence {
  /** The path of the file from the root of the project. */
  path: string;
  /** What is meant in the file, such as the name of a function. */
  symbol?: string | null;
  /** The SHA-256 of what was there, in base 16. */
  hash?: string | null;
  /** The commit at which it was there. */
  commit?: string | null;
}

/** Something the user did. */
export interface NewInteraction {
  /** What kind of thing: `reaction`, `discussion`, `save`, or any short name. */
  type: string;
  /** When; now, if none is given. */
  at?: string | null;
  /** What the user wrote. */
  text?: string | null;
  /** What it is about. */
  data?: Record<string, unknown> | null;
}

/** One interaction or several. */
export type NewInteractions = { interactions: NewInteraction[] } | NewInteraction;

/** A key to make. */
export interface NewKey {
  kind: WireKeyKind;
  /** The user that a key of kind `user` acts as; only for that kind. */
  user?: string | null;
  /** Users of this namespace only. */
  namespace?: string | null;
  /** What you call it. */
  name?: string | null;
  /**
   * What it may do: `read`, `write`, `tools:SET`, `project:NAME`. Everything that its kind allows, if none is
   * given.
   */
  scopes?: string[] | null;
  /** From when on it is refused: a date (its end, UTC), or a date and time. */
  expires_at?: string | null;
}

/** A statement to remember. */
export interface NewMemory {
  /** What to remember. */
  content: string;
  /** A short name by which it can be updated. */
  key?: string | null;
  /** Such as `preference`; `personal_context` if none. */
  category?: string | null;
  tier?: WireTier | null;
  /** How sure it is. Below 0.7 it becomes a daily note. */
  confidence?: number | null;
  /**
   * Where it came from. One that names a document or a tool (`document:42`, `https://…`, `tool:search`)
   * lowers the origin.
   */
  source?: string | null;
  /**
   * Who says so, if not the user: `assistant`, `import`, `tool` or `document`. It can lower the origin and
   * never raise it.
   */
  origin?: string | null;
  /** Since when it holds in the world: a time, or a date, which means its beginning in UTC. */
  valid_from?: string | null;
  /** From when on it no longer holds. */
  valid_until?: string | null;
  /**
   * The project that it belongs to: it is not seen in other projects. Without it, what is sent with `Recalld-
   * Project` belongs to that project, unless it is a preference, and anything else to none: it is seen
   * everywhere.
   */
  project?: string | null;
  /** The places in the files of the project that it rests on, at most 16. */
  evidence?: NewEvidence[];
}

/** A message to append. */
export interface NewMessageBody {
  role: MessageRole;
  content: string;
  /** Your own id; a message with the same id is replaced where it stands. */
  id?: string | null;
  /** Who typed it, in a group chat. */
  sender?: string | null;
  /** When it was said; now, if none is given. */
  at?: string | null;
  /** What you keep with it, up to 16 KiB of JSON. */
  metadata?: unknown;
}

/** Several messages to append in their order, all or none. */
export interface NewMessageList {
  messages: NewMessageBody[];
}

export type NewMessages = NewMessageBody | NewMessageList;

/** One value that a task wrote. */
export interface NewWrite {
  /** Its number within the task; a negative one replaces what is there. */
  idx: number;
  channel: string;
  type: string;
  /** The value, in base64. */
  data: string;
}

/** What a task wrote. */
export interface NewWrites {
  thread_id: string;
  checkpoint_id: string;
  task_id: string;
  writes: NewWrite[];
  checkpoint_ns?: string;
  task_path?: string;
}

/** The names of what was noted. */
export interface Noted {
  ids: string[];
}

/** One version of a memory, and the act that led to it. */
export interface PastMemory {
  /** Counts the changes, from 1. */
  version: number;
  /** What was done: remember, revise, retire, restore or evict. */
  act: string;
  /** When it was done. */
  at: string;
  /** Who did it: a key's id, a tool or a command. */
  actor: string;
  /** The memory after the act. */
  memory: Memory;
  /** The conversation in which it was done. */
  conversation?: string | null;
  /** The message that led to it. */
  message?: string | null;
  /** Where the change came from. */
  source?: string | null;
}

/** An error as a client reads it (RFC 9457). */
export interface Problem {
  /** A name for this kind of problem. */
  type: string;
  title: string;
  status: number;
  /** What is wrong this time. */
  detail: string;
  /** The stable word for a program. */
  code: string;
  /** What to do about it. */
  hint?: string | null;
  /** Where in the request it is wrong. */
  errors?: FieldProblem[];
}

/** A category of structured user context. */
export interface ProfileCategory {
  name: string;
  /** Other names for it. */
  aliases: string[];
  description: string;
  /** What a value must fit, as JSON Schema. */
  schema: unknown;
  /** What is stored for this user; null when nothing is. */
  kept?: StoredValue | null;
}

/** All categories of the deployment. */
export interface ProfileCategoryList {
  categories: ProfileCategory[];
}

/** One entry of the user's structured context. */
export interface ProfileEntry {
  category: string;
  /** The names or numbers that lead to it within its category. */
  path: string[];
  value: unknown;
}

/** A block of a system prompt. */
export interface PromptText {
  text: string;
  tokens: Tokens;
  /** How many memories and places did not fit the budget. */
  left_out: number;
}

/** What is left of a folder. */
export interface PruneBody {
  /** Only documents whose source is in this folder are taken out. */
  prefix: string;
  /** The sources that are still there. */
  keep: string[];
}

/** What was taken out. */
export interface Pruned {
  pruned: string[];
}

/** How often a memory answered a question. */
export interface RecallsBody {
  times: number;
  /** The day (UTC) on which it did so last; null if it never did. */
  last_on?: string | null;
}

/** What was removed, or would be. */
export interface ReceiptBody {
  erased: ErasedKind[];
  /** A keyed hash of the user; absent when nothing was removed yet. */
  subject?: string | null;
  erased_at?: string | null;
  /** Shows that this deployment made the receipt; `recalld erase --verify` checks it. */
  seal?: string | null;
}

/** Where the browser goes now. */
export interface Redirect {
  redirect_to: string;
  /** What the client calls itself. */
  client_name: string;
}

/** How a request stands. */
export interface RequestReport {
  /** The Idempotency-Key of the request. */
  key: string;
  /** `in_progress` or `done`. */
  state: string;
  /** The status of its answer. */
  status?: number | null;
  /** Its answer, unless that was empty or too large to keep. */
  body?: Record<string, unknown> | null;
}

/** What waits for review, the last changed first. */
export interface Review {
  items: ReviewItem[];
  /** Places, accounts and people that read like an instruction and are not in the user's own words. */
  entities: Entity[];
}

/** Something that a person should confirm, forget or take back. */
export interface ReviewItem {
  /**
   * Why it is listed: `quarantined`, `proposed_change`, `changed_by_agent` or `hidden_by_agent`; by the
   * command line also `stale_evidence`.
   */
  reason: string;
  memory: Memory;
  /**
   * What a quarantined memory reads like: `instruction`, `permission`, `command`, `link`, `markup` or
   * `disguise`.
   */
  reads_like?: string | null;
  /** What the user said: before an agent changed it, or what a proposed change would replace. */
  was?: Memory | null;
}

/** The rollout of this server since its start. */
export interface RolloutBody {
  /** `task-only`, `shadow`, `experiment` or `full`. */
  phase: string;
  percent: number;
  arms: Arm[];
  shadow: ShadowBody;
}

/** How a key is replaced. */
export interface Rotation {
  /** For how long the old key works beside the new one, in seconds; a day if none is given. */
  overlap_s?: number | null;
}

/** Runs whose checkpoints are removed. */
export interface RunList {
  run_ids: string[];
}

/** One way of searching that found it. */
export interface SearchArm {
  /** `lexical`, `semantic`, or `rerank` for a second look at the best. */
  name: string;
  /** BM25, or the cosine. */
  score: number;
  /** The score on the span from 0 to 1. */
  share: number;
  /** How much the arm counts for this query. */
  weight: number;
  /** Its place in this arm's own order, from 1, if it is among the candidates there. */
  rank?: number | null;
}

/** What to look for. */
export interface SearchBody {
  query: string;
  /** The most results; 10 if none is given. */
  limit?: number | null;
  /** Only memories of this category; the other kinds have none. */
  category?: string | null;
  /** Only these kinds; all if none is given. */
  kinds?: WireItemKind[] | null;
  /** The most tokens of all results together, in either encoding. */
  max_tokens?: number | null;
  /**
   * Only what was known at this moment (a day means its end), and of versions of one fact the one that held
   * then first.
   */
  as_of?: string | null;
  /** Whether each result says how it got its place. */
  explain?: boolean;
}

/** How a result got its rank: the weighted mean of the arms' shares, times every factor. */
export interface SearchExplanation {
  /** Its place among the results of its kind, from 1. */
  rank: number;
  /** The ways of searching that found it. */
  arms: SearchArm[];
  /** What the mean is multiplied by, each with its name. */
  factors: Record<string, number>;
  /**
   * Whether the vector that tells its meaning is still to come. Until then the semantic score is that of what
   * stands in for it, or missing.
   */
  waits_for_vector?: boolean;
}

/** One result. The field named like its kind holds it. */
export interface SearchHit {
  kind: WireItemKind;
  /** From 0 to 1, comparable between kinds. */
  score: number;
  /** What it says, for a prompt. */
  text: string;
  /** Whether it is for all users. */
  shared: boolean;
  /** Whether neither a word nor its meaning speaks for it: it fills the list up. */
  weak?: boolean;
  /** When it holds, if it is a memory about something that has one value at a time. */
  validity?: WireValidity | null;
  memory?: Memory | null;
  message?: Message | null;
  entity?: Entity | null;
  profile?: ProfileEntry | null;
  knowledge?: FoundChunk | null;
  explain?: SearchExplanation | null;
}

/** The results, the best first. */
export interface SearchResult {
  results: SearchHit[];
  /** The tokens of the texts of all results. */
  tokens: Tokens;
  /** How many results did not fit `max_tokens`. */
  left_out: number;
}

/** What conversation mode would have done, while the rollout only watched. */
export interface ShadowBody {
  messages: number;
  would_call_share?: Figure | null;
  tokens_saved?: Figure | null;
}

/** The code of a link. */
export interface SignInBody {
  code: string;
}

/** A link that signs in once. */
export interface SignInLink {
  /** What `POST /v1/sign-in` takes. */
  code: string;
  /** The console's address on this server, with the code in the fragment, which browsers do not send. */
  path: string;
  /** How many seconds the code is good for. */
  expires_in: number;
}

/** The key or token that the code stood for. */
export interface SignedIn {
  key: string;
}

/** The most similar memories, the best first. */
export interface SimilarList {
  results: SimilarMemory[];
}

/** A memory that is like another. */
export interface SimilarMemory {
  memory: Memory;
  /** From 0 to 1. */
  score: number;
}

/** What a user has. */
export interface StatsBody {
  memories: MemoryCounts;
  /** How many current memories each category has. */
  categories: Record<string, number>;
  /** How many current memories each project has; those of no project are not among them. */
  projects: Record<string, number>;
  entities: EntityCounts;
  document: DocumentSize;
  conversations: number;
  /**
   * Current memories that nobody has confirmed: an agent noted them, they would change another memory, or
   * they are not certain.
   */
  unconfirmed: number;
  /** Documents that all users may search. */
  knowledge: number;
  /** When the oldest current memory was learned. */
  oldest?: string | null;
  /** When the newest current memory was learned. */
  newest?: string | null;
}

/** The server and its store. */
export interface StoreBody {
  version: string;
  /** What the store says of itself, by name. */
  figures: Record<string, string>;
  /** The model that search goes by; null if it goes by words alone. */
  embedding_model?: string | null;
  /** The model that chat uses if a request names none; null without one. */
  chat_model?: string | null;
}

/** A stored value. */
export interface StoredValue {
  value: unknown;
  /** Counts its changes, from 1. */
  version: number;
  updated_at: string;
}

/** What is copied. */
export interface ThreadCopy {
  from: string;
  to: string;
}

/** What threads keep. */
export interface ThreadPrune {
  thread_ids: string[];
  strategy?: 'keep_latest' | 'delete';
}

/** Exact token counts of a text. */
export interface Tokens {
  /** The count in cl100k_base. */
  cl100k_base: number;
  /** The count in o200k_base. */
  o200k_base: number;
}

/** What a tool answers. */
export interface ToolAnswer {
  /** What the model reads. */
  text: string;
  /** The same for the program; `outcome` says what happened. */
  data: Record<string, unknown>;
}

/** What was undone, or would be. */
export interface UndoReport {
  /** Whether nothing was changed. */
  dry_run: boolean;
  /** Memories that were new and are hidden now. */
  hidden: Memory[];
  /** Memories that have their former content again. */
  restored: Memory[];
  /** Memories that were left as they are, because they have changed since. */
  kept: KeptMemory[];
  /** Entities that were new and are hidden now. */
  hidden_entities: Entity[];
  /** Entities that are shown again. */
  restored_entities: Entity[];
  /** What else was changed and has no versions to go back to: review it yourself. */
  untouched: UntouchedThing[];
}

/** Which changes are taken back: the last one, if nothing is named. */
export interface UndoRequest {
  /** All that came from this source. */
  source?: string | null;
  /** All that were made in this conversation. */
  conversation?: string | null;
  /** All that were made after this time: a date (its end, UTC), or a date and time. */
  to?: string | null;
  /** Tell what would be done, and do nothing. */
  dry_run?: boolean;
}

/** Something that was changed too and was left as it is. */
export interface UntouchedThing {
  /**
   * profile, working_memory, working_memory_schema, conversation, summary, interaction, run, document or
   * entity.
   */
  kind: string;
  /** Its id. */
  id: string;
}

/** What is known of the user in a category. */
export interface UserContextAnswer {
  category: string;
  /** Null when the user has nothing there. */
  data: unknown;
  /** Where it comes from. */
  source: string;
  found: boolean;
  query?: string | null;
}

/** Which context of the user is wanted. */
export interface UserContextBody {
  /** A category of the deployment, or `all`. */
  category: string;
  /** Narrows the answer to the entries that matter. */
  query?: string | null;
}

/** Some users, and where to go on. */
export interface UserList {
  /** The users, in the order of their ids. */
  users: ListedUser[];
  /** Give it as `after` to read on; absent on the last page. */
  next_page?: string | null;
}

/** The caller, and what is there for them. */
export interface Whoami {
  /** `user`, `service` or `admin`. */
  kind: string;
  /** What the key may do: `read`, `write`, and `tools:SET` if it is for one set of tools. */
  scopes: string[];
  /** Whether a chat model is configured. */
  chat: boolean;
  /** Whether search goes by meaning as well as by words. */
  semantic: boolean;
  version: string;
  /** The user that the caller is, or acts for. */
  user?: string | null;
  /** The user scope, as chat agents write it: `user:<id>`. It is accepted wherever a user is named. */
  scope?: string | null;
  /** The namespace to which the key is confined. */
  namespace?: string | null;
}

/** What sort of thing an entity is. */
export type WireEntityKind = 'place' | 'account' | 'person';

/** How a document is written. */
export type WireFormat = 'markdown' | 'text' | 'html' | 'json' | 'jsonl' | 'pdf';

/** A kind of result. */
export type WireItemKind = 'memory' | 'message' | 'entity' | 'profile' | 'knowledge';

/** What a key may do. */
export type WireKeyKind = 'user' | 'service' | 'admin';

/** How long a memory lasts. */
export type WireTier = 'durable' | 'daily';

/** When a memory holds, and the versions of the same fact before and after it. */
export interface WireValidity {
  valid_from: string;
  /** Absent while it holds. */
  valid_until?: string | null;
  /** The id of the memory that took its place. */
  superseded_by?: string | null;
  /** The id of the memory whose place it took. */
  replaces?: string | null;
}

/** A value that a task wrote. */
export interface WriteBody {
  task_id: string;
  task_path: string;
  idx: number;
  channel: string;
  type: string;
  data: string;
}

/** The result of a write. */
export interface Written {
  /** `stored`, or `duplicate` when it was known already and nothing was stored. */
  outcome: string;
  /** The memory that was stored, or that was known. */
  memory: Memory;
  /** Whether it became a daily note because its confidence was too low to be durable. */
  demoted: boolean;
  /** How many facts left the memory document so that it fits. */
  evicted: number;
}
