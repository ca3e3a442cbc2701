// The methods of the client, one an operation.
//
// Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.

import { type CallOptions, type Sender, etag, place } from '../request.js';
import type * as T from './types.js';

/** What has no resource of its own. */
export class ClientApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  get admin(): AdminApi {
    return new AdminApi(this.sender);
  }

  get checkpoints(): CheckpointsApi {
    return new CheckpointsApi(this.sender);
  }

  get conversations(): ConversationsApi {
    return new ConversationsApi(this.sender);
  }

  get entities(): EntitiesApi {
    return new EntitiesApi(this.sender);
  }

  get events(): EventsApi {
    return new EventsApi(this.sender);
  }

  get files(): FilesApi {
    return new FilesApi(this.sender);
  }

  get interactions(): InteractionsApi {
    return new InteractionsApi(this.sender);
  }

  get knowledge(): KnowledgeApi {
    return new KnowledgeApi(this.sender);
  }

  get memories(): MemoriesApi {
    return new MemoriesApi(this.sender);
  }

  get oauth(): OauthApi {
    return new OauthApi(this.sender);
  }

  get profile(): ProfileApi {
    return new ProfileApi(this.sender);
  }

  get sharedMemories(): SharedMemoriesApi {
    return new SharedMemoriesApi(this.sender);
  }

  get tools(): ToolsApi {
    return new ToolsApi(this.sender);
  }

  get workingMemory(): WorkingMemoryApi {
    return new WorkingMemoryApi(this.sender);
  }

  /**
   * Finds duplicate, contradictory, stale, little trusted, never recalled or secret-looking memories. Changes
   * nothing.
   */
  audit(options: CallOptions = {}): Promise<T.AuditReport> {
    return this.sender.send({ method: 'GET', path: '/v1/audit', repeat: 'safe', answer: 'json' }, options);
  }

  /** Gathers core memories, what bears on the topic, and recent notes, within a token budget. */
  context(
    body: { topic: string; max_tokens?: number | null },
    options: CallOptions = {},
  ): Promise<T.ContextText> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/context',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Gives the memory document. Its tokens are counted on this very text, with the list of places under its
   * usual name.
   */
  document(
    query: { places_as?: 'places_of_interest' | 'placer_user_datapoints' } = {},
    options: CallOptions = {},
  ): Promise<T.MemoryDocument> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/document',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Embeds a text with the model that search goes by. */
  embed(body: { text: string; role?: T.EmbedRole }, options: CallOptions = {}): Promise<T.Embedding> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/embed',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Gives everything the user has as one archive (zip): memories with their history, entities, conversations,
   * profile, working memory, the log, and Markdown files for people.
   */
  export(options: CallOptions = {}): Promise<Uint8Array> {
    return this.sender.send({ method: 'GET', path: '/v1/export', repeat: 'safe', answer: 'bytes' }, options);
  }

  /** Shows how far an import is, or what became of it. */
  importStatus(id: string, options: CallOptions = {}): Promise<T.ImportStatus> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/import/${id}`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Describes the caller. */
  me(options: CallOptions = {}): Promise<T.Whoami> {
    return this.sender.send({ method: 'GET', path: '/v1/me', repeat: 'safe', answer: 'json' }, options);
  }

  /**
   * Removes everything the user has, for good, and answers with a receipt, the only thing that is kept. The
   * user's own keys go too.
   */
  eraseEverything(query: { dry_run?: boolean } = {}, options: CallOptions = {}): Promise<T.ReceiptBody> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: '/v1/me',
        query,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Gives the block for a system prompt: the time, and at the first message what is remembered. */
  prompt(
    query: { first_message?: boolean; max_tokens?: number } = {},
    options: CallOptions = {},
  ): Promise<T.PromptText> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/prompt',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Shows how a request ended: one of your own Idempotency-Key, or one whose answer was `outcome_unknown` and
   * named a key. A request that is not found was never carried out by this server or ended over an hour ago
   * without success: repeat it with the same key.
   */
  requestOutcome(key: string, options: CallOptions = {}): Promise<T.RequestReport> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/requests/${key}`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Lists quarantined memories and entities, and what agents would change or hid of what the user said. */
  review(query: { limit?: number } = {}, options: CallOptions = {}): Promise<T.Review> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/review',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Searches memories, messages, entities, profile and knowledge, the best first. */
  search(
    body: { query: string; limit?: number | null; category?: string | null; kinds?: T.WireItemKind[] | null; max_tokens?: number | null; as_of?: string | null; explain?: boolean },
    options: CallOptions = {},
  ): Promise<T.SearchResult> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/search',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Counts what the user has. */
  stats(options: CallOptions = {}): Promise<T.StatsBody> {
    return this.sender.send({ method: 'GET', path: '/v1/stats', repeat: 'safe', answer: 'json' }, options);
  }

  /**
   * Takes back the last change, all of one source or conversation, or all since a time. Nothing is deleted by
   * it.
   */
  undo(
    body: { source?: string | null; conversation?: string | null; to?: string | null; dry_run?: boolean } = {},
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.UndoReport> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/undo',
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }
}

