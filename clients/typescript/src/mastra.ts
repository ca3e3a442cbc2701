// Storage for Mastra's memory: `new MastraCompositeStore({ id: 'recalld', domains: { memory: new RecalldMemoryStorage() } })`.
//
// A thread is a conversation of recalld with its messages, so that the server sees what was said; what Mastra keeps of
// threads and resources besides are documents. All is the client's user's own; a resource is a label inside it.

import type { MastraDBMessage } from '@mastra/core/agent';
import type { StorageThreadType } from '@mastra/core/memory';
import {
  MemoryStorage,
  type StorageCloneThreadInput,
  type StorageCopyThreadOutput,
  type StorageListMessagesByResourceIdInput,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
  type StorageResourceType,
  jsonValueEquals,
} from '@mastra/core/storage';
import { Recalld } from './client.js';
import { Documents } from './documents.js';
import type { MessageRole } from './generated/types.js';
import { included, matching, page, sorted } from './mastra-lists.js';
import { append, erase, latest, textOf, unwrapped, wrapped } from './transcript.js';

const NAME = 'mastra';

type Stored<T extends { createdAt: Date }> = Omit<T, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string };
type MessageUpdate = Parameters<MemoryStorage['updateMessages']>[0]['messages'][number];

/** Keeps threads, messages and resources. */
export class RecalldMemoryStorage extends MemoryStorage {
  override readonly supportsPartialThreadUpdate = true;
  private readonly client: Recalld;
  private readonly threads: Documents<Stored<StorageThreadType>>;
  private readonly resources: Documents<Stored<StorageResourceType>>;

  constructor(client: Recalld = new Recalld()) {
    super();
    this.client = client;
    this.threads = new Documents(client, NAME, 'threads');
    this.resources = new Documents(client, NAME, 'resources');
  }

  override async dangerouslyClearAll(): Promise<void> {
    for (const thread of await this.threads.all()) await this.deleteThread({ threadId: thread.id });
    for (const resource of await this.resources.all()) await this.resources.delete(resource.id);
  }

  override async getThreadById({ threadId, resourceId }: { threadId: string; resourceId?: string }): Promise<StorageThreadType | null> {
    const found = await this.threads.get(threadId);
    if (found === null || (resourceId !== undefined && found.resourceId !== resourceId)) return null;
    return dated(found);
  }

