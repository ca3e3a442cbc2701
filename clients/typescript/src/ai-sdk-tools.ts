// A provider for `@ai-sdk-tools/memory`: `memory: { provider: new RecalldProvider(), … }`.
//
// All is the client's user's own; a `userId` is a label inside that user's space.

import { Recalld } from './client.js';
import { Documents } from './documents.js';
import { NotFound } from './errors.js';
import type { StoredValue } from './generated/types.js';
import { append, erase, latest, unwrapped, wrapped } from './transcript.js';

const NAME = 'ai_sdk_tools';

type Scope = 'chat' | 'user';

interface Place {
  chatId?: string;
  userId?: string;
  scope: Scope;
}

interface ConversationMessage {
  chatId: string;
  userId?: string;
  role: 'user' | 'assistant' | 'system';
  content: unknown;
  timestamp: Date;
}

interface ChatSession {
  chatId: string;
  userId?: string;
  title?: string;
  createdAt: Date;
  updatedAt: Date;
  messageCount: number;
}

type StoredChat = Omit<ChatSession, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string };

/** Keeps working memory, messages and the list of chats. */
export class RecalldProvider {
  private readonly client: Recalld;
  private readonly chats: Documents<StoredChat>;

  constructor(client: Recalld = new Recalld()) {
    this.client = client;
    this.chats = new Documents(client, NAME, 'chats');
  }

  async getWorkingMemory(place: Place): Promise<{ content: string; updatedAt: Date } | null> {
    try {
      const stored = await this.readWorkingMemory(place);
      const content = (stored.value as Record<string, unknown> | null)?.[field(place)];
      return typeof content === 'string' ? { content, updatedAt: new Date(stored.updated_at) } : null;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  async updateWorkingMemory(place: Place & { content: string }): Promise<void> {
    const patch = { [field(place)]: place.content };
    if (place.scope === 'user') {
      await this.client.workingMemory.merge(patch);
    } else {
      const chat = named(place);
      await this.client.conversations.open({ id: chat });
      await this.client.conversations.mergeWorkingMemory(chat, patch);
    }
  }

  private readWorkingMemory(place: Place): Promise<StoredValue> {
    return place.scope === 'user'
      ? this.client.workingMemory.get()
      : this.client.conversations.workingMemory(named(place));
  }

  async saveMessage({ chatId, userId, role, content, timestamp }: ConversationMessage): Promise<void> {
    const text = typeof content === 'string' ? content : '';
    const message = wrapped(NAME, { content, userId }, role, text);
    await append(this.client, chatId, [{ ...message, at: timestamp.toISOString() }]);
  }

  /** Gives the contents of the latest messages, the oldest first; what is JSON, parsed. */
  async getMessages<T = any>({ chatId, userId, limit }: { chatId: string; userId?: string; limit?: number }): Promise<T[]> {
    const stored = await latest(this.client, chatId, userId === undefined ? limit : undefined);
    const kept = stored.map((each) => (unwrapped(NAME, each) ?? { content: each.content }) as { content: unknown; userId?: string });
    const mine = kept.filter((each) => userId === undefined || each.userId === undefined || each.userId === userId);
    return mine.slice(limit === undefined ? 0 : Math.max(0, mine.length - limit)).map((each) => parsed(each.content) as T);
  }

  async saveChat({ createdAt, updatedAt, ...chat }: ChatSession): Promise<void> {
    const before = await this.chats.get(chat.chatId);
    const title = chat.title || before?.title;
    const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
    await this.chats.put(chat.chatId, { ...chat, ...times, ...(title ? { title } : {}) });
  }

  /** Lists the chats, the last touched first. */
  async getChats({ userId, search, limit }: { userId?: string; search?: string; limit?: number } = {}): Promise<ChatSession[]> {
    const found = (await this.chats.all(userId === undefined ? {} : { userId })).map(dated);
    const words = search?.toLowerCase();
    const matching = found.filter((chat) => words === undefined || chat.title?.toLowerCase().includes(words));
    return matching.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()).slice(0, limit);
  }

  async getChat(chatId: string): Promise<ChatSession | null> {
    const found = await this.chats.get(chatId);
    return found === null ? null : dated(found);
  }

  async updateChatTitle(chatId: string, title: string): Promise<void> {
    const found = await this.chats.get(chatId);
    if (found !== null) await this.chats.put(chatId, { ...found, title, updatedAt: new Date().toISOString() });
  }

  /** Removes a chat with its messages. */
  async deleteChat(chatId: string): Promise<void> {
    await erase(this.client, chatId);
    await this.chats.delete(chatId);
  }
}

/** The field of working memory: other fields are somebody else's. */
function field({ scope, userId }: Place): string {
  return scope === 'user' && userId !== undefined ? `notes:${userId}` : 'notes';
}

function named({ chatId }: Place): string {
  if (chatId === undefined) throw new TypeError('chatId is needed for the scope "chat"');
  return chatId;
}

function dated(chat: StoredChat): ChatSession {
  return { ...chat, createdAt: new Date(chat.createdAt), updatedAt: new Date(chat.updatedAt) };
}

function parsed(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