/** Admin. */
export class AdminApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Lists all keys, the oldest first. */
  keys(options: CallOptions = {}): Promise<T.KeyList> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/admin/keys',
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Makes a key. It is shown in this answer and never again, so this request is not repeated by an
   * Idempotency-Key.
   */
  createKey(
    body: { kind: T.WireKeyKind; user?: string | null; namespace?: string | null; name?: string | null; scopes?: string[] | null; expires_at?: string | null },
    options: CallOptions = {},
  ): Promise<T.CreatedKey> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/admin/keys',
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Revokes a key. It is refused everywhere within a second. */
  revokeKey(id: string, options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/admin/keys/${id}`,
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }

  /**
   * Replaces a key by a new one with the same rights. The old one goes on working for a while, so that its
   * users can change over.
   */
  rotateKey(
    id: string,
    body: { overlap_s?: number | null } = {},
    options: CallOptions = {},
  ): Promise<T.CreatedKey> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/admin/keys/${id}/rotate`,
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Compares the modes. */
  rollout(options: CallOptions = {}): Promise<T.RolloutBody> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/admin/rollout',
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Describes the server and its store. */
  store(options: CallOptions = {}): Promise<T.StoreBody> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/admin/store',
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Pages through the users, in the order of their ids. A service key sees those it may act for; a user's key
   * sees none.
   */
  users(
    query: { query?: string; limit?: number; after?: string } = {},
    options: CallOptions = {},
  ): Promise<T.UserList> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/admin/users',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Goes through all pages. `limit` is the length of a page. */
  async *eachOfUsers(
    query: { query?: string; limit?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<T.ListedUser> {
    let after: string | undefined;
    do {
      const page: T.UserList = await this.users({ ...query, after }, options);
      yield* page.users;
      after = page.next_page ?? undefined;
    } while (after !== undefined);
  }
}

/** Checkpoints. */
export class CheckpointsApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Reads one checkpoint with the writes that are pending on it: the latest, or the one with the id. */
  get(
    query: { thread_id: string; checkpoint_ns?: string; checkpoint_id?: string },
    options: CallOptions = {},
  ): Promise<T.CheckpointBody> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/checkpoints',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Stores a checkpoint, in place of one with the same id. */
  put(
    body: { thread_id: string; checkpoint_id: string; type: string; data: string; checkpoint_ns?: string; parent_id?: string | null; metadata?: Record<string, unknown> },
    options: CallOptions = {},
  ): Promise<void> {
    return this.sender.send(
      {
        method: 'PUT',
        path: '/v1/checkpoints',
        body,
        repeat: 'safe',
        answer: 'none',
      },
      options,
    );
  }

  /** Removes a thread with all its checkpoints and writes, for good. */
  deleteThread(query: { thread_id: string }, options: CallOptions = {}): Promise<T.CheckpointCount> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: '/v1/checkpoints',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Copies all checkpoints and writes of a thread to another one. */
  copy(body: { from: string; to: string }, options: CallOptions = {}): Promise<T.CheckpointCount> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/checkpoints/copy',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Removes the checkpoints whose `metadata.run_id` is one of these, with their writes. */
  deleteRuns(body: { run_ids: string[] }, options: CallOptions = {}): Promise<T.CheckpointCount> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/checkpoints/delete_runs',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Removes all but the latest checkpoints of threads, or all. */
  prune(
    body: { thread_ids: string[]; strategy?: 'keep_latest' | 'delete' },
    options: CallOptions = {},
  ): Promise<T.CheckpointCount> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/checkpoints/prune',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Lists checkpoints with what is pending on them, the greatest id first. */
  search(
    body: { thread_id?: string | null; checkpoint_ns?: string | null; checkpoint_id?: string | null; before?: string | null; filter?: Record<string, unknown>; limit?: number | null; cursor?: string | null } = {},
    options: CallOptions = {},
  ): Promise<T.CheckpointList> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/checkpoints/search',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Stores what a task wrote before the next checkpoint. A write of a task and number that is there already
   * stays as it is, unless the number is negative.
   */
  putWrites(
    body: { thread_id: string; checkpoint_id: string; task_id: string; writes: T.NewWrite[]; checkpoint_ns?: string; task_path?: string },
    options: CallOptions = {},
  ): Promise<void> {
    return this.sender.send(
      {
        method: 'PUT',
        path: '/v1/checkpoints/writes',
        body,
        repeat: 'safe',
        answer: 'none',
      },
      options,
    );
  }
}

/** Conversations. */
export class ConversationsApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Pages through the conversations, the last touched first. */
  list(
    query: { limit?: number; after?: string } = {},
    options: CallOptions = {},
  ): Promise<T.ConversationPage> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/conversations',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Goes through all pages. `limit` is the length of a page. */
  async *each(query: { limit?: number } = {}, options: CallOptions = {}): AsyncGenerator<T.Conversation> {
    let after: string | undefined;
    do {
      const page: T.ConversationPage = await this.list({ ...query, after }, options);
      yield* page.conversations;
      after = page.next_page ?? undefined;
    } while (after !== undefined);
  }

  /** Opens a conversation. Answers 201 when it is new, 200 when it was known. */
  open(
    body: { id?: string | null; channel?: string | null; chat?: string | null; root?: string | null; title?: string | null } = {},
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.Conversation> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/conversations',
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }

  /** Reads one conversation, without its messages. */
  get(id: string, options: CallOptions = {}): Promise<T.Conversation> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/conversations/${id}`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Renames a conversation. */
  rename(id: string, body: { title: string }, options: CallOptions = {}): Promise<T.Conversation> {
    return this.sender.send(
      {
        method: 'PATCH',
        path: place`/v1/conversations/${id}`,
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Removes a conversation with its messages and working memory for good, and what was learned from it unless
   * that is kept.
   */
  erase(id: string, query: { keep_memories?: boolean } = {}, options: CallOptions = {}): Promise<T.Erased> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/conversations/${id}`,
        query,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Gives the system message with memory, and the last messages, within a token budget. */
  context(
    id: string,
    body: { instructions?: string; max_messages?: number | null; max_tokens?: number | null; first_message?: boolean | null } = {},
    options: CallOptions = {},
  ): Promise<T.ConversationText> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/conversations/${id}/context`,
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Gives the last messages, the oldest first. */
  messages(
    id: string,
    query: { limit?: number; before?: number } = {},
    options: CallOptions = {},
  ): Promise<T.MessagePage> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/conversations/${id}/messages`,
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Appends one message or several, all or none, and begins the conversation if there is none. */
  append(
    id: string,
    body: { messages: T.NewMessageBody[] },
    query: { extract?: boolean } = {},
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.Appended> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/conversations/${id}/messages`,
        query,
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }

  /** Removes one message for good, and what was learned from it. */
  eraseMessage(id: string, message: string, options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/conversations/${id}/messages/${message}`,
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }

  /** Reads the working memory of a conversation. */
  workingMemory(id: string, options: CallOptions = {}): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/conversations/${id}/working-memory`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Replaces the working memory of a conversation. The body is the value itself. */
  replaceWorkingMemory(
    id: string,
    body: unknown,
    options: CallOptions & { ifMatch?: number | string; ifNoneMatch?: string } = {},
  ): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'PUT',
        path: place`/v1/conversations/${id}/working-memory`,
        body,
        headers: { 'If-Match': etag(options.ifMatch), 'If-None-Match': options.ifNoneMatch },
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Merges into the working memory of a conversation, as a JSON Merge Patch (RFC 7396). */
  mergeWorkingMemory(
    id: string,
    body: unknown,
    options: CallOptions & { ifMatch?: number | string } = {},
  ): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'PATCH',
        path: place`/v1/conversations/${id}/working-memory`,
        body,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Clears the working memory of a conversation. What was said stays. */
  clearWorkingMemory(id: string, options: CallOptions & { ifMatch?: number | string } = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/conversations/${id}/working-memory`,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }

  /** Reads the schema of the working memory of a conversation. */
  workingMemorySchema(id: string, options: CallOptions = {}): Promise<unknown> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/conversations/${id}/working-memory/schema`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Sets the JSON Schema that the working memory of a conversation must fit from now on. */
  setWorkingMemorySchema(id: string, body: unknown, options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'PUT',
        path: place`/v1/conversations/${id}/working-memory/schema`,
        body,
        repeat: 'safe',
        answer: 'none',
      },
      options,
    );
  }

  /** Drops the schema of the working memory of a conversation. */
  clearWorkingMemorySchema(id: string, options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/conversations/${id}/working-memory/schema`,
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }
}

