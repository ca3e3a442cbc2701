// A session of the OpenAI Agents SDK that recalld keeps: `run(agent, text, { session: new RecalldSession('s1') })`.

import { Recalld } from './client.js';
import type { Message, MessageRole, NewMessageBody } from './generated/types.js';
import { append, erase, latest, textOf, unwrapped, wrapped } from './transcript.js';

const NAME = 'openai_agents';

/** An item as the SDK has it. Its own type is not imported: the package works without the SDK. */
type Item = any;

/** The items of one conversation, which the server sees, too. It has the shape of the SDK's `Session`. */
export class RecalldSession {
  private readonly sessionId: string;
  private readonly client: Recalld;
  private readonly extract: boolean;

  /** With `extract`, lasting facts in what the user says are remembered. */
  constructor(sessionId: string, client: Recalld = new Recalld(), { extract = false } = {}) {
    this.sessionId = sessionId;
    this.client = client;
    this.extract = extract;
  }

  async getSessionId(): Promise<string> {
    return this.sessionId;
  }

  /** Gives the latest items, the oldest first. */
  async getItems(limit?: number): Promise<Item[]> {
    return (await latest(this.client, this.sessionId, limit)).map(itemOf);
  }

  async addItems(items: Item[]): Promise<void> {
    await append(this.client, this.sessionId, items.map(messageOf), this.extract);
  }

  /** Removes the latest item and gives it back. */
  async popItem(): Promise<Item | undefined> {
    const [last] = await latest(this.client, this.sessionId, 1);
    if (last === undefined) return undefined;
    await this.client.conversations.eraseMessage(this.sessionId, last.id);
    return itemOf(last);
  }

  /** Removes all items. What was learned from them stays. */
  async clearSession(): Promise<void> {
    await erase(this.client, this.sessionId);
  }
}

function messageOf(item: Item): NewMessageBody {
  const roles: Record<string, MessageRole> = { user: 'user', system: 'system', developer: 'system' };
  const output = typeof item.output === 'string' ? item.output : textOf([item.output]);
  return wrapped(NAME, item, roles[item.role] ?? 'assistant', textOf(item.content) || output || (item.name ?? ''));
}

/** Gives the item; a message that something else wrote becomes one. */
function itemOf(stored: Message): Item {
  return unwrapped(NAME, stored) ?? { role: stored.role, content: stored.content };
}