  override async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    await this.threads.put(thread.id, undated(thread));
    return thread;
  }

  override async updateThread({ id, title, metadata }: { id: string; title?: string; metadata?: Record<string, unknown> }): Promise<StorageThreadType> {
    const found = await this.getThreadById({ threadId: id });
    if (found === null) throw new Error(`Thread with id ${id} not found`);
    const changed = { ...found, ...(title === undefined ? {} : { title }), metadata: { ...found.metadata, ...metadata } };
    return this.saveThread({ thread: touched(changed) });
  }

  /** Removes a thread with its messages. What was learned from them stays. */
  override async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await erase(this.client, threadId);
    await this.threads.delete(threadId);
  }

  override async listThreads({ page: number = 0, perPage, orderBy, filter = {} }: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    this.validatePaginationInput(number, perPage ?? 100);
    this.validateMetadataKeys(filter.metadata);
    const { field, direction } = this.parseOrderBy(orderBy);
    const all = await this.threads.all(filter.resourceId === undefined ? {} : { resourceId: filter.resourceId });
    const wanted = Object.entries(filter.metadata ?? {});
    const found = all.map(dated).filter((thread) => wanted.every(([name, value]) => jsonValueEquals(thread.metadata?.[name], value)));
    const { items, ...rest } = page(sorted(found, field, direction), number, perPage, 100);
    return { threads: items, ...rest };
  }

  override async listMessages(input: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const threadIds = [input.threadId].flat();
    if (threadIds.length === 0 || threadIds.some((id) => id.trim() === '')) {
      throw new Error('threadId must be a non-empty string or array of non-empty strings');
    }
    const read = await Promise.all(threadIds.map((id) => this.messagesOf(id)));
    const own = read.flat().filter((message) => input.resourceId === undefined || message.resourceId === input.resourceId);
    return this.listed(own, input);
  }

  override async listMessagesByResourceId(input: StorageListMessagesByResourceIdInput): Promise<StorageListMessagesOutput> {
    const own: MastraDBMessage[] = [];
    for (const thread of await this.threads.all()) own.push(...(await this.messagesOf(thread.id)));
    return this.listed(own.filter((message) => message.resourceId === input.resourceId), input);
  }

  private async listed(own: MastraDBMessage[], input: Omit<StorageListMessagesByResourceIdInput, 'resourceId'> & { resourceId?: string }): Promise<StorageListMessagesOutput> {
    const { page: number = 0, perPage, include = [] } = input;
    this.validatePaginationInput(number, perPage ?? 40);
    const { direction } = this.parseOrderBy(input.orderBy, 'ASC');
    const { items, ...rest } = page(sorted(matching(own, input.filter), 'createdAt', direction), number, perPage, 40);
    const shown = new Map(items.map((message) => [message.id, message]));
    for (const { threadId, ...wanted } of include) {
      const thread = threadId ?? (await this.threadsOf([wanted.id])).get(wanted.id);
      const around = thread === undefined ? [] : sorted(await this.messagesOf(thread), 'createdAt', 'ASC');
      const inside = around.filter((message) => input.resourceId === undefined || message.resourceId === input.resourceId);
      for (const message of included(inside, wanted)) shown.set(message.id, message);
    }
    return { messages: sorted([...shown.values()], 'createdAt', direction), ...rest };
  }

  override async listMessagesById({ messageIds }: { messageIds: string[] }): Promise<{ messages: MastraDBMessage[] }> {
    const wanted = new Set(messageIds);
    const found: MastraDBMessage[] = [];
    for (const thread of new Set((await this.threadsOf(messageIds)).values())) {
      found.push(...(await this.messagesOf(thread)).filter((message) => wanted.has(message.id)));
    }
    return { messages: sorted(found, 'createdAt', 'ASC') };
  }

  /** Stores messages; one with an id that is there already takes its place. */
  override async saveMessages({ messages }: { messages: MastraDBMessage[] }): Promise<{ messages: MastraDBMessage[] }> {
    const byThread = new Map<string, MastraDBMessage[]>();
    for (const message of messages) {
      if (!message.threadId) throw new Error(`message ${message.id} has no threadId`);
      byThread.set(message.threadId, [...(byThread.get(message.threadId) ?? []), message]);
    }
    for (const [thread, own] of byThread) {
      await append(this.client, thread, own.map(messageBody));
      await this.touch(thread);
    }
    return { messages };
  }

  override async updateMessages({ messages }: { messages: MessageUpdate[] }): Promise<MastraDBMessage[]> {
    const { messages: found } = await this.listMessagesById({ messageIds: messages.map((message) => message.id) });
    const changed: MastraDBMessage[] = [];
    for (const update of messages) {
      const before = found.find((message) => message.id === update.id);
      if (before === undefined) continue;
      const metadata = before.content.metadata || update.content?.metadata ? { metadata: { ...before.content.metadata, ...update.content?.metadata } } : {};
      const after = { ...before, ...update, content: { ...before.content, ...update.content, ...metadata } } as MastraDBMessage;
      if (after.threadId !== before.threadId) {
        await this.client.conversations.eraseMessage(before.threadId!, before.id);
        await this.touch(before.threadId!);
      }
      await this.saveMessages({ messages: [after] });
      changed.push(after);
    }
    return changed;
  }

  override async deleteMessages(messageIds: string[]): Promise<void> {
    const places = await this.threadsOf(messageIds);
    for (const [message, thread] of places) await this.client.conversations.eraseMessage(thread, message);
    for (const thread of new Set(places.values())) await this.touch(thread);
  }

  override async getResourceById({ resourceId }: { resourceId: string }): Promise<StorageResourceType | null> {
    const found = await this.resources.get(resourceId);
    return found === null ? null : dated(found);
  }

  override async saveResource({ resource }: { resource: StorageResourceType }): Promise<StorageResourceType> {
    await this.resources.put(resource.id, undated(resource));
    return resource;
  }

  override async updateResource({ resourceId, workingMemory, metadata }: { resourceId: string; workingMemory?: string; metadata?: Record<string, unknown> }): Promise<StorageResourceType> {
    const now = new Date();
    const before = (await this.getResourceById({ resourceId })) ?? { id: resourceId, metadata: {}, createdAt: now, updatedAt: now };
    const changes = { ...(workingMemory === undefined ? {} : { workingMemory }), metadata: { ...before.metadata, ...metadata } };
    return this.saveResource({ resource: touched({ ...before, ...changes }) });
  }

  override async copyThread({ sourceThreadId, newThreadId, resourceId, title, metadata, options = {} }: StorageCloneThreadInput): Promise<StorageCopyThreadOutput> {
    const source = await this.getThreadById({ threadId: sourceThreadId });
    if (source === null) throw new Error(`Source thread with id ${sourceThreadId} not found`);
    const id = newThreadId ?? crypto.randomUUID();
    if ((await this.getThreadById({ threadId: id })) !== null) throw new Error(`Thread with id ${id} already exists`);
    const { startDate, endDate, messageIds } = options.messageFilter ?? {};
    const dateRange = { ...(startDate ? { start: startDate } : {}), ...(endDate ? { end: endDate } : {}) };
    let messages = matching(sorted(await this.messagesOf(sourceThreadId), 'createdAt', 'ASC'), { dateRange });
    if (messageIds?.length) messages = messages.filter((message) => messageIds.includes(message.id));
    if (options.messageLimit) messages = messages.slice(-options.messageLimit);
    const now = new Date();
    const last = messages.at(-1)?.id;
    const clone = { sourceThreadId, clonedAt: now, ...(last === undefined ? {} : { lastMessageId: last }) };
    const named = title ?? (source.title ? `Clone of ${source.title}` : undefined);
    const owner = resourceId ?? source.resourceId;
    const thread: StorageThreadType = { id, resourceId: owner, ...(named ? { title: named } : {}), metadata: { ...metadata, clone }, createdAt: now, updatedAt: now };
    await this.saveThread({ thread });
    const messageIdMap = Object.fromEntries(messages.map((message) => [message.id, crypto.randomUUID()]));
    const copies = messages.map((message) => ({ ...message, id: messageIdMap[message.id]!, threadId: id, resourceId: resourceId ?? message.resourceId }));
    await append(this.client, id, (copies as MastraDBMessage[]).map(messageBody));
    return { thread, messageIdMap };
  }

  override async updateThreadResourceId({ threadId, resourceId }: { threadId: string; resourceId: string }): Promise<StorageThreadType> {
    const thread = await this.getThreadById({ threadId });
    if (thread === null) throw new Error(`Thread with id ${threadId} not found`);
    if (thread.resourceId === resourceId) return thread;
    const messages = (await this.messagesOf(threadId)).map((message) => ({ ...message, resourceId }));
    await append(this.client, threadId, messages.map(messageBody));
    return this.saveThread({ thread: touched({ ...thread, resourceId }) });
  }

  private async messagesOf(thread: string): Promise<MastraDBMessage[]> {
    const stored = await latest(this.client, thread);
    return stored.flatMap((each) => {
      const kept = unwrapped(NAME, each) as (Omit<MastraDBMessage, 'createdAt'> & { createdAt: string }) | undefined;
      return kept === undefined ? [] : [{ ...kept, createdAt: new Date(kept.createdAt) } as MastraDBMessage];
    });
  }

  /** Finds the threads of messages. An id does not say where its message is: the last touched threads are looked at first. */
  private async threadsOf(messageIds: string[]): Promise<Map<string, string>> {
    const missing = new Set(messageIds);
    const places = new Map<string, string>();
    const threads = missing.size === 0 ? [] : sorted((await this.threads.all()).map(dated), 'updatedAt', 'DESC');
    for (const thread of threads) {
      for (const message of await latest(this.client, thread.id)) {
        if (missing.delete(message.id)) places.set(message.id, thread.id);
      }
      if (missing.size === 0) break;
    }
    return places;
  }

  private async touch(threadId: string): Promise<void> {
    const thread = await this.getThreadById({ threadId });
    if (thread !== null) await this.saveThread({ thread: touched(thread) });
  }
}

function messageBody(message: MastraDBMessage) {
  const role: MessageRole = message.role === 'user' || message.role === 'system' ? message.role : 'assistant';
  const text = message.content.content || textOf(message.content.parts);
  return { ...wrapped(NAME, message, role, text), id: message.id, at: new Date(message.createdAt).toISOString() };
}

function dated<T extends { createdAt: Date; updatedAt: Date }>(stored: Stored<T>): T {
  return { ...stored, createdAt: new Date(stored.createdAt), updatedAt: new Date(stored.updatedAt) } as unknown as T;
}

function undated<T extends { createdAt: Date; updatedAt: Date }>(given: T): Stored<T> {
  const { createdAt, updatedAt, ...rest } = given;
  return { ...rest, createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}

/** Moves `updatedAt` on, always by a little. */
function touched<T extends { updatedAt: Date }>(thing: T): T {
  return { ...thing, updatedAt: new Date(Math.max(Date.now(), thing.updatedAt.getTime() + 1)) };
}