/** Entities. */
export class EntitiesApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Lists entities in the order in which they were added. */
  list(
    query: { kind?: 'place' | 'account' | 'person' } = {},
    options: CallOptions = {},
  ): Promise<T.EntityList> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/entities',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Adds an entity, or brings it up to date. Answers 201 when it is new, 200 when it was known. What is known
   * from somebody who is trusted more stays as it is.
   */
  put(
    body: { id: string; kind: T.WireEntityKind; name: string; notes?: string | null; origin?: string | null },
    options: CallOptions = {},
  ): Promise<T.Entity> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/entities',
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Reads one entity. */
  get(id: string, options: CallOptions = {}): Promise<T.Entity> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/entities/${id}`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Hides an entity. */
  forget(id: string, options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/entities/${id}`,
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }

  /** Confirms an entity: it counts as the user's own from then on. No tool reaches this. */
  confirm(id: string, options: CallOptions = {}): Promise<T.Entity> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/entities/${id}/confirm`,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Notes that a message mentions an entity. */
  mention(
    id: string,
    body: { conversation: string; message: string },
    options: CallOptions = {},
  ): Promise<T.Entity> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/entities/${id}/mentions`,
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }
}

/** Events. */
export class EventsApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Pages through the audit log, the newest first. */
  list(
    query: { kind?: string; id?: string; limit?: number; after?: string } = {},
    options: CallOptions = {},
  ): Promise<T.EventList> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/events',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Goes through all pages. `limit` is the length of a page. */
  async *each(
    query: { kind?: string; id?: string; limit?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<T.EventBody> {
    let after: string | undefined;
    do {
      const page: T.EventList = await this.list({ ...query, after }, options);
      yield* page.events;
      after = page.next_page ?? undefined;
    } while (after !== undefined);
  }
}

/** Files. */
export class FilesApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Lists the Markdown files: `MEMORY.md`, and one for each day of which there are notes. */
  list(options: CallOptions = {}): Promise<T.FileList> {
    return this.sender.send({ method: 'GET', path: '/v1/files', repeat: 'safe', answer: 'json' }, options);
  }

  /** Gives what is remembered for good as Markdown, by category. */
  memory(options: CallOptions = {}): Promise<string> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/files/MEMORY.md',
        repeat: 'safe',
        answer: 'text',
      },
      options,
    );
  }

  /** Gives the notes of a day as Markdown; there is no such file when there are none. */
  day(day: string, options: CallOptions = {}): Promise<string> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/files/memory/${day}`,
        repeat: 'safe',
        answer: 'text',
      },
      options,
    );
  }
}

/** Interactions. */
export class InteractionsApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Lists the runs for the user, the latest first. */
  runs(query: { limit?: number } = {}, options: CallOptions = {}): Promise<T.ExtractionRunList> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/extraction/runs',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Notes what the user did, all or none. The daily extraction reads it. */
  note(
    body: { interactions: T.NewInteraction[] },
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.Noted> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/interactions',
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }
}

/** Knowledge. */
export class KnowledgeApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Pages through the documents in the order of their sources. */
  list(
    query: { prefix?: string; limit?: number; after?: string } = {},
    options: CallOptions = {},
  ): Promise<T.KnowledgePage> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/knowledge',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Goes through all pages. `limit` is the length of a page. */
  async *each(
    query: { prefix?: string; limit?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<T.KnowledgeDocument> {
    let after: string | undefined;
    do {
      const page: T.KnowledgePage = await this.list({ ...query, after }, options);
      yield* page.documents;
      after = page.next_page ?? undefined;
    } while (after !== undefined);
  }

  /** Takes a document in. The same bytes again do nothing; other bytes replace it. Needs an admin key. */
  ingest(
    body: { source: string; title?: string | null; format?: T.WireFormat | null; content?: string | null; content_base64?: string | null },
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.IngestedBody> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/knowledge',
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }

  /** Takes out the documents of a folder that are no longer there, for good. Needs an admin key. */
  prune(body: { prefix: string; keep: string[] }, options: CallOptions = {}): Promise<T.Pruned> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/knowledge/prune',
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Searches the documents. */
  search(
    body: { query: string; limit?: number | null },
    options: CallOptions = {},
  ): Promise<T.KnowledgeResult> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/knowledge/search',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Reads one document with its chunks. */
  get(id: string, options: CallOptions = {}): Promise<T.KnowledgeText> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/knowledge/${id}`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Takes a document out for good. Needs an admin key. */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/knowledge/${id}`,
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }
}

/** Memories. */
export class MemoriesApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Pages through the memories, the newest first, as they are or as they were at some time. */
  list(
    query: { category?: string; tier?: 'durable' | 'daily'; showing?: 'current' | 'hidden' | 'all'; origin?: string; confidence_below?: number; since?: string; conversation?: string; project?: string; limit?: number; after?: string; at?: string } = {},
    options: CallOptions = {},
  ): Promise<T.MemoryPage> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/memories',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Goes through all pages. `limit` is the length of a page. */
  async *each(
    query: { category?: string; tier?: 'durable' | 'daily'; showing?: 'current' | 'hidden' | 'all'; origin?: string; confidence_below?: number; since?: string; conversation?: string; project?: string; limit?: number; at?: string } = {},
    options: CallOptions = {},
  ): AsyncGenerator<T.Memory> {
    let after: string | undefined;
    do {
      const page: T.MemoryPage = await this.list({ ...query, after }, options);
      yield* page.memories;
      after = page.next_page ?? undefined;
    } while (after !== undefined);
  }

  /**
   * Remembers one statement. Answers 201 with what it became, or 200 when it was known already: then that
   * memory has the key, if it had none. A key that another statement has is a conflict.
   */
  create(
    body: { content: string; key?: string | null; category?: string | null; tier?: T.WireTier | null; confidence?: number | null; source?: string | null; origin?: string | null; valid_from?: string | null; valid_until?: string | null; project?: string | null; evidence?: T.NewEvidence[] },
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.Written> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/memories',
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Remembers up to 1,000 statements in one transaction. A statement that cannot be stored is refused alone;
   * the answer has one line for each, in their order.
   */
  createMany(
    body: { memories: T.NewMemory[] },
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.BatchWritten> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/memories/batch',
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }

  /** Hides memories, all in one change. Each can be restored. */
  forgetMany(
    body: { ids: string[] },
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.Forgotten> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/memories/forget',
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }

  /** Reads one memory, hidden or not. */
  get(id: string, options: CallOptions = {}): Promise<T.Memory> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/memories/${id}`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /**
   * Revises a memory. What it said before stays in its history. A change whose source names a document or a
   * tool does not replace what is trusted more: it is stored beside it, with the id of the other in `amends`,
   * and waits for review.
   */
  update(
    id: string,
    body: { content?: string; key?: string | null; category?: string; tier?: T.WireTier; confidence?: number; source?: string | null; valid_from?: string | null; valid_until?: string | null; project?: string | null } = {},
    options: CallOptions & { ifMatch?: number | string } = {},
  ): Promise<T.Memory> {
    return this.sender.send(
      {
        method: 'PATCH',
        path: place`/v1/memories/${id}`,
        body,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Hides a memory, so that it can be restored; with `erase=true` it is gone for good. */
  forget(
    id: string,
    query: { erase?: boolean } = {},
    options: CallOptions & { ifMatch?: number | string } = {},
  ): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/memories/${id}`,
        query,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }

  /**
   * Confirms a memory: it counts as the user's own from then on, and may be injected. One that an agent hid
   * stays hidden. A proposed change is applied to the memory that it amends.
   */
  confirm(id: string, options: CallOptions = {}): Promise<T.Memory> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/memories/${id}/confirm`,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Gives every version of a memory, the oldest first. */
  history(id: string, options: CallOptions = {}): Promise<T.History> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/memories/${id}/history`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Tells how often a memory was recalled, and when last. */
  recalls(id: string, options: CallOptions = {}): Promise<T.RecallsBody> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/memories/${id}/recalls`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Shows a hidden memory again, or takes it back to an earlier version or to what it was at some time. */
  restore(
    id: string,
    query: { version?: number; at?: string } = {},
    options: CallOptions = {},
  ): Promise<T.Memory> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/memories/${id}/restore`,
        query,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Finds the memories of the user that say something like this one. They do not count as recalled. */
  similar(id: string, query: { limit?: number } = {}, options: CallOptions = {}): Promise<T.SimilarList> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/memories/${id}/similar`,
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }
}

/** Oauth. */
export class OauthApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Lets a client act for the user, or refuses it. The client learns of it at `redirect_to`. */
  grant(
    body: { client_id: string; redirect_uri: string; code_challenge: string; allow: boolean; state?: string; scope?: string; resource?: string },
    options: CallOptions = {},
  ): Promise<T.Redirect> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/oauth/grants',
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }
}

/** Profile. */
export class ProfileApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Gives structured context of the user by category. */
  ask(
    body: { category: string; query?: string | null },
    options: CallOptions = {},
  ): Promise<T.UserContextAnswer> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/api/tools/user-context',
        body,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Lists the categories with what is kept of each. */
  list(options: CallOptions = {}): Promise<T.ProfileCategoryList> {
    return this.sender.send({ method: 'GET', path: '/v1/profile', repeat: 'safe', answer: 'json' }, options);
  }

  /** Reads what is kept of a category. */
  get(category: string, options: CallOptions = {}): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'GET',
        path: place`/v1/profile/${category}`,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Replaces what is kept of a category. The body is the value itself. */
  replace(
    category: string,
    body: unknown,
    options: CallOptions & { ifMatch?: number | string; ifNoneMatch?: string } = {},
  ): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'PUT',
        path: place`/v1/profile/${category}`,
        body,
        headers: { 'If-Match': etag(options.ifMatch), 'If-None-Match': options.ifNoneMatch },
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Merges into what is kept of a category, as a JSON Merge Patch (RFC 7396). */
  merge(
    category: string,
    body: unknown,
    options: CallOptions & { ifMatch?: number | string } = {},
  ): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'PATCH',
        path: place`/v1/profile/${category}`,
        body,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Removes what is kept of a category. */
  clear(category: string, options: CallOptions & { ifMatch?: number | string } = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/profile/${category}`,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }
}

/** Shared memories. */
export class SharedMemoriesApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Pages through the memories that all users may read, the newest first. */
  list(query: { limit?: number; after?: string } = {}, options: CallOptions = {}): Promise<T.MemoryPage> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/shared/memories',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Goes through all pages. `limit` is the length of a page. */
  async *each(query: { limit?: number } = {}, options: CallOptions = {}): AsyncGenerator<T.Memory> {
    let after: string | undefined;
    do {
      const page: T.MemoryPage = await this.list({ ...query, after }, options);
      yield* page.memories;
      after = page.next_page ?? undefined;
    } while (after !== undefined);
  }

  /**
   * Remembers one statement for all users. Answers 201 with what it became, or 200 when it was known already.
   */
  create(
    body: { content: string; key?: string | null; category?: string | null; tier?: T.WireTier | null; confidence?: number | null; source?: string | null; origin?: string | null; valid_from?: string | null; valid_until?: string | null; project?: string | null; evidence?: T.NewEvidence[] },
    options: CallOptions = {},
  ): Promise<T.Written> {
    return this.sender.send(
      {
        method: 'POST',
        path: '/v1/shared/memories',
        body,
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Hides a memory that all users may read; with `erase=true` it is gone for good. */
  forget(
    id: string,
    query: { erase?: boolean } = {},
    options: CallOptions & { ifMatch?: number | string } = {},
  ): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: place`/v1/shared/memories/${id}`,
        query,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }
}

/** Tools. */
export class ToolsApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Gives the tools as a model provider takes them: a JSON array. */
  list(
    query: { format?: 'openai' | 'responses' | 'anthropic' | 'mcp'; sets?: string } = {},
    options: CallOptions = {},
  ): Promise<unknown[]> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/tools',
        query,
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Runs a tool for the caller. The body is the arguments that the model gave. */
  call(
    name: 'get_user_context' | 'get_account_context' | 'manage_user_memory' | 'write_memory' | 'read_memory' | 'search_memory' | 'get_memory_context' | 'update_memory' | 'delete_memory' | 'store_memory' | 'recall_memory' | 'get_conversation_history' | 'search_knowledge_base' | 'memory',
    body: unknown,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<T.ToolAnswer> {
    return this.sender.send(
      {
        method: 'POST',
        path: place`/v1/tools/${name}`,
        body,
        idempotencyKey: options.idempotencyKey,
        repeat: 'keyed',
        answer: 'json',
      },
      options,
    );
  }
}

/** Working memory. */
export class WorkingMemoryApi {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Reads the user's working memory. */
  get(options: CallOptions = {}): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/working-memory',
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Replaces the user's working memory. The body is the value itself. */
  replace(
    body: unknown,
    options: CallOptions & { ifMatch?: number | string; ifNoneMatch?: string } = {},
  ): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'PUT',
        path: '/v1/working-memory',
        body,
        headers: { 'If-Match': etag(options.ifMatch), 'If-None-Match': options.ifNoneMatch },
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Merges into the user's working memory, as a JSON Merge Patch (RFC 7396). */
  merge(body: unknown, options: CallOptions & { ifMatch?: number | string } = {}): Promise<T.StoredValue> {
    return this.sender.send(
      {
        method: 'PATCH',
        path: '/v1/working-memory',
        body,
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }

  /** Clears the user's working memory. */
  clear(options: CallOptions & { ifMatch?: number | string } = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: '/v1/working-memory',
        headers: { 'If-Match': etag(options.ifMatch) },
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }

  /** Reads the schema of the user's working memory. */
  schema(options: CallOptions = {}): Promise<unknown> {
    return this.sender.send(
      {
        method: 'GET',
        path: '/v1/working-memory/schema',
        repeat: 'safe',
        answer: 'json',
      },
      options,
    );
  }

  /** Sets the JSON Schema that the user's working memory must fit from now on. */
  setSchema(body: unknown, options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'PUT',
        path: '/v1/working-memory/schema',
        body,
        repeat: 'safe',
        answer: 'none',
      },
      options,
    );
  }

  /** Drops the schema of the user's working memory. */
  clearSchema(options: CallOptions = {}): Promise<void> {
    return this.sender.send(
      {
        method: 'DELETE',
        path: '/v1/working-memory/schema',
        repeat: 'never',
        answer: 'none',
      },
      options,
    );
  }
}
